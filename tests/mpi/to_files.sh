# Sourced by scripts that judge what ranks write before one of them ends the job: a launcher may end
# before it has printed that, so each rank writes to a file of its own.
# shellcheck shell=bash disable=SC2034

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# launch_to_files LAUNCHER FLAG RANKS PROGRAM ARGUMENT..: sets `status`, prints what was written, and
# leaves it in $folder/rank-*.
launch_to_files() {
    local launcher=("${@:1:3}")
    shift 3
    "${launcher[@]}" bash -c 'folder=$1; shift; exec "$@" >"$folder/rank-$$" 2>&1' rank "$folder" "$@" \
        >"$folder/launcher" 2>&1 </dev/null
    status=$?
    tail -v -n 40 "$folder"/*
}
