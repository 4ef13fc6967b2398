"""Limits and times of the network, in one place (SPEC.md, "Limits"). Seconds and bytes."""

from __future__ import annotations

from typing import Final

HANDSHAKE_TIME: Final = 5.0
"""From the connection to the proven identity; slower is cut off."""
DIAL_TIME: Final = 5.0
HEARTBEAT: Final = 2.0
"""A PING goes out on a link that has said nothing for so long."""
SILENCE: Final = 8.0
"""A link on which nothing has come for so long is dead."""
HALF_FRAME: Final = 6.0
"""A frame that has begun must be complete within so long."""
SEND_BUFFER: Final = 1024 * 1024
"""Bytes waiting for a peer that does not read; more, and it is cut off."""
STRANGERS: Final = 32
"""Connections whose identity is not proven yet, in all."""
STRANGERS_PER_ADDRESS: Final = 8
LINKS: Final = 64
"""Linked peers in all: players, visitors, spectators."""
REDIAL_FIRST: Final = 0.2
REDIAL_MOST: Final = 2.0
"""Waiting between attempts grows from the first to the most, so that a peer that is back is
found within 3 s."""
TOGETHER: Final = 3.0
"""Two links between the same two nodes within so long are taken for simultaneous dials."""
READ: Final = 64 * 1024
ASK_AGAIN: Final = 5.0
"""While looking for tables the question is asked again after so long."""
TABLES: Final = 512
"""Discovery records kept; the rest of a flood is dropped."""
