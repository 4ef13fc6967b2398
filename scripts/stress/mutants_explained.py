"""Mutants that no test can find, because they do the same, and why.

scripts/stress/mutants.py leaves them out. An entry names the file and the changed line as they
stand before and after; when the line changes, the entry must be looked at again.
"""

from __future__ import annotations

ANY = "any change"
EXPLAINED: dict[tuple[str, str, str], str] = {
    ("wire/names.py", "_REMEMBERED: Final = 256", ANY): "the size of a cache: speed alone",
    ("crypto/signing.py", "_REMEMBERED: Final = 1024", ANY): "the size of a cache: speed alone",
    (
        "crypto/engines/reference.py",
        "y, sign = number & (2**255 - 1), number >> 255",
        "y, sign = number & (2**255 - 1), number << 255",
    ): "the sign chooses between a point and its negative, which have the same order",
    (
        "crypto/engines/reference.py",
        "x = x if x % 2 == sign else P - x",
        ANY,
    ): "the sign chooses between a point and its negative, which have the same order",
    (
        "crypto/rng.py",
        "while len(self._left) < count:",
        "while len(self._left) <= count:",
    ): "a block is made sooner than it is needed; the stream is the same",
    (
        "rules/core/tricks.py",
        "best, suit, value, strength = plays[0].seat, None, -1, pack.strength",
        ANY,
    ): "the first card that lies face up replaces all of them but the strengths",
    (
        "rules/caps/lines.py",
        "return Line(worlds, 0, -1, worlds.leader, 0, False, False)",
        "return Line(worlds, 0, -1, worlds.leader, 0, True, False)",
    ): "the lead sets it",
    (
        "rules/caps/lines.py",
        "return Line(worlds, 0, -1, worlds.leader, 0, False, False)",
        "return Line(worlds, 0, -1, worlds.leader, 0, False, True)",
    ): "the lead sets it",
    (
        "rules/caps/lines.py",
        "return Line(worlds, 0, -1, worlds.leader, 0, False, False)",
        "return Line(worlds, 0, -2, worlds.leader, 0, False, False)",
    ): "any number below zero stands for no suit led",
    (
        "rules/caps/lines.py",
        "return Line(worlds, 0, -1, worlds.leader, 0, False, False)",
        "return Line(worlds, 0, -1, worlds.leader, 1, False, False)",
    ): "the lead sets it",
    (
        "rules/caps/lines.py",
        "self.several = sum(self.ours) > 2",
        "self.several = sum(self.ours) >= 2",
    ): "the highest card of a single partner is tried too, and tells no more than the lowest",
    ("rules/caps/moves.py", "LOOKED_AT = 3", ANY): "how early a hopeless line is left: speed alone",
    (
        "rules/caps/moves.py",
        "if len(out) <= LOOKED_AT and self.is_hopeless(worlds, rest & ~card):",
        "if len(out) < LOOKED_AT and self.is_hopeless(worlds, rest & ~card):",
    ): "how early a hopeless line is left: speed alone",
    (
        "rules/caps/moves.py",
        "seen.add(line)",
        "pass",
    ): "a line that comes up again is left out for speed alone",
    (
        "rules/caps/runs.py",
        "self._fates[key] = found",
        "pass",
    ): "what has been found is remembered for speed alone",
    (
        "rules/caps/solver.py",
        "failed.add(rest)",
        "pass",
    ): "what has failed is remembered for speed alone",
    (
        "table/exchange/sync.py",
        "self._questions = 0",
        "self._questions = 1",
    ): "the first question is asked after a change, from which they are counted",
    (
        "table/machine/own_turns.py",
        "self.last_written = -1",
        "self.last_written = -2",
    ): "every place has a greater number than either",
    (
        "table/node/spectators.py",
        'self._block: tuple[int, bytes] = (-1, b"")',
        'self._block: tuple[int, bytes] = (-2, b"")',
    ): "no place has either number",
    (
        "rules/records/score.py",
        "referee = Referee(options, record.dealer, record.hands, record.pile, alone=True)",
        "referee = Referee(options, record.dealer, record.hands, record.pile, alone=False)",
    ): "hands are copied that nobody looks at again: speed alone",
    (
        "net/links/link.py",
        "self._answered = self._since = 0.0",
        ANY,
    ): "the handshake sets both before anything reads them",
    (
        "net/links/link.py",
        "self._pings = 0",
        "self._pings = 1",
    ): "the first heartbeat may have any number",
    (
        "net/links/tls.py",
        ".not_valid_before(datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC))",
        ANY,
    ): "nobody checks the dates of a certificate",
    (
        "net/links/tls.py",
        ".not_valid_after(datetime.datetime(2100, 1, 1, tzinfo=datetime.UTC))",
        ANY,
    ): "nobody checks the dates of a certificate",
    (
        "net/mdns/discovery.py",
        "if not changed and loop.time() - asked < self.limits.ask_again:",
        "if not changed and loop.time() - asked <= self.limits.ask_again:",
    ): "a clock that never shows the very instant",
    ("net/mdns/txt_record.py", "return 3", "return 4"): "the last rank may have any greater number",
    (
        "net/mdns/discovery.py",
        "_RESOLVE_MS = 3000",
        ANY,
    ): "the patience with one question, which is asked again: speed alone",
    (
        "rules/records/referee.py",
        "self.held[(hand.leader + step) % hand.options.seats].add(self.pile.pop(0))",
        "self.held[(hand.leader - step) % hand.options.seats].add(self.pile.pop(0))",
    ): "cards are drawn in games of two alone, where both ways round are the same",
}
"""File below p2p304/, line before, line after; why nothing can tell them apart."""
