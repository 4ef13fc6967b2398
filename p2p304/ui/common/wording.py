"""Words for seats, hands and names that both screens share.

Responsible for these words, and for which seat a typed word means. Whether a seat is free the table
knows.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from p2p304.rules.core.cards import Card, Pack, Suit, by_suit
from p2p304.rules.core.phrases import Phrase, say
from p2p304.table.agreement.bot_labels import LABEL
from p2p304.table.state.gathering_events import Members
from p2p304.wire.names import LONGEST_NAME, folded

SEATS = ("South", "East", "North", "West")
RANKS = {"T": "10"}
EXPLAINED = say("a number from 1, a direction (north, east, south, west), or a partner's name")
CANNOT_SIT = say("You can't have that seat. Enter {what}.", what=EXPLAINED)


def seat_word(seat: int, seats: int = 4) -> str:
    return SEATS[seat] if seats == 4 else f"seat {seat + 1}"


def seat_named(word: str) -> int | None:
    """Parse ``3`` or ``north`` (or ``n``) as a seat from 0; None for anything else."""
    text = word.strip().lower()
    if text.isascii() and text.isdigit():
        return int(text[:3]) - 1 if 0 < int(text[:3]) <= 8 else None
    places = [place.lower() for place in SEATS]
    return next((n for n, place in enumerate(places) if text in (place, place[0])), None)


def seat_meant(word: str, members: Members) -> int | None:
    """Return the seat that a word names at this table; a nickname names a free seat on its side."""
    number = seat_named(word)
    if number is not None:
        return number if number < members.seats else None
    text = folded(word)
    for nick, seat in zip(members.nicks, members.at, strict=False):
        if folded(nick.removesuffix(f" {LABEL}")) == text:
            return next((s for s in partners(seat, members.seats) if s not in members.at), None)
    return None


def partners(seat: int, seats: int) -> tuple[int, ...]:
    """Return the seats on the same side, the next to play first; none in games without partners."""
    if seats < 4 or seats % 2:
        return ()
    return tuple((seat + step) % seats for step in range(2, seats, 2))


def table_name(nick: str, translate: Callable[[str], str] = lambda text: text) -> str:
    """Return the name that is proposed for a player's table, in the player's language."""
    return translate(_OWN_TABLE.text).replace("{nick}", nick)[:LONGEST_NAME].rstrip()


def hand_number(deal: int, void: Iterable[int]) -> int:
    """Return the number of the hand with this deal. A deal that does not count (``void``) is
    followed by another one of the same hand."""
    return deal - sum(earlier < deal for earlier in void)


def hand_name(deal: int, void: Collection[int]) -> Phrase:
    """Name the hand with this deal, and the deal where its number is another one."""
    told = say("Hand {n}")
    if void and deal > min(void):
        told = say("Hand {n} (deal {deal})")
    if deal - 1 in void:
        told = say("Hand {n}, dealt again (deal {deal})")
    return told.filled(n=hand_number(deal, void), deal=deal)


def hand_line(
    cards: Iterable[Card], pack: Pack, translate: Callable[[str], str] = lambda text: text
) -> str:
    """Describe a hand by suit, the strongest first: ``S: J 9 A H: 10 7``. Where a suit's word in
    this language does not begin with its letter, the word stands before it."""
    held = by_suit(set(cards), pack)
    parts = []
    for suit in Suit:
        ranks = [RANKS.get(c.rank, c.rank) for c in held if c.suit is suit]
        if ranks:
            word = translate(suit.word)
            is_clear = word.upper().startswith(suit.value)
            name = suit.value if is_clear else f"{word} {suit.value}"
            parts.append(f"{name}: {' '.join(ranks)}")
    return "   ".join(parts) or "-"


_OWN_TABLE = say("{nick}'s table")
ASK_NAME = say("What is your name? The other players see it. You can change it later.")
AWAITS_REMATCH = say("Waiting for {nick} to open the table again.")
NO_NAME = say(
    "That cannot be a name. A name has 1 to 32 letters, digits or spaces, and no brackets, colons, "
    "full stops or commas."
)
NAMELESS = "spectator"
"""The name by which a spectator goes on the network who has not given one (`p2p304 watch`)."""
QUIT = say("Quit p2p304?")
"""Asked at Ctrl-C where nobody waits for this player."""
QUIT_AGAIN = say("Press Ctrl-C again to quit, or type on.")
