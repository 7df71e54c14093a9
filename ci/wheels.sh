# Sourced by the wheel scripts beside it, after lib.sh: what release wheels of every processor have in common.
# $BIN is the bin folder of the environment that builds them, $WORK a folder that is gone afterwards.

LARGEST=3000000 # bytes of a wheel, shipped data included
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT

# tag_of PYTHON: 311, 313t
tag_of() {
    "$1" -c 'import sys, sysconfig
print("%d%d" % sys.version_info[:2] + ("t" if sysconfig.get_config_var("Py_GIL_DISABLED") else ""))'
}

# make_sdist: dist/bgcore-VERSION.tar.gz, and unpacked in $WORK/sdist
make_sdist() {
    say "sdist"
    mkdir -p "$WORK/made" "$WORK/sdist" dist
    quietly "$BIN/python" -m build --no-isolation --sdist --outdir "$WORK/made" .
    sdist=$(basename "$WORK"/made/*.tar.gz)
    tar xf "$WORK/made/$sdist" -C "$WORK/sdist" --strip-components=1
    cp "$WORK/made/$sdist" dist/
}

# make_wheel PLATFORM VARIABLE=VALUE...: from the unpacked sdist, repaired and checked; its path is in $wheel
make_wheel() {
    local platform=$1
    shift
    say "wheel of $platform from $sdist with $("$BIN/python" --version)"
    rm -rf "$WORK/raw" "$WORK/repaired" "$WORK/unpacked"
    # -g0: small files.  No -march: what pays is chosen at run time.
    (cd "$WORK/sdist" && quietly env CFLAGS="-O3 -g0 -DNDEBUG -fPIC -ffp-contract=off" \
        BGCORE_WERROR="${BGCORE_WERROR-1}" "$@" "$BIN/python" -m build --no-isolation --wheel --outdir "$WORK/raw" .)
    PATH=$BIN:$PATH quietly auditwheel repair -w "$WORK/repaired" "$WORK"/raw/*.whl
    wheel=$(echo "$WORK"/repaired/*.whl)
    check_wheel "$platform"
}

# check_wheel PLATFORM: the tag, the size, no search path of this machine, nothing that doesn't belong in a wheel
check_wheel() {
    local library rpath size
    size=$(stat -c %s "$wheel")
    say "checks of $(basename "$wheel"), $((size / 1000)) kB"
    [ "$size" -le $LARGEST ] || die "the wheel has $size bytes, more than $LARGEST"
    case $wheel in
    *manylinux_2_17_"$1".whl) ;;
    *) "$BIN/auditwheel" show "$wheel" && die "the wheel needs a newer glibc than 2.17" ;;
    esac
    "$BIN/python" -m zipfile -e "$wheel" "$WORK/unpacked"
    find "$WORK/unpacked" -name '*.so' | while read -r library; do
        rpath=$("$BIN/patchelf" --print-rpath "$library")
        [ -z "$rpath" ] || die "$(basename "$library") has RPATH $rpath"
    done
    if find "$WORK/unpacked" -name '*.c' -o -name '*.pyx' -o -name '*.libs' | grep .; then
        die "that doesn't belong in a wheel"
    fi
}
