"""What is said when a player's name is asked for, on the full screen and in text mode.

Responsible for these sentences. Which names there are wire/names.py says.
"""

from __future__ import annotations

from p2p304.rules.core.phrases import say

ASK_NAME = say("What is your name? The other players see it. You can change it later.")
NO_NAME = say(
    "That cannot be a name. A name has 1 to 32 letters, digits or spaces, and no brackets, colons, "
    "full stops or commas."
)
