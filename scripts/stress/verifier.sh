#!/usr/bin/env bash
# The second verifier (protocol/verifier, Node.js 20 or later) against every vector in protocol/.
set -eu
cd protocol/verifier
npm install --no-audit --no-fund --no-package-lock --silent
exec node --test test.mjs crypto/test.mjs rules/test.mjs "$@"
