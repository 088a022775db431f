#!/usr/bin/env bash
# Writes plans.txt anew; look at the difference before committing it. usage: update.sh WEFT
set -euo pipefail
folder=$(cd "$(dirname "$0")" && pwd)
bash "$folder/plans.sh" "$1" "$folder" >"$folder/plans.txt"
