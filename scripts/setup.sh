# Shared by quickstart, check and tests/gpu/pack. To be sourced, not run: which packages weft needs and
# how to install them, which MPI is meant, and how a preset of CMakePresets.json is built.
# shellcheck shell=bash disable=SC2034

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# packages_of NAME...: what these need, by scripts/packages.txt.
packages_of() {
    local name
    for name in "$@"; do
        sed -nE "s/^([^#=]* )?$name [^=]*= //p" "$root/scripts/packages.txt"
    done | tr ' ' '\n' | sort -u
}

# The environment of MPI programs: what users are told to source; the rest keeps tests quiet.
# shellcheck source=scripts/mpi.sh
source "$root/scripts/mpi.sh"
export OMPI_MCA_btl_base_warn_component_unused=0 OMPI_MCA_mca_base_component_show_load_errors=0
# Open MPI puts sockets below TMPDIR, whose paths must stay short.
[[ -z ${TMPDIR:-} || ${#TMPDIR} -le 40 ]] || export TMPDIR=/tmp
ulimit -c 0

have() { command -v "$1" >/dev/null 2>&1; }
heading() { printf '%s\n' "$1"; }
line() { printf '  %-10s %s\n' "$1" "$2"; }

# One compiler process per core, as far as there is about 1 GiB of memory for each.
jobs_here() {
    local cores memory
    cores=$(nproc)
    memory=$(awk '/^MemAvailable:/ { print int($2 / 1048576) }' /proc/meminfo 2>/dev/null || true)
    ((${memory:=$cores} >= 1)) || memory=1
    echo $((cores < memory ? cores : memory))
}

# step LABEL TEXT LOG COMMAND...: says what runs, keeps its output in LOG, and prints the time it took
# or, when it fails, the first errors and the last lines of that output.
step() {
    local start=$SECONDS log=$3
    mkdir -p "$(dirname "$log")"
    printf '  %-10s %-44s ' "$1" "$2"
    if ("${@:4}") >"$log" 2>&1 </dev/null; then
        printf '%5d s\n' $((SECONDS - start))
        return
    fi
    printf 'FAILED after %d s; in %s:\n' $((SECONDS - start)) "${log#"$root"/}"
    { grep -E -m 5 '(^|[ :])([Ee]rror|fatal error):' "$log" && echo ... && tail -n 40 "$log" || tail -n 40 "$log"; } | sed 's/^/    | /'
    return 1
}

# A tool that is on the PATH will do, wherever it came from; a library has to be the package, because
# that is how the build finds it.
installed() {
    case $1 in
        g++ | gfortran | cmake | pkg-config | git | ccache | clang-format) have "$1" && return ;;
        ninja-build) have ninja && return ;;
    esac
    [[ $(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null) == installed ]]
}

# ensure_packages NAME...: installs what is missing. Returns 3, having said which command to run, when
# that needs rights this user does not have.
ensure_packages() {
    local missing=() package apt=(env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=120)
    if [[ -n ${WEFT_NO_INSTALL:-} ]] || ! have dpkg-query || ! have apt-get; then
        line packages "not looked at: WEFT_NO_INSTALL, or not a Debian system. Needed, under Debian's names:"
        line '' "$*"
        return 0
    fi
    for package in "$@"; do
        installed "$package" || missing+=("$package")
    done
    ((${#missing[@]} > 0)) || return 0
    if ((EUID != 0)); then
        apt=(sudo "${apt[@]}")
        [[ -t 0 ]] || apt=(sudo -n "${apt[@]:1}")
        if ! "${apt[@]}" --version >/dev/null; then
            line packages "some are missing, and installing them needs root. Please run"
            printf '\n    apt-get update && apt-get install -y --no-install-recommends %s\n\n' "${missing[*]}"
            printf '  as root and start again (WEFT_NO_INSTALL=1 skips this check).\n'
            return 3
        fi
    fi
    line packages "installing ${missing[*]}"
    # A stale or missing list is for the install that follows to complain about.
    step '' 'apt-get update' "$root/build/log/apt-update.log" "${apt[@]}" update || true
    step '' 'apt-get install' "$root/build/log/apt-install.log" \
        "${apt[@]}" install -y --no-install-recommends "${missing[@]}"
}

# mpi_program openmpi|mpich|any mpicxx|mpiexec: the path of that program of that MPI. Debian gives each
# MPI's programs a suffix; the name without one is the machine's default, on which `any` falls back.
mpi_program() {
    case $1 in
        any) command -v "$2.openmpi" || command -v "$2" ;;
        *) command -v "$2.$1" || { ! have dpkg-query && command -v "$2"; } ;;
    esac
}

# virtual_environment DIRECTORY REQUIREMENT...: one with these, of an interpreter that can make extension
# modules: the one that the packages above belong to, or else the first on the PATH.
virtual_environment() {
    local python
    for python in /usr/bin/python3 python3; do
        [[ ! -x $1/bin/pip ]] || break
        "$python" -c 'import ensurepip, sysconfig; open(sysconfig.get_path("include") + "/Python.h")' || continue
        "$python" -m venv --clear "$1" || return
    done
    "$1/bin/python" -m pip install --disable-pip-version-check "${@:2}"
}

# The build directory that CMakePresets.json gives to a preset.
preset_dir() { [[ $1 == release ]] && echo "$root/build" || echo "$root/build-$1"; }

# configure PRESET MPI [CMAKE-ARGUMENT...]: anew, if the folder was made for another MPI or in another place.
configure() {
    local compiler launcher cache fresh=()
    cache=$(preset_dir "$1")/CMakeCache.txt
    compiler=$(mpi_program "$2" mpicxx) && launcher=$(mpi_program "$2" mpiexec) || { echo "error: no MPI found ($2)" && return 1; }
    [[ $(grep -cE "^(CMAKE_HOME_DIRECTORY:INTERNAL=$root|CMAKE_GENERATOR:INTERNAL=Ninja|MPI_CXX_COMPILER:[A-Z]+=$compiler|MPIEXEC_EXECUTABLE:[A-Z]+=$launcher)\$" "$cache" 2>/dev/null) == 4 ]] || fresh=(--fresh)
    (cd "$root" && cmake --preset "$1" "${fresh[@]}" -DMPI_CXX_COMPILER="$compiler" -DMPIEXEC_EXECUTABLE="$launcher" "${@:3}")
}

# build_preset PRESET [TARGET]
build_preset() { (cd "$root" && cmake --build --preset "$1" --parallel "$(jobs_here)" ${2:+--target "$2"}); }
