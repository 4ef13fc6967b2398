"""Writes our own vectors of the cryptography into protocol/vectors/crypto.

Every vector of a proof holds its statement and proof as hexadecimal fields, what a verifier must
answer (`expect`: ok or refused), the first layer that must refuse it (`layer`: statement, decode or
argument) and why (`comment`). Proofs are deterministic, so a second run writes the same bytes.

usage: scripts/dev vectors-crypto
"""

from __future__ import annotations

from scripts.usage import answer_help
from scripts.vectors.crypto import texts
from tests.support.paths import PROTOCOL

FOLDER = PROTOCOL / "vectors" / "crypto"


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, text in texts().items():
        (FOLDER / f"{name}.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    answer_help(__doc__)
    main()
