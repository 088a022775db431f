#!/usr/bin/env bash
# Compiles the Fortran program with weft's library in front of FFTW's, and runs it: both plans are weft's.
# usage: fortran.sh MPIFORT SOURCE FOLDER INCLUDE_FOLDER WEFT_LIBRARY FFTW_MPI_LIBRARY FFTW_LIBRARY MPIEXEC FLAG RANKS
set -euo pipefail
mpifort=$1 source=$2 folder=$3 include=$4 weft=$5
libraries=("$5" "$6" "$7")
shift 7
"$mpifort" "$source" -o "$folder/fortran_program" -I"$include" -J"$folder" "${libraries[@]}" \
    -Wl,-rpath,"$(dirname "$weft")"
log=$(WEFT_FFTW_LOG=1 timeout -s ABRT 600 "$@" "$folder/fortran_program" 2>&1) || { echo "$log"; exit 1; }
count=$(grep -c '^weft: fftw_mpi_plan_dft_3d 14x10x6: weft: c2c:f64:14x10x6 ' <<<"$log" || true)
if [[ $count != 2 ]]; then
    echo "wrong: $count plans are weft's:"
    echo "$log"
    exit 1
fi
