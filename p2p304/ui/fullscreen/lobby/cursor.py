"""Keys that move the cursor of the lobby's lists and forms."""

from __future__ import annotations

PAGE = 10
"""Lines by which PgUp and PgDn move."""


def cursor_after(at: int, count: int, key: str) -> int | None:
    """Return the cursor's line of ``count`` after a key that moves it; None for any other key. By
    single lines it goes round, a page ends at the first or last line."""
    pages = {"pageup": -PAGE, "pagedown": PAGE}
    if key in pages:
        return max(0, min(count - 1, at + pages[key]))
    to = {"up": at - 1, "down": at + 1, "tab": at + 1, "home": 0, "end": count - 1}
    return to[key] % count if key in to else None
