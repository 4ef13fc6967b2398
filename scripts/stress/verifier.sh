#!/usr/bin/env bash
# The second verifier (protocol/verifier, Node.js 18 or later): every test that it has, against all vectors in protocol/,
# the program's figures of fairness, and its page in Chromium, and in WebKit where WebKitWebDriver and xvfb-run are installed.
# usage: scripts/dev verifier [options of node --test]
if [ "${1:-}" = --help ] || [ "${1:-}" = -h ]; then
  sed -n '2,/^if/{/^#/s/^# //p}' "$0"
  exit
fi
. scripts/venv.sh dev
. scripts/system.sh
export PYTHON="$PWD/.venv/bin/python"
cd protocol/verifier
# shellcheck disable=SC2046 # several files, without spaces
exec node --test "$@" $(find . -name node_modules -prune -o \( -name test.mjs -o -name '*.test.mjs' \) -print | sort)
