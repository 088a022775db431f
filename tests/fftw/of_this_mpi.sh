#!/usr/bin/env bash
# FFTW's MPI library is taken if it was built with this MPI, and refused with the symbol that says
# otherwise if it was built with another one: shared libraries and archives of either.
# usage: of_this_mpi.sh SOURCE SCRATCH FFTW_INCLUDES THIS_MPICC [OTHER_MPICC]
set -euo pipefail
source=$1 scratch=$2 includes=$3
rm -rf "$scratch"
mkdir -p "$scratch"
cd "$scratch"
files=()
for compiler in "${@:4}"; do
    name=lib$(basename "$compiler")
    "$compiler" -O1 -fPIC -I"$includes" -c "$source/tests/fftw/of_this_mpi/stand_in.c" -o "$name.o"
    "$compiler" -shared "$name.o" -o "$name.so"
    ar rcs "$name.a" "$name.o"
    files+=("$scratch/$name.so" "$scratch/$name.a")
done
cmake -S "$source/tests/fftw/of_this_mpi" -B build -DWEFT_SOURCE="$source" -DMPI_C_COMPILER="$4" \
    -DFILES="$(IFS=';'; echo "${files[*]}")" >log 2>&1 || { cat log; exit 1; }
number=0
for file in "${files[@]}"; do
    expected=' \.$'
    # An MPI whose handles are numbers lacks what the other one refers to; else that does not refer to its own.
    ((number++ < 2)) || expected=" ($file need|.* does not refer to this MPI's) [a-z_]+"
    if ! grep -qE "^-- $file:$expected" log; then
        echo "wrong: $file was to be answered with '$expected':"
        cat log
        exit 1
    fi
done
