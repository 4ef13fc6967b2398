"""The bidding once more, slow and plain, straight from SPEC.md: a twin for the tests.

It keeps a list of what was said and looks everything up in it again each time. Options are the
plain map that goes into the table agreement.
"""

from __future__ import annotations

from typing import Any

Rules = dict[str, Any]
NAMED = {"pcc": 10_000, "halfcourt": 10_001, "fullcourt": 10_002}
BANDS = {304: (200, 250), 504: (330, 410), 904: (590, 740)}


class Bidding:
    """One round. ``second``: the round that may better ``floor``; ``full``: all cards are out."""

    def __init__(
        self, rules: Rules, total: int, start: int, second: bool, full: bool, floor: int = 0
    ) -> None:
        self.rules, self.total = rules, total
        self.seats: int = rules["seats"]
        self.special, self.least_second = BANDS[total]
        self.second, self.full, self.floor = second, full, floor
        self.courts = rules["bid4"] == "courts" and not full
        self.turns: list[tuple[int, int, int]] = []
        """Whose turn it was, who spoke, and the amount or 0."""
        self.turn, self.asker = start, -1

    def same_side(self, one: int, other: int) -> bool:
        return one == other or (self.rules["partner"] == "across" and (one - other) % 2 == 0)

    @property
    def high(self) -> int:
        return max((amount for _, _, amount in self.turns), default=0)

    @property
    def bidder(self) -> int | None:
        return next((s for _, s, amount in reversed(self.turns) if amount), None)

    def spoken(self, seat: int) -> bool:
        return any(seat in (holder, speaker) for holder, speaker, _ in self.turns)

    def partner_is_high(self) -> bool:
        return self.bidder is not None and self.same_side(self.bidder, self.turn)

    # What may be said

    def amounts(self) -> list[int]:
        found = [] if self.courts else [n for n in range(5, self.total + 1) if self.may_bid(n)]
        return found + [NAMED[name] for name in NAMED if self.may_bid_named(name)]

    def may_bid(self, amount: int) -> bool:
        step = self.rules["step_over_200"] if amount >= self.special else 10
        all_points = amount == 304 and self.rules["bid304"] == "on"
        if not all_points and (amount % step or amount >= self.total):
            return False
        if not all_points and amount > (self.total - 1) // 10 * 10:
            return False
        if amount <= self.high:
            return False
        return self.better(amount) if self.second else self.allowed(amount)

    def better(self, amount: int) -> bool:
        """The second round."""
        if self.partner_is_high():
            return False
        least = self.rules["bid8.min"]
        if least == "equal_ok" and not self.high:
            return amount >= max(self.least_second, self.floor)
        if least == "over250" and amount <= self.least_second:
            return False
        return amount >= self.least_second and amount > self.floor

    def allowed(self, amount: int) -> bool:
        """The first round: 160 and more, speaking again, over one's partner."""
        if amount < self.rules["bid.min"]:
            return False
        again = self.spoken(self.turn)
        if self.asker >= 0:
            again = again or self.spoken(self.asker)
        for applies, rule in (
            (self.partner_is_high(), self.rules["over_partner"]),
            (again, self.rules["rebid"]),
        ):
            if applies and rule == "never":
                return False
            if applies and rule == "first200" and self.high >= self.special:
                return False
            if applies and rule in (200, "first200") and amount < self.special:
                return False
        return True

    def may_bid_named(self, name: str) -> bool:
        if name == "pcc":
            return bool(self.rules["pcc"] == "on" and self.full and not self.partner_is_high())
        if name == "halfcourt":
            return bool(self.rules["half_court"] == "on" and not self.full)
        return bool(self.rules["full_court"] == "on" and self.full and not self.second)

    def must_bid(self) -> bool:
        if self.second or self.courts or self.high:
            return False
        if self.rules["bid.first"] == "must" and not self.turns:
            return True
        forced = self.rules["all_pass"] == "dealer_forced"
        return forced and len(self.turns) == self.seats - 1

    def may_ask(self) -> bool:
        if self.rules["ask_partner"] == "off" or self.full or self.courts or self.asker >= 0:
            return False
        partner = (self.turn + 2) % self.seats
        if self.rules["rebid"] == "once" and self.spoken(partner):
            return False
        return self.bidder != partner and not self.must_bid()

    # What follows

    def say(self, amount: int) -> None:
        """A bid, or a pass (0), by whose turn it is or whom they asked."""
        holder = self.turn if self.asker < 0 else self.asker
        self.turns.append((holder, self.turn, amount))
        self.turn, self.asker = holder, -1
        if not self.over():
            self.turn = self.next_speaker()

    def ask(self) -> None:
        self.asker, self.turn = self.turn, (self.turn + 2) % self.seats

    def over(self) -> bool:
        if self.high >= NAMED["pcc"]:
            return True
        if self.second or self.courts or not self.high:
            return len(self.turns) >= self.seats
        silent = [amount for _, _, amount in self.turns[-(self.seats - 1) :]]
        if len(silent) == self.seats - 1 and not any(silent):
            return True
        return self.next_speaker() < 0

    def next_speaker(self) -> int:
        """The next seat that may speak, or -1: the holder of the bid is passed over."""
        holder = self.turns[-1][0]
        for seat in [(holder + step) % self.seats for step in range(1, self.seats + 1)]:
            if self.second:
                return seat
            again = self.rules["rebid"]
            free = again == 200 or (again == "first200" and self.high < self.special)
            if seat != self.bidder and (free or not self.spoken(seat)):
                return seat
        return -1
