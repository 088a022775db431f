#!/usr/bin/env bash
# The sources of GPUs, read as HIP's: what the host's compiler is given, and kernels by hipcc. That
# is as far as HIP goes without hipFFT and RCCL, whose declarations are in tests/gpu.
#
# usage: hip.sh SOURCE SCRATCH CXX
set -euo pipefail
source=$1 scratch=$2 cxx=$3
command -v hipcc >/dev/null || { echo 'hipcc is not here' && exit 77; }
mkdir -p "$scratch"
cd "$source"
options=(-std=c++20 -DWEFT_GPU_HIP -Iinclude -Isrc -Itools)

# Two lengths are enough for the compiler's errors.
echo '#define WEFT_FIXED_LENGTHS(each) each(64) each(100)' >"$scratch/lengths.hpp"
for file in kernels fixed_lines_f32 fixed_lines_f64; do
    hipcc "${options[@]}" --offload-arch=gfx90a -O1 -Wall -Werror -I"$scratch" \
        -DWEFT_GPU_LENGTHS_HEADER='"lengths.hpp"' \
        -c "src/device/hip/$file.hip" -o "$scratch/$file.o"
done &
kernels=$!

mapfile -t files < <(find src/device/gpu src/fft/gpu src/net/gpu -name '*.cpp' | sort)
((${#files[@]} >= 8)) || { echo "only ${#files[@]} sources of GPUs were found" && exit 1; }
printf '%s\n' "${files[@]}" | xargs -n 1 "$cxx" "${options[@]}" -D__HIP_PLATFORM_AMD__ \
    -isystem tests/gpu -fsyntax-only -Wall -Wextra
wait "$kernels"
for file in "$scratch"/*.o; do
    grep -qa 'amdgcn-amd-amdhsa--gfx90a' "$file" || { echo "no code for gfx90a in $file" && exit 1; }
done
echo "${#files[@]} sources and their kernels compile for HIP"
