#!/usr/bin/env bash
# A build with CUDA on a machine without a GPU says so, refuses space=cuda on all ranks, and
# computes on the host.
#
# usage: absent.sh WEFT LAUNCHER...
set -euo pipefail
weft=$1
shift
launcher=("$@")
if nvidia-smi -L 2>/dev/null | grep -q '^GPU'; then
    echo 'there is a GPU here'
    exit 77
fi
export LC_ALL=C

# expect TEXT PATTERN: a line of the text matches.
expect() {
    grep -qE "$2" <<<"$1" || { printf 'no line matches %s:\n%s\n' "$2" "$1" && exit 1; }
}

info=$("$weft" info)
expect "$info" '^  cuda +not here'
expect "$info" '^ +because device cuda: .*cudaError(InsufficientDriver|NoDevice) .*leave out space='

expect "$("${launcher[@]}" 2 "$weft" verify 16x12x10)" '^right '

# Each rank says how it ended. None of them is left waiting for the others.
# shellcheck disable=SC2016  # Each rank's own shell expands it.
refused=$("${launcher[@]}" 3 bash -c '"$0" verify 16x12x10 --space cuda; echo "a rank ended with $?"' \
    "$weft" 2>&1) || true
expect "$refused" '^weft: device cuda: .*leave out space= to compute on the host'
ended=$(grep -c '^a rank ended with [03]$' <<<"$refused" || true)
failed=$(grep -c '^a rank ended with 3$' <<<"$refused" || true)
if ((ended != 3 || failed != 1)); then
    printf '%d of 3 ranks ended, %d with exit code 3 (not available) instead of the first alone:\n%s\n' \
        "$ended" "$failed" "$refused"
    exit 1
fi
