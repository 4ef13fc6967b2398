"""Rules and beginnings that the cases of speaking share."""

from __future__ import annotations

from scripts.vectors.rules.cases.deals import bid

SECOND = f"{bid('200')}, E trump JS"
ONCE, ONLINE, CATS = "wikipedia", "online-4", "catsatcards"
SIX_RULES = "six-36"
COURTS = "maharashtra"
