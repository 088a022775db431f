#!/usr/bin/env bash
# A build without CUDA and HIP has no name of theirs and is linked with none of their libraries.
#
# usage: no_trace.sh PROGRAM...
set -euo pipefail
for program in "$@"; do
    names=$(nm "$program" | awk '{ print $NF }')
    grep -q main <<<"$names" || { echo "$program has no names to look at" && exit 1; }
    if grep -E '^_*(cuda|cufft|cu[A-Z]|hip|nv[A-Z])' <<<"$names"; then
        echo "$program has these names of CUDA or HIP"
        exit 1
    fi
    if ldd "$program" | grep -iE 'libcu(da|dart|fft)|libnccl|hip|rocm'; then
        echo "$program is linked with these libraries of CUDA or HIP"
        exit 1
    fi
done
