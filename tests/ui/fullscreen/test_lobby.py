"""The lobby: keys to wishes, addresses, and the screens through a terminal emulator."""

from __future__ import annotations

import random
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p304.rules.core.phrases import say, verbatim
from p2p304.rules.variants.options import PLAYABLE
from p2p304.rules.variants.page import first_tokens
from p2p304.rules.variants.presets import GAMES, PRESETS, preset
from p2p304.ui.common.settings import Settings
from p2p304.ui.common.theme import Look
from p2p304.ui.common.translation import translation
from p2p304.ui.fullscreen.lobby import settings_form, settings_view, view
from p2p304.ui.fullscreen.lobby.address_code import read_address, table_code
from p2p304.ui.fullscreen.lobby.intents import (
    AskNetwork,
    Join,
    JoinAddress,
    Learn,
    OpenTable,
    ShowHistory,
    Watch,
)
from p2p304.ui.fullscreen.lobby.keys import KEYS, press
from p2p304.ui.fullscreen.lobby.model import OPTIONS, ROWS, Form, Lobby, Mode
from p2p304.ui.fullscreen.lobby.offer import Known, Offer
from p2p304.ui.fullscreen.lobby.page import LobbyPage
from p2p304.ui.narration.intents import Quit
from p2p304.ui.narration.phrase_renderer import PhraseRenderer
from tests.support.screen.emulator import Emulated
from tests.support.screen.stored import FOUR, PLAIN, compare

OFFERS = (
    Offer("a", "Friday", "Asha", "pagat", 3, 4, "192.0.2.7:40304", Known.MET, "2026-11-20"),
    Offer("b", "Upstairs", "Bandu", "fives", 1, 4, "192.0.2.9:40111", Known.STRANGER),
    Offer("c", "A table with a very long name indeed", "Chitra", "bank", 0, 4, "192.0.2.8:1"),
)


def hall(look: Look = FOUR, offers: tuple[Offer, ...] = OFFERS) -> LobbyPage:
    page = LobbyPage("Ravi", look)
    page.begun(
        (
            verbatim("Listening on 0.0.0.0:40304."),
            verbatim("Searching for tables on 192.0.2.5 (mDNS, UDP port 5353)."),
        ),
        0.0,
    )
    page.found(offers)
    return page


def keys(page: LobbyPage, *pressed: str) -> tuple[object, ...]:
    return tuple(wish for key in pressed for wish in page.press(key, 1.0))


def test_a_table_is_joined_by_its_number_or_with_the_arrows() -> None:
    assert keys(hall(), "2") == () and keys(hall(), "2", "enter") == (Join(OFFERS[1]),)
    assert keys(hall(), "down", "enter") == (Join(OFFERS[1]),)


def test_ctrl_u_clears_what_is_typed() -> None:
    page = hall()
    keys(page, "o", *"Home", "c-u", *"Friday")
    assert page.lobby.form.name == "Friday"
    keys(page, "escape", "a", *"192.0.2.7", "c-u", *"x")
    assert page.lobby.address == "x"
    page.paste("\n", 0.0)
    assert page.lobby.address == "x"


def test_a_full_table_is_refused_in_words() -> None:
    page = hall()
    assert keys(page, "3", "enter") == ()
    assert page.lobby.note is not None and "full" in page.lobby.note.text


def test_while_a_table_is_joined_keys_wait_but_one_may_leave() -> None:
    page = hall()
    assert keys(page, "1", "enter", "2", "enter", "b") == (Join(OFFERS[0]),)
    assert keys(page, "c-c") == (Quit(),)


def test_a_table_is_opened_with_name_rules_hands_and_bots() -> None:
    page = hall()
    wishes = keys(
        page,
        "o",
        *"Home",
        "down",
        "right",
        "down",
        "right",
        "down",
        "right",
        "enter",
        "up",
        "up",
        "up",
        "enter",
    )
    rules = preset("bank").override({"away": "replace"})
    assert wishes == (OpenTable("Home", rules, 1, 2),)


def test_one_key_plays_with_three_bots() -> None:
    assert keys(hall(), "b") == (OpenTable("Ravi's table", preset("pagat"), 0, 3),)


def test_a_table_is_opened_as_the_command_line_says_unless_the_player_changes_it() -> None:
    chosen = {"seating": "chosen"}
    form = Form("", "bank", 1, 0, "s3cret", True, "hand", chosen)
    rules = preset("bank").override(chosen)
    opened = OpenTable("Ravi's table", rules, 1, 3, "s3cret", True, "hand")
    assert keys(LobbyPage("Ravi", FOUR, form=form), "b") == (opened,)
    page = LobbyPage("Ravi", FOUR, form=form)
    keys(page, "o", *["down"] * ROWS.index("watch"), "right", "up", "right")
    (changed,) = keys(page, "down", "down", "down", "enter")
    people = preset("bank").override({**chosen, "away": "replace"})
    assert changed == replace(opened, rules=people, bots=0, asks=False, watch="")


def test_options_turn_through_what_can_be_played_and_are_taken_back_by_a_preset() -> None:
    page = hall()
    keys(page, "o", *["down"] * ROWS.index("bid.min"), "right")
    assert page.lobby.form.rules.bid_min == 150
    keys(page, *["up"] * (ROWS.index("bid.min") - ROWS.index("preset")), "right")
    assert page.lobby.form.changed == {}
    for option in OPTIONS:
        form = page.lobby.form.turned(option, 1).turned(option, -1)
        assert form.is_playable


def test_where_people_play_a_player_who_leaves_is_replaced_unless_the_opener_says_otherwise() -> (
    None
):
    form = Form("", "pagat")
    assert form.rules.away == "replace" == form.value("away")
    assert form.turned("away", 1).rules.away == "playout"
    assert replace(form, changed={"away": "wait"}).rules.away == "wait"
    assert replace(form, bots=3).rules == preset("pagat")  # nobody but bots
    two = next(name for name, game in PRESETS.items() if game.seats == 2)
    assert Form("", two).rules == preset(two)
    page = hall()
    keys(page, "o", *["down"] * ROWS.index("away"))
    shown = page.picture(80, 24, 1.0).text
    assert "If somebody leaves for good" in shown and "play on with a bot" in shown
    assert "a bot or another person takes the seat" in " ".join(shown.split())


LOCKED = Offer("d", "Closed", "Dilan", "pagat", 3, 4, "192.0.2.7:40304", locked=True)


def test_a_passphrase_that_was_given_stands_ready_and_can_be_changed() -> None:
    page = LobbyPage("Ravi", FOUR, passphrase="given")
    page.found((LOCKED,))
    assert keys(page, "1", "enter") == ()
    assert "given" not in page.picture(80, 24, 1.0).text
    assert keys(page, "enter") == (Join(LOCKED, "given"),)
    page.failed(say("It needs a passphrase."))
    page.ask_passphrase(("192.0.2.7", 40304))
    assert keys(page, "enter") == (JoinAddress("192.0.2.7", 40304, "given"),)
    again = LobbyPage("Ravi", FOUR, passphrase="given")
    again.found((LOCKED,))
    assert keys(again, "1", "enter", *["backspace"] * 5, *"other", "enter") == (
        Join(LOCKED, "other"),
    )


def test_a_locked_table_asks_for_its_passphrase_and_shows_none_of_it() -> None:
    page = hall(offers=(*OFFERS, LOCKED))
    assert keys(page, "4", "enter", *"s3cret q") == ()
    shown = page.picture(80, 24, 1.0).text
    assert "s3c" not in shown and "●●●●●●●●" in shown and "Closed needs" in shown
    assert keys(page, "enter") == (Join(LOCKED, "s3cret q"),)
    assert page.lobby.secret == "" and page.lobby.busy is not None


def test_a_locked_table_that_goes_takes_the_passphrase_of_no_other() -> None:
    page = hall(offers=(LOCKED, *OFFERS))
    keys(page, "1", "enter", *"secret")
    page.found(OFFERS)
    assert keys(page, "enter") == (Join(OFFERS[0]),)
    assert page.lobby.secret == ""


def test_a_table_is_opened_with_a_passphrase_and_a_word_about_everybody() -> None:
    page = hall()
    (wish,) = keys(
        page,
        "o",
        *["down"] * ROWS.index("passphrase"),
        *"tea",
        "down",
        "right",
        "down",
        "right",
        "right",
        "down",
        "right",
        "down",
        "enter",
    )
    rules = preset("pagat").override({"away": "playout"})
    assert wish == OpenTable("Ravi's table", rules, 0, 0, "tea", True, "trick")
    assert "tea" not in page.picture(80, 24, 1.0).text.replace("'s table", "")


def test_an_address_takes_a_passphrase_after_a_space() -> None:
    assert keys(hall(), "a", *"192.0.2.7:40304 my tea", "enter") == (
        JoinAddress("192.0.2.7", 40304, "my tea"),
    )


def test_one_looks_on_at_a_table_found_or_by_an_address() -> None:
    assert keys(hall(), "end", "w", *"192.0.2.9:7", "enter") == (Watch("192.0.2.9", 7),)
    page = hall(offers=())
    assert keys(page, "w", *"nowhere", "enter") == () and page.lobby.note is not None
    assert keys(page, "escape", "a", "enter") == () and not page.lobby.watches


def test_one_key_shows_the_tables_that_were_played() -> None:
    page = hall()
    assert keys(page, "h") == (ShowHistory(),)
    assert "Verifying your tables" in page.picture(80, 24, 1.0).text
    page = hall(offers=())
    assert keys(page, *["down"] * (list(KEYS).index("history") - 1), "enter") == (ShowHistory(),)


def test_one_key_or_entry_leads_to_the_lessons() -> None:
    assert keys(hall(), "l") == (Learn(),)
    page = hall(offers=())
    assert keys(page, *["down"] * (list(KEYS).index("learn") - 1), "enter") == (Learn(),)


def test_an_address_or_a_code_is_typed() -> None:
    assert keys(hall(), "a", *"192.0.2.7:40304", "enter") == (JoinAddress("192.0.2.7", 40304),)
    code = table_code("192.0.2.7", 40304)
    assert code is not None
    assert keys(hall(), "a", *code.lower(), "enter") == (JoinAddress("192.0.2.7", 40304),)
    page = hall()
    assert keys(page, "a", *"nonsense", "enter") == ()
    assert page.lobby.note is not None


@given(st.ip_addresses(v=4), st.integers(1, 65535))
def test_every_address_has_a_code_that_reads_back(host: object, port: int) -> None:
    code = table_code(str(host), port)
    assert code is not None and read_address(code) == (str(host), port)


@given(st.text(max_size=40))
def test_any_text_is_an_address_or_none(text: str) -> None:
    found = read_address(text)
    assert found is None or (found[0] and 0 < found[1] < 65536)


def test_a_slip_in_a_code_is_mostly_caught() -> None:
    code = table_code("192.168.1.23", 40304)
    assert code is not None
    slips = [
        code[:i] + c + code[i + 1 :] for i in range(11) for c in "23ABXZ" if code[i] not in ("-", c)
    ]
    caught = sum(read_address(slip) is None for slip in slips)
    assert caught >= 0.6 * len(slips)


@pytest.mark.parametrize(
    ("name", "typed"), [("list", ""), ("form", "o"), ("help", "?"), ("address", "a192.0")]
)
def test_the_lobby_is_shown_as_stored(name: str, typed: str) -> None:
    compare(f"lobby-{name}", Emulated(80, 24).show(hall(), dict(FOUR.styles), typed))


@pytest.mark.parametrize("size", [(100, 40), (200, 60)])
def test_larger_lobbies_are_shown_as_stored(size: tuple[int, int]) -> None:
    shown = Emulated(*size).show(hall(PLAIN), dict(PLAIN.styles))
    assert shown.isascii()
    compare(f"lobby-list-{size[0]}x{size[1]}", shown)


def test_after_a_while_in_vain_it_says_what_usually_blocks() -> None:
    page = hall(offers=())
    early, late = page.picture(80, 24, 1.0).text, page.picture(80, 24, 9.0).text
    assert "Usual reasons" not in early and "Usual reasons" in late
    assert "UDP port 5353" in late and page.next_timeout(9.0) == 10.0
    page.found(OFFERS)
    assert page.next_timeout(9.0) is None


def test_the_cursor_stays_on_its_table_when_others_come_and_go() -> None:
    page = hall()
    keys(page, "down")
    page.found(OFFERS[1:])
    assert page.lobby.at == 0
    page.found(())
    assert page.lobby.at == 0
    keys(page, "end")
    page.found(OFFERS)
    assert page.press("enter", 1.0) == (Quit(),)


def test_a_table_keeps_its_number_when_others_come_and_go() -> None:
    page = hall(offers=OFFERS[1:])
    page.found(OFFERS)
    assert page.lobby.offers == (*OFFERS[1:], OFFERS[0]) and list(page.lobby.numbers) == [1, 2, 3]
    page.found((OFFERS[0], OFFERS[1]))
    assert list(page.lobby.numbers) == [1, 3]
    assert any("3  Friday" in row for row in page.picture(80, 24, 1.0).text.splitlines())
    assert keys(page, "2") == () and keys(page, "3", "enter") == (Join(OFFERS[0]),)
    page = hall(offers=OFFERS[:1])
    page.found(OFFERS[1:2])
    assert list(page.lobby.numbers) == [2] and keys(page, "1") == ()


@pytest.mark.parametrize("seed", range(4))
def test_garbage_never_breaks_the_lobby(seed: int) -> None:
    rng, page = random.Random(seed), hall()
    pool = [
        "up",
        "down",
        "left",
        "right",
        "enter",
        "escape",
        "backspace",
        "tab",
        "f13",
        "\x00",
        "é",
        "漢",
        "්",
        *"oab?q123: x",
    ]
    for _ in range(300):
        page.press(rng.choice(pool), 1.0)
        if page.lobby.busy is not None:
            page.failed(page.lobby.busy)
        page.paste("\x1b[2J junk\n" * 9, 1.0) if rng.random() < 0.05 else None
        page.click(rng.randrange(90), rng.randrange(30), 1.0)
        size = rng.choice([(80, 24), (1, 1), (0, 0), (20, 5), (120, 50)])
        assert len(page.picture(*size, 2.0).rows) == size[1]
    assert page.lobby.mode in Mode


def test_a_long_note_is_read_whole() -> None:
    hall = LobbyPage("Ravi", FOUR)
    told = "screen.toml was ignored: it is not valid TOML "
    told += "(Expected ']' at the end of a table (line 3))."
    hall.failed(say("{sentence}", sentence=told))
    assert told in " ".join(hall.picture(80, 24, 0.0).text.split())


def test_a_newcomer_finds_the_cursor_on_the_lessons() -> None:
    page = hall(offers=())
    page.propose_lessons()
    assert keys(page, "enter") == (Learn(),)
    page.found(OFFERS)
    assert keys(page, "enter") == (Learn(),)
    assert keys(hall(), "enter") == (Join(OFFERS[0]),)


def test_a_table_that_is_found_first_is_what_a_newcomer_joins() -> None:
    page = hall(offers=())
    page.propose_lessons()
    page.found(OFFERS)
    assert keys(page, "enter") == (Join(OFFERS[0]),)


def test_a_network_that_cannot_be_asked_is_told_of() -> None:
    page = hall(offers=())
    assert keys(page, "n") == (AskNetwork(),)
    page.cannot_ask()
    assert page.lobby.busy is None
    assert "its network cannot be asked" in page.picture(80, 24, 1.0).text


def test_the_foot_of_the_lobby_is_not_cut() -> None:
    page = LobbyPage("Ravi", FOUR)
    where = "192.0.2.2, fd00::2, fe80::fc:ff:fe00:1"
    page.begun(
        (
            verbatim("Listening on every address of this computer, TCP port 40304."),
            verbatim(f"Searching for tables on {where} (mDNS, UDP port 5353)."),
        ),
        0.0,
    )
    rows = page.picture(80, 24, 1.0).text.splitlines()
    assert rows[20].strip().startswith("Listening")
    assert " ".join(" ".join(rows[21:23]).split()).endswith("(mDNS, UDP port 5353).")


@pytest.mark.parametrize("language", ["en", "si", "ta"])
def test_every_option_of_the_form_is_told_in_words_and_explained_whole(language: str) -> None:
    renderer = PhraseRenderer(FOUR, translation(language))
    own = (say("Searching for tables on {addresses} (mDNS, UDP port 5353).", addresses="x, " * 30),)
    for name in OPTIONS:
        for value in PLAYABLE[name][:4]:
            form = Form("", at=ROWS.index(name), changed={name: value})
            lobby = Lobby("Ravi", mode=Mode.FORM, form=form, own=own)
            rows = view.draw(lobby, renderer, 80, 24, 0.0).text.split("\n")
            assert not any(re.search(r"_|ccw|redeal15|\w\.\w+ ", row) for row in rows[2:12])
            whole = "".join(text for _, text in view.explained(form, renderer)).split()
            foot = " ".join(rows).split()
            assert " ".join(whole) in " ".join(foot), (name, value)
            assert "Searching" not in foot or "5353)." in foot, "a sentence is not cut"


@pytest.mark.parametrize("language", ["en", "si", "ta"])
@pytest.mark.parametrize("game", PRESETS)
def test_the_form_says_what_each_game_is_and_what_its_tokens_are(language: str, game: str) -> None:
    renderer = PhraseRenderer(FOUR, translation(language))
    for row, told in (("preset", GAMES[game]), ("tokens", first_tokens(PRESETS[game]))):
        form = Form("", preset=game, at=ROWS.index(row))
        lobby = Lobby("Ravi", mode=Mode.FORM, form=form)
        foot = view.draw(lobby, renderer, 80, 24, 0.0).text.split("\n")[18:]
        assert renderer.text(told) in " ".join(" ".join(foot).split())
    changed = Form("", at=ROWS.index("tokens"), changed={"tokens": 3})
    assert "3" in "".join(text for _, text in view.explained(changed, renderer))


@pytest.mark.parametrize("form", ["o", "s"])
def test_a_form_goes_by_pages_to_its_first_and_last_line(form: str) -> None:
    page = hall()
    keys(page, form)

    def at(*pressed: str) -> int:
        keys(page, *pressed)
        return page.lobby.form.at if form == "o" else page.lobby.settings_form.at

    last = len(ROWS if form == "o" else settings_form.ROWS) - 1
    assert at("home") == 0 and at("up") == last and at("down") == 0
    assert at("pagedown") == 10 and at("down", "pageup") == 1
    assert at(*("pagedown",) * 9) == last == at("end") and at("pageup") == last - 10
    assert at(*("pageup",) * 9) == 0


def test_nothing_that_is_empty_is_drawn_as_a_key_in_a_form() -> None:
    """Without colours keys are underlined: a blank would look like a place to fill in."""
    renderer = PhraseRenderer(PLAIN)
    for at in range(len(ROWS)):
        rows = [
            spans for _, spans in view._form(Lobby("R", form=Form("x", at=at)), renderer, 76, 0)
        ]
        form = settings_form.SettingsForm("R", at=at % len(settings_form.ROWS))
        rows += [spans for _, spans in settings_view.lines(form, Settings(), renderer)]
        marks = [text for spans in rows for style, text in spans if style == "key"]
        assert all(text.strip() for text in marks) and len(marks) <= 4


def test_the_footer_of_the_form_says_what_enter_does_on_the_row() -> None:
    renderer = PhraseRenderer(FOUR, translation("en"))
    for at, row in enumerate(ROWS):
        lobby = Lobby("Ravi", mode=Mode.FORM, form=Form("x", at=at))
        wanted = press(lobby, "enter")[1]
        foot = view.draw(lobby, renderer, 80, 24, 0.0).text.split("\n")[-1]
        assert ("Enter open" in foot) == bool(wanted), row
        assert ("Enter change" in foot) != bool(wanted), row


def test_the_lobby_shows_what_a_table_code_looks_like() -> None:
    lobby = Lobby("Ravi", mode=Mode.ADDRESS, address="S4N24-72JU2")
    told = view.draw(lobby, PhraseRenderer(FOUR, translation("en")), 80, 24, 0.0).text
    assert read_address("S4N24-72JU2") is not None and told.count("S4N24-72JU2") == 2
    assert "ten letters)" not in told


def test_that_a_table_is_locked_is_seen_in_the_least_window() -> None:
    for rules in ("pagat", "maharashtra"):
        page = LobbyPage("Bandu", FOUR)
        page.found((replace(LOCKED, rules=rules),))
        row = page.picture(80, 24, 0.0).text.split("\n")[2]
        assert f"{rules}, locked, 3 of" in row
        assert rules != "pagat" or row.rstrip().endswith("3 of 4 free")


PLAYED = Offer("d", "Sunday", "Dilan", "pagat", 0, 4, "192.0.2.4:40304", is_watched=True)


def test_a_table_that_is_played_and_admits_spectators_is_listed_and_watched() -> None:
    page = hall(offers=(*OFFERS, PLAYED))
    assert "pagat, watch" in page.picture(80, 24, 1.0).text
    assert keys(page, "4", "enter") == (Watch("192.0.2.4", 40304),)
    assert keys(hall(offers=(*OFFERS, PLAYED)), "end", "w") == (Watch("192.0.2.4", 40304),)


def test_w_watches_the_table_at_the_cursor_or_says_why_it_cannot() -> None:
    page = hall(offers=(*OFFERS, PLAYED))
    assert keys(page, "w") == () and page.lobby.at == 0
    told = "Friday: the game has not begun. If this table admits spectators,"
    assert told in page.picture(80, 24, 1.0).text
    assert keys(page, "4", "w") == (Watch("192.0.2.4", 40304),)


def test_w_asks_which_of_several_tables_is_to_be_watched() -> None:
    page = hall(offers=(*OFFERS, PLAYED, replace(PLAYED, key="e", where="192.0.2.3:40304")))
    assert keys(page, "end", "w") == () and "marked" in str(page.lobby.note)
    assert keys(page, "down", "w") == (Watch("192.0.2.3", 40304),)
