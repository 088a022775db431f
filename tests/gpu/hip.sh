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

hipcc "${options[@]}" --offload-arch=gfx90a -O1 -Wall -Werror \
    -c src/device/hip/kernels.hip -o "$scratch/kernels.o" &
kernels=$!

mapfile -t files < <(find src/device/gpu src/fft/gpu src/net/gpu -name '*.cpp' | sort)
((${#files[@]} >= 8)) || { echo "only ${#files[@]} sources of GPUs were found" && exit 1; }
printf '%s\n' "${files[@]}" | xargs -n 1 "$cxx" "${options[@]}" -D__HIP_PLATFORM_AMD__ \
    -isystem tests/gpu -fsyntax-only -Wall -Wextra
wait "$kernels"
grep -qa 'amdgcn-amd-amdhsa--gfx90a' "$scratch/kernels.o" || { echo 'no code for gfx90a' && exit 1; }
echo "${#files[@]} sources and their kernels compile for HIP"
