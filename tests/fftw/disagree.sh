#!/usr/bin/env bash
# Every planner call that differs between ranks ends, without a plan, and rank 0 says so in one line.
# usage: disagree.sh MPIEXEC FLAG RANKS PROGRAM [VARIABLE=VALUE]
set -euo pipefail
errors=$(mktemp)
trap 'rm -f "$errors"' EXIT
output=$(timeout -s ABRT 100 "$1" "$2" "$3" "${@:4}" 2>"$errors") || { tail -40 "$errors"; exit 1; }
count=$(grep -c '^weft: fftw_mpi_plan_.*: no plan: ' "$errors" || true)
told=$(grep -c "no plan: the ranks disagree on the call: rank 0 has '.*', rank [1-9] has '.*'" "$errors" || true)
if [[ $output != "$count calls differed" ]] || ((told < 10)); then
    echo "wrong: $output, $count lines say that there is no plan, and $told why:"
    cat "$errors"
    exit 1
fi
