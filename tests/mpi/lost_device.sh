#!/usr/bin/env bash
# The last of three ranks is told that its device is lost, and ends the job: the others wait for its
# messages.
# usage: lost_device.sh LAUNCHER FLAG RANKS PROGRAM ARGUMENT..   as in lost_device.sh mpiexec -n 3 program
set -uo pipefail
# shellcheck source=tests/mpi/to_files.sh
source "$(dirname "$0")/to_files.sh"
launch_to_files "$@"
((status != 0)) && grep -qE 'rank 2 of 3 was told: queue (work|hops): the fake device is lost' "$folder"/rank-*
