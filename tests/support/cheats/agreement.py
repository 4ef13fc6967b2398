"""The catalogue of agreements that are none, and of ends that not everybody signed. Before the
agreement there is no table whose keys could convict, and nobody is named."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

from p2p304.crypto.signing import SigningKey
from p2p304.log.absence_vote import PART, READY, AbsenceWord, PartingPlace, say
from p2p304.log.entry import Unverified, sign_entry
from p2p304.rules.variants.presets import preset
from p2p304.table.absence.certificate import Certificate
from p2p304.table.agreement.bot_mark import BOT_MARK_FORM, bot_mark
from p2p304.table.agreement.terms import Terms, assent, parse_terms
from p2p304.wire.canonical import Value, encode


class FalseAgreement:
    """One way to make entry 0 false; the docstring says what is tried."""

    check: ClassVar[str]

    def body(self, terms: dict[str, Any], keys: list[SigningKey]) -> dict[str, Value]:
        """``terms`` are those that all agreed on, ``keys`` everybody's."""
        raise NotImplementedError


def signed(terms: dict[str, Any], keys: list[SigningKey], table: bytes) -> dict[str, Value]:
    return {"terms": terms, "assents": [assent(key, table) for key in keys]}


def false_entry(lie: type[FalseAgreement], terms: Terms, keys: list[SigningKey]) -> Unverified:
    """Place 0 as its founder would send it."""
    body = lie().body(dict(terms.to_value()), keys)
    return sign_entry(keys[0], terms.table, 0, bytes(32), 0, "agreement", body)


class AddsAStake(FalseAgreement):
    """A field too many in the terms."""

    check = "A01"

    def body(self, terms: dict[str, Any], keys: list[SigningKey]) -> dict[str, Value]:
        return signed({**terms, "stake": 100}, keys, bytes(32))


class NamesAPlayerWithoutAPledge(FalseAgreement):
    """A player who could choose the nonce of the draw last."""

    check = "A01"

    def body(self, terms: dict[str, Any], keys: list[SigningKey]) -> dict[str, Value]:
        one, *rest = terms["players"]
        return signed({**terms, "players": [{**one, "pledge": b""}, *rest]}, keys, bytes(32))


class NamesTheTableUnreadably(FalseAgreement):
    """A name that would move the cursor of everybody's screen."""

    check = "A01"

    def body(self, terms: dict[str, Any], keys: list[SigningKey]) -> dict[str, Value]:
        return signed({**terms, "name": "a\x1b[2J"}, keys, bytes(32))


class InventsRules(FalseAgreement):
    """A way to deal that does not exist."""

    check = "A02"

    def body(self, terms: dict[str, Any], keys: list[SigningKey]) -> dict[str, Value]:
        return signed({**terms, "rules": {**terms["rules"], "deal": "by mail"}}, keys, bytes(32))


class SeatsAPlayerTwice(FalseAgreement):
    """One key on two seats."""

    check = "A02"

    def body(self, terms: dict[str, Any], keys: list[SigningKey]) -> dict[str, Value]:
        one, _, *rest = terms["players"]
        return signed({**terms, "players": [one, one, *rest]}, keys, bytes(32))


class LeavesAPlayerOut(FalseAgreement):
    """Three players for a game of four."""

    check = "A02"

    def body(self, terms: dict[str, Any], keys: list[SigningKey]) -> dict[str, Value]:
        return signed({**terms, "players": terms["players"][:3]}, keys[:3], bytes(32))


class CallsAPlayerItsBot(FalseAgreement):
    """A mark of a bot that its owner has signed for another key."""

    check = "A08"

    def body(self, terms: dict[str, Any], keys: list[SigningKey]) -> dict[str, Value]:
        one, two, *rest = terms["players"]
        mark = BOT_MARK_FORM.write(bot_mark(keys[0], keys[2].public))
        return signed({**terms, "players": [one, {**two, "bot": mark}, *rest]}, keys, bytes(32))


class ForgesAnAssent(FalseAgreement):
    """Signs for somebody who did not."""

    check = "A03"

    def body(self, terms: dict[str, Any], keys: list[SigningKey]) -> dict[str, Value]:
        return {"terms": terms, "assents": [bytes(64)] * 4}


class ExchangesAssents(FalseAgreement):
    """Two true assents in each other's place."""

    check = "A03"

    def body(self, terms: dict[str, Any], keys: list[SigningKey]) -> dict[str, Value]:
        table = parse_terms(terms).table
        one, two, *rest = keys
        return signed(terms, [two, one, *rest], table)


class BeginsWithoutAnAssent(FalseAgreement):
    """One assent too few."""

    check = "A03"

    def body(self, terms: dict[str, Any], keys: list[SigningKey]) -> dict[str, Value]:
        return signed(terms, keys[:3], bytes(32))


FALSE_AGREEMENTS: list[type[FalseAgreement]] = FalseAgreement.__subclasses__()


# Certificates ----------------------------------------------------------------------------------


ENDING = preset("pagat").override({"away": "replace"})
"""Rules that let players end the table without one who is gone."""


class FalseEnd:
    """One way to say that a table was ended together when it was not."""

    check: ClassVar[str]

    def words(self, keys: list[SigningKey], where: PartingPlace) -> list[AbsenceWord]:
        """``keys`` are everybody's, ``where`` without the last player."""
        raise NotImplementedError

    def raw(self, keys: list[SigningKey], where: PartingPlace) -> bytes:
        return Certificate(tuple(self.words(keys, where))).encode()


def parts(keys: list[SigningKey], where: PartingPlace) -> list[AbsenceWord]:
    """What a true certificate holds."""
    present = [n for n in range(len(keys)) if n != where.absent]
    readies = tuple(say(keys[n], READY, where, n).sig for n in present)
    return [say(keys[n], PART, where, n, readies=readies) for n in present]


class LacksAPart(FalseEnd):
    """Two of three who are present."""

    check = "E02"

    def words(self, keys: list[SigningKey], where: PartingPlace) -> list[AbsenceWord]:
        return parts(keys, where)[:2]


class CountsAReadyAsAPart(FalseEnd):
    """Somebody was only ready."""

    check = "E02"

    def words(self, keys: list[SigningKey], where: PartingPlace) -> list[AbsenceWord]:
        return [say(keys[0], "ready", where, 0), *parts(keys, where)[1:]]


class PartsAtTwoPlaces(FalseEnd):
    """The players ended it after different entries."""

    check = "E02"

    def words(self, keys: list[SigningKey], where: PartingPlace) -> list[AbsenceWord]:
        other = PartingPlace(where.table, where.seq + 1, where.head, where.absent)
        return [parts(keys, other)[0], *parts(keys, where)[1:]]


class DrawsOthersIn(FalseEnd):
    """Parts that show a *ready* which one of the players never signed."""

    check = "E05"

    def words(self, keys: list[SigningKey], where: PartingPlace) -> list[AbsenceWord]:
        signed = parts(keys, where)
        false = (*signed[0].readies[:-1], bytes(64))
        return [replace(word, readies=false) for word in signed]


class EndsInBytesOfNoWord(FalseEnd):
    """Somebody was only ready, and the last of the list is no word at all."""

    check = "W07"

    def raw(self, keys: list[SigningKey], where: PartingPlace) -> bytes:
        ready, *signed = parts(keys, where)
        words = [say(keys[0], "ready", where, 0), *signed[:-1]]
        return encode([*(word.encode() for word in words), ready.sig])


class EndsATableThatWaits:
    """A true certificate where the rules are to wait for whoever is gone."""

    check = "E03"


class GoesOnRicher:
    """A table that goes on from another with more tokens than there were."""

    check = "A05"


FALSE_ENDS: list[type[FalseEnd]] = FalseEnd.__subclasses__()
