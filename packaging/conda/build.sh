#!/usr/bin/env bash
# Builds and installs weft in $PREFIX: the libraries, the command and the Python package. $WEFT_CMAKE_OPTIONS has more
# options of CMake's.
set -euo pipefail
[[ $mpi == openmpi ]] && export OMPI_CC=${CC:-} OMPI_CXX=${CXX:-} OMPI_FC=${FC:-}
[[ -n ${CXX:-} ]] || unset OMPI_CC OMPI_CXX OMPI_FC

read -ra options <<<"${CMAKE_ARGS:-} ${WEFT_CMAKE_OPTIONS:-}"
cmake -S . -B build -G Ninja "${options[@]}" -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$PREFIX" \
    -DCMAKE_INSTALL_LIBDIR=lib -DBUILD_SHARED_LIBS=ON -DWEFT_BUILD_TESTS=OFF -DWEFT_BUILD_BENCH=OFF \
    -DWEFT_BUILD_EXAMPLES=OFF -DWEFT_BUILD_FORTRAN=ON -DWEFT_BUILD_FFTW_INTERFACE=ON -DWEFT_WITH_FFTW=ON \
    -DWEFT_WITH_MKL=OFF -DWEFT_CUDA=OFF -DWEFT_HIP=OFF -DWEFT_BUILD_PYTHON=ON \
    -DPython_EXECUTABLE="$PYTHON"
cmake --build build --parallel "${CPU_COUNT:-1}"
cmake --install build
cmake --install build --prefix "$SP_DIR" --component python
cp python/weft/*.py python/weft/*.pyi python/weft/py.typed "$SP_DIR/weft"
