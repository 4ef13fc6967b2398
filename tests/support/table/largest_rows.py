"""Every row about unseen cards that a game can ask for, at its largest: nothing has been seen yet.

The statements are true, so that they can be proved and measured. The trump maker's indicator is
the first card of the pack; its hand and the other seats' cards are of the other suits.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from p2p304.crypto.group import Element, HashedElement, Q, add, base, mul
from p2p304.crypto.rng import Rng
from p2p304.crypto.statements import Hidden, Statement
from p2p304.rules.core.cards import Pack
from p2p304.rules.state.hand import Hand
from p2p304.rules.variants.options import Options
from p2p304.table.proofs import hidden_cards
from p2p304.table.proofs.required import ProofKind
from p2p304.table.state import deal as dealing

RNG = Rng.from_seed(bytes(32))
TABLE = bytes(32)
UNLOCK, INSPECTION, NONCE = (RNG.child(label).scalar() for label in (b"u", b"x", b"k"))
SECRETS: dict[Element, int] = {base(secret): secret for secret in (UNLOCK, INSPECTION)}


@dataclass(frozen=True)
class LargestRow:
    """One row of a game: what it says, under which name a table of figures lists it."""

    row: ProofKind
    name: str
    statement: Statement


def card_points(pack: Pack) -> tuple[HashedElement, ...]:
    """The cards' elements in the hand that these rows speak of."""
    return dealing.card_elements(TABLE, 1, pack)


@lru_cache(maxsize=8)
def _hidden(pack: Pack) -> tuple[tuple[Hidden, ...], tuple[Hidden, ...]]:
    """Every card of the pack locked, and encrypted to the inspection key."""
    inverse, U, X = pow(UNLOCK, -1, Q), base(UNLOCK), base(INSPECTION)
    elements = card_points(pack)
    locked = tuple(Hidden(U, mul(inverse, M)) for M in elements)
    mask = mul(NONCE, X)
    shown = tuple(hidden_cards.encrypted(X, base(NONCE), add(M, mask)) for M in elements)
    return locked, shown


def largest_rows(options: Options) -> list[LargestRow]:
    """The rows of this game, each with as many hidden and as many unseen cards as can be."""
    deal = dealing.begin(TABLE, 1, 0, options)
    cards = hidden_cards.Cards(deal, Hand.start(options, 0))
    locked, shown = _hidden(options.pack)
    first, *others = cards.suits
    suit, size = len(options.pack.cards) // 4, options.hand_size
    indicator, hand = locked[0], locked[suit : suit + size - 1]
    whole = (*hand, locked[suit + size - 1])
    follow = hidden_cards.cannot_follow(cards, whole, first)
    rows: list[tuple[ProofKind, str, Statement | None]] = [(ProofKind.FOLLOW, "follow", follow)]
    if options.hidden == "ask_reveal":
        rows.append((ProofKind.CUT, "cut", hidden_cards.cannot_follow(cards, whole, first)))
    else:
        seen = shown[suit : suit + options.seats - 1]
        rows += [
            (ProofKind.DOWN, "down", hidden_cards.no_trumps(cards, indicator, hand[:1])),
            (ProofKind.NO_TRUMPS, "no trumps", hidden_cards.no_trumps(cards, indicator, seen)),
            (
                ProofKind.NO_TRUMPS,
                "no trumps, indicator shown",
                hidden_cards.cannot_follow(cards, seen, first),
            ),
        ]
        lead = hidden_cards.leads_no_trump(cards, locked[suit], first)
        if options.open_trump:
            rows.append(
                (ProofKind.STUCK, "stuck", hidden_cards.not_only_trumps(cards, indicator, hand))
            )
        else:
            trumps_only = hidden_cards.leads_trumps_only(cards, locked[1:size], first)
            lead = hidden_cards.either(lead, trumps_only)
        rows.append((ProofKind.LEAD, "lead", lead))
        if options.exhausted:
            back = hidden_cards.holds_none_back(cards, indicator, hand, others)
            rows.append((ProofKind.EXHAUSTED, "exhausted", back))
        if options.spoilt in ("anyone", "opponents"):
            rows.append(
                (ProofKind.SPOILT, "spoilt", hidden_cards.was_dealt_none(cards, whole, first))
            )
    return [LargestRow(row, name, told) for row, name, told in rows if told is not None]
