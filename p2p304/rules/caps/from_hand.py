"""From a hand to what one seat knows of it.

Responsible for every conclusion that the public history allows about unseen cards: which seat is
out of a suit, what a face-down card cannot be, which suits cannot be trumps. The rules behind these
conclusions stand in legality/own_card_checks.py and legality/public_checks.py. It sees one seat's
cards.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from p2p304.rules.caps.bitboard import ALL_SUITS, SUIT_NUMBER, bits, suit_of
from p2p304.rules.caps.knowledge import CapsError, Knowledge, Put
from p2p304.rules.core.cards import Card
from p2p304.rules.core.seats import Seat, side
from p2p304.rules.core.tricks import Trick
from p2p304.rules.state.hand import Hand


def knowledge(
    hand: Hand,
    seat: Seat,
    cards: frozenset[Card],
    known: Mapping[tuple[int, Seat], Card],
    indicator: Card | None = None,
) -> Knowledge:
    """What ``seat`` knows of ``hand`` from the choice of open or closed on.

    ``cards`` are its remaining cards, ``indicator`` its own while it lies (it may be among the
    cards), ``known`` the face-down cards that it knows, by trick from 0 and seat:
    its own, and as trump maker those inspected. Raises CapsError where no Caps can be called.
    """
    if hand.bids_all_tricks:
        raise CapsError("Caps cannot be called where the bid is for every trick")
    return conclusions(hand, seat, cards, known, indicator)


def conclusions(
    hand: Hand,
    seat: Seat,
    cards: frozenset[Card],
    known: Mapping[tuple[int, Seat], Card],
    indicator: Card | None,
) -> Knowledge:
    """The same, also where the bid is for every trick: the cards of players who lay theirs aside
    are unseen, and in no hand."""
    if hand.maker is None or hand.closed is None:
        raise CapsError("Caps can be called once open or closed is chosen")
    if hand.options.hidden != "face_down":
        raise CapsError("Caps is judged where cards off suit are played face down")
    return _Reading(hand, hand.maker, seat, cards, known, indicator).result()


class _Reading:
    """One pass over the tricks of a hand, with one seat's eyes."""

    def __init__(
        self,
        hand: Hand,
        maker: Seat,
        seat: Seat,
        cards: frozenset[Card],
        known: Mapping[tuple[int, Seat], Card],
        indicator: Card | None,
    ) -> None:
        self.hand, self.maker, self.seat, self.known = hand, maker, seat, known
        self.lying = 0 if indicator is None else indicator.bit
        self.mine = bits(cards) | self.lying
        self.played = 0
        self.barred = [0] * hand.options.seats
        self.laid: list[int] = []
        self.trick: tuple[Put, ...] = ()
        self.spent = self.exhausted = self.alone = 0
        trump = hand.trump if indicator is None else indicator.suit
        self.sure = trump is not None
        self.exhausts = hand.options.exhausted and not hand.bids_all_tricks
        self.trumps = ALL_SUITS if trump is None else 1 << SUIT_NUMBER[trump]

    def result(self) -> Knowledge:
        hand, seats = self.hand, self.hand.options.seats
        for self.number, trick in enumerate(hand.tricks):
            self._read(trick)
        # Another's indicator that all have seen and that is not played yet.
        taken_up = hand.indicator.bit if hand.indicator and self.seat != self.maker else 0
        shown = taken_up & ~self.played
        unseen = bits(hand.options.pack.cards) & ~(self.mine | self.played | shown)
        room = [0] * seats
        for other in hand.playing:
            room[other] = 0 if other == self.seat else hand.cards_left(other)
        room[self.maker] -= shown != 0
        hidden = hand.indicator_down and self.seat != self.maker
        ours = sum(1 << s for s in range(seats) if side(s) == side(self.seat))
        first = hand.closed is True and not hand.completed_tricks
        return Knowledge(
            seat=self.seat,
            seats=seats,
            ours=ours,
            maker=self.maker,
            mine=self.mine,
            lying=self.lying,
            unseen=unseen,
            room=tuple(room),
            barred=tuple(self.barred),
            laid=tuple(self.laid),
            hidden_indicator=hidden,
            shown=shown,
            trumps=self.trumps,
            spent=self.spent,
            exhausted=self.exhausted,
            exhausts=self.exhausts,
            first=first and not hand.plays,
            opening=first and hand.must_show_early,
            lost=any(t.winner is not None and not ours >> t.winner & 1 for t in hand.tricks),
            leader=hand.leader,
            trick=self.trick,
            alone=self.alone,
            leads_alone=not hand.options.open_trump,
        )

    def _read(self, trick: Trick) -> None:
        led = trick.led
        if led is None:
            raise CapsError("a lead lies face up")
        lead = SUIT_NUMBER[led]
        maker_leads = trick.leader == self.maker
        if maker_leads and self.number == 0 and self.hand.closed:
            if self.hand.options.open_trump:
                self.trumps &= ~(1 << lead)
            else:
                self.alone = 1 << lead
        if maker_leads:
            self.spent |= self.exhausted & ~(1 << lead)
        puts = tuple(self._puts(trick, lead))
        if trick.winner is None:
            self.trick = puts
            return
        for play, put in zip(trick.plays, puts, strict=True):
            if not put.card:
                self.laid.append(put.barred)
            elif play.down and not self.sure:
                self.trumps &= ~(1 << suit_of(put.card))
        alone = maker_leads and not any(trick.has_followed(put.seat) for put in puts[1:])
        if alone and self.exhausts:
            self.exhausted |= 1 << lead

    def _puts(self, trick: Trick, lead: int) -> Iterator[Put]:
        for play in trick.plays:
            known = self.known.get((self.number, play.seat))
            card, cuts = play.card or known, play.indicator and play.down
            one = card.bit if card is not None else 0
            suits = 0 if card is None else 1 << suit_of(one)
            if play.seat == self.maker and not play.indicator and suits != self.alone:
                self.trumps &= ~self.alone
            self.played |= one
            if one == 0 or suit_of(one) != lead:
                self.barred[play.seat] |= 1 << lead
                if play.indicator and known is not None:
                    self.trumps = 1 << SUIT_NUMBER[known.suit]
                elif play.indicator and not self.sure:
                    self.trumps &= ~(1 << lead)
            elif play.seat == self.maker and not play.indicator and not self.sure:
                self.trumps &= ~(self.spent & 1 << lead)
            yield Put(play.seat, one, self.barred[play.seat], cuts)
