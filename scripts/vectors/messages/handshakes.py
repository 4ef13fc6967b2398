"""The rows of protocol/handshakes/index.json: who reads, and every message in hexadecimal."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from scripts.vectors.index import write_rows
from tests.support.hostile import impostors
from tests.support.hostile.false_dialers import FALSE_DIALERS, heard
from tests.support.hostile.impostors import ASHA, BANDU, CERT, NONCE, answer, dialer, listener

_DIALER: dict[str, Any] = {
    "role": "dialer",
    "key": ASHA.public.hex(),
    "nick": "Asha",
    "port": 4304,
    "nonce": NONCE.hex(),
    "dialled": BANDU.public.hex(),
}


def handshakes(folder: Path) -> None:
    """Handshakes with an honest dialer and an honest listener."""
    folder.mkdir(exist_ok=True)
    write_rows(folder, _rows())


def _rows() -> list[dict[str, Any]]:
    """What Bandu and every impostor say to Asha, who dials Bandu; then what dialers say to Bandu,
    who listens."""
    meetings: list[tuple[str, str | None, type[impostors.Impostor], str]]
    meetings = [("Bandu", None, impostors.Impostor, "honest")]
    meetings += [
        (each.__name__, each.check, each, str(each.__doc__)) for each in impostors.IMPOSTORS
    ]
    made = [_to_asha(*each) for each in meetings]
    greets = impostors.greeting(listener())
    made.append(_to_bandu("Asha", None, answer(dialer(), greets), True, "honest"))
    for lie in FALSE_DIALERS:
        hello = lie().hello(greets)
        made.append(_to_bandu(lie.__name__, lie.check, hello, lie.admits, str(lie.__doc__)))
    return made


def _to_asha(
    name: str, check: str | None, kind: type[impostors.Impostor], comment: str
) -> dict[str, Any]:
    greets, answers = impostors.told(kind)
    hello = impostors.hello_to(greets, kind.cert)
    return _row(name, check, kind.cert, _DIALER, (greets, hello, answers), comment)


def _to_bandu(
    name: str, check: str | None, hello: bytes, admits: bool, comment: str
) -> dict[str, Any]:
    reader: dict[str, Any] = {
        "role": "listener",
        "key": BANDU.public.hex(),
        "nick": "Bandu",
        "port": 5304,
        "nonce": (b"l" * 32).hex(),
        "admits": admits,
    }
    said = (impostors.greeting(listener()), hello, heard(hello, admits)[1])
    return _row(name, check, CERT, reader, said, comment)


def _row(
    name: str,
    check: str | None,
    cert: bytes,
    reader: dict[str, Any],
    said: tuple[bytes, bytes | None, bytes | None],
    comment: str,
) -> dict[str, Any]:
    greeting, hello, answers = (None if each is None else each.hex() for each in said)
    return {
        "file": f"index.json {name}",
        "check": check,
        "reader": reader,
        "cert": cert.hex(),
        "greeting": greeting,
        "hello": hello,
        "answer": answers,
        "comment": comment,
    }
