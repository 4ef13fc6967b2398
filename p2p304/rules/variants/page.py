"""A game's rules as a page to play from, made from its options.

Responsible for how the sentences of descriptions.py make a page, and for leaving out those that a
game has no use for, so that page and engine cannot drift. What an option does is left to the
modules of play/; how the page is drawn, to ui/guidance/rules_page.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from p2p304.rules.core.phrases import Phrase, say
from p2p304.rules.variants.descriptions import SENTENCES
from p2p304.rules.variants.option_words import LABELS, value_word
from p2p304.rules.variants.options import Options
from p2p304.rules.variants.presets import GAMES, PRESETS

ORDER = tuple(SENTENCES)
"""Options in the order in which a hand runs, but for those about tokens."""
_AIM = {
    "across": say(
        "Two sides play against each other. The player who bids highest is the trump maker. The "
        "trump maker's side tries to win as many card points in tricks as were bid, and the other "
        "side tries to prevent it."
    ),
    "none": say(
        "The player who bids highest is the trump maker, and plays alone against all others. The "
        "trump maker tries to win as many card points in tricks as were bid, and the others try "
        "to prevent it."
    ),
    "called": say(
        "The player who bids highest is the trump maker, and calls a partner. Together they try to "
        "win as many card points in tricks as were bid, and the others try to prevent it."
    ),
}
_BIDS = say(
    "A bid is a number of card points. Each bid is higher than the one before; a player who does "
    "not bid passes."
)
_TRICKS = say(
    "A hand has {n} tricks. The player after the dealer leads to the first one, unless the "
    "contract says otherwise. Everybody plays one card in turn, and must follow suit if possible. "
    "The highest trump wins the trick; without a trump, the highest card of the suit led wins it. "
    "The winner leads to the next trick."
)
_MADE = say(
    "The bid is made if the trump maker's side has won at least as many card points as were bid."
)
_BIDDING = (
    *("bid.min", "bid.first", "rebid", "over_partner", "ask_partner", "step_over_200"),
    *("all_pass", "bid4", "half_court", "full_court", "bid304"),
    *("bid8", "bid8.start", "bid8.min", "pcc"),
)
_SECTIONS: tuple[tuple[Phrase, tuple[str, ...]], ...] = (
    (say("Aim"), ()),
    (say("Cards and points"), ("seats", "partner", "pack", "tenths")),
    (say("Deal"), ("direction", "seating", "shuffle", "deal", "stock", "redeal15")),
    (say("Bidding"), _BIDDING),
    (say("Trumps"), ("hidden", "open_trump", "open_after_250")),
    (say("Play"), ("reveal", "exhausted", "marriages", "last_trick", "double")),
    (say("Spoilt trumps"), ("spoilt", "spoilt.until")),
    (say("Caps"), ("caps", "wrong_caps", "external_caps")),
    (say("Scoring"), ("score", "match", "tokens", "violation")),
    (say("At the table"), ("chat", "timer", "timeout", "memory", "hints", "away")),
)
_NAMED = {name for _, names in _SECTIONS for name in names}
_OTHERS = tuple(name for name in ORDER if name not in _NAMED)
"""Options without a section are told in the last one."""
_NOT_PLAYED = {
    ("redeal15", "off"),
    ("ask_partner", "off"),
    ("bid8", "off"),
    ("pcc", "off"),
    ("open_after_250", "off"),
    ("exhausted", "off"),
    ("spoilt", "off"),
    ("caps", "off"),
}
"""Values that say what a game has not; only a comparison tells them."""
_IDLE = say("does not apply.")


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and its sentences: one paragraph, or a list of differences."""

    title: Phrase
    sentences: tuple[Phrase, ...]
    is_list: bool = False


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
    if options.bid_first == "must":
        idle |= {"all_pass"}
    if options.timer == "off":
        idle |= {"timeout"}
    return idle


def _spoken(options: Options) -> Iterator[tuple[str, Phrase]]:
    """Option and sentence, in the order in which a hand runs."""
    values, idle = options.to_data(), _idle(options)
    for name in ORDER:
        if name not in idle and (sentence := said(options, name, values[name])).text:
            yield name, sentence


def said(options: Options, name: str, value: object) -> Phrase:
    """What ``value`` of the option ``name`` would mean in this game; without text if nothing."""
    if name == "timer" and isinstance(value, int):
        return say("A turn lasts {n} seconds; then the player's own program plays.", n=value)
    text = SENTENCES.get(name, {}).get(value, "")
    figures = {"special": options.special, "second": options.second, "highest": options.highest}
    used = {gap: figure for gap, figure in figures.items() if f"{{{gap}}}" in text}
    return Phrase(text).filled(**used)


def first_tokens(options: Options) -> Phrase:
    """With what a match begins, or what wins it."""
    if options.match == "points":
        return say("{n} points win the match (ours).", n=options.tokens)
    if options.match == "session":
        return say("Everybody begins with nothing.")
    if options.partner == "across":
        return say("Each side begins with {n} tokens.", n=options.tokens)
    return say("Each player begins with {n} tokens.", n=options.tokens)


def page(options: Options) -> list[Section]:
    """The rules by section, and what differs from the game that is most like this one."""
    spoken, values = dict(_spoken(options)), options.to_data()
    told = {name: it for name, it in spoken.items() if (name, values[name]) not in _NOT_PLAYED}
    told["tokens"] = first_tokens(options)
    first = {
        "Aim": (_AIM[options.partner],),
        "Bidding": (_BIDS,),
        "Play": (say(_TRICKS.text, n=options.tricks),),
        "Scoring": (_MADE,),
    }
    found = []
    for title, names in _SECTIONS:
        names = (*names, *_OTHERS) if title.text == "At the table" else names
        sentences = (*first.get(title.text, ()), *(told[name] for name in names if name in told))
        if sentences:
            found.append(Section(title, sentences))
    base = nearest(options)
    return found if base is None else [*found, _differences(options, base)]


def nearest(options: Options) -> Options | None:
    """The preset from which a game differs least, an earlier one if two do; None if it is the
    first preset, from which all others are told. A changed preset is compared with itself."""
    known = PRESETS.get(options.preset)
    if known is not None and known != options:
        return known
    names = list(PRESETS)
    at = names.index(options.preset) if options.preset in names else len(names)
    earlier = [PRESETS[name] for name in names[:at]]
    return min(earlier, key=lambda other: len(changes(options, other)), default=None)


def _differences(options: Options, base: Options) -> Section:
    """What differs, with the options that make it so in brackets."""
    here, there = dict(_spoken(options)), dict(_spoken(base))
    here["tokens"], there["tokens"] = first_tokens(options), first_tokens(base)
    values, before = options.to_data(), base.to_data()
    found = []
    for name in (*ORDER, "tokens"):
        if here.get(name) == there.get(name):
            continue
        value = "" if values[name] == before[name] else f" ({name}={values[name]})"
        if name in here:
            found.append(say("{sentence}{option}", sentence=here[name], option=value))
        else:
            told = say("Not so here: {sentence}{option}", sentence=there[name], option=value)
            found.append(told)
    return Section(say("What differs from {game}", game=base.preset), tuple(found), True)


def diff(
    one: Options,
    other: Options,
    text: Callable[[Phrase], str] = str,
    names: tuple[str, str] | None = None,
) -> list[str]:
    """Where two games differ, option by option with its written name in brackets, in the language
    of ``text``; empty if they play alike. They are told by their ``names``, else by their
    presets."""
    called = names or (one.preset, other.preset)
    first, second = dict(_spoken(one)), dict(_spoken(other))
    lines = []
    for name in ORDER:
        if first.get(name) != second.get(name):
            lines.append(f"{text(LABELS[name])} ({name})")
            for game, told in zip(called, (first, second), strict=True):
                lines.append(f"  {game}: {text(told.get(name, _IDLE))}")
    if first_tokens(one) != first_tokens(other):
        lines.append(f"{text(LABELS['tokens'])} (tokens)")
        for game, options in zip(called, (one, other), strict=True):
            lines.append(f"  {game}: {text(first_tokens(options))}")
    return lines


def game_in_words(options: Options, with_names: bool = False) -> tuple[Phrase, ...]:
    """Return the preset, and every option that is not as the preset says; ``with_names``: with what
    is typed for it, in brackets."""
    told, values = [say("{preset}", preset=options.preset)], options.to_data()
    for name in changes(options):
        pair = say("{option}: {value}")
        if with_names:
            pair = say("{option}: {value} ({name}={written})")
        told.append(
            pair.filled(
                option=LABELS[name],
                value=value_word(options, name, values[name]),
                name=name,
                written=str(values[name]),
            )
        )
    return tuple(told)


def changes(options: Options, usual: Options | None = None) -> tuple[str, ...]:
    """The names of the options that are not as in another game; of its own preset, if none is
    named."""
    values = options.to_data()
    before = (PRESETS[options.preset] if usual is None else usual).to_data()
    return tuple(name for name in values if name != "preset" and values[name] != before[name])


def listing() -> list[tuple[str, int, Phrase]]:
    """Every preset with its players, and what it is in one sentence."""
    return [(name, options.seats, GAMES[name]) for name, options in PRESETS.items()]


def sentences() -> Mapping[str, None]:
    """Every sentence about an option, for the catalogues; the turn's clock has one of its own."""
    told = (
        text for name, values in SENTENCES.items() if name != "timer" for text in values.values()
    )
    return dict.fromkeys(text for text in told if text)
