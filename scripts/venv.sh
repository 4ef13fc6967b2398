# Sourced by the other scripts: makes .venv beside the project (with uv if that is there) and
# installs the locked requirements and the project itself, once for every state of them.
# usage: . scripts/venv.sh run|dev
set -eu
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
wanted=scripts/requirements.txt
[ "$1" = dev ] && wanted=scripts/requirements-dev.txt

# The system's own Python first: distributions build theirs for speed, and everything here runs a
# third faster in it than in one built from source without that.
find_python() {
  for candidate in /usr/bin/python3 python3 python3.13 python3.12 python3.11 python3.14; do
    if "$candidate" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then
      echo "$candidate"
      return
    fi
  done
  echo "p2p304 needs Python 3.11 or newer with its venv module: install it and try again." >&2
  exit 2
}

stamp_of() {  # the mark of an installation of these requirements, in this state of them
  echo ".venv/.installed-$1-$(cat pyproject.toml "$2" | cksum | tr ' ' '-')"
}

stamp=$(stamp_of "$1" "$wanted")
# What developers need holds what players need, so it serves both.
if [ ! -e "$stamp" ] && [ ! -e "$(stamp_of dev scripts/requirements-dev.txt)" ]; then
  echo "Setting up .venv (once) ..." >&2
  if command -v uv >/dev/null 2>&1; then
    [ -x .venv/bin/python ] || uv venv -q --python "$(find_python)" .venv
    uv pip install -q --python .venv/bin/python --require-hashes -r "$wanted"
    uv pip install -q --python .venv/bin/python --no-deps -e .
  else
    [ -x .venv/bin/python ] || "$(find_python)" -m venv .venv
    .venv/bin/python -m pip install -q --disable-pip-version-check --require-hashes -r "$wanted"
    .venv/bin/python -m pip install -q --disable-pip-version-check --no-deps -e .
  fi
  touch "$stamp"
fi
