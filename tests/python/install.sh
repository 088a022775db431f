#!/usr/bin/env bash
# pip builds a wheel from the sources and installs it elsewhere, where an example finds it. With another
# MPI than it was built with, importing it says so.
# usage: install.sh SOURCE SCRATCH PYTHON MPICXX WHEEL OPTIONS LAUNCHER...
#   WHEEL: where it is built
#   OPTIONS: those of CMake's that WEFT_CORE_LIBRARY, which is one of them, was built with
set -euo pipefail
source=$1 scratch=$2 python=$3 compiler=$4 wheel=$5 options=$6
shift 6
rm -rf "$scratch/site" "$scratch/wheels"
# In a build directory of its own that stays, so that the next time little is compiled. It lies beside
# the build that is tested, so that ccache takes what that has compiled.
export SKBUILD_BUILD_DIR=$wheel
CMAKE_ARGS="-DMPI_CXX_COMPILER=$compiler $options" "$python" -m pip wheel --quiet --no-deps \
    --no-build-isolation --no-cache-dir --wheel-dir "$scratch/wheels" "$source"
"$python" -m pip install --quiet --no-deps --no-index --no-cache-dir --target "$scratch/site" "$scratch"/wheels/weft_fft-*.whl
cd "$scratch"
export PYTHONPATH=$scratch/site PYTHONDONTWRITEBYTECODE=1
"$python" -c 'import weft; assert weft.__file__.startswith("'"$scratch"'"), weft.__file__'
"$@" "$python" "$source/examples/poisson.py"

needed=$("$python" -c 'import weft; print(weft.__mpi__)')
[[ $needed =~ ^(Open MPI|MPICH)\ [0-9]+\.[0-9] ]] || { echo "it says that it needs '$needed'" && exit 1; }

# refused TEXT: importing weft is an error with that text, and with the MPI that it needs.
refused() {
    if "$python" -c 'import weft' 2>log || ! grep -F "$1" log | grep -qF "weft was built with $needed"; then
        echo "importing weft was to be refused with: $1" && cat log && exit 1
    fi
}
cat >other.cpp <<'END'
#include <cstring>
extern "C" int MPI_Get_library_version(char* text, int* length) {
    *length = static_cast<int>(std::strlen(std::strcpy(text, OTHER)));
    return 0;
}
END
[[ $needed == MPICH* ]] && other='Open MPI v0.0' || other='MPICH Version: 0.0'
g++ -shared -fPIC "-DOTHER=\"$other\"" other.cpp -o libother.so
LD_PRELOAD=$scratch/libother.so refused "$other"
for module in site/weft/_weft*.so; do : >"$module"; done
refused 'cannot be loaded here'
