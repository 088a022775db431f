#!/usr/bin/env bash
# The command's exit codes and messages: 0 right, 1 wrong result, 2 bad request, 3 not available
# here, 4 MPI or system.
# usage: exit_codes.sh WEFT MPIEXEC NUMPROC_FLAG
set -u
weft=$1
launch="$2 $3"
failures=0

# expect CODE TEXT COMMAND...: the command's exit code, and a text that its output contains.
expect() {
    local code=$1 text=$2 output status
    shift 2
    output=$("$@" 2>&1 </dev/null)
    status=$?
    if [ "$status" -ne "$code" ] || [[ "$output" != *"$text"* ]]; then
        failures=$((failures + 1))
        printf 'FAILED  %s\n  exit code %s, expected %s; output must contain: %s\n%s\n' \
            "$*" "$status" "$code" "$text" "$output"
    else
        printf 'right   %s\n' "${*/#$weft/weft}"
    fi
}

expect 0 "weft 0." "$weft" --version
expect 0 "weft ft" "$weft" --help
for verb in ft explain verify bench exchange engines copies predict calibrate tune wisdom info manual; do
    expect 0 "Example" "$weft" "$verb" --help
done
for verb in "" ft explain verify bench exchange engines copies methods predict calibrate tune wisdom \
    "wisdom show" "wisdom merge" "wisdom forget" info manual; do
    # shellcheck disable=SC2086 # words of a verb are arguments of their own
    help=$("$weft" $verb --help)
    # Where help says how the command was typed, that is as long as its path.
    long=$(sed "s|$weft|weft|g" <<<"$help" | awk 'length > 80')
    expect 0 "none" echo "lines of help beyond 80 columns of '$verb': ${long:-none}"
    # Options say what they take in a word of their own; papers are no help.
    bare=$(grep -E '\b(TEXT|INT|UINT|FLOAT)\b|\[(ayala|duy|gholami|schulz|song)\]' <<<"$help")
    expect 0 "none" echo "bare types and short names of papers in the help of '$verb': ${bare:-none}"
done
expect 2 "try: mpirun -n 2 weft verify 64x64x64, or weft verify --random 100 --net local" "$weft" verify
expect 2 "try: weft predict 64x64x64" "$weft" predict
expect 2 "try: mpirun -n 2 weft bench 64x64x64" "$weft" bench
expect 0 "[ayala]    Ayala, Tomov" "$weft" predict 64x64x64 --machine summit --ranks 2
expect 2 "there is no verb 'explian'; do you mean explain?" "$weft" explian 8x8
expect 2 "explain has no option --rnks; do you mean --ranks?" "$weft" explain 8x8 --rnks 2
expect 2 "bench has no option --ranks; explain, verify, exchange, predict, simulate and plan have it; \`weft bench --help\` lists" \
    "$weft" bench 8x8 --ranks 2
expect 2 "info has no option --volume; explain has it; \`weft info --help\` lists them" "$weft" info --volume
expect 2 "bench has no option --rnk; \`weft bench --help\` lists them" "$weft" bench 8x8 --rnk 2
expect 2 "explain has no option --rank2; do you mean --ranks or --rank?" "$weft" explain 8x8 --rank2
expect 2 "\`--ranks\` after \`--\` is read as an argument; put it before \`--\`" "$weft" explain 8x8 -- --ranks
expect 2 "--ranks is an option of explain; put it after the verb: weft explain --ranks;" "$weft" --ranks 2 explain 8x8
expect 2 "explain has no option --zzzzzzz; \`weft explain --help\` lists them" "$weft" explain 8x8 --zzzzzzz=1
expect 2 "--ranks needs a value, as in --ranks N" "$weft" explain 8x8 --ranks
expect 2 "--compare needs 2 values, as in --compare FILE FILE" "$weft" exchange --compare a
expect 2 "--ranks is given 2 times; give it once" "$weft" explain 8x8 --ranks 2 --ranks 4
expect 2 "--ranks '': the value is empty; give one, or leave --ranks out" "$weft" explain 8x8 --ranks ""
expect 2 "weft has no option -v; \`weft --help\` lists" "$weft" -v
expect 2 "--seed: -1 is not a whole number from 0" "$weft" verify --random 1 --seed -1 --net local
expect 2 "--seed: 18446744073709551616 is not a" "$weft" verify 8x8 --seed 18446744073709551616 --net local
expect 2 "--ranks 0: at least 1" "$weft" verify 8x8 --net local --ranks 0
expect 2 "--ranks 16385: at most 16384 fit" "$weft" verify 8x8 --net local --ranks 16385
expect 2 "--csv x.csv: only --volume" "$weft" explain 8x8 --csv x.csv
expect 2 "shape: 9223372036854775808 is out of range" "$weft" explain 9223372036854775808
expect 2 "f32 holds factors" "$weft" explain 8x8 --precision f32 --scale 1e39/1
expect 2 "f32 holds factors" "$weft" explain 8x8 --precision f32 --scale 1/-1e-50
expect 0 "scale=1e-310/none" "$weft" explain 8x8 --scale 1e-310/none
expect 0 "scale=0/1e+38" "$weft" explain 8x8 --precision f32 --scale 0/1e38
expect 2 "--rank x: this is not a whole number" "$weft" explain 8x8 --rank x
expect 2 "--seconds x: this is not a number" "$weft" calibrate --seconds x
expect 2 "weft methods does not take 'alltoallv'" "$weft" methods alltoallv
expect 2 "wisdom needs one of its verbs: show, merge, forget" "$weft" wisdom
expect 2 "wisdom has no verb 'shw'; do you mean show?" "$weft" wisdom shw
expect 2 "wisdom forget has no option --probem; do you mean --problem?" "$weft" wisdom forget --probem x
expect 2 "wisdom merge needs FILE" "$weft" wisdom merge
expect 2 "there is no verb 'explian'; do you mean explain?" "$weft" manual explian
expect 2 "--random -3: at least 1" "$weft" verify --random -3
expect 2 "there is no device 'gpu'" "$weft" calibrate --device gpu
expect 0 "reference" "$weft" info
expect 0 "permuting" "$weft" engines --lengths 8 --elements 64
expect 3 "device 'cuda' is not built in" "$weft" copies
expect 2 "--extent 6" "$weft" copies --space fake --extent 6
expect 3 "no kernels of weft" "$weft" copies --space fake --extent 4 --repeat 1
expect 2 "precision 'f16'" "$weft" engines --precision f16
expect 2 "--lengths 0" "$weft" engines --lengths 8,0
expect 2 "--lengths" "$weft" engines --lengths eight
expect 2 "engine 'abacus'" "$weft" engines --engine abacus
expect 2 "--elements -1" "$weft" engines --elements -1

expect 0 "row-wise(012>021>120)" "$weft" explain 6x6x6 --decomposition row-wise --ranks 16
expect 0 "shrink=4" "$weft" explain 8x8x8 --in brick --ranks 8 --shrink 4
expect 2 "shrink=9" "$weft" explain 8x8x8 --ranks 8 --shrink 9
expect 0 "33.3 MB" "$weft" explain 128x128x128 --volume --ranks 128,2
expect 2 "show one" "$weft" explain 8x8x8 --volume --rank 0
expect 2 "several numbers" "$weft" explain 8x8x8 --ranks 2,4
expect 2 "'x'" "$weft" explain 8x8x8 --volume --ranks 2,x
expect 2 "leave it out" "$weft" explain 8x8x8 --volume --decomposition slab
expect 0 "pencil(64x64,01>02>20>21)" "$weft" explain 256x256x256 --ranks 4096
expect 0 "pencil(4x64,01>02>12)" "$weft" explain 256x256x256 --ranks 256
expect 0 "predicted  on default" "$weft" explain 8x8x8 --ranks 8
expect 0 "^N0 x ^N1/8" "$weft" explain 64 64 64 --ranks 8
expect 0 "8x16x32" "$weft" explain r2c:f64:8x16x32 --ranks 2 --rank 1 --program
expect 0 "ranks      6" "$weft" explain "c2c:f64:9x9x9; ranks=6; via=alltoallw"
expect 0 "r2c:f32:8x8*3" "$weft" explain 8x8 --kind r2c --precision f32 --batch 3 --ranks 2
expect 0 "r2c:f32:8x8*3" "$weft" explain "c2c:f64:8x8*5; via=alltoallw" --kind r2c --precision f32 --batch 3
expect 0 "via=isend-waitall" "$weft" explain "8x8; via=alltoallw" --via isend-waitall --ranks 2
expect 0 "r2r:f64:8x9 kinds=dct2" "$weft" explain 8x9 --kinds dct2 --ranks 2
expect 0 "r2c:f64:8x9x6 kinds=c2c,dct1,r2c" "$weft" explain 8x9x6 --kinds c2c,dct1,r2c --ranks 2
expect 0 "c2r:f32:8x9 kinds=c2r,dst2" "$weft" explain "c2r:f32:8x9 kinds=c2r,none" --kinds c2r,dst2 --ranks 2
expect 0 "c2c:f64:8x9 axes=1,0 kinds=c2c,dct4" "$weft" explain 8x9 --axes 1,0 --kinds c2c,dct4
expect 0 "dct1 along axis 1" "$weft" explain 8x9x6 --kinds c2c,dct1,r2c --ranks 2
expect 0 "verdict    right" "$weft" verify 8x9x6 --kinds c2c,dct1,r2c --net local --ranks 3
expect 2 "do you mean dct2?" "$weft" explain 8x9 --kinds dct2,dctt2
expect 2 "axis 1 is c2c" "$weft" explain r2r:f64:8x9 --kinds dct2,c2c
expect 2 "axes 0,1 are all r2c" "$weft" explain 8x9 --kinds r2c
expect 2 "no axis is c2r" "$weft" explain 8x9 --kind c2r --kinds dct2
expect 2 "leave out the problem" "$weft" verify --random 3 --kind r2c --net local
expect 2 "--net local" $launch 2 "$weft" verify 8x8 --rendezvous
expect 2 "is not a layout" $launch 2 "$weft" ft --in "free axes=0"
expect 0 "IFFT" "$weft" explain 8x8x8 --ranks 2 --backward
expect 0 "nodes      2 of 4 ranks" "$weft" explain 8x8x8 --ranks 8 --ranks-per-node 4
expect 0 "nodes      2 of 64 ranks" env -u WEFT_RANKS_PER_NODE "$weft" explain 8x8x8 --ranks 128
expect 0 "nodes      4 of 2 ranks" env WEFT_RANKS_PER_NODE=2 "$weft" explain 8x8x8 --ranks 8
for value in abc 0 -2 2x 99999999999; do
    expect 2 "WEFT_RANKS_PER_NODE is '$value', but can be a whole number from 1 to 2147483647" \
        env WEFT_RANKS_PER_NODE=$value "$weft" explain 8x8x8 --ranks 8
done
expect 2 "WEFT_WINDOWS is 'foo', but can be mpi" env WEFT_WINDOWS=foo "$weft" verify 8x8
expect 2 "WEFT_DEVICE_PIN is 'foo', but can be yes or no" env WEFT_DEVICE_PIN=foo "$weft" verify 8x8
expect 2 "WEFT_SPACE is 'foo': space=foo: there are host" env WEFT_SPACE=foo "$weft" verify 8x8
expect 0 "right" env WEFT_RANKS_PER_NODE= WEFT_WINDOWS= WEFT_DEVICE_PIN= WEFT_SPACE= "$weft" verify 8x8
expect 2 "--ranks-per-node 0" "$weft" explain 8x8x8 --ranks 8 --ranks-per-node 0
expect 0 "4 of the 8 ranks own nothing" "$weft" explain 4x8x8 --in "slab(0)" --ranks 8
expect 0 "looked at  9 of 4096 ranks: 0, 511, " "$weft" explain 256x256x256 --ranks 4096

expect 4 "File too large" bash -c 'ulimit -f 0; exec "$0" explain 8x8x8 --ranks 2 --plot "$1"' \
    "$weft" "${TMPDIR:-/tmp}/weft-no-room-$$.svg"
# What a verb has flushed by itself counts as well.
for command in "ft --class S" "explain 8x8x8" --version "explain --help"; do
    # shellcheck disable=SC2016,SC2086 # the words of a command are arguments of their own
    expect 4 "the output could not be written" bash -c 'exec "$@" >/dev/full' - "$weft" $command
done
# Nor where nothing can be said about it.
expect 4 "" bash -c 'ulimit -f 0; exec "$0" explain 8x8x8 >"$1" 2>&1' \
    "$weft" "${TMPDIR:-/tmp}/weft-no-room-$$.svg"
rm -f "${TMPDIR:-/tmp}/weft-no-room-$$.svg"

expect 0 "verdict    fastest: slab on 96-192 ranks, pencil on 384" "$weft" predict 512x512x512 --via alltoallv \
    --machine summit --ranks 96..384
expect 0 "predicted  on helics" "$weft" explain 8x8x8 --ranks 8 --machine helics
expect 2 "machine 'petaflop' is unknown; there are alps, aurora, default, " "$weft" predict 8x8x8 --machine petaflop
expect 4 "nowhere.json" "$weft" predict 8x8x8 --machine nowhere.json
expect 2 "exit_codes.sh: this is not JSON" "$weft" predict 8x8x8 --machine "$0"
expect 2 "--ranks 8..4" "$weft" predict 8x8x8 --ranks 8..4
expect 2 "--ranks 0" "$weft" predict 8x8x8 --ranks 0
expect 2 "no problem is given" "$weft" predict
expect 2 "--ranks 4: the text says ranks=8" "$weft" predict "c2c:f64:8x8x8; ranks=8" --ranks 4
expect 2 "the text says backward" "$weft" predict "c2c:f64:8x8x8; ranks=8; backward"
expect 2 "--volume compares many plans" "$weft" explain 8x8x8 --volume --rank 1
expect 4 "File too large" bash -c 'ulimit -f 0; exec "$0" predict 8x8x8 --ranks 2 --csv "$1"' \
    "$weft" "${TMPDIR:-/tmp}/weft-no-room-$$.csv"
rm -f "${TMPDIR:-/tmp}/weft-no-room-$$.csv"

expect 2 "a verb is needed" "$weft"
expect 2 "no problem is given" "$weft" explain
expect 2 "frobnicate" "$weft" frobnicate
expect 2 "--frobnicate" "$weft" explain 8x8 --frobnicate
expect 2 "0 in '0x8'" "$weft" explain 0x8
expect 2 "-8" "$weft" explain c2c:f64:8x-8
expect 2 "'eight'" "$weft" explain c2c:f64:8xeight
expect 2 "7 dimensions" "$weft" explain 2x2x2x2x2x2x2
expect 2 "kind 'c2d'" "$weft" explain 8x8 --kind c2d
expect 2 "precision 'f16'" "$weft" explain 8x8 --precision f16
expect 2 "'wings=2'" "$weft" explain "c2c:f64:8x8 wings=2"
expect 2 "layout 'heap'" "$weft" explain 8x8 --in heap
expect 2 "via 'pigeon'" "$weft" explain 8x8 --via pigeon
expect 2 "pack=sender" "$weft" explain 8x8 --via alltoallw --pack sender
expect 2 "via[7]" "$weft" explain "c2c:f64:8x8; via[7]=alltoallw" --ranks 2
expect 2 "3x5x1 = 15 parts" "$weft" explain 8x8x8 --in "grid(3x5x1)" --ranks 8
expect 2 "at most 3" "$weft" explain 8x8x8 --decomposition "grid(2x2x2x1)" --ranks 8
expect 2 "the process grid has 6 ranks" "$weft" explain 8x8x8 --grid 2x3 --ranks 8
expect 2 "axis 0 stays distributed, so it cannot" "$weft" explain "c2c:f64:8x8x8; decomposition=slab(2,0)" --ranks 2
expect 2 "no rank owns [4:8,3:8]" "$weft" explain 8x8 --in "boxes([0:4,0:8]|[4:8,0:3])" --ranks 2
expect 2 "in_place and may_destroy_input" "$weft" explain "c2c:f64:8x8 may_destroy_input" --in-place
expect 2 "give both layouts" "$weft" explain "redistribute:8:8x8 in=slab(0)"
expect 2 "2^58" "$weft" explain 1000000000x1000000000x1000000000
expect 2 "engine 'abacus'" "$weft" explain 8x8 --engine abacus
expect 2 "--rank 9" "$weft" explain 8x8 --ranks 4 --rank 9
expect 2 "'ranks=-3'" "$weft" explain "c2c:f64:8x8; ranks=-3" --ranks -3
for engine in fftw mkl; do
    if "$weft" info | grep -q "$engine *not built in"; then
        expect 3 "not built in" "$weft" explain 8x8 --engine $engine
        expect 3 "not built in" "$weft" engines --engine $engine
        expect 3 "not built in" $launch 2 "$weft" verify 8x8 --engine $engine
    else
        expect 0 "right" "$weft" verify r2c:f64:12x5x7 --net local --ranks 3 --engine $engine
    fi
done

expect 0 "right" "$weft" verify 12x5x7 --net local --ranks 3
expect 0 "right" "$weft" verify 12x5x7 --net local --ranks 3 --space fake
expect 0 "right" "$weft" verify r2c:f32:12x5x7*2 --net local --ranks 64 --rendezvous
expect 2 "--net 'carrier'" "$weft" verify 8x8 --net carrier
expect 0 "linearity" $launch 2 "$weft" verify 12x5x7 --engine reference
expect 2 "5 ranks are asked for" $launch 2 "$weft" verify 12x5x7 --ranks 5
expect 2 "kind 'c2d'" $launch 2 "$weft" verify c2d:f64:8
expect 0 "SUCCESSFUL" $launch 2 "$weft" ft --class S
expect 0 "SUCCESSFUL" $launch 2 "$weft" ft --class s --in "slab(2)" --out "slab(1)@210"
expect 2 "S, W, A, B, C" $launch 2 "$weft" ft --class CC
expect 0 "C 512x512x512" "$weft" ft --help
expect 0 "SUCCESSFUL" $launch 2 "$weft" ft --class S --carrier messages --chunk 1000 --tuning estimate
expect 2 "class 'Z'" $launch 2 "$weft" ft --class Z

# A launcher of another MPI starts processes that are alone: an error, unless the verb needs no MPI.
variable=PMI_SIZE other=mpiexec.mpich
if "$weft" info | grep -q "^MPI *MPICH"; then
    variable=OMPI_COMM_WORLD_SIZE other=mpiexec.openmpi
fi
expect 4 "each is alone" env $variable=4 "$weft" verify 8x8
expect 4 "srun" env SLURM_STEP_NUM_TASKS=4 "$weft" bench 8x8 --repeat 1
expect 0 "right" env $variable=1 SLURM_STEP_NUM_TASKS=4 "$weft" verify 8x8
expect 0 "ranks      1" env $variable=4 "$weft" explain 8x8
if command -v $other >/dev/null; then
    expect 4 "each is alone" $other -n 2 "$weft" verify 8x8
fi
cores=$(getconf _NPROCESSORS_ONLN)
if [ "$cores" -le 4 ]; then
    expect 0 "$((cores + 1)) ranks on a node of $cores cores" $launch $((cores + 1)) "$weft" ft --class S
fi

# A collective error is printed once, not by every rank.
count=$($launch 2 "$weft" verify 8x8x8 --in "grid(7x1x1)" 2>&1 | grep -c "7x1x1 = 7 parts")
if [ "$count" -ne 1 ]; then
    failures=$((failures + 1))
    echo "FAILED  a collective error was printed $count times"
fi

echo "$failures failures"
[ "$failures" -eq 0 ]
