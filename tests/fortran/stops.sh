#!/usr/bin/env bash
# A program that makes an error ends with the error's text, a status, and nothing after it.
# usage: stops.sh TEXT LAUNCHER FLAG RANKS PROGRAM ARGUMENT
set -uo pipefail
text=$1
launcher=("${@:2:3}")
shift 4
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${launcher[@]}" bash "$(dirname "$0")/../mpi/to_file.sh" "$folder" "$@" >"$folder/launcher" 2>&1 </dev/null
status=$?
tail -v -n 40 "$folder"/*
((status != 0)) && grep -qh "^weft: .*$text" "$folder"/rank-* && ! grep -q 'goes on' "$folder"/rank-*
