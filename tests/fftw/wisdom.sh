#!/usr/bin/env bash
# One program learns and writes; two others, which know nothing, read what it has written.
# usage: wisdom.sh MPIEXEC FLAG PROGRAM
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
timeout -s ABRT 120 "$1" "$2" 2 "$3" write "$folder/wisdom"
timeout -s ABRT 60 "$1" "$2" 1 "$3" string "$folder/wisdom"
timeout -s ABRT 60 "$1" "$2" 1 "$3" file "$folder/wisdom"
[[ ${WEFT_FFTW:-on} == off ]] || timeout -s ABRT 120 "$1" "$2" 2 "$3" only "$folder/wisdom"
