#!/usr/bin/env bash
# Builds Debian's packages from a clean copy of the sources, and looks at what is in them: a program in C is compiled
# and linked with what they have, the command of the packages runs, and Python imports their module. lintian reads
# them where it is installed.
#
# usage: [WEFT_PYTHON=PYTHON] debian.sh SOURCE SCRATCH MPICC OPTION-OF-CMAKE...
#   WEFT_PYTHON has nanobind, which Debian 12 does not have; without it python3-weft is left out.
set -euo pipefail
source=$1 scratch=$2 mpicc=$3
shift 3
rm -rf "$scratch"
mkdir -p "$scratch"

fail() { echo "FAILED  $1" && exit 1; }
# quietly COMMAND...: its output only if it fails.
quietly() { "$@" >"$scratch/log" 2>&1 || { tail -n 60 "$scratch/log" && fail "$*"; }; }

# A clean copy: what version control would have, whether there is any or not.
version=$(sed -nE 's/^project\(weft VERSION ([0-9.]+).*/\1/p' "$source/CMakeLists.txt")
tree=$scratch/weft-$version
mkdir "$tree"
# Files by name, since tar fails if other tests make a build folder in the folder that it reads.
find "$source" \( -path "$source/.git" -o -path "$source/build*" -o -path "$source/debian" -o -name __pycache__ \) -prune \
    -o ! -type d -printf '%P\0' | tar -C "$source" -c --null -T - | tar -C "$tree" -x
[[ $(sed -nE '1s/^weft \(([0-9.]+)-.*/\1/p' "$tree/packaging/debian/changelog") == "$version" ]] ||
    fail "packaging/debian/changelog has another version than CMakeLists.txt, $version"
tar -C "$scratch" -czf "$scratch/weft_$version.orig.tar.gz" "weft-$version"
cp -r "$tree/packaging/debian" "$tree/debian"

# Debian's own Python, with what it lacks of WEFT_PYTHON's packages.
python=/usr/bin/python3 with_python=yes
if ! "$python" -m nanobind --cmake_dir >/dev/null 2>&1; then
    export PYTHONPATH=$("${WEFT_PYTHON:-false}" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
    "$python" -m nanobind --cmake_dir >/dev/null 2>&1 || with_python=no
fi
[[ $with_python == yes ]] || echo "python3-weft is left out: $python has no nanobind, nor has WEFT_PYTHON=${WEFT_PYTHON:-}"

cd "$tree"
export DEB_BUILD_OPTIONS='nocheck nostrip noautodbgsym parallel=1'
[[ $with_python == yes ]] || export DEB_BUILD_PROFILES=pkg.weft.nopython
# With the options of the build beside it, so that ccache has compiled most already.
export DEB_CPPFLAGS_SET='' DEB_CFLAGS_SET='' DEB_CXXFLAGS_SET='' DEB_FCFLAGS_SET='' DEB_FFLAGS_SET=''
export WEFT_CMAKE_OPTIONS="-DCMAKE_BUILD_TYPE=Release $*"
quietly dpkg-source --build .
quietly dpkg-buildpackage -b -us -uc -d
for line in 'MPI +yes' 'CUDA +no: WEFT_CUDA=OFF' 'Fortran +yes' "Python +$with_python" 'drop-in for FFTW +yes' 'command weft +yes' \
    'studies +no: WEFT_BUILD_BENCH=OFF' 'tests +no'; do
    grep -qE "^--   $line" "$scratch/log" || fail "configuring does not say: $line"
done

# has PACKAGE PATTERN...: each is the end of a path in that package.
has() {
    local package=$1 pattern
    dpkg-deb -c "$scratch/${package}_$version"-*.deb >"$scratch/$package.list"
    for pattern in "${@:2}"; do
        grep -qE "/$pattern( -> .*)?\$" "$scratch/$package.list" || fail "$package does not have $pattern"
    done
    dpkg-deb -x "$scratch/${package}_$version"-*.deb "$scratch/root"
}
soname=${version%.*}
has "libweft$soname" "libweft.so.$soname" "libweft.so.$version" "libweft_fortran.so.$soname" libweft_fftw3_mpi.so \
    libweft_fftw3f_mpi.so
has libweft-dev include/weft/weft.h include/weft/weft.hpp include/weft/weft17.hpp include/weft/fortran/weft.mod libweft.so \
    pkgconfig/weft.pc pkgconfig/weft-c.pc pkgconfig/weft-fortran.pc cmake/weft/weftConfig.cmake
has weft bin/weft man1/weft.1.gz man1/weft-explain.1.gz man7/weft-problem.7.gz completions/weft machines/default.json
[[ $with_python == no ]] || has python3-weft weft/__init__.py weft/py.typed weft/built.py '_weft\..*\.so'
grep -q "$scratch" "$scratch"/*.list && fail "a package has a path of this machine"
depends=$(dpkg-deb -f "$scratch"/weft_"$version"-*.deb Depends)
[[ $depends == *"libfmt"* ]] || fail "the command depends on: $depends"

# What is in the packages works together.
root=$scratch/root
libraries=$(dirname "$(find "$root/usr/lib" -name libweft.so)")
export LD_LIBRARY_PATH=$libraries PKG_CONFIG_SYSROOT_DIR=$root PKG_CONFIG_PATH=$libraries/pkgconfig
"$root/usr/bin/weft" --version | grep -qx "weft $version" || fail "weft --version"
# A build without tests has all that README shows, and no device of tests.
"$root/usr/bin/weft" verify --random 3 --net local >/dev/null || fail "weft verify --net local"
{ "$root/usr/bin/weft" info && "$root/usr/bin/weft" --help && "$root/usr/bin/weft" verify --help; } >"$scratch/told" || fail "weft info"
! grep -iE 'fake|emulated' "$scratch/told" || fail "weft offers devices of tests"
code=0
"$root/usr/bin/weft" explain '8x6x4; space=fake' --ranks 2 2>"$scratch/told" || code=$?
((code == 2)) && grep -q 'there are host, cuda, hip' "$scratch/told" || fail "weft explain of an unknown device"
read -ra flags < <(pkg-config --cflags --libs weft)
quietly "$mpicc" "$source/examples/slab.c" "${flags[@]}" -lm -o "$scratch/slab"
[[ $(ldd "$scratch/slab") == *"$root"*"libweft.so.$soname "* ]] || fail "the program is linked with another libweft"
unset PYTHONPATH
if [[ $with_python == yes ]] && "$python" -c 'import mpi4py, numpy' 2>/dev/null; then
    PYTHONPATH=$root/usr/lib/python3/dist-packages quietly "$python" -c '
import numpy, sys, weft
assert weft.__file__.startswith(sys.argv[1]), weft.__file__
field = numpy.random.default_rng(1).random((6, 5, 4))
array = weft.DistArray.from_global(field)
assert numpy.allclose(weft.fft.rfftn(array).gather(), numpy.fft.rfftn(field))' "$root"
else
    echo "python3-weft is not imported: it is not built, or $python has no mpi4py or no numpy"
fi

if command -v lintian >/dev/null; then
    # The changelog of a package that Debian does not have closes no bug, and its maintainer has no address yet; this
    # test strips nothing; libraries that are preloaded have no version.
    known=initial-upload-closes-no-bugs,bogus-mail-host,bogus-mail-host-in-debian-changelog,root-in-contact
    known+=,unstripped-binary-or-object,lacks-unversioned-link-to-shared-library,shared-library-lacks-version
    quietly lintian --allow-root --fail-on error,warning --suppress-tags "$known" "$scratch"/*.changes
else
    echo 'lintian is not installed'
fi
rm -rf "$tree" "$root"
echo right
