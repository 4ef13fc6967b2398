#!/usr/bin/env bash
# Checks the models of the log and of parting with spin: agreement, no double signing, progress, all
# or none; and that planted mistakes are found. Installs spin if it may (Debian: apt-get install spin gcc).
# Five to ten minutes.
set -eu
if [ "${1:-}" = --help ] || [ "${1:-}" = -h ]; then
  sed -n '2,/^set/{/^#/s/^# //p}' "$0"
  exit
fi
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
if ! command -v spin >/dev/null || ! command -v gcc >/dev/null; then
  [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null && apt-get install -y -q spin gcc >/dev/null || {
    echo "Please install spin and gcc first."
    exit 2
  }
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cp "$root"/protocol/models/*.pml .
model=log.pml

# check NAME EXPECTED-ERRORS SPIN-DEFINES GCC-DEFINES PAN-OPTIONS
check() {
  spin -a $3 "$model" >/dev/null
  gcc -w -O2 $4 -DCOLLAPSE -DVECTORSZ=2048 -DMEMLIM=3000 -o pan pan.c
  ./pan -m2000000 $5 >out 2>&1
  errors=$(sed -n 's/.*errors: \([0-9]*\).*/\1/p' out)
  states=$(sed -n 's/ *\([0-9.e+]*\) states, stored.*/\1/p' out)
  printf '%-38s %12s states, errors: %s\n' "$1" "$states" "$errors"
  if grep -qi "out of memory\|max search depth\|search was not completed" out && [ "$2" = 0 ]; then
    echo "  not complete:" && grep -i "memory\|depth too small" out
    exit 1
  fi
  if { [ "$2" = 0 ] && [ "$errors" != 0 ]; } || { [ "$2" != 0 ] && [ "$errors" = 0 ]; }; then
    echo "  not as it must be" && exit 1
  fi
}

all="-DCLAIMANTS=7"
check "3 seats, 3 places, 2 stops, 3 claim" 0 "$all" -DSAFETY ""
check "3 seats, 4 places, 3 stops, 3 claim" 0 "$all -DPLACES=4 -DSTOPS=3" -DSAFETY ""
check "4 seats, 3 places, 2 stops, 2 claim" 0 "-DSEATS=4" -DSAFETY ""
check "progress, 3 seats, 3 places, 2 stops" 0 "-DPROGRESS" "" "-a -f"
check "progress, 4 seats, 2 places, 1 stop" 0 "-DPROGRESS -DSEATS=4 -DPLACES=2 -DSTOPS=1" "" "-a -f"
check "planted: sends before it writes" 1 "-DMUTANT_SEND" -DSAFETY ""
check "planted: does not wait for receipts" 1 "-DMUTANT_RUSH" -DSAFETY ""
check "planted: claims again differently" 1 "-DMUTANT_CLAIM" -DSAFETY ""
check "planted: first heard has the floor" 1 "-DMUTANT_FLOOR" -DSAFETY ""

model=log_liar.pml
check "liar, 2 honest, 2 places, no stop" 0 "-DLOSSES=0" -DSAFETY ""
check "liar, 2 honest, 2 places, 1 stop (minutes)" 0 "" -DSAFETY ""
check "planted: signs at once after a start" 1 "-DMUTANT_EAGER" -DSAFETY ""
check "planted: keeps another's own entry" 1 "-DMUTANT_EARLY" -DSAFETY ""
check "planted: shows no contradicted entry" 1 "-DMUTANT_QUIET" -DSAFETY ""
check "planted: passes no receipt on" 1 "-DMUTANT_HIDE" -DSAFETY ""
check "planted: settles without a receipt" 1 "-DMUTANT_RUSH" -DSAFETY ""

model=parting.pml
check "parting, 3 seats, 2 entries, 2 stops" 0 "" -DSAFETY ""
check "parting, 4 seats, 1 entry, 2 stops" 0 "-DSEATS=4 -DENTRIES=1" -DSAFETY ""
check "parting, 3 seats, a present liar" 0 "-DLIAR=0" -DSAFETY ""
check "parting, 3 seats, the absent one lies" 0 "-DLIAR=2" -DSAFETY ""
check "parting, 4 seats, 2 entries, a liar" 0 "-DSEATS=4 -DENTRIES=2 -DLIAR=0 -DSTOPS=1" -DSAFETY ""
check "parting, from either of two, a liar" 0 "-DSEATS=4 -DENTRIES=1 -DTWO -DLIAR=0 -DSTOPS=1" -DSAFETY ""
check "parting, from either of two, one lies" 0 "-DSEATS=4 -DENTRIES=1 -DTWO -DLIAR=3 -DSTOPS=1" -DSAFETY ""
silent="-DSEATS=4 -DENTRIES=1 -DTWO -DLIAR=2 -DSILENT"
check "parting, 4 seats, a liar falls silent" 0 "$silent -DSTOPS=1" -DSAFETY ""
check "planted: gives no wish up" 1 "$silent -DSTOPS=0 -DMUTANT_HOLD" -DSAFETY ""
check "planted: bound by a wish left open" 1 "$silent -DSTOPS=0 -DMUTANT_OPEN" -DSAFETY ""
check "planted: gives up without the others" 1 "$silent -DSTOPS=0 -DMUTANT_HASTY" -DSAFETY ""
check "planted: does not follow a part" 1 "$silent -DSTOPS=0 -DMUTANT_ALONE" -DSAFETY ""
check "planted: parts for a past wish" 1 "-DMUTANT_STALE -DLIAR=0" -DSAFETY ""
check "planted: ready, and plays on" 1 "-DMUTANT_FREE" -DSAFETY ""
check "planted: plays on although bound" 1 "-DMUTANT_LATE" -DSAFETY ""
check "planted: ready, not written down" 1 "-DMUTANT_FORGET" -DSAFETY ""
check "planted: parts without somebody's ready" 1 "-DMUTANT_FEW" -DSAFETY ""
