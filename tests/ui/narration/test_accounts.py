"""The told result is the rules' result: in every game, from every seat, in lines and on the screen.

Compared are what each has, what each has gained, who has paid, and who has won the match."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from p2p304.rules.core.cards import card as card_named
from p2p304.rules.core.phrases import say
from p2p304.rules.play.review import Offence
from p2p304.rules.records.referee import Referee
from p2p304.rules.state.scoring import Match, Result
from p2p304.rules.variants.options import Options
from p2p304.rules.variants.presets import PRESETS
from p2p304.table.state import events
from p2p304.table.state.events import Event
from p2p304.table.transition.replay import Replay
from p2p304.ui.common.settings import Pace
from p2p304.ui.common.translation import translation
from p2p304.ui.fullscreen.model.result_lines import result
from p2p304.ui.fullscreen.table_page import TablePage
from p2p304.ui.narration.accounts import card_points, ended_match
from p2p304.ui.narration.model import Ended, Model
from p2p304.ui.narration.phrase_renderer import PhraseRenderer
from p2p304.ui.narration.proof_log import what_happened
from p2p304.ui.narration.reducer import Chosen, reduce
from p2p304.ui.text.narrator import Narrator
from scripts.assets import messages
from tests.support.paths import PROTOCOL
from tests.support.screen import scenes
from tests.support.screen.stored import PLAIN

NICKS = (*scenes.NICKS, *scenes.MORE)
HAS = re.compile(r"([\w+-]+) (-?\d+)(?: \(([+-]\d+)\))?")
MOST_HANDS = 25


def hand_result(options: Options, dealer: int, seed: int) -> Result:
    """The result of a hand played by any legal actions."""
    rng, choose = random.Random(seed), scenes.wild(seed)
    cards, size, seats = list(options.pack.cards), options.hand_size, options.seats
    rng.shuffle(cards)
    hands = [cards[n * size : n * size + size] for n in range(seats)]
    referee = Referee(options, dealer, hands, cards[seats * size :])
    while (turn := referee.hand.turn) is not None:
        referee.act(choose(referee.view(turn), referee.legal()))
    assert referee.hand.result is not None
    return referee.hand.result


def match_events(options: Options, seed: int) -> Iterator[tuple[Event, Match]]:
    """A whole match, or many hands of one: each event with the match before it."""
    match, dealer = Match.start(options), 0
    nicks = NICKS[: options.seats]
    yield events.Seated(nicks, (b"",) * len(nicks), 0, "MDM-3ZU", match, True), match
    for number in range(1, MOST_HANDS + 1):
        yield events.HandBegan(number, dealer), match
        played = hand_result(options, dealer, seed * 100 + number)
        after = match.after(played)
        yield events.HandOver(number, played, after), match
        match, dealer = after, played.next_dealer
        if match.is_over or number == MOST_HANDS:
            yield events.TableOver(match, match.winner), match
            return


def labels(options: Options, seat: int | None) -> list[str]:
    """What the accounts are called for this seat, or for a spectator."""
    if options.partner != "across":
        return list(NICKS[: options.seats])
    if seat is None:
        sides = [[str(n + 1) for n in range(first, options.seats, 2)] for first in (0, 1)]
        return ["N-S", "E-W"] if options.seats == 4 else ["-".join(side) for side in sides]
    return ["We", "They"] if seat % 2 == 0 else ["They", "We"]


def within(options: Options, seat: int | None, accounts: list[int]) -> str:
    """What accounts are called in a sentence."""
    called = [labels(options, seat)[account] for account in accounts]
    sides = {"We": "our side", "They": "their side"}
    return " + ".join(sides.get(name, name) for name in called)


def check_result(
    told: list[str], options: Options, seat: int | None, was: Match, now: Match
) -> None:
    """Compare the lines about a hand with the match before and after it."""
    names = labels(options, seat)
    head = "Points in the match: " if options.score == "online" else "Tokens: "
    (standing,) = [line for line in told if line.startswith(head)]
    found = HAS.findall(standing.removeprefix(head))
    assert found[0][0] == names[options.account(seat or 0)]
    assert sorted(name for name, _, _ in found) == sorted(names)
    gains = {names[a]: now.tokens[a] - was.tokens[a] for a in range(options.accounts)}
    for name, has, gain in found:
        assert int(has) == now.tokens[names.index(name)]
        assert int(gain or 0) == gains[name]
    won = [a for a in range(options.accounts) if gains[names[a]] > 0]
    lost = [a for a in range(options.accounts) if gains[names[a]] < 0]
    winners, losers = within(options, seat, won), within(options, seat, lost)
    total = sum(abs(gain) for gain in gains.values()) // (2 if won and lost else 1)
    unit = "point" if options.score == "online" else "token"
    amount = f"1 {unit}" if total == 1 else f"{total} {unit}s"
    sentence = None
    if won and lost:
        assert options.match in ("across", "session")
        sentence = f"{winners} gained {amount} from {losers}."
    elif won:
        assert options.score == "online"
        sentence = f"{winners} gained {amount}; nobody paid."
    elif lost:
        assert options.match == "bank"
        sentence = f"{losers} paid {amount} to the bank; nobody gained."
    paid = [line for line in told if " gained" in line or " paid" in line]
    assert paid == ([] if sentence is None else [sentence[0].upper() + sentence[1:]])


def check_winner(told: str, options: Options, seat: int | None, match: Match) -> None:
    unit = "points" if options.score == "online" else "tokens"
    if match.winner is None:
        most = max(match.tokens)
        first = [account for account, has in enumerate(match.tokens) if has == most]
        sentence = "the agreed number of hands has been played."
        if len(first) == 1:
            ahead = f"{within(options, seat, first)} finished ahead with {most} {unit}"
            sentence = f"{ahead}: {sentence}"
        assert told == sentence[0].upper() + sentence[1:]
        return
    winner = within(options, seat, [match.winner])
    sentence = f"{winner} won the match with {match.tokens[match.winner]} {unit}"
    none = [account for account, has in enumerate(match.tokens) if has == 0]
    if options.match != "points":
        sentence += f": {within(options, seat, none)} had none left"
    most = match.tokens[match.winner]
    equals = [a for a, has in enumerate(match.tokens) if has == most and a != match.winner]
    if equals:
        named = within(options, seat, equals)
        sentence += f". {named} had as many: of equals the first in the order of seats wins"
    assert told == sentence[0].upper() + sentence[1:] + "."


@pytest.mark.parametrize("name", PRESETS)
def test_what_is_told_of_a_match_is_what_the_rules_say(name: str) -> None:
    options = PRESETS[name].override({"tokens": 6})
    for seat in (None, *range(options.seats)):
        me = None if seat is None else NICKS[seat]
        teller, model = Narrator(me), Model(me=me)
        over = False
        for event, before in match_events(options, 0 if seat is None else seat):
            lines, model = teller.lines(event), reduce(model, event, 0.0)
            renderer = PhraseRenderer(PLAIN, nicks=model.nicks, seat=model.seat)
            logged = [renderer.text(line.phrase) for line in model.log]
            if isinstance(event, events.HandOver):
                pane = ["".join(text for _, text in row) for row in result(model, renderer, 300)]
                number = max(
                    n
                    for n, line in enumerate(logged)
                    if re.search(r"Hand \d+ (is over|does not count)\.", line)
                )
                for told in (lines, logged[number:], pane):
                    check_result(told, options, seat, before, event.match)
            if isinstance(event, events.TableOver):
                over = True
                check_winner(lines[-1], options, seat, event.match)
                check_winner(logged[-1], options, seat, event.match)
        assert over


@pytest.mark.parametrize("seat", [None, 0, 1, 2, 3])
def test_a_record_s_name_of_a_side_never_stands_beside_we_and_they(seat: int | None) -> None:
    teller = Narrator(None if seat is None else NICKS[seat])
    told = [line for event, _ in match_events(PRESETS["pagat"], 5) for line in teller.lines(event)]
    assert not any(re.search(r"\b(NS|EW)\b", line) for line in told)
    assert any("side" in line for line in told) is (seat is not None)


@pytest.mark.parametrize("language", ["si", "ta"])
def test_lines_are_in_the_players_language(language: str) -> None:
    """Of a match no English is left but nicknames and figures."""
    teller = Narrator("Asha", translation(language))
    told = [line for event, _ in match_events(PRESETS["pagat"], 1) for line in teller.lines(event)]
    known = {*NICKS[:4], "MDM-3ZU"}
    left = {word.strip("().,:;") for line in told for word in line.split() if word.isascii()}
    assert {word for word in left if re.search("[a-z]", word)} <= known


def test_an_offence_found_at_the_count_is_told_in_the_players_language() -> None:
    options = PRESETS["pagat"]
    match, teller = Match.start(options), Narrator("Asha", translation("ta"))
    teller.lines(events.Seated(NICKS[:4], (b"",) * 4, 0, "MDM-3ZU", match, True))
    why = say("The trump maker announced no trumps, but one of the face-down cards was a trump")
    offence = Offence(1, "announce.false", why, 9)
    played = hand_result(options, 0, 1)
    line, *_ = teller.lines(events.HandOver(1, played, match.after(played), (offence,)))
    assert "Bandu" in line
    assert not re.search("[a-z]{4}", line.replace("Bandu", ""))


def test_a_bot_that_tells_its_game_tells_what_a_spectator_sees() -> None:
    """Its own events change nothing: no side is ours, no clock is its own."""
    options = PRESETS["pagat"].override({"timer": 30})
    watching, bot = Narrator(None), Narrator(None)
    private = (events.HandSeen, events.YourTurn, events.NextHand)
    for change in scenes.evening(14, 3, scenes.club(), options):
        if isinstance(change, Chosen):
            continue
        told = bot.lines(change)
        assert told == ([] if isinstance(change, private) else watching.lines(change))
    assert bot.model.view is None and bot.model.seat is None


@pytest.mark.parametrize("seat", range(4))
def test_the_own_side_stands_first_on_the_screen_too(seat: int) -> None:
    page = TablePage(Model(me=NICKS[seat]), PLAIN, pace=Pace(0, 0))
    for change in scenes.evening(14, seat, scenes.club()):
        page.tell(change, 0.0)
        if len(page.model.done_tricks) == 2:
            break
    title, points, *_ = page.picture(80, 24, 0.0).text.splitlines()
    for row in (title, points):
        assert 0 < row.index("We ") < row.index("They ")


def test_no_sentence_says_that_winners_are_paid() -> None:
    """In a match with a bank the loser pays and nobody gains; in one for points nobody pays."""
    assert not [text for text in messages.messages() if re.search(r"{winners} (are|is) paid", text)]


def told_by(*changes: Event) -> list[str]:
    """What both screens say: text mode in lines, and the full screen in its log."""
    teller = Narrator("Asha")
    lines = [line for change in changes for line in teller.lines(change)]
    page = TablePage(Model(me="Asha"), PLAIN, pace=Pace(0, 0))
    for change in changes:
        page.tell(change, 0.0)
    renderer = PhraseRenderer(PLAIN, nicks=scenes.NICKS, seats=4, seat=0, with_places=True)
    shown = [renderer.text(line.phrase) for line in page.model.log]
    assert [line for line in lines if line in shown] != []
    return lines


def seated_with(options: Options, drawn: bool, dealer: int, *cards: str) -> events.Seated:
    keys, match = (b"",) * 4, Match.start(options)
    shown = tuple(map(card_named, cards))
    return events.Seated(scenes.NICKS, keys, dealer, "MDM-3ZU", match, drawn, (), shown)


def test_the_cards_drawn_for_the_seats_are_told() -> None:
    lines = told_by(seated_with(PRESETS["pagat"], True, 0, "JS", "AH", "9D", "TC"))
    (line,) = (line for line in lines if line.startswith("Cards drawn"))
    assert all(part in line for part in ("Asha (you) JS", "AH", "9D", "10C"))
    assert line.endswith("The highest card deals.")
    assert not [line for line in told_by(scenes.SEATED) if "Cards drawn" in line]


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("stock", ["Batch 1 is dealt: 10 cards each.", "Each player gets a card of the stock."]),
        (
            "exchange",
            [
                "Batch 1 is dealt: 10 cards each.",
                "The trump maker gets the 2 cards that were left over.",
            ],
        ),
        ("six-24", ["Batch 1 is dealt: 3 cards each.", "Batch 2 is dealt: one card each."]),
    ],
)
def test_cards_of_a_stock_are_told_as_no_batch_of_the_deal(name: str, lines: list[str]) -> None:
    told = []
    for replayed in Replay((PROTOCOL / "transcripts" / f"{name}.304").read_bytes()):
        for event in replayed.events:
            happened = what_happened(event) if isinstance(event, events.Dealt) else None
            told += [str(happened[0])] if happened is not None else []
    assert list(dict.fromkeys(told)) == lines


def test_a_first_dealer_who_chose_the_first_seat_is_told() -> None:
    lines = told_by(seated_with(PRESETS["pagat"], False, 0))
    assert "Asha (you) sits on the first seat and deals first." in lines
    lines = told_by(seated_with(PRESETS["pagat"], False, 2))
    assert "Chitra (North) deals first." in lines


def test_who_has_won_a_session_is_told() -> None:
    options = PRESETS["pagat"].override({"match": "session"})
    match = replace(Match.start(options), tokens=(7, -7))
    for other, said in (
        (match, "Our side won the session with 7 tokens."),
        (replace(match, tokens=(3, 3)), "The session is over. Nobody has won: "),
        (replace(match, tokens=(0, 0)), "have the same."),
    ):
        line = told_by(scenes.SEATED, events.TableOver(other, None))[-1]
        assert said in line
    other = replace(Match.start(PRESETS["pagat"]), tokens=(15, 7))
    line = told_by(scenes.SEATED, events.TableOver(other, None))[-1]
    assert line.startswith("Our side finished ahead with 15 tokens: the agreed number")


def test_who_has_won_a_game_of_card_points_is_told() -> None:
    options = PRESETS["tenths"]
    before = Match.start(options)
    seated = events.Seated(scenes.NICKS, (b"",) * 4, 0, "MDM-3ZU", before, True)
    over = replace(hand_result(options, 0, 1), points=(260, 44), tokens=(0, 0))
    lines = told_by(seated, events.HandBegan(1, 0), events.HandOver(1, over, before.after(over)))
    told = [line for line in lines if "won a game" in line]
    assert len(told) == 1 and "of 25.0 card points. The next game begins at 0." in told[0]
    (counted,) = card_points(Ended(1, None, over, before.after(over)), None)
    assert PhraseRenderer(PLAIN).text(counted) == "Card points: N-S 26.0, E-W 4.4."
    none = replace(over, points=(200, 104))
    lines = told_by(seated, events.HandBegan(1, 0), events.HandOver(1, none, before.after(none)))
    assert not [line for line in lines if "won a game" in line]


def test_of_two_who_end_with_as_many_the_screen_says_why_one_has_won() -> None:
    """The first of equals wins (SPEC.md); the other's partner in this hand may be the winner."""
    for name, tokens in (("maharashtra", (4, 0, 4, 0)), ("online-3", (25, 3, 25))):
        match = replace(Match.start(PRESETS[name]), tokens=tokens)
        nicks = scenes.NICKS[: len(tokens)]
        told = PhraseRenderer(PLAIN, nicks=nicks).text(ended_match(match, match.winner))
        assert told.startswith(f"{nicks[0]} won the match with ")
        reason = "had as many: of equals the first in the order of seats wins."
        assert told.endswith(f" {nicks[2]} {reason}")
        alone = replace(match, tokens=(*tokens[:2], tokens[2] - 1, *tokens[3:]))
        assert "equals" not in str(ended_match(alone, alone.winner))
