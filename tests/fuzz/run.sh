#!/usr/bin/env bash
# Fuzzes texts in two processes, each for some seconds, from the corpus on; fails at the first finding
# of either, which it prints. Findings stay in FOLDER: mend the cause and add the text, as short as it
# can be, to corpus.txt. The same texts every time, as far as it gets; WEFT_FUZZ_SEED=0 takes others.
# usage: run.sh PROGRAM SECONDS FOLDER
set -euo pipefail
program=$1 seconds=$2 folder=$3
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$folder"
seeds=$(mktemp -d "$folder/seeds.XXXXXX")
trap 'rm -rf "$seeds"' EXIT

# fuzz NUMBER: with seeds of its own, so that what the other finds does not change what it tries. A text
# takes 10 s at most, unless the machine is busy; no single allocation 1 GB.
fuzz() {
    local corpus=$seeds/$1 seed=${WEFT_FUZZ_SEED:-$1}
    mkdir "$corpus"
    split -l 1 -a 4 -d "$here/corpus.txt" "$corpus/text-"
    "$program" -max_total_time="$seconds" -seed="$seed" \
        -timeout="${WEFT_FUZZ_TIMEOUT:-120}" -malloc_limit_mb=1000 \
        -rss_limit_mb=2500 -max_len=300 -dict="$here/texts.dict" -artifact_prefix="$folder/" \
        -print_final_stats=1 "$corpus" >"$seeds/$1.log" 2>&1
}

fuzz 1 &
first=$!
fuzz 2 &
second=$! status=0
wait "$first" || status=$?
wait "$second" || status=$?
cat "$seeds"/*.log
if ((status == 0)); then
    echo "no text of these broke a promise"
else
    echo "a text breaks a promise, see above; it is in $folder"
fi
exit "$status"
