"""Events: what one does not say is that nothing of the kind happened."""

from __future__ import annotations

from dataclasses import MISSING, fields, is_dataclass

from p2p304.table.state import events


def test_what_an_event_leaves_out_has_not_happened() -> None:
    kinds = [kind for kind in vars(events).values() if isinstance(kind, type)]
    own = [kind for kind in kinds if kind.__module__ == events.__name__ and is_dataclass(kind)]
    defaults = {
        (kind.__name__, field.name): field.default
        for kind in own
        for field in fields(kind)
        if field.default is not MISSING
    }
    assert len(defaults) > 5
    assert not {where: value for where, value in defaults.items() if value}
