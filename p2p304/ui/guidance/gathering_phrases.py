"""A table that gathers, for the players who wait there: how others come, what follows if somebody
leaves for good, and what a visitor waits for whom nobody has let in yet.

Responsible for these sentences, on the full screen and in text mode. Who is at the table, and whom
it waits for, is ui/narration/gathering.py's.
"""

from __future__ import annotations

from p2p304.rules.core.phrases import Phrase, say
from p2p304.rules.variants.absence import PLAY_OUT, REPLACE, WAIT
from p2p304.ui.common.key_map import Command
from p2p304.ui.narration.model import Model, Stage

OTHERS_COME = say("Others see this table in their lobby, or type its table code:")
_IF_SOMEBODY_LEAVES = {
    REPLACE: say(
        "If somebody leaves for good, that player's side loses the hand. Then a bot or another "
        "person can take the seat."
    ),
    PLAY_OUT: say(
        "If somebody leaves for good, the others can play the hand to its end. Then the table ends."
    ),
    WAIT: say("If somebody leaves for good, the table waits as long as it takes."),
}
"""By the value of the option ``away``."""


def table_codes(model: Model) -> tuple[str, ...]:
    """Return the addresses of the table with their codes, while others can still come."""
    room = model.room
    is_open = model.stage is Stage.GATHERING and len(model.nicks) < model.places
    return room.where if room is not None and is_open else ()


def if_somebody_leaves(model: Model) -> Phrase | None:
    """Say what this table's rules do then; None where nobody but bots can come."""
    return None if model.room is None else _IF_SOMEBODY_LEAVES.get(model.room.away)


def asked_for_seat(model: Model) -> tuple[Phrase, ...]:
    """Say what a visitor waits for, how long the request stands, and what else can be done."""
    pressed = say("press {key}", key=model.keys[Command.LOBBY])
    way = say("type 'lobby' or 'quit'") if model.typed else pressed
    return (
        say("You have asked for a seat. The player who opened this table must let you in first."),
        say("Your request stands until you have an answer, or leave."),
        say("To leave, {way}.", way=way),
    )
