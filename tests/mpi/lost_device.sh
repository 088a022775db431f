#!/usr/bin/env bash
# The last of three ranks is told that its device is lost, and ends the job: the others wait for its
# messages.
# usage: lost_device.sh LAUNCHER FLAG RANKS PROGRAM ARGUMENT..   as in lost_device.sh mpiexec -n 3 program
set -uo pipefail
launcher=("${@:1:3}")
shift 3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${launcher[@]}" bash "$(dirname "$0")/to_file.sh" "$folder" "$@" >"$folder/launcher" 2>&1 </dev/null
status=$?
tail -v -n 40 "$folder"/*
((status != 0)) && grep -qE 'rank 2 of 3 was told: queue (work|hops): the fake device is lost' "$folder"/rank-*
