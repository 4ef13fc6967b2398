"""The messages of a gathering for protocol/messages, and what the index says of each: who reads and
sends it, and what its reader holds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from p2p304.table.gathering.exchange.begin_record import BeginRecord
from p2p304.table.gathering.exchange.messages import (
    PLEDGE_FORM,
    ListHoldings,
    lobby_bytes,
    parse_lobby,
)
from tests.support.hostile.false_gatherings import (
    FALSE,
    FALSE_GATHERINGS,
    HONEST,
    gathered,
    held_before,
)
from tests.support.hostile.founder_rows import FounderRow, founder_rows, list_of
from tests.support.hostile.gathering_rows import Row, good_rows, malformed_rows
from tests.support.hostile.signing_rows import SigningRow, signing_rows
from tests.support.hostile.visitor_rows import (
    NAMES,
    VisitorRow,
    VisitorState,
    expected_proof,
    usual,
    visitor_rows,
)

LIST = "members.list"
"""File of the complete list that a member holds."""


def the_list() -> bytes:
    return lobby_bytes(gathered())


def messages() -> Iterator[tuple[bytes, dict[str, Any]]]:
    """Payload and row of every message of a gathering: false ones, good ones, malformed ones."""
    made = [
        (each.__name__, each.check, Row(each.to, each().payload(), str(each.__doc__)))
        for each in FALSE_GATHERINGS
    ]
    good, malformed = good_rows().items(), malformed_rows().items()
    then = {each.__name__: {"then": each.then} for each in FALSE_GATHERINGS if each.then}
    rows = [*made, *((n, None, row) for n, row in good), *((n, "W06", row) for n, row in malformed)]
    for name, check, row in rows:
        of_reader = {**then.get(name, {}), **context(row.to, row.payload)}
        yield row.payload, _told(name, check, of_reader, row.comment)
    for name, visit in visitor_rows().items():
        yield visit.payload, _told(name, visit.check, _of_visit(visit), visit.comment)

    for name, to_founder in founder_rows().items():
        told = _of_founder(to_founder)
        yield to_founder.payload, _told(name, to_founder.check, told, to_founder.comment)
    for name, signing in signing_rows().items():
        told = _of_signing(signing)
        yield signing.payload, _told(name, None, told, signing.comment)


def _told(name: str, check: str | None, of_reader: dict[str, Any], comment: str) -> dict[str, Any]:
    told = {"file": f"{name}.bin", "check": check, "without": False}
    return {**told, **of_reader, "comment": comment}


def context(to: str, payload: bytes, state: VisitorState | None = None) -> dict[str, Any]:
    """The fields of a row beside file, check and comment."""
    if to == "member":
        return _of_member(payload)
    if to != "visitor":
        return _people(to, "Asha", "Eve", (HONEST if to == "founder" else FALSE).public)
    state = state or usual(payload)
    proof = expected_proof(state)
    of_visitor = {
        "passphrase": state.passphrase,
        "answered": None if state.answered is None else state.answered.hex(),
        "proof": None if proof is None else proof.hex(),
        "proven": state.proven,
        "list": None if state.list is None else lobby_bytes(state.list).hex(),
    }
    return {**_people(to, "Asha", "Eve", state.founder), "visitor": of_visitor}


def _of_visit(visit: VisitorRow) -> dict[str, Any]:
    """The fields of a row of visitor_rows.py, whose sender need not be Eve."""
    told = context("visitor", visit.payload, visit.state)
    sender = {"key": visit.sender.hex(), "nick": NAMES[visit.sender]}
    return {**told, "sender": sender, "outcome": visit.outcome}


def _of_founder(row: FounderRow) -> dict[str, Any]:
    """The fields of a row of founder_rows.py."""
    here = row.state._asdict()
    founded = {name: here[name] for name in ("locked", "run", "proven", "put_out")}
    founded["list"] = list_of(row.state).hex()
    told = _people("founder", "Asha", row.state.nick, HONEST.public)
    return {**told, "founded": founded, "outcome": row.outcome}


def _of_signing(row: SigningRow) -> dict[str, Any]:
    """The fields of a row about what a member signs."""
    told = _of_member(row.payload)
    return {**told, "leavers": [key.hex() for key in row.leavers], "outcome": row.outcome}


def _people(to: str, reader: str, sender: str, founder: bytes) -> dict[str, Any]:
    return {
        "to": to,
        "reader": {"key": HONEST.public.hex(), "nick": reader},
        "sender": {"key": FALSE.public.hex(), "nick": sender},
        "founder": founder.hex(),
    }


def _of_member(payload: bytes) -> dict[str, Any]:
    held = parse_lobby(payload)
    if not isinstance(held, ListHoldings):
        raise TypeError("a member reads what others hold")
    first = [b"" if each is None else PLEDGE_FORM.write(each) for each in held_before(held)]
    here, whole = gathered(), [each for each in held.pledges if each is not None]
    is_whole = len(whole) == len(here.guests)
    people = (guest.nick for guest in here.guests)
    return {
        **_people("member", next(people), next(people), here.guests[0].key),
        "list": LIST,
        "digest": here.digest.hex(),
        "pledges": [each.hex() for each in first],
        "table": BeginRecord(here, tuple(whole)).terms.table.hex() if is_whole else None,
    }
