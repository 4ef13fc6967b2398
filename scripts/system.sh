# Sourced by `scripts/test` and `scripts/dev verifier`, in the project's folder: installs what tests need beside
# Python, as far as it is missing and this user may. Tests that lack one of these are skipped and say so.
missing=
# need PACKAGE PROGRAM...: the package is missing where there is none of these programs
need() {
  package=$1
  shift
  command -v "$@" >/dev/null 2>&1 || missing="$missing $package"
}
need tmux tmux   # real terminals
need iproute2 ip # a LAN in one machine
need nodejs node # the second verifier
need npm npm     # its packages
need chromium chromium chromium-browser google-chrome # its page
if [ -n "$missing" ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
  # shellcheck disable=SC2086 # several packages
  { apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $missing; } \
    >/dev/null || echo "Not installed:$missing" >&2
fi
if command -v npm >/dev/null 2>&1; then
  (cd protocol/verifier && npm install --no-audit --no-fund --no-package-lock --silent) ||
    echo "Not installed: the packages of protocol/verifier" >&2
fi
