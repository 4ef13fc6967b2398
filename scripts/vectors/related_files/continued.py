"""Tables that go on from an earlier one, for protocol/continued: sound and false beginnings, and a
table that goes on from one that went on itself (SPEC.md, "A seat taken over")."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from p2p304.crypto.signing import SigningKey
from p2p304.log.absence_vote import PartingPlace
from p2p304.log.chain import Without
from p2p304.log.entry import link_of, sign_entry
from p2p304.log.transcript import MAGIC, encode_block, encode_last
from p2p304.offline.audit import audit
from p2p304.rules.variants.presets import preset
from p2p304.table.absence.certificate import Certificate
from p2p304.table.agreement.continuation import Continuation
from p2p304.table.agreement.terms import Player, Terms, pledge_of
from p2p304.table.state.table import TableState
from p2p304.table.transition.replay import Replay
from p2p304.table.transition.successor import Ending
from p2p304.wire.bodies import Draw, body_value
from scripts.vectors.index import write_rows
from scripts.vectors.transcripts.signed_blocks import SEED, first_block, first_entry, receipted
from tests.support.cheats.agreement import ENDING, GoesOnRicher, parts
from tests.support.table import simnet

Changes = dict[str, Any]
Case = tuple[list[SigningKey], Changes, str | None, str]
NONCE = bytes(32)
ABSENT, DRAWING, DEALT = 2, 3, 14
"""Who leaves, and the places at which two players have drawn, and the first cards are dealt."""


def continued(folder: Path) -> None:
    """Write ended.304 with beginnings of tables that go on from it, and ended-again.304, a table
    that goes on from it and ended before a card was dealt, with tables that go on from that."""
    folder.mkdir(exist_ok=True)
    index: list[Changes] = []

    def write(file: str, before: str, raw: bytes, check: str | None, comment: str) -> None:
        (folder / file).write_bytes(raw)
        index.append({"file": file, "before": before, "check": check, "comment": comment})

    ended, keys = _ended()
    (folder / "ended.304").write_bytes(ended)
    left = left_by(ended)
    by_key = {key.public: key for key in keys}
    people = [by_key[key] for key in left.keys]
    newcomer = [SigningKey.from_seed(bytes(32)) if key is keys[ABSENT] else key for key in people]
    for name, (players, changes, check, comment) in _cases(left, people, newcomer).items():
        raw = MAGIC + first_block(terms(left, players, changes), players)
        write(f"{name}.304", "ended.304", raw, check, comment)

    again = _ended_again(terms(left, newcomer, {}), newcomer)
    write(
        "ended-again.304",
        "ended.304",
        again,
        None,
        "goes on, and ends before a card is dealt: no hand is lost",
    )
    left = left_by(again)
    for name, changes, check, comment in (
        ("third", {}, None, "goes on from a table that went on itself"),
        (
            "third-hands",
            {"hands": left.hands - 1},
            "A05",
            "counts as played a hand that had not begun",
        ),
    ):
        raw = MAGIC + first_block(terms(left, newcomer, changes), newcomer)
        write(f"{name}.304", "ended-again.304", raw, check, comment)
    for name, (players, comment) in _played_to_their_end(folder, left, newcomer).items():
        raw = (folder / f"ended-{name}.304").read_bytes()
        begun = MAGIC + first_block(terms(_as_if_it_went_on(raw), players, {}), players)
        write(f"after-{name}.304", f"ended-{name}.304", begun, "A05", comment)
    tenths = _ended_with_a_game()
    (folder / "ended-tenths.304").write_bytes(tenths)
    left = left_by(tenths)
    seated = [by_key[key] for key in left.keys]
    for name, after, check, comment in _after_a_game(left):
        raw = MAGIC + first_block(terms(left, seated, {"after": after}), seated)
        write(f"tenths-{name}.304", "ended-tenths.304", raw, check, comment)
    void = _parted(simnet.make(SEED, 2, ENDING.override({"violation": "void"})), DEALT)
    (folder / "ended-void.304").write_bytes(void)
    left = left_by(void)
    seated = [by_key[key] for key in left.keys]
    for name, dealer, check, comment in (
        (
            "good",
            left.after.dealer,
            None,
            "violation=void: the dealer of the void hand deals again",
        ),
        ("next-dealer", (left.after.dealer + 1) % 4, "A05", "violation=void: the next seat deals"),
    ):
        agreed = terms(left, seated, {"after": replace(left.after, dealer=dealer)})
        raw = MAGIC + first_block(agreed, seated)
        write(f"void-{name}.304", "ended-void.304", raw, check, comment)
    draw = _parted(simnet.make(SEED, 2, ENDING), DRAWING)
    (folder / "ended-draw.304").write_bytes(draw)
    begun = MAGIC + first_block(terms(_of_the_draw(draw, left_by(ended)), people, {}), people)
    write("after-draw.304", "ended-draw.304", begun, "A05", "the earlier table ended in its draw")
    write_rows(folder, index)


def _played_to_their_end(
    folder: Path, left: Ending, people: list[SigningKey]
) -> dict[str, tuple[list[SigningKey], str]]:
    """Write tables that nothing goes on from, because their match is over; returns by name their
    players by seat, and what a table says that goes on from one all the same."""
    last, keys = _ended(hands=1)
    (folder / "ended-last.304").write_bytes(last)
    by_key = {key.public: key for key in keys}
    seated = [by_key[key] for key in _as_if_it_went_on(last).keys]
    online = preset("online-4").override({"away": "replace", "seating": "chosen"})
    for name, rules, tokens in (("none", left.rules, (0, 22)), ("won", online, ())):
        amounts = tokens or (online.tokens, *(0,) * (online.accounts - 1))
        nothing = (0,) * len(amounts)
        after = replace(left.after, tokens=amounts, cards=nothing, games=nothing)
        agreed = terms(left, people, {"rules": rules, "after": after})
        (folder / f"ended-{name}.304").write_bytes(_ended_again(agreed, people))
    return {
        "last": (seated, "no hand is left"),
        "none": (people, "a side has had no token since the earlier table began"),
        "won": (people, "a side has had the points that win since the earlier table began"),
    }


def _as_if_it_went_on(raw: bytes) -> Ending:
    """How a table ended, though nothing goes on from it."""
    state, without = end_of(raw)
    agreed, match = state.terms, state.match
    return Ending(
        agreed.name,
        replace(agreed.rules, seating="chosen"),
        max(0, agreed.hands - state.hands_played),
        agreed.watch,
        tuple(agreed.keys[player] for player in state.seating),
        tuple(agreed.players[player].nick for player in state.seating),
        state.seat_of(2),
        Continuation(
            state.table, without.table, state.dealer, match.tokens, match.cards, match.games
        ),
    )


def _ended_with_a_game() -> bytes:
    """A table of tenths that continues one in which each side had card points and games. It ends in
    its first hand: the other side has all card points of the pack, and wins a game."""
    rules = preset("tenths").override({"away": "replace", "seating": "chosen"})
    before = Continuation(bytes(32), bytes(32), 0, (11, 11), (100, 50), (2, 1))
    return _parted(simnet.make(SEED, 2, rules, after=before), DEALT)


def _after_a_game(left: Ending) -> list[tuple[str, Continuation, str | None, str]]:
    """What tables say that go on from it: name, `after`, check and comment."""
    true = left.after
    return [
        ("good", true, None, "the absent player's opponents have won a game of tenths: all at 0"),
        (
            "loser-keeps",
            replace(true, cards=(100, 0)),
            "A05",
            "the side that has lost the game keeps its card points",
        ),
        (
            "no-points",
            replace(true, cards=(100, 50), games=(2, 1)),
            "A05",
            "no card points go to the other side",
        ),
        ("other-games", replace(true, games=(2, 1)), "A05", "games as before the hand"),
    ]


def _of_the_draw(transcript: bytes, left: Ending) -> Ending:
    """How a table would go on from this one, as if no hand had begun and the first seat dealt."""
    state, without = end_of(transcript)
    rules, hands = replace(state.terms.rules, seating="chosen"), state.terms.hands
    after = replace(left.after, table=state.table, end=without.table, dealer=0, tokens=(11, 11))
    return replace(left, rules=rules, hands=hands, after=after)


def end_of(transcript: bytes) -> tuple[TableState, Without]:
    """The state after the parting that ends a table, and that parting."""
    replay = Replay(transcript)
    *_, last = replay
    without = None if replay.chain is None else replay.chain.without
    if without is None:
        raise LookupError("nobody has left this table")
    return last.state, without


def _ended(hands: int = 2) -> tuple[bytes, list[SigningKey]]:
    """A table of so many hands that ended in its first one, without its third player; the players'
    keys."""
    net = simnet.make(SEED, hands, ENDING)
    return _parted(net, DEALT), [each.me.key for each in net.tables]


def _parted(net: simnet.Net, at: int) -> bytes:
    """The table up to this place, from which all but its third player part."""
    net.run(until=lambda: net.tables[0].chain.next_seq > at)
    chain, keys = net.tables[0].chain, [each.me.key for each in net.tables]
    last = chain.entries[at - 1]
    where = PartingPlace(chain.table, at, last.link, ABSENT)
    signed = Certificate(tuple(parts(keys, where))).parts
    start = b"".join(encode_block(chain.block(seq)) for seq in range(at - 1))
    return MAGIC + start + encode_last(last.raw, signed)


def _ended_again(agreed: Terms, keys: list[SigningKey]) -> bytes:
    """A table that ended as soon as everybody's nonce was opened, without its third player."""
    blocks, link, entry = first_block(agreed, keys), link_of(first_entry(agreed, keys).raw), None
    for seq in range(1, len(keys) + 1):
        body = body_value(Draw(NONCE, None, None))
        entry = sign_entry(keys[seq - 1], agreed.table, seq, link, seq - 1, "draw", body)
        link = link_of(entry.raw)
        if seq < len(keys):
            blocks += receipted(entry, agreed, keys)
    if entry is None:
        raise LookupError("there are players")
    where = PartingPlace(agreed.table, len(keys) + 1, link, 2)
    return MAGIC + blocks + encode_last(entry.raw, Certificate(tuple(parts(keys, where))).parts)


def left_by(transcript: bytes) -> Ending:
    """How the table ended for one that continues it."""
    left = audit(transcript).left
    if left is None:
        raise LookupError("this table does not go on")
    return left


def terms(left: Ending, players: list[SigningKey], changes: Changes) -> Terms:
    """The terms of a table that goes on, but for the changes."""
    agreed = tuple(
        Player(key.public, simnet.NICKS[n], pledge_of(key.public, NONCE))
        for n, key in enumerate(players)
    )
    true = Terms(left.name, left.rules, left.hands, agreed, left.watch, left.after)
    return replace(true, **changes)


def _cases(left: Ending, people: list[SigningKey], newcomer: list[SigningKey]) -> dict[str, Case]:
    """Players, changes of the true terms, check and comment, by file."""
    stay = [n for n, key in enumerate(people) if key is newcomer[n]]
    swapped = list(people)
    swapped[stay[0]], swapped[stay[1]] = people[stay[1]], people[stay[0]]
    true, tokens = left.after, left.after.tokens
    other_rules = left.rules.override({"redeal15": "off"})
    return {
        "good": (people, {}, None, "begins as the other ended"),
        "newcomer": (newcomer, {}, None, "another player has the absent player's seat"),
        "richer": (
            people,
            {"after": replace(true, tokens=(tokens[0] + 1, tokens[1]))},
            "A05",
            str(GoesOnRicher.__doc__),
        ),
        "other-table": (people, {"after": replace(true, table=bytes(32))}, "A05", "another table"),
        "other-end": (people, {"after": replace(true, end=bytes(32))}, "A05", "another end"),
        "other-dealer": (
            people,
            {"after": replace(true, dealer=(true.dealer + 1) % 4)},
            "A05",
            "another seat deals",
        ),
        "other-name": (people, {"name": f"{left.name} II"}, "A05", "another name"),
        "other-watch": (people, {"watch": "hand"}, "A05", "spectators, who were not let in"),
        "other-hands": (people, {"hands": left.hands + 1}, "A05", "one hand more than was left"),
        "other-rules": (people, {"rules": other_rules}, "A05", "another option than seating"),
        "drawn-again": (
            people,
            {"after": None, "rules": left.rules.override({"seating": "draw"})},
            "A05",
            "seats are drawn, and no table is continued",
        ),
        "swapped": (swapped, {}, "A05", "two who stay have changed seats"),
    }
