"""The JSON Schema of the entries' bodies: protocol/messages.schema.json."""

from __future__ import annotations

import json

from p2p304.wire.bodies import schema
from tests.support.paths import PROTOCOL


def write_body_schema() -> None:
    """The JSON Schema of every entry's body."""
    whole = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Bodies of p2p304's entries, by kind",
        "$comment": "'bytes' is MessagePack's binary type, lengths in bytes.",
        "definitions": schema(),
    }
    (PROTOCOL / "messages.schema.json").write_text(json.dumps(whole, indent=1) + "\n")
