"""The accounts of a match in words: who gained what from whom, what each has, who has won and why.

Responsible for these sentences in every game: two sides or every seat, tokens or points, a bank or
none. The amounts are the rules' (rules/state/scoring.py); a side pays what it has, so what was
gained is read off the match before and after. From a seat the own side comes first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from p2p304.rules.core.phrases import Arg, Phrase, Seats, say
from p2p304.rules.core.seats import Seat, Side
from p2p304.rules.state.scoring import GAME, Match
from p2p304.ui.narration.model import Ended, Model


def has_sides(model: Model) -> bool:
    """Whether two sides of partners play against each other."""
    return model.match is not None and model.match.options.partner == "across"


def my_account(match: Match, seat: Seat | None) -> Side | None:
    """Return the side, or where there are none the seat, for which this player wins and loses."""
    return None if seat is None else match.options.account(seat)


def accounts(match: Match, seat: Seat | None) -> list[tuple[Side, Seats]]:
    """Return every account with its label, the player's own first."""
    mine, known = my_account(match, seat), range(match.options.accounts)
    order = sorted(known, key=lambda account: account != mine)
    return [(one, replace(match.options.together([one]), label=True)) for one in order]


def is_points(match: Match) -> bool:
    """Whether points are won, and not tokens."""
    return match.options.score == "online"


def standing(match: Match, seat: Seat | None, before: Match | None = None) -> Phrase:
    """Describe what each has, with what has changed since ``before``."""
    has: list[Arg] = list(match.tokens)
    for account, more in enumerate(_gains(before, match)):
        if more:
            has[account] = f"{match.tokens[account]} ({more:+d})"
    each = _each(match, seat, has)
    if is_points(match):
        return say("Points in the match: {each}.", each=each)
    return say("Tokens: {each}.", each=each)


def games(match: Match, seat: Seat | None) -> list[Phrase]:
    """Describe the games won and the card points of the present one, where these are counted."""
    if not match.options.tenths:
        return []
    cards = _each(match, seat, [_tenths(points) for points in match.cards])
    return [
        say("Games won: {each}.", each=_each(match, seat, match.games)),
        say("Card points in this game: {each}.", each=cards),
    ]


def games_won(before: Match | None, match: Match) -> list[Phrase]:
    """Describe who has won a game of card points with this hand (``tenths``)."""
    had = match.games if before is None else before.games
    won = [side for side, count in enumerate(match.games) if count > had[side]]
    return [
        say(
            "{side} won a game of {points} card points. The next game begins at 0.",
            side=match.options.together([side]),
            points=_tenths(GAME),
        )
        for side in won
    ]


def card_points(ended: Ended, seat: Seat | None) -> list[Phrase]:
    """Describe the card points of a hand, if any were counted."""
    match, points = ended.match, ended.result.points
    if points is None:
        return []
    shown = [_tenths(each) for each in points] if match.options.tenths else points
    told = [say("Card points: {each}.", each=_each(match, seat, shown))]
    aside = match.options.pack.total - sum(points)
    if match.options.stock == "exchange" and aside:
        told.append(say("The two cards laid aside count {n}, against the trump maker.", n=aside))
    return told


def gained(ended: Ended) -> list[Phrase]:
    """Describe who gained from a hand, and from whom; nothing where nobody did."""
    match, gains = ended.match, _gains(ended.before, ended.match)
    winners = match.options.together(a for a, gain in enumerate(gains) if gain > 0)
    losers = match.options.together(a for a, gain in enumerate(gains) if gain < 0)
    won = _amount(match, sum(gain for gain in gains if gain > 0))
    lost = _amount(match, -sum(gain for gain in gains if gain < 0))
    if winners.seats and losers.seats:
        return [
            say(
                "{winners} gained {amount} from {losers}.",
                winners=winners,
                amount=won,
                losers=losers,
            )
        ]
    if winners.seats:
        return [say("{winners} gained {amount}; nobody paid.", winners=winners, amount=won)]
    if losers.seats:
        told = say("{losers} paid {amount} to the bank; nobody gained.", losers=losers, amount=lost)
        return [told]
    return []


def ended_match(match: Match, winner: Side | None) -> Phrase:
    """Describe who has won the match, and why. A session is won with the most (E)."""
    if winner is None and match.options.match == "session":
        return _ended_session(match)
    if winner is None:
        return _ended_by_hands(match)
    most = match.tokens[winner]
    told = say("{winner} won the match with {amount}.")
    if match.options.match != "points":
        losers = match.options.together(a for a, has in enumerate(match.tokens) if not has)
        told = say("{winner} won the match with {amount}: {losers} had none left.", losers=losers)
    told = told.filled(winner=match.options.together([winner]), amount=_amount(match, most))
    equals = [a for a, has in enumerate(match.tokens) if has == most and a != winner]
    if not equals:
        return told
    return say(
        "{outcome} {equals} had as many: of equals the first in the order of seats wins.",
        outcome=told,
        equals=match.options.together(equals),
    )


def _ended_by_hands(match: Match) -> Phrase:
    most = max(match.tokens)
    if match.tokens.count(most) > 1:
        return say("The agreed number of hands has been played.")
    return say(
        "{first} finished ahead with {amount}: the agreed number of hands has been played.",
        first=match.options.together([match.tokens.index(most)]),
        amount=_amount(match, most),
    )


def _ended_session(match: Match) -> Phrase:
    most = max(match.tokens)
    first = match.options.together(a for a, has in enumerate(match.tokens) if has == most)
    if match.tokens.count(most) > 1:
        return say("The session is over. Nobody has won: {sides} have the same.", sides=first)
    amount = _amount(match, most)
    return say("{winner} won the session with {amount}.", winner=first, amount=amount)


def _gains(before: Match | None, after: Match) -> tuple[int, ...]:
    had = after.tokens if before is None else before.tokens
    return tuple(now - then for now, then in zip(after.tokens, had, strict=True))


def _each(match: Match, seat: Seat | None, has: Sequence[Arg]) -> tuple[Phrase, ...]:
    return tuple(
        say("{side} {n}", side=label, n=has[account]) for account, label in accounts(match, seat)
    )


def _amount(match: Match, count: int) -> Phrase:
    if is_points(match):
        return say("1 point") if count == 1 else say("{n} points", n=count)
    return say("1 token") if count == 1 else say("{n} tokens", n=count)


def _tenths(points: int) -> str:
    return f"{points / 10:.1f}"
