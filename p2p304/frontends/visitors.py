"""The visitors who wait for the founder's decision, in words.

Responsible for the word that names each of them, and for the sentence that introduces one. Letting
them in is table/gathering/admission.py's.
"""

from __future__ import annotations

from p2p304.net.mdns.discovery import fingerprint
from p2p304.rules.core.phrases import Phrase, Quoted, say
from p2p304.storage.data_folder import DataFolder
from p2p304.table.gathering.admission import FounderAdmission
from p2p304.table.state.gathering_events import JoinRequest
from p2p304.wire.names import are_alike


def visitor_words(admission: FounderAdmission) -> dict[str, bytes]:
    """Return the waiting visitors: the word that the founder types for each, and the key."""
    return {visitor_word(admission, key): key for key in admission.waiting}


def visitor_word(admission: FounderAdmission, visitor: bytes) -> str:
    """Return the word that names a waiting visitor: the nickname. If another visitor has a similar
    name, or had one, enough digits of the fingerprint follow to tell them apart."""
    nick, digits = admission.waiting[visitor], _digits(visitor)
    alike = [
        _digits(key)
        for key, other in admission.recent_names.items()
        if key != visitor and are_alike(nick, other)
    ]
    if not alike:
        return nick
    enough = next((n for n in (4, 8) if digits[:n] not in {d[:n] for d in alike}), len(digits))
    return f"{nick} {digits[:enough]}"


def introduction(store: DataFolder, request: JoinRequest) -> Phrase:
    """Describe in one sentence a player who asks for a seat."""
    met = store.look(request.nick, request.key)
    known = say("you have played together before") if met.known else say("new to you")
    if met.stranger:
        known = say("WARNING: not the player whom you know by this name")
    nick, key = request.nick, fingerprint(request.key)
    if not met.unfinished:
        return say(
            "{nick} asks for a seat ({known}; {key}).", nick=Quoted(nick), known=known, key=key
        )
    return say(
        "{nick} asks for a seat ({known}; {key}; tables that ended or stopped without this player: "
        "{n}).",
        nick=Quoted(nick),
        known=known,
        key=key,
        n=met.unfinished,
    )


def _digits(key: bytes) -> str:
    return fingerprint(key).replace(" ", "")
