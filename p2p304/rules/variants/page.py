"""A game's rules as a page to play from, made from its options.

Responsible for how the sentences of descriptions.py make a page, and for leaving out those that a
game has no use for, so that page and engine cannot drift. What an option does is left to the
modules of play/.
"""

from __future__ import annotations

from collections.abc import Iterator

from p2p304.rules.variants.descriptions import OURS, SENTENCES
from p2p304.rules.variants.options import Options
from p2p304.rules.variants.presets import PRESETS

ORDER = tuple(SENTENCES)
"""Options in the order in which a hand runs, but for those about tokens."""


def _idle(options: Options) -> set[str]:
    """Options that say nothing in this game, because another rules them out."""
    idle = set()
    if options.deal == "all_first" or not options.bid8:
        idle |= {"bid8.start", "bid8.min"} | ({"bid8"} if options.deal == "all_first" else set())
    if options.hidden == "ask_reveal":
        idle |= {"open_trump", "reveal", "open_after_250", "exhausted"}
    if options.caps == "off":
        idle |= {"wrong_caps", "external_caps"}
    if options.spoilt in ("auto", "off"):
        idle |= {"spoilt.until"}
    if options.partner != "across":
        idle |= {"over_partner", "ask_partner", "pcc"}
    if options.bid4 == "courts":
        idle |= {"bid8"}
    return idle


def _spoken(options: Options) -> Iterator[tuple[str, str]]:
    """Option and sentence, in the order in which a hand runs."""
    values, idle = options.to_data(), _idle(options)
    for name in ORDER:
        if name not in idle and (sentence := said(options, name, values[name])):
            yield name, sentence


def said(options: Options, name: str, value: object) -> str:
    """What ``value`` of the option ``name`` would mean in this game; empty if nothing."""
    sentence = SENTENCES.get(name, {}).get(value, "")
    return sentence.format(special=options.special, second=options.second, highest=options.highest)


def _tokens(options: Options) -> str:
    if options.match == "points":
        return f"{options.tokens} points win the match {OURS}."
    if options.match == "session":
        return "Everybody begins with nothing."
    owner = "side" if options.partner == "across" else "player"
    return f"Each {owner} begins with {options.tokens} tokens."


def page(options: Options) -> list[str]:
    """The rules as lines: a heading, a sentence a line, and how many tokens there are."""
    lines = [f"304, {options.preset}", ""]
    lines += [f"* {sentence}" for _, sentence in _spoken(options)]
    return [*lines, f"* {_tokens(options)}"]


def diff(one: Options, other: Options) -> list[str]:
    """Where two games differ, option by option; empty if they play alike."""
    first, second = dict(_spoken(one)), dict(_spoken(other))
    lines = []
    for name in ORDER:
        if first.get(name) != second.get(name):
            lines.append(name)
            for options, said in ((one, first), (other, second)):
                lines.append(f"  {options.preset}: {said.get(name, 'does not apply.')}")
    if _tokens(one) != _tokens(other):
        lines.append("tokens")
        lines += [f"  {options.preset}: {_tokens(options)}" for options in (one, other)]
    return lines


def summary(options: Options) -> str:
    """The preset, and every option that is not as the preset says, as ``pagat, away=replace``."""
    values = options.to_data()
    return ", ".join([options.preset, *(f"{name}={values[name]}" for name in changes(options))])


def changes(options: Options) -> tuple[str, ...]:
    """The names of the options that are not as the preset says."""
    usual = PRESETS[options.preset].to_data()
    return tuple(name for name, value in options.to_data().items() if value != usual[name])


def listing() -> list[str]:
    """Every preset with how it differs from `pagat`, by option."""
    return [
        f"{name:<14}{', '.join(_changes(options, PRESETS['pagat'])) or 'the default'}"
        for name, options in PRESETS.items()
    ]


def _changes(options: Options, usual: Options) -> list[str]:
    """Every option that is not as in another game, as ``away=replace``."""
    before = usual.to_data()
    return [
        f"{name}={value}"
        for name, value in options.to_data().items()
        if name != "preset" and value != before[name]
    ]
