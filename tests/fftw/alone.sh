#!/usr/bin/env bash
# What weft's library says where FFTW's MPI library is not there, and that it says it once;
# and what it says of a variable that makes no sense.
# usage: alone.sh MPIEXEC FLAG RANKS PROGRAM
set -euo pipefail
errors=$(WEFT_FFTW=alone WEFT_FFTW_LOG=foo timeout -s ABRT 600 "$1" "$2" "$3" "$4" 2>&1) || { echo "$errors"; exit 1; }
for text in 'plan_dft_1d 8: no plan: one-dimensional transforms are not accelerated' \
    'plan_r2r_2d 4x4: no plan: R2HC, HC2R and DHT are not accelerated'; do
    count=$(grep -c "^weft: fftw_mpi_$text, and FFTW's MPI library" <<<"$errors" || true)
    if [[ $count != 1 ]]; then
        echo "wrong: $count lines say '$text':"
        echo "$errors"
        exit 1
    fi
done
if ! grep -q "^weft: WEFT_FFTW_LOG is 'foo', but can be 0 or 1; it is passed over$" <<<"$errors"; then
    echo "wrong: no line says what WEFT_FFTW_LOG can be:"
    echo "$errors"
    exit 1
fi
