#!/usr/bin/env bash
# Runs a program as one rank of a launched job and writes its output to a file of its own in FOLDER.
# Where a rank ends the job, a launcher may end before it has printed what the ranks wrote.
# usage: to_file.sh FOLDER PROGRAM ARGUMENT..
folder=$1
shift
exec "$@" >"$folder/rank-$$" 2>&1
