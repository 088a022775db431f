#!/usr/bin/env bash
# A program that makes an error ends with its text, a status, and nothing after it.
# usage: stops.sh LAUNCHER.. PROGRAM
set -uo pipefail
output=$("$@" 2>&1 </dev/null)
status=$?
printf '%s\n' "$output"
((status != 0)) && grep -q '^weft: .*a layout has axis 5, but the array has axes 1 to 2' <<<"$output" &&
    ! grep -q 'goes on' <<<"$output"
