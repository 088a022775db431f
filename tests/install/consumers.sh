#!/usr/bin/env bash
# Installs a build of weft, moves what was installed to another place, and there finds, links and
# runs it: by CMake in C++ and C, in C alone and in Fortran alone, and by pkg-config.
#
# usage: consumers.sh static|shared SOURCE BUILD SCRATCH MPICC MPICXX MPIF90|OFF LAUNCHER...
#   static: the libraries of BUILD
#   shared: a project that includes SOURCE as a subdirectory, with BUILD's weft-core
#   OFF: nothing in Fortran
set -euo pipefail
kind=$1 source=$2 build=$3 scratch=$4/$1 mpicc=$5 mpicxx=$6 mpif90=$7
shift 7
launcher=("$@")
consumer=$source/tests/install/consumer
rm -rf "$scratch"
mkdir -p "$scratch"
cd "$scratch"
compilers=(-G Ninja -DCMAKE_BUILD_TYPE=Release -DMPI_C_COMPILER="$mpicc" -DMPI_CXX_COMPILER="$mpicxx")
all_languages='C;CXX' fortran=OFF
if [[ $mpif90 != OFF ]]; then
    compilers+=(-DMPI_Fortran_COMPILER="$mpif90")
    all_languages='C;CXX;Fortran' fortran=ON
fi

# quietly COMMAND...: its output only if it fails.
quietly() { "$@" >log 2>&1 || { cat log && return 1; }; }

# run_consumers FOLDER: the programs that a project built there.
run_consumers() {
    local program
    for program in "$1"/consumer "$1"/consumer_c "$1"/consumer_f "$1"/consumer_older "$1"/consumer_17; do
        [[ ! -x $program ]] || "${launcher[@]}" "$program"
    done
}

# configured WHAT STATE: the last configuration, in `log`, says so.
configured() {
    grep -qE "^--   $1 +$2" log || { cat log && echo "configuring was to say of $1: $2" && return 1; }
}

if [[ $kind == shared ]]; then
    # Compilers for GPUs are not asked for, so they are not even looked for.
    mkdir programs
    for compiler in nvcc hipcc; do
        printf '#!/bin/sh\ntouch "%s"\nexit 1\n' "$scratch/$compiler-was-called" >"programs/$compiler"
        chmod +x "programs/$compiler"
    done
    PATH=$scratch/programs:$PATH quietly cmake -S "$consumer" -B subproject "${compilers[@]}" -DSUBPROJECT="$source" \
        -DLANGUAGES="$all_languages" -DWEFT_BUILD_FORTRAN=$fortran \
        -DBUILD_SHARED_LIBS=ON -DWEFT_INSTALL=ON -DWEFT_CORE_LIBRARY="$build/lib/libweft-core.a" \
        -DCMAKE_BUILD_TYPE=Debug -DCMAKE_{CXX,Fortran}_FLAGS_DEBUG=
    ! compgen -G '*-was-called' || { echo 'it was for GPUs, which nobody had asked for' && exit 1; }
    configured MPI "yes: .*$mpicxx"
    configured Fortran "$([[ $fortran == ON ]] && echo yes || echo 'no: WEFT_BUILD_FORTRAN=OFF')"
    configured CUDA 'no: WEFT_CUDA=OFF'
    configured HIP 'no: WEFT_HIP=OFF'
    configured 'command weft' 'no: WEFT_BUILD_CLI=OFF'
    configured 'drop-in for FFTW' 'no: WEFT_BUILD_FFTW_INTERFACE=ON builds it'
    configured tests 'no: WEFT_BUILD_TESTS=OFF'
    configured 'cmake --install' yes
    quietly cmake --build subproject
    run_consumers subproject
    build=subproject
fi
if [[ $kind == static ]]; then
    # What is installed can be removed again, and nothing else is.
    quietly cmake --install "$build" --prefix "$scratch/first"
    touch first/other first/include/weft/other.h
    # As the target uninstall does.
    quietly cmake -DMANIFEST="$build/install_manifest.txt" -P "$source/cmake/uninstall.cmake"
    left=$(find first -not -type d | sort | tr '\n' ' ')
    [[ $left == 'first/include/weft/other.h first/other ' ]] ||
        { echo "uninstall leaves these, or removed files that are not weft's: $left" && exit 1; }
    ! compgen -G 'first/*/weft/machines' || { echo 'uninstall leaves folders' && exit 1; }
    rm -r first
fi
quietly cmake --install "$build" --prefix "$scratch/first"
mv first moved
if [[ $kind == shared ]]; then
    rm -r subproject
fi

if grep -rnE "$source|$scratch|$build|/usr/|/opt/" moved/lib*/cmake moved/lib*/pkgconfig moved/lib*/*/cmake moved/lib*/*/pkgconfig 2>/dev/null; then
    echo 'what is installed names paths of this machine'
    exit 1
fi
if [[ $kind == static && -f $build/build.ninja ]] && grep -q '^build weft_command:' "$build/build.ninja"; then
    # What ./quickstart builds is all that was installed of what is compiled.
    target=$(sed -nE 's/^ *build_preset release ([^ ]+)$/\1/p' "$source/quickstart")
    ninja -C "$build" -t commands "$target" >commands
    ninja -C "$build" -t targets all | sed -nE '/: phony$/d; s|^(.*/)?([^/:]+): .*|\2|p' | sort -u >made
    find moved/bin moved/lib* -printf '%f\n' | sort -u | comm -12 - made >needed
    [[ -s needed ]] || { echo 'nothing that was installed was compiled' && exit 1; }
    while read -r file; do
        grep -qE "[ /]$file( |\$)" commands || { echo "./quickstart builds $target, but not $file, which is installed" && exit 1; }
    done <needed
fi
library=$(find "$scratch/moved" -name 'libweft.*' -not -type l)
libraries=$(dirname "$library")
# Devices of tests are in no library, also where BUILD has tests.
if nm "$libraries"/libweft*.* | grep -iE 'fake|emulated'; then
    echo 'what is installed has devices of tests'
    exit 1
fi

projects=(C 'C;CXX')
[[ $fortran == OFF ]] || projects+=(Fortran)
for languages in "${projects[@]}"; do
    project=project_${languages//;/_}
    quietly cmake -S "$consumer" -B "$project" "${compilers[@]}" -DLANGUAGES="$languages" \
        -DCMAKE_PREFIX_PATH="$scratch/moved"
    quietly cmake --build "$project"
    run_consumers "$project"
done

export PKG_CONFIG_PATH=$libraries/pkgconfig
read -ra flags < <(pkg-config --cflags --libs weft-c)
"$mpicc" -std=c99 "$consumer/consumer.c" -o pc_c "${flags[@]}" -Wl,-rpath,"$libraries"
"$mpicxx" -std=c++17 "$consumer/consumer_17.cpp" -o pc_17 "${flags[@]}" -Wl,-rpath,"$libraries"
read -ra flags < <(pkg-config --cflags --libs weft)
if "$mpicxx" -std=c++17 -fsyntax-only "$consumer/consumer.cpp" "${flags[@]}" 2>log || ! grep -q 'weft.hpp.* C++20' log; then
    cat log && echo 'weft.hpp was to say that it needs C++20' && exit 1
fi
"$mpicxx" -std=c++20 "$consumer/consumer.cpp" -o pc_cxx "${flags[@]}" -Wl,-rpath,"$libraries"
"${launcher[@]}" ./pc_c
"${launcher[@]}" ./pc_17
"${launcher[@]}" ./pc_cxx
if [[ $fortran == ON ]]; then
    read -ra flags < <(pkg-config --cflags --libs weft-fortran)
    "$mpif90" "$consumer/consumer.f90" -o pc_f "${flags[@]}" -Wl,-rpath,"$libraries"
    "${launcher[@]}" ./pc_f
fi

if [[ $kind == static ]]; then
    moved/bin/weft --version
    exit
fi
# The soname has a version, and what is not public is not to be seen.
version=$(sed -nE 's/^Version: //p' "$libraries/pkgconfig/weft.pc")
readelf -d "$library" | grep -qF "Library soname: [libweft.so.${version%.*}]" ||
    { readelf -d "$library" | grep -i soname && echo "the soname is not libweft.so.${version%.*}" && exit 1; }
names=$(nm -DC --defined-only "$library" | cut -d ' ' -f 3-)
if grep -vE '^(weft_[a-z_]+$|(typeinfo( name)?|vtable) for weft::Error$|weft::)' <<<"$names" ||
    grep -E '^weft::(core|Internals|[A-Za-z]+::State)' <<<"$names"; then
    echo 'names that are not public are exported'
    exit 1
fi
# The functions of C that the last release had are there (abi.py compares their types).
while read -r function; do
    grep -qx "$function" <<<"$names" || { echo "$function of the last release is not exported" && exit 1; }
done < <(sed -nE "s/.*elf-symbol name='(\w+)'.*/\1/p" "$source"/tests/install/abi/weft-c-*.abi)
echo "$(wc -l <<<"$names") names are exported"
