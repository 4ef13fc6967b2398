"""Makes protocol/vectors/crypto/, one file for each section of SPEC.md on cryptography.

Responsible for which module makes which file. Every row holds a statement with its proof, or a key
with its signature, as hexadecimal fields, and what a verifier must answer.
"""

from __future__ import annotations

import json

from scripts.vectors.crypto.dleq import dleq_vectors
from scripts.vectors.crypto.none_among import none_among_vectors
from scripts.vectors.crypto.passphrase import passphrase_vectors
from scripts.vectors.crypto.rng import rng_vectors
from scripts.vectors.crypto.sealed_boxes import sealed_vectors
from scripts.vectors.crypto.shuffle import shuffle_vectors
from scripts.vectors.crypto.signatures import signature_vectors
from scripts.vectors.crypto.statements import statement_vectors

FILES = {
    "rng": ("Randomness", rng_vectors),
    "dleq": ("Equal logarithms", dleq_vectors),
    "statements": ("Statements", statement_vectors),
    "none-among": ("Logarithms that differ", none_among_vectors),
    "shuffle": ("The shuffle argument", shuffle_vectors),
    "signatures": ("Signatures", signature_vectors),
    "sealed": ("Sealed boxes", sealed_vectors),
    "passphrase": ("Passphrase", passphrase_vectors),
}


def texts() -> dict[str, str]:
    """The files' names without ending, and their text."""
    found = {}
    for name, (section, make) in FILES.items():
        content = {"source": f"p2p304, SPEC.md, {section}", "vectors": make()}
        found[name] = json.dumps(content, indent=1) + "\n"
    return found
