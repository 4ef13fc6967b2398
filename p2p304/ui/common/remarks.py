"""Remarks that a number sends: everybody reads them in their own language.

Responsible for these texts. They travel as ordinary chat, in English.
"""

from __future__ import annotations

from p2p304.rules.core.phrases import Phrase, Quoted, say

REMARKS: dict[str, Phrase] = {
    "1": say("Well played!"),
    "2": say("Sorry."),
    "3": say("One minute, please."),
    "4": say("Thank you!"),
}
"""The remarks by the number that stands for them in a message."""
_KNOWN = {phrase.text: phrase for phrase in REMARKS.values()}


def remark_or_text(text: str) -> Quoted | Phrase:
    """Return the remark with this text, which a screen translates, or the text itself."""
    return _KNOWN.get(text, Quoted(text))
