"""A bot of one's own plays; a bad one costs nothing but its choice."""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path
from threading import Event

import pytest

from p2p304.bots import own_bot as own_bots
from p2p304.bots.club import ClubBot
from p2p304.bots.line_protocol import LONGEST, SECONDS, VERSION, hello_line, view_line
from p2p304.bots.own_bot import BotFault, OwnBot, PipeBot, own_bot
from p2p304.bots.player import Bot, RandomBot
from p2p304.bots.series import play_hand, shuffled
from p2p304.cli import main
from p2p304.cli.arguments.parser import UsageError
from p2p304.frontends.bot import chosen
from p2p304.rules.core.actions import Action, Pass
from p2p304.rules.core.notation import text
from p2p304.rules.core.phrases import Phrase
from p2p304.rules.play.view import View, legal
from p2p304.rules.records.referee import Referee
from p2p304.rules.variants.options import OptionsError
from p2p304.rules.variants.presets import preset
from tests.support.paths import ROOT

PAGAT = preset("pagat")
EXAMPLE = ROOT / "examples" / "write_a_bot_in_any_language.py"
DOCUMENT = ROOT / "docs" / "own-bot.md"
READ = "import json, sys\ninput()\nview = json.loads(input())\n"
"""What a small program does first: it reads the hello line and one view."""


def opening() -> View:
    hands = shuffled(PAGAT, random.Random(3).randrange)
    return Referee(PAGAT, 0, hands).view(1)


def program(source: str, seconds: float = 20.0) -> PipeBot:
    return PipeBot([sys.executable, "-S", "-c", source], seconds)


@pytest.fixture
def stack() -> object:
    with ExitStack() as kept:
        yield kept


def test_the_example_plays_every_kind_of_game_without_a_fault(stack: ExitStack) -> None:
    told: list[Phrase] = []
    bot = own_bot(f"pipe:{sys.executable} -S {EXAMPLE}", told.append, stack)
    chance = random.Random(1)
    for rules in ("pagat", "bank", "six-36", "tenths", "online-2", "half-court"):
        options = preset(rules)
        dealt = shuffled(options, chance.randrange)
        bots: list[Bot] = [bot, RandomBot(chance.randrange)] * (options.seats // 2)
        pile = dealt[options.seats] if options.stock_size else ()
        play_hand(options, 0, dealt[: options.seats], bots, pile)
    assert told == []


@pytest.mark.parametrize(
    "answer",
    [
        b"%d E 999",
        b"%d N pass",
        b"E pass",
        b"99 E pass",
        b"",
        b"%d",
        b"%d E pass" + b" " * LONGEST + b"more",
        b"%d E pass\xff",
    ],
)
def test_a_wrong_answer_is_told_once_and_the_club_bot_plays(
    answer: bytes, stack: ExitStack
) -> None:
    answers = [answer.replace(b"%d", b"%d" % n) + b"\n" for n in (1, 2, 3)]
    source = f"import sys\ninput()\nfor one in {answers!r}:\n"
    source += " sys.stdin.readline()\n sys.stdout.buffer.write(one)\n sys.stdout.buffer.flush()\n"
    inner = program(source + "input()\n")
    stack.callback(inner.close)
    told: list[Phrase] = []
    bot, view = OwnBot(inner, told.append), opening()
    for _ in range(3):
        assert bot.choose(view) == ClubBot().choose(view)
    assert ["not one of the legal actions" in str(one) for one in told] == [True]


def test_an_answer_that_comes_too_late_counts_for_no_later_view(stack: ExitStack) -> None:
    """The program answers the first view after it has read the second."""
    source = READ + "input()\nprint('1 E ask')\nprint('2 E pass', flush=True)\ninput()\n"
    inner = program(source, 0.05)
    stack.callback(inner.close)
    with pytest.raises(BotFault, match=r"did not answer view 1 within 0\.05 seconds"):
        inner.choose(opening())
    inner._seconds = 20.0
    assert inner.choose(opening()) == Pass(1)


def test_a_program_that_ends_is_told_once_and_the_game_goes_on(stack: ExitStack) -> None:
    inner = program("input()")
    stack.callback(inner.close)
    told: list[Phrase] = []
    bot = OwnBot(inner, told.append)
    chance = random.Random(2).randrange
    play_hand(PAGAT, 0, shuffled(PAGAT, chance), [bot] * 4)
    assert [str(one)[:18] for one in told] == ["Your bot has ended"]


def test_a_program_that_does_not_read_is_ended() -> None:
    inner, begun = program("import time\ntime.sleep(60)", 0.05), time.monotonic()
    with pytest.raises(BotFault, match="ended"):
        inner._write(b"\n" * 1_000_000)
    assert time.monotonic() - begun < 30
    inner.close()


def test_a_program_that_floods_is_bounded_and_ends_with_the_bot(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(own_bots, "GRACE", 0.05)
    inner = program("while True:\n print('x' * 1000, flush=True)")
    with pytest.raises(BotFault, match="not one of the legal actions"):
        inner.choose(opening())
    assert inner._lines.maxsize == own_bots.BACKLOG
    inner.close()
    assert inner._process.poll() is not None


def test_a_program_gets_neither_passphrases_nor_keys(
    monkeypatch: pytest.MonkeyPatch, stack: ExitStack
) -> None:
    for name in ("PASSPHRASE", "BOT_OWNER", "HOME"):
        monkeypatch.setenv(f"P2P304_{name}", "secret")
    source = "import os\nprint('1', [n for n in os.environ if '304' in n], flush=True)\ninput()\n"
    inner = program(source + "input()\ninput()\n")
    stack.callback(inner.close)
    with pytest.raises(BotFault, match=re.escape("'[]'")):
        inner.choose(opening())


@pytest.mark.skipif(sys.platform == "win32", reason="process groups are POSIX's")
def test_what_a_program_has_started_ends_with_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A shell is a program too: the child that it started reads no lines and ends at no input."""
    monkeypatch.setattr(own_bots, "GRACE", 0.05)
    left = tmp_path / "pid"
    inner = PipeBot(["sh", "-c", f"sleep 60 & echo $! > {left}.new; mv {left}.new {left}; wait"])
    while not left.exists():
        time.sleep(0.01)
    os.kill(int(left.read_text()), 0)
    inner.close()
    with suppress(ProcessLookupError):  # its new parent may not have collected it yet
        status = Path(f"/proc/{left.read_text().strip()}/stat")
        for _ in range(500):
            os.kill(int(left.read_text()), 0)
            if status.exists() and status.read_text().split()[2] == "Z":
                return
            time.sleep(0.01)
        pytest.fail("the child of the program was left behind")


def test_two_questions_at_once_get_an_answer_each(stack: ExitStack) -> None:
    """A seat that has resumed may be asked again while its program still thinks."""
    source = "import time\ninput()\n"
    for number in (1, 2):
        source += f"input()\ntime.sleep(0.1)\nprint('{number} E pass', flush=True)\n"
    inner = program(source + "input()\n", 1.0)
    stack.callback(inner.close)
    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(inner.choose, [opening()] * 2)) == [Pass(1)] * 2


def test_a_bot_that_never_answers_does_not_keep_the_program_from_ending() -> None:
    answered = Event()

    class Silent:
        def choose(self, view: View) -> Action:
            answered.wait(20)
            return Pass(1)

    async def asked() -> None:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(chosen(Silent(), opening()), 0.05)

    begun = time.monotonic()
    asyncio.run(asked())
    assert time.monotonic() - begun < 10
    answered.set()


class Failing:
    """Fails at every choice."""

    def choose(self, view: View) -> Action:
        raise KeyError("a fault of the bot")


class Leaving:
    """Ends the program at its first choice."""

    def choose(self, view: View) -> Action:
        sys.exit(3)


def raising() -> Bot:
    raise ValueError("a fault of the factory")


def needing(word: str) -> Bot:
    raise LookupError(word)


def leaving() -> Bot:
    sys.exit(3)


class Cheating:
    """Chooses what is not allowed."""

    def choose(self, view: View) -> Action:
        return Pass(3)


@pytest.mark.parametrize(
    ("kind", "said"),
    [("Failing", "KeyError"), ("Leaving", "SystemExit"), ("Cheating", "Pass(seat=3)")],
)
def test_a_factory_makes_a_bot_whose_faults_cost_its_choice(
    kind: str, said: str, monkeypatch: pytest.MonkeyPatch, stack: ExitStack
) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    told: list[Phrase] = []
    bot, view = own_bot(f"{Path(__file__).stem}:{kind}", told.append, stack), opening()
    assert {bot.choose(view), bot.choose(view)} == {ClubBot().choose(view)}
    assert len(told) == 1 and said in str(told[0])


@pytest.mark.parametrize(
    "word",
    [
        "pipe:",
        "pipe:'",
        "pipe:/no/such/program",
        "nomodule304:Bot",
        "json:nothing",
        "json:JSONDecoder",
        ":Bot",
        "json:",
        ".json:Bot",
        "test_own_bot:raising",
        "test_own_bot:needing",
        "test_own_bot:leaving",
    ],
)
def test_a_word_for_no_bot_is_refused_in_a_sentence(
    word: str, monkeypatch: pytest.MonkeyPatch, stack: ExitStack
) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    with pytest.raises(OptionsError, match=r"\.$"):
        own_bot(word, lambda fault: None, stack)


def test_the_document_names_every_field_and_shows_true_lines() -> None:
    document = DOCUMENT.read_text(encoding="utf-8")
    fields = {*json.loads(hello_line(PAGAT)), *json.loads(view_line(opening(), 1))}
    assert {name for name in fields if f"| `{name}` |" not in document} == set()
    assert f"version {VERSION}" in document
    assert f"{SECONDS:g} seconds" in document and f"{LONGEST} bytes" in document


def test_the_command_hands_the_word_to_the_node_and_refuses_it_before_the_network(
    tmp_path: Path,
) -> None:
    words = ["bot", "--home", str(tmp_path), "--open", "X", "--brain"]
    with pytest.raises(OptionsError, match="cannot be loaded"):
        main.run([*words, "nomodule304:Bot"])
    with pytest.raises(UsageError, match="--brain is MODULE:FACTORY or pipe:COMMAND"):
        main.run([*words, "strong"])


def test_every_legal_action_has_a_word_of_its_own() -> None:
    view = opening()
    assert len({text(action, 4) for action in legal(view)}) == len(legal(view))
