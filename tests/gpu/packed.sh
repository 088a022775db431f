#!/usr/bin/env bash
# What tests/gpu/pack packs fits into what can be carried, needs nothing else of this machine than it says,
# and works at another path in an empty environment: tests/gpu/run does its steps from it on the emulated GPU.
#
# usage: packed.sh SOURCE BUILD SCRATCH PYTHON
set -euo pipefail
source=$1 build=$2 scratch=$3 python=$4
dpkg-query -W libopenmpi3 libpmix2 openmpi-bin >/dev/null 2>&1 || { echo "Debian's Open MPI is not here" && exit 77; }
rm -rf "$scratch"
mkdir -p "$scratch/first" "$scratch/there/src/device/gpu" "$scratch/there/testing/emulated/cuda" "$scratch/there/tests" "$scratch/home"
fail() { echo "FAILED  $1" && exit 1; }

"$source/tests/gpu/pack" --built "$build" "$scratch/first/pack"
if CARRIED_MIB=1 "$source/tests/gpu/pack" --built "$build" "$scratch/first/large" >"$scratch/log"; then
    fail "a pack of more than can be carried is taken"
fi
grep -q 'more than .* MiB' "$scratch/log" || { cat "$scratch/log" && fail "it does not say that it is too large"; }

# As on the machine with the GPU: a copy of the tree with the pack.
there=$scratch/there
cp -r "$source/tests/gpu" "$there/tests"
cp "$source/src/device/gpu/line_shape.hpp" "$there/src/device/gpu"
cp "$source/testing/emulated/cuda/lengths.hpp" "$there/testing/emulated/cuda"
mkdir "$there/build-gpu"
mv "$scratch/first/pack" "$there/build-gpu/pack"
rm -r "$scratch/first"
pack=$there/build-gpu/pack

# Libraries are the pack's, unless the machine has to have its own.
own='lib(c|m|dl|rt|pthread|util|resolv|cuda|cufft|nccl)\.so'
while read -r file; do
    others=$(LD_LIBRARY_PATH=$pack/lib ldd "$file" | awk '$2 == "=>" { print $1, $3 }' | grep -vE "^$own| $pack/lib/" || true)
    [[ -z $others ]] || fail "${file#"$pack"/} needs what is not packed: $others"
done < <(find "$pack/bin" "$pack/mpi/usr/bin" "$pack/mpi" -name '*.so' -o -path '*/bin/*' -type f)
twins=$(find "$pack" -type f -size +99k -exec md5sum {} + | sort | uniq -w 32 -D)
[[ -z $twins ]] || fail "files that are packed twice: $twins"

cd /
env -i PATH=/usr/bin:/bin HOME="$scratch/home" "$python" "$there/tests/gpu/run" --space emulated --out "$scratch/results" ||
    fail "tests/gpu/run, from the pack"
grep -q '"commit": ' "$scratch/results/gpu.json" || fail "gpu.json does not say which commit it is of"
grep -q '"command": ".*orterun -n 2 weft verify' "$scratch/results/gpu.json" || fail "not the pack's launcher has run"
