#!/usr/bin/env bash
# pip builds the package from the sources and installs it elsewhere, where an example finds it.
# usage: install.sh SOURCE SCRATCH PYTHON MPICXX CORE GPUS LAUNCHER...
#   GPUS: the options for GPUs that CORE was built with, as CMake takes them
set -euo pipefail
source=$1 scratch=$2 python=$3 compiler=$4 core=$5 gpus=$6
shift 6
rm -rf "$scratch/site"
# In a build directory of its own that stays, so that the next time little is compiled, and with the
# weft-core that is tested elsewhere.
export SKBUILD_BUILD_DIR=$scratch/wheel
CMAKE_ARGS="-DMPI_CXX_COMPILER=$compiler -DWEFT_CORE_LIBRARY=$core $gpus" "$python" -m pip install --quiet --no-deps \
    --no-build-isolation --no-cache-dir --target "$scratch/site" "$source"
cd "$scratch"
export PYTHONPATH=$scratch/site PYTHONDONTWRITEBYTECODE=1
"$python" -c 'import weft; assert weft.__file__.startswith("'"$scratch"'"), weft.__file__'
"$@" "$python" "$source/examples/poisson.py"
