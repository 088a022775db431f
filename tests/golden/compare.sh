#!/usr/bin/env bash
# usage: compare.sh WEFT FOLDER
set -euo pipefail
diff -u "$2/plans.txt" <(bash "$2/plans.sh" "$1" "$2") && echo "the plans are those expected"
