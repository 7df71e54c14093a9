# Sourced by the scripts beside it: finds a Python, makes a virtual environment, builds and installs the package.
# Everything these scripts need beyond Python >= 3.11 and a C compiler comes from here.
#
#   BGCORE_PYTHON   the interpreter to use            (default: the first python >= 3.11 on PATH)
#   BGCORE_VENV     folder of the virtual environment (default: .venv-ci in the repository)
#   BGCORE_SAMPLES  folder of real files for tests    (default: ../shared/samples where it exists, else none)

set -euo pipefail
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$ROOT"
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_INPUT=1 PIP_ROOT_USER_ACTION=ignore PYTHONDONTWRITEBYTECODE=1
unset PYTHONPATH PYTHONHOME
VENV=${BGCORE_VENV:-$ROOT/.venv-ci}
STARTED=$SECONDS

say() { printf '\n== %s  [%d s]\n' "$*" $((SECONDS - STARTED)); }
die() {
    printf 'error: %s\n' "$*" >&2
    exit 1
}

# quietly COMMAND...: what it prints is shown only if it fails
quietly() {
    local log
    log=$(mktemp)
    if "$@" >"$log" 2>&1; then
        rm "$log"
        return
    fi
    grep -E '(error|warning):' "$log" | grep -vE '^warning: (no|build_py|install_lib)' | head -20 >&2 || true
    tail -20 "$log" >&2
    rm "$log"
    die "failed: $*"
}

# need PROGRAM PACKAGE: installs Debian's package if the program is missing
need() {
    command -v "$1" >/dev/null && return
    if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
        die "$1 is missing: install it (Debian: apt-get install $2), or call this script as root on Debian, which does it"
    fi
    say "installing $2"
    quietly apt-get -o DPkg::Lock::Timeout=400 update
    quietly apt-get -o DPkg::Lock::Timeout=400 install -y --no-install-recommends "$2"
}

# fits PYTHON: does this command run, and is it new enough?
fits() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; }

# exactly PYTHON VERSION: is this command CPython VERSION (3.12; 3.13t is the free-threaded build)?
exactly() {
    [ "$("$1" -c 'import sys, sysconfig
free = "t" if sysconfig.get_config_var("Py_GIL_DISABLED") else ""
print("%d.%d" % sys.version_info[:2] + free)' 2>/dev/null)" = "$2" ]
}

# any_python: prints a Python that bgcore can be built with
any_python() {
    local python
    for python in ${BGCORE_PYTHON:-python3 python python3.13 python3.12 python3.11 python3.14}; do
        if fits "$python"; then
            command -v "$python"
            return
        fi
    done
    die "no Python >= 3.11 found${BGCORE_PYTHON:+ at BGCORE_PYTHON=$BGCORE_PYTHON}; install one or set BGCORE_PYTHON"
}

# find_python VERSION: prints a CPython of exactly that version (3.12, 3.13t), or fails.  Looks on PATH and beside the
# Python that PATH finds, which is where pyenv keeps its others.
find_python() {
    local python prefix
    prefix=$("$(any_python)" -c 'import sys; print(sys.base_prefix)')
    for python in "python$1" "$prefix"/../*/bin/"python$1"; do
        if exactly "$python" "$1"; then
            command -v "$python"
            return
        fi
    done
    return 1
}

# make_venv GROUP...: the virtual environment at $VENV with these dependency groups of pyproject.toml
make_venv() {
    local group options=() wanted python
    for group in "$@"; do options+=(--group "$group"); done
    wanted="$* $(cksum <pyproject.toml)"
    if [ -x "$VENV/bin/python" ] && grep -qxF "$wanted" "$VENV/.bgcore-groups" 2>/dev/null; then
        return
    fi
    if [ ! -x "$VENV/bin/python" ]; then
        python=$(any_python)
        say "virtual environment $VENV with $("$python" --version)"
        "$python" -m venv "$VENV" || die "$python can't make virtual environments (Debian: apt-get install python3-venv)"
        "$VENV/bin/python" -m pip install -q --upgrade 'pip>=25.1'
    fi
    say "installing: $*"
    # Wheels only: where the newest numpy has none for this Python (3.13t), an older one that has is right.
    "$VENV/bin/python" -m pip install -q --only-binary :all: "${options[@]}"
    printf '%s\n' "$wanted" >>"$VENV/.bgcore-groups"
}

# source_hash: one line that changes with anything that a build reads
source_hash() {
    {
        printf '%s\n' "$(env | grep -E '^(BGCORE_(DEBUG|SANITIZE)|CC|CFLAGS|LDFLAGS)=' | sort)"
        find src pyproject.toml setup.py MANIFEST.in README.md LICENSE -type f \
            ! -name '*.so' ! -name '*.py[cod]' ! -path '*.egg-info/*' -print0 | sort -z | xargs -0 cksum
    } | cksum
}

# install_package: sdist, wheel from that sdist, wheel into $VENV.  Never editable; skipped when nothing changed.
# Leaves both files in $DIST.
install_package() {
    DIST=$VENV/dist
    local hash
    hash=$(source_hash)
    if [ "$(cat "$VENV/.bgcore-installed" 2>/dev/null)" = "$hash" ]; then
        return
    fi
    rm -rf "$DIST" "$VENV/.bgcore-installed"
    mkdir -p "$DIST"
    say "building sdist and wheel (log: $DIST/build.log)"
    # -g0: some Pythons (pyenv's) ask for -g, which makes the wheel four times as large; what needs it says so in setup.py.
    if ! CFLAGS="-g0 ${CFLAGS:-}" BGCORE_WERROR=${BGCORE_WERROR-1} "$VENV/bin/python" -m build --no-isolation \
        --outdir "$DIST" . >"$DIST/build.log" 2>&1; then
        grep -A14 'Error compiling Cython file' "$DIST/build.log" >&2 || true
        grep -E '(error|warning):' "$DIST/build.log" | grep -vE '^warning: (no|build_py)' | head -40 >&2 || true
        tail -3 "$DIST/build.log" >&2
        die "the build failed"
    fi
    say "installing $(basename "$DIST"/*.whl)"
    "$VENV/bin/python" -m pip install -q "$(echo "$DIST"/*.whl)[cli]"
    "$VENV/bin/python" -m pip install -q --force-reinstall --no-deps "$DIST"/*.whl
    printf '%s' "$hash" >"$VENV/.bgcore-installed"
}

# run_tests ARGUMENT...: pytest on tests/ against the installed package (-P keeps the repository off sys.path); libraries
# in $TEST_PRELOAD are loaded first
run_tests() {
    if [ -z "${BGCORE_SAMPLES:-}" ] && [ -d ../shared/samples ]; then
        BGCORE_SAMPLES=$(cd ../shared/samples && pwd)
        export BGCORE_SAMPLES
    fi
    (cd / && LD_PRELOAD=${TEST_PRELOAD:-} "$VENV/bin/python" -P -c "
import bgcore, sys
where = bgcore.__file__
assert where.startswith(sys.prefix), f'bgcore is imported from {where}, not from the environment'")
    PATH="$VENV/bin:$PATH" BGCORE_DIST=${DIST:-} LD_PRELOAD=${TEST_PRELOAD:-} "$VENV/bin/python" -P -m pytest -p no:cacheprovider "$@"
}
