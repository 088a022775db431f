#!/usr/bin/env bash
# A program that makes an error ends with the error's text, a status, and nothing after it.
# usage: stops.sh TEXT LAUNCHER.. PROGRAM ARGUMENT
set -uo pipefail
text=$1
shift
output=$("$@" 2>&1 </dev/null)
status=$?
printf '%s\n' "$output"
((status != 0)) && grep -q "^weft: .*$text" <<<"$output" && ! grep -q 'goes on' <<<"$output"
