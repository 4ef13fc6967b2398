"""A hand once more, slow and plain, straight from SPEC.md: a twin for the tests.

It knows all cards, writes every action as text, and shares nothing with the engine but the cards
themselves. What a hand is worth and what may be claimed is left out.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

from p2p304.rules.core.cards import PACKS, Card, card
from tests.support.reference.naive_bidding import NAMED, Bidding, Rules

SEATS = {2: "12", 3: "123", 4: "SENW", 6: "123456", 8: "12345678"}
BATCHES = {"4+4": 4, "3+1": 3, "4+2": 4}


class Naive:
    """A hand record's hand, to be gone through action by action."""

    def __init__(self, rules: Rules, record: dict[str, Any]) -> None:
        self.rules, self.names = rules, SEATS[rules["seats"]]
        self.pack = PACKS[rules["pack"]]
        self.total = sum(self.pack.points.values())
        self.dealer = self.names.index(record["dealer"])
        self.dealt = [[card(c) for c in record["hands"][name]] for name in self.names]
        self.pile = [card(c) for c in record.get("pile", [])]
        full = rules["deal"] == "all_first"
        self.first = (self.dealer + 1) % len(self.names)
        self.held = [list(h if full else h[: BATCHES[rules["deal"]]]) for h in self.dealt]
        self.phase = "bid"
        self.bidding = Bidding(rules, self.total, self.first, False, full)
        self.maker, self.bid, self.closed = -1, 0, False
        self.indicator: Card | None = None
        self.lies = self.shown = False
        self.trick: list[tuple[int, Card]] = []
        self.shut = 0
        """So many plays of this trick were made before trumps were shown in it."""
        self.tricks: list[tuple[list[tuple[int, Card]], int]] = []
        self.turn, self.asked = self.first, False
        self.married: list[str] = []
        self.doubled = False

    def copied(self) -> Naive:
        new = object.__new__(Naive)
        new.__dict__.update(self.__dict__)
        new.held = [list(hand) for hand in self.held]
        new.pile, new.trick, new.tricks = list(self.pile), list(self.trick), list(self.tricks)
        new.married = list(self.married)
        new.bidding = object.__new__(Bidding)
        new.bidding.__dict__.update(self.bidding.__dict__)
        new.bidding.turns = list(self.bidding.turns)
        return new

    @property
    def tenths(self) -> bool:
        return bool(self.rules["tenths"] == "on")

    @property
    def named(self) -> bool:
        return self.bid >= NAMED["pcc"]

    @property
    def due(self) -> int:
        half = self.bid == NAMED["halfcourt"]
        return BATCHES[self.rules["deal"]] if half else len(self.pack.cards) // len(self.names)

    def plays(self, seat: int) -> bool:
        """Whether a seat takes part: partners of who bids to win alone do not."""
        alone = self.bid in (NAMED["pcc"], NAMED["halfcourt"])
        if not alone or self.rules["partner"] != "across" or seat == self.maker:
            return True
        return (seat - self.maker) % 2 == 1

    # What is legal

    def legal(self) -> list[str]:
        name = self.names[self.bidding.turn if self.phase == "bid" else self.turn]
        return sorted(f"{name} {said}" for said in self.words())

    def words(self) -> list[str]:
        if self.phase == "bid":
            return self.bids()
        hand = self.held[self.turn]
        if self.phase == "trump":
            return [f"trump {c.name}" for c in hand]
        if self.phase == "partner":
            return [f"partner {c.name}" for c in self.pack.cards]
        if self.phase == "exchange":
            pairs = combinations(hand, 2)
            return ["keep", *(f"exchange {a.name} {b.name}" for a, b in pairs)]
        if self.phase == "declare":
            return self.choices()
        if self.phase == "play":
            return self.cards() + self.more()
        return []

    def bids(self) -> list[str]:
        round_, found = self.bidding, []
        for amount in round_.amounts():
            name = next((n for n, value in NAMED.items() if value == amount), "")
            tenths = f"{amount / 100:.2f}" if amount % 10 else f"{amount / 100:.1f}"
            found.append(name or (tenths if self.tenths else str(amount)))
        if not round_.must_bid():
            found.append("pass")
        if round_.may_ask():
            found.append("ask")
        poor = sum(self.pack.points[c] for c in self.held[self.first]) < 15
        fresh = not round_.turns and round_.asker < 0 and not round_.full and not round_.second
        if self.rules["redeal15"] == "on" and fresh and poor:
            found.append("redeal")
        return found

    def choices(self) -> list[str]:
        can_open = self.rules["open_trump"] == "on"
        trumps = all(c.suit is self.trump for c in self.held[self.maker])
        stuck = can_open and trumps and self.leader() == self.maker
        return ["open"] * can_open + ["closed"] * (not stuck)

    @property
    def trump(self) -> Any:
        return self.indicator.suit if self.indicator else None

    def leader(self) -> int:
        if self.named or (self.bid == 304 and self.total == 304):
            return self.maker
        return self.first

    def cards(self) -> list[str]:
        """Cards that may be played, `~` face down."""
        hand, mine = self.held[self.turn], self.turn == self.maker and self.lies
        if not hand and mine and self.indicator:
            plain = bool(self.trick) and self.trick[0][1].suit is not self.trump
            down = plain and self.rules["hidden"] == "face_down"
            return [f"{'~' if down else ''}{self.indicator.name}"]
        if not self.trick:
            return [c.name for c in self.leads(hand)]
        led = self.trick[0][1].suit
        follow = [c.name for c in hand if c.suit is led]
        if follow:
            return follow
        if self.rules["hidden"] == "ask_reveal":
            trumps = [c.name for c in hand if c.suit is self.trump]
            return trumps if self.asked and trumps else [c.name for c in hand]
        if self.shown:
            return [c.name for c in hand]
        if not mine or not self.indicator:
            return [f"~{c.name}" for c in hand]
        away = [f"~{c.name}" for c in hand if c.suit is not self.trump]
        return away + ([f"~{self.indicator.name}"] if led is not self.trump else [])

    def leads(self, hand: list[Card]) -> list[Card]:
        trumps = [c for c in hand if c.suit is self.trump]
        others = [c for c in hand if c.suit is not self.trump]
        if self.turn != self.maker or self.rules["hidden"] != "face_down":
            return hand
        if not self.tricks and self.closed:
            return others or trumps
        return trumps if trumps and self.exhausted() else hand

    def exhausted(self) -> bool:
        if self.rules["exhausted"] == "off" or self.named:
            return False
        for played, _ in self.tricks:
            led = played[0][0] == self.maker and played[0][1].suit is self.trump
            if led and not any(c.suit is self.trump for _, c in played[1:]):
                return True
        return False

    def more(self) -> list[str]:
        """What may be said beside playing a card."""
        found, hand = [], self.held[self.turn]
        if self.rules["hidden"] == "ask_reveal" and self.trick and not self.shown and hand:
            led = self.trick[0][1].suit
            found += ["reveal"] * (not any(c.suit is led for c in hand))
        if self.trick:
            return found
        if self.rules["marriages"] == "on" and self.shown and self.has_won(self.turn):
            for suit in "SHDC":
                pair = {card(f"K{suit}"), card(f"Q{suit}")} <= set(hand)
                found += [f"marriage {suit}"] * (pair and suit not in self.married)
        third = self.rules["double"] == "on" and len(self.tricks) == self.due - 3
        if third and not self.named and not self.doubled:
            winners = [winner for _, winner in self.tricks]
            found += ["double"] * all(self.bidding.same_side(w, self.turn) for w in winners)
        return found

    def has_won(self, seat: int) -> bool:
        return any(winner == seat for _, winner in self.tricks)

    # What follows

    def do(self, action: str) -> None:
        if action not in self.legal():
            raise ValueError(f"{action} is not among {self.legal()}")
        head, *rest = action.split(" ")[1:]
        if self.phase == "bid":
            self.speak(head)
        elif head == "trump":
            self.lay(card(rest[0]))
        elif head in ("partner", "exchange", "keep"):
            self.prepare(head, [card(c) for c in rest])
        elif head in ("open", "closed"):
            self.begin(head == "closed")
        elif head == "reveal":
            self.asked, self.shut = True, len(self.trick)
            self.show()
        elif head == "double":
            self.doubled = True
        elif head == "marriage":
            self.married.append(rest[0])
        else:
            self.put(card(head.removeprefix("~")), head.startswith("~"))

    def speak(self, said: str) -> None:
        if said == "redeal":
            self.phase = "over"
        elif said == "ask":
            self.bidding.ask()
        else:
            amount = (
                0
                if said == "pass"
                else NAMED.get(said) or round(float(said) * (100 if self.tenths else 1))
            )
            self.bidding.say(amount)
            if self.bidding.over():
                self.round_over()

    def round_over(self) -> None:
        done = self.bidding
        if done.bidder is None and done.courts:
            self.deal_all()
            self.bidding = Bidding(self.rules, self.total, self.first, False, True)
        elif done.bidder is None and done.second:
            self.prepare("", [])
        elif done.bidder is None:
            self.phase = "over"
        else:
            if self.lies:
                self.take_up()
            self.maker, self.bid, self.turn = done.bidder, done.high, done.bidder
            self.phase = "trump"

    def deal_all(self) -> None:
        for seat, cards in enumerate(self.dealt):
            self.held[seat] += cards[BATCHES[self.rules["deal"]] :]

    def lay(self, laid: Card) -> None:
        self.held[self.maker].remove(laid)
        self.indicator, self.lies = laid, True
        half = self.bid == NAMED["halfcourt"]
        if not self.bidding.full and not half:
            self.deal_all()
        if self.bidding.full or half or self.rules["bid8"] == "off":
            self.prepare("", [])
            return
        winner = self.rules["bid8.start"] == "winner"
        start = self.maker if winner else self.first
        self.bidding = Bidding(self.rules, self.total, start, True, True, self.bid)
        self.phase = "bid"

    def prepare(self, said: str, cards: list[Card]) -> None:
        """The indicator lies: a partner is called, cards exchanged, open or closed chosen."""
        self.turn = self.maker
        for away in cards if said == "exchange" else []:
            self.held[self.maker].remove(away)
        self.held[self.maker] += self.pile if said == "exchange" else []
        if self.rules["partner"] == "called" and not said:
            self.phase = "partner"
        elif self.rules["stock"] == "exchange" and not said:
            self.phase = "exchange"
        elif self.rules["hidden"] == "face_down":
            self.phase = "declare"
        else:
            self.begin(True)

    def begin(self, closed: bool) -> None:
        self.closed, self.phase, self.turn = closed, "play", self.leader()
        if not closed:
            self.show()

    def take_up(self) -> None:
        if self.lies and self.indicator:
            self.held[self.maker].append(self.indicator)
        self.lies = False

    def show(self) -> None:
        self.shown = True
        self.take_up()

    def put(self, played: Card, down: bool) -> None:
        if self.lies and played is self.indicator:
            self.lies = False
            if not down:
                self.shut = len(self.trick) if self.rules["hidden"] == "ask_reveal" else 0
                self.shown = True
        else:
            self.held[self.turn].remove(played)
        self.trick.append((self.turn, played))
        self.asked = False
        seats = [s for s in range(len(self.names)) if self.plays(s)]
        if len(self.trick) == len(seats):
            self.settle()
        else:
            self.turn = seats[(seats.index(self.turn) + 1) % len(seats)]

    def settle(self) -> None:
        """The trick is complete: is there a cut, who wins it, who draws."""
        led, hidden = self.trick[0][1].suit, self.rules["hidden"] == "face_down"
        cuts = [(s, c) for s, c in self.trick if c.suit is self.trump and led is not self.trump]
        if not hidden:
            cuts = [one for one in cuts if self.shown and self.trick.index(one) >= self.shut]
        best = cuts or [(s, c) for s, c in self.trick if c.suit is led]
        winner = max(best, key=lambda one: self.pack.strength[one[1]])[0]
        self.tricks.append((self.trick, winner))
        self.trick, self.shut, self.turn = [], 0, winner
        high = self.bid >= self.bidding.least_second
        opens = len(self.tricks) == 1 and high and self.rules["open_after_250"] == "on"
        if hidden and (cuts or opens) and not self.shown:
            self.show()
        for step in range(len(self.names)):
            if self.rules["stock"] == "draw" and self.pile:
                self.held[(winner + step) % len(self.names)].append(self.pile.pop(0))
        if len(self.tricks) == self.due:
            self.phase = "over"


def count(now: Naive, depth: int) -> int:
    """How many sequences of so many legal actions there are."""
    legal = now.legal()
    if depth == 1 or not legal:
        return len(legal)
    total = 0
    for action in legal:
        after = now.copied()
        after.do(action)
        total += count(after, depth - 1)
    return total
