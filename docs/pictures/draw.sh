#!/usr/bin/env bash
# Draws the pictures of docs/ anew.
# usage: draw.sh BUILD/bin/weft [FOLDER]
set -eu
weft=$1
folder=${2:-$(dirname "$0")}

draw() {
    "$weft" explain "${@:2}" --plot "$folder/$1.svg" >/dev/null
}

draw slab "c2c:f64:64x64x64 in=slab(0)" --ranks 4
draw pencil "r2c:f64:64x64x64; decomposition=pencil(2x4)" --ranks 8
draw brick "c2c:f64:64x64x64 in=brick out=brick; decomposition=grid(2x2x2)" --ranks 8
draw boxes "redistribute:24:16x16 in=boxes([0:10,0:6][13:16,13:16]|[10:16,0:10][0:6,13:16]|[6:10,6:10][0:6,6:13]||[6:13,10:16][13:16,10:13]) out=slab(0)" --ranks 5
draw batch "c2c:f64:48x48*3 in=slab(0)@01b out=slab(b)" --ranks 3
