#!/usr/bin/env bash
# A program that makes an error ends with the error's text, a status, and nothing after it.
# usage: stops.sh TEXT LAUNCHER FLAG RANKS PROGRAM ARGUMENT
set -uo pipefail
# shellcheck source=tests/mpi/to_files.sh
source "$(dirname "$0")/../mpi/to_files.sh"
text=$1
shift
launch_to_files "$@"
((status != 0)) && grep -qh "^weft: .*$text" "$folder"/rank-* && ! grep -q 'goes on' "$folder"/rank-*
