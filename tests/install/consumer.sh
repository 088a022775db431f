#!/usr/bin/env bash
# usage: consumer.sh BUILD CONSUMER_SOURCE SCRATCH MPICXX LAUNCHER...
set -euo pipefail
build=$1 source=$2 scratch=$3 compiler=$4
shift 4
rm -rf "$scratch/prefix" "$scratch/consumer"
cmake --install "$build" --prefix "$scratch/prefix" >/dev/null
cmake -S "$source" -B "$scratch/consumer" -DCMAKE_PREFIX_PATH="$scratch/prefix" \
    -DMPI_CXX_COMPILER="$compiler" >/dev/null
cmake --build "$scratch/consumer"
"$@" "$scratch/consumer/consumer"
"$@" "$scratch/consumer/consumer_c"
"$scratch/prefix/bin/weft" --version
