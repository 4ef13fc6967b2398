"""Games that nobody has seen before: a preset with some options changed at random, random players,
claims right and wrong, and a player who leaves. Each is the same for its name and seed."""

from __future__ import annotations

import random
from dataclasses import dataclass

from p2p304.bots.club import ClubBot
from p2p304.crypto.signing import SigningKey
from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import Action
from p2p304.rules.play import claims
from p2p304.rules.play.view import View, legal
from p2p304.rules.state.hand import Phase
from p2p304.rules.variants.options import PLAYABLE, Options, OptionsError
from p2p304.rules.variants.presets import PRESETS, preset
from tests.support.table import simnet

FIXED = {"seats", "timer", "timeout", "memory", "hints", "chat"}
"""Options that are not changed: another number of seats is another preset, the others change
nothing in a transcript."""
ENTRIES = 1000
"""A longer game is cut here: hands that all pass are dealt again without end, and without delay
no time goes by in which they could be counted. Three hands take some 300."""
BOLD = (acts.Marriage, acts.Double, acts.Reveal, acts.Exchange, acts.Redeal)


@dataclass(frozen=True)
class Game:
    """A game's transcript, and the players' keys, with which a cheat signs anew."""

    name: str
    transcript: bytes
    keys: list[SigningKey]


def fresh(name: str, seed: int) -> Game:
    """One game of this preset."""
    net, told, absent = fresh_net(name, seed)
    return Game(told, net.transcripts[1 if absent == 0 else 0], signing_keys(net))


def fresh_net(name: str, seed: int) -> tuple[simnet.Net, str, int | None]:
    """The table of that game, played to its end, what it is, and who left it."""
    rng = random.Random(f"{name} {seed}")
    rules = varied(preset(name), rng)
    hands = rng.choice((1, 1, 2, 3) if rules.seats <= 4 else (1, 1, 1, 2))
    net = simnet.make(seed, hands, rules, calls=rng.random() < 0.4)
    style = rng.choice(("random", "club", "closed", "bold"))
    net.choosers = [_chooser(style, seed, n, rng) for n in range(rules.seats)]
    if rng.random() < 0.3:
        net.choosers = [_claiming(net, chooser, rng) for chooser in net.choosers]
    absent = None
    if rules.away != "wait" and rng.random() < 0.8:
        absent = _leave(net, rng)
    net.run(seconds=60, until=lambda: max(t.chain.next_seq for t in net.tables) > ENTRIES)
    changes = {k: v for k, v in rules.to_data().items() if preset(name).to_data()[k] != v}
    return net, f"{name} {seed} {changes} {style}", absent


def signing_keys(net: simnet.Net) -> list[SigningKey]:
    return [table.me.key for table in net.tables]


def varied(rules: Options, rng: random.Random) -> Options:
    """Some options changed, as far as they go together."""
    names = sorted(set(PLAYABLE) - FIXED)
    changes = dict.fromkeys(rng.sample(names, rng.choice((0, 0, 1, 2, 4))))
    for often, chance in (("shuffle", 0.15), ("away", 0.3), ("violation", 0.1), ("tokens", 0.3)):
        if rng.random() < chance:
            changes[often] = None
    for name in changes:
        allowed = (1, 2, 3, 4) if name == "tokens" else PLAYABLE[name]
        try:
            rules = rules.override({name: rng.choice(allowed)})
        except OptionsError:
            continue
    return rules


def _chooser(style: str, seed: int, number: int, rng: random.Random) -> simnet.Chooser:
    if style == "club":
        return ClubBot().choose
    if style == "closed":
        return simnet.closed_chooser(seed * 10 + number)
    if style == "bold":
        return _bold(random.Random(rng.random()))
    return simnet.random_chooser(seed * 10 + number)


def _bold(rng: random.Random) -> simnet.Chooser:
    """Does what is seldom done wherever it can."""

    def choose(view: View) -> Action:
        options = legal(view)
        bold = [a for a in options if isinstance(a, BOLD)]
        named = [a for a in options if isinstance(a, acts.Bid) and a.amount > 304]
        if bold and rng.random() < 0.7:
            return rng.choice(bold)
        if named and rng.random() < 0.1:
            return rng.choice(named)
        weights = [0.05 if getattr(a, "amount", 0) >= 200 else 1.0 for a in options]
        return rng.choices(options, weights)[0]

    return choose


def _claiming(net: simnet.Net, choose: simnet.Chooser, rng: random.Random) -> simnet.Chooser:
    """Calls Caps or spoilt trumps now and then, mostly wrongly, in turn or on a receipt."""

    def chosen(view: View) -> Action:
        hand = view.hand
        if hand.phase is not Phase.PLAY or rng.random() > 0.08:
            return choose(view)
        if rng.random() < 0.5:
            table = rng.choice(net.tables)
            if claims.may_make(hand, table.seat, "spoilt") and table.seat != view.seat:
                table._pending_claim.request(acts.Spoilt(table.seat))
        elif claims.may_make(hand, view.seat, "caps") and view.seat != hand.maker:
            cards = list(view.cards)
            rng.shuffle(cards)
            return acts.Caps(view.seat, tuple(cards))
        return choose(view)

    return chosen


def _leave(net: simnet.Net, rng: random.Random) -> int | None:
    """All but one part from somebody after some place, if the game comes so far."""
    absent, seq = rng.randrange(len(net.tables)), rng.randint(len(net.tables) + 1, 75)
    net.come_to(seq)
    chain = net.tables[0].chain
    for table in net.tables:
        table.replica.blocked_from = None
    if chain.next_seq != seq or net.finished:
        return None
    net.agree(absent, seq)
    return absent


ALL = tuple(sorted(PRESETS))
