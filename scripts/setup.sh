# Shared by quickstart, check and .ci/run.  To be sourced, not run.
#
# The only place that knows which packages weft needs, how to install them, how
# to pick an MPI, and how to configure and build a preset of CMakePresets.json.
# shellcheck shell=bash disable=SC2034

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

build_packages=(g++ cmake ninja-build pkg-config libfftw3-dev libfftw3-mpi-dev
    libcli11-dev nlohmann-json3-dev libfmt-dev libhwy-dev)
openmpi_packages=(libopenmpi-dev openmpi-bin)
mpich_packages=(libmpich-dev mpich)
test_packages=(gfortran libgtest-dev libgmock-dev python3 python3-dev python3-venv valgrind
    python3-h5py-mpi python3-pytest doxygen debhelper dpkg-dev librsvg2-dev)
lint_packages=(clang-format python3 python3-venv)
fuzz_packages=(clang-14 libclang-rt-14-dev cmake ninja-build libfmt-dev)
# HIP's sources are compiled, for the compiler's errors. CUDA's toolkit is none of Debian's packages.
gpu_packages=(hipcc libamdhip64-dev)
neon_packages=(g++-aarch64-linux-gnu qemu-user cmake ninja-build libhwy-dev libfmt-dev googletest)

# --- environment of every MPI program the scripts start ------------------------

# What users are told to source; the rest keeps tests quiet.
# shellcheck source=scripts/mpi.sh
source "$root/scripts/mpi.sh"
export OMPI_MCA_btl_base_warn_component_unused=0
export OMPI_MCA_mca_base_component_show_load_errors=0

# Open MPI puts sockets below TMPDIR, whose paths must stay short.
if [[ -n ${TMPDIR:-} && ${#TMPDIR} -gt 40 ]]; then
    export TMPDIR=/tmp
fi

ulimit -c 0

# --- small tools ----------------------------------------------------------------

have() { command -v "$1" >/dev/null 2>&1; }

if [[ -t 1 && -z ${NO_COLOR:-} ]]; then
    bold=$'\e[1m' red=$'\e[31m' green=$'\e[32m' plain=$'\e[0m'
else
    bold='' red='' green='' plain=''
fi

# One compiler process per core, as far as there is about 1 GiB of memory for each.
jobs_here() {
    local cores memory
    cores=$(nproc 2>/dev/null || echo 1)
    memory=$(awk '/^MemAvailable:/ { print int($2 / 1048576) }' /proc/meminfo 2>/dev/null || true)
    [[ -n $memory ]] || memory=$cores
    ((memory >= 1)) || memory=1
    echo $((cores < memory ? cores : memory))
}

heading() { printf '%s%s%s\n' "$bold" "$1" "$plain"; }
line() { printf '  %-10s %s\n' "$1" "$2"; }

# step LABEL TEXT LOG COMMAND...: says what runs, keeps its output in LOG, and
# prints the time it took or, when it fails, the last `tail_lines` of that output.
tail_lines=40
step() {
    local label=$1 text=$2 log=$3 start=$SECONDS
    shift 3
    mkdir -p "$(dirname "$log")"
    printf '  %-10s %-44s ' "$label" "$text"
    if ("$@") >"$log" 2>&1 </dev/null; then
        printf '%s%5d s%s\n' "$green" $((SECONDS - start)) "$plain"
        return 0
    fi
    printf '%sFAILED%s after %d s\n' "$red" "$plain" $((SECONDS - start))
    printf '  the end of %s:\n' "${log#"$root"/}"
    # The first errors say more than the last lines of a parallel build.
    if (($(wc -l <"$log") > tail_lines)); then
        { grep -E -m 5 '(^|[ :])([Ee]rror|fatal error):' "$log" || true; } | sed 's/^/    | /'
        echo '    | ...'
    fi
    tail -n "$tail_lines" "$log" | sed 's/^/    | /'
    return 1
}

# slowest_tests COUNT LOG...: of what ctest printed, `SECONDS NAME` a line.
slowest_tests() {
    local count=$1
    shift
    sed -nE 's/^ *[0-9]+\/[0-9]+ Test +#[0-9]+: ([^ ]+) .* ([0-9.]+) sec.*/\2 \1/p' "$@" |
        sort -rn | sed -n "1,${count}p"
}

# slowest_files COUNT BUILD...: of the last build in these folders, `SECONDS FILE` a line.
slowest_files() {
    local count=$1 dir
    shift
    for dir in "$@"; do
        [[ ! -f $dir/.ninja_log ]] || awk -F '\t' -v dir="${dir#"$root"/}" \
            '/\.o\t/ { printf "%.1f %s/%s\n", ($2 - $1) / 1000, dir, $4 }' "$dir/.ninja_log"
    done | sort -rn | sed -n "1,${count}p"
}

# --- packages -------------------------------------------------------------------

# A tool that is on the PATH will do, wherever it came from; a library has to be
# the package, because that is how the build finds it.
installed() {
    case $1 in
        g++ | gfortran | cmake | pkg-config | git | clang-format) have "$1" && return ;;
        ninja-build) have ninja && return ;;
    esac
    [[ $(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null || true) == installed ]]
}

# ensure_packages NAME...: installs what is missing.  Returns 3, having said which
# command to run, when that needs rights this user does not have.
ensure_packages() {
    local missing=() package as_root=() start=$SECONDS
    if [[ -n ${WEFT_NO_INSTALL:-} ]]; then
        line packages "not looked at (WEFT_NO_INSTALL)"
        return 0
    fi
    if ! have dpkg-query || ! have apt-get; then
        line packages "not a Debian system; needed, under the names they have there:"
        line '' "$*"
        return 0
    fi
    for package in "$@"; do
        installed "$package" || missing+=("$package")
    done
    if ((${#missing[@]} == 0)); then
        line packages "all present"
        return 0
    fi

    if ((EUID != 0)); then
        as_root=(sudo)
        [[ -t 0 ]] || as_root=(sudo -n)
        if ! have sudo || ! "${as_root[@]}" true; then
            line packages "some are missing, and installing them needs root.  Please run"
            printf '\n    apt-get update && apt-get install -y --no-install-recommends %s\n\n' "${missing[*]}"
            printf '  as root and start again (WEFT_NO_INSTALL=1 skips this check).\n'
            return 3
        fi
    fi
    local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q
        -o DPkg::Lock::Timeout=120)
    line packages "installing ${missing[*]}"
    # A stale or missing list is for the install that follows to complain about.
    step '' 'apt-get update' "$root/build/log/apt-update.log" "${apt[@]}" update || true
    step '' 'apt-get install' "$root/build/log/apt-install.log" \
        "${apt[@]}" install -y --no-install-recommends "${missing[@]}"
}

# --- MPI --------------------------------------------------------------------------

# mpi_program openmpi|mpich|any mpicxx|mpiexec: the path of that program of that
# MPI.  Debian gives each MPI's programs a suffix; the name without one is
# whichever MPI is the machine's default, which is what `any` falls back on.
mpi_program() {
    case $1 in
        any)
            if have mpicxx.openmpi && have mpiexec.openmpi; then
                command -v "$2.openmpi"
            else
                command -v "$2"
            fi
            ;;
        *) command -v "$2.$1" || { ! have dpkg-query && command -v "$2"; } ;;
    esac
}

# --- Python -----------------------------------------------------------------------

# What the Python package is built and tested with.
python_requirements=(nanobind numpy scipy mpi4py pytest h5py)
# What makes wheels, checks types and runs the notebook, which know no MPI: with the first one only.
python_tools=(scikit-build-core mypy nbclient ipykernel matplotlib)

# What the pages are built with, as a site; with Debian's doxygen.
site_requirements=('sphinx>=7,<10' 'myst-parser>=2' 'breathe>=4.35' furo)

# An interpreter that can make virtual environments and extension modules: the one
# that the packages above belong to, or else the first on the PATH.
python_here() {
    local python
    for python in /usr/bin/python3 python3; do
        if "$python" -c 'import ensurepip, sysconfig
open(sysconfig.get_path("include") + "/Python.h")' 2>/dev/null; then
            command -v "$python"
            return
        fi
    done
    echo 'no Python 3 with venv and its headers (python3-venv, python3-dev)' >&2
    return 1
}

# The linter: one release, because each has checks of its own, and recent, because those
# of Debian 12 go through all system headers anew for every check.
tidy_requirement=clang-tidy==23.1.4

# virtual_environment DIRECTORY REQUIREMENT...: a virtual environment with these; what is
# there already is not asked for again.
virtual_environment() {
    local dir=$1 python
    shift
    if ! "$dir/bin/python" -c 'import pip' 2>/dev/null; then
        python=$(python_here) || return
        "$python" -m venv --clear "$dir" || return
    fi
    "$dir/bin/python" -m pip install --disable-pip-version-check "$@"
}

# python_environment DIRECTORY MPI REQUIREMENT...: one with these.  mpi4py's wheel works with
# either MPI, and where there is no wheel it is compiled with the given one.
python_environment() {
    local compiler
    compiler=$(mpi_program "$2" mpicc)
    MPICC=$compiler virtual_environment "$1" "${@:3}"
}

# --- CMake ------------------------------------------------------------------------

# The build directory CMakePresets.json gives to a preset.
preset_dir() {
    case $1 in
        release) echo "$root/build" ;;
        *) echo "$root/build-$1" ;;
    esac
}

# configure PRESET MPI [CMAKE-ARGUMENT...]
#
# A cache made by another generator, for another MPI or in another place would win
# over what is asked for here, so such a cache is dropped first.
configure() {
    local preset=$1 mpi=$2 dir cache compiler launcher
    shift 2
    dir=$(preset_dir "$preset")
    cache=$dir/CMakeCache.txt
    compiler=$(mpi_program "$mpi" mpicxx) || { echo "error: no mpicxx found ($mpi)"; return 1; }
    launcher=$(mpi_program "$mpi" mpiexec) || { echo "error: no mpiexec found ($mpi)"; return 1; }
    if [[ -f $cache ]] && ! {
        grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$cache" &&
            grep -qxF "CMAKE_GENERATOR:INTERNAL=Ninja" "$cache" &&
            grep -qE "^MPI_CXX_COMPILER:[A-Z]+=$compiler\$" "$cache" &&
            grep -qE "^MPIEXEC_EXECUTABLE:[A-Z]+=$launcher\$" "$cache"
    }; then
        echo "dropping the cache of another configuration in $dir"
        rm -rf "$cache" "$dir/CMakeFiles"
    fi
    (cd "$root" && cmake --preset "$preset" \
        -DMPI_CXX_COMPILER="$compiler" -DMPIEXEC_EXECUTABLE="$launcher" "$@")
}

# build_preset PRESET [TARGET]
build_preset() {
    (cd "$root" && cmake --build --preset "$1" --parallel "$(jobs_here)" ${2:+--target "$2"})
}

# --- sanitizers --------------------------------------------------------------------

# fix_addresses: sets `under` to the command prefix to run sanitized tests with.  Older
# run-times of ASan and TSan crash, now and then or always, where the kernel randomises
# addresses more widely than they know.
fix_addresses() {
    under=()
    if setarch "$(uname -m)" -R true 2>/dev/null; then
        under=(setarch "$(uname -m)" -R)
    fi
}

# leak_environment SCRATCH-DIRECTORY: adds to the options in CMakePresets.json, which are
# those of a machine that allows everything, what this one needs.
leak_environment() {
    local scratch=$1

    # LSan stops the process to look at its memory, which not every machine allows.
    mkdir -p "$scratch"
    echo 'int main() {}' >"$scratch/lsan.cpp"
    if g++ -fsanitize=address "$scratch/lsan.cpp" -o "$scratch/lsan" >"$scratch/lsan.log" 2>&1 &&
        ! "${under[@]}" "$scratch/lsan" >>"$scratch/lsan.log" 2>&1 &&
        grep -q 'LeakSanitizer has encountered a fatal error' "$scratch/lsan.log"; then
        export ASAN_OPTIONS=detect_leaks=0${ASAN_OPTIONS:+:$ASAN_OPTIONS}
        line note "this machine does not let LeakSanitizer work; leaks are not looked for"
    fi
}
