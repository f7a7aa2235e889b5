#!/usr/bin/env bash
# Does an embedder's build work?  tests/embed.sh BUILD_FOLDER
#
# Installs the built tree into a folder of its own and builds examples/embed.c against what is
# there, by pkg-config alone: as C and as C++, by gcc and clang, shared and static. Runs each.
set -uo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
build=${1:?usage: tests/embed.sh BUILD_FOLDER}
build=$(cd "$build" && pwd)
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
passed=0
failed=0

# check WHAT COMMAND...: one test; what it printed is shown if it fails.
check() {
    local what=$1
    shift
    if "$@" >"$stage/log" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $what"
        sed 's/^/    /' "$stage/log"
    fi
}

finish() {
    echo "$passed passed, $failed failed"
    [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
    exit
}

install_tree() { DESTDIR=$stage/root meson install -C "$build" --no-rebuild --quiet; }

check "meson install" install_tree
pc=$(find "$stage/root" -name tenon.pc | head -n 1)
check "a pkg-config file is installed" test -n "$pc"
[ -n "$pc" ] || finish

# The file names the prefix; the copy lies under $stage/root.
export PKG_CONFIG_PATH=${pc%/*} PKG_CONFIG_SYSROOT_DIR=$stage/root
prefix=$(pkg-config --variable=prefix tenon)
prefix=${prefix#"$stage/root"}
installed=$stage/root$prefix
libraries=$(dirname "$(find "$installed" -name 'libtenon.so' | head -n 1)")

version_matches() { [ "$(pkg-config --modversion tenon)" = "$("$installed/bin/tenon" version | cut -d' ' -f2)" ]; }
same_manual() { cmp "$here/cli/tenon.1" "$installed/share/man/man1/tenon.1"; }

# Nothing of the engine's making may be needed at run time.
needs_little() {
    local extra
    extra=$(readelf -d "$libraries"/libtenon.so | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' |
        grep -Ev '^(libc|libm|libpthread|librt|libdl|libsqlite3|libpcre2-8|libuv|libz|ld-linux.*)\.so' || true)
    [ -z "$extra" ] || { echo "it needs $extra"; return 1; }
}

# Every name that the shared library and the static library give is one of the header's.
exports_only() {
    local names stray
    names=$(nm "$@" 2>/dev/null | awk 'NF == 3 && $2 ~ /^[A-Z]$/ && $2 != "U" { print $3 }' | sort -u)
    stray=$(grep -v '^tn_' <<<"$names" || true)
    [ -n "$names" ] || { echo "it gives no names"; return 1; }
    [ -z "$stray" ] || { echo "$stray"; return 1; }
}

check "pkg-config and the command agree on the version" version_matches
check "the manual is installed" same_manual
check "the shared library is installed" test -e "$libraries/libtenon.so"
check "the shared library needs the C library, SQLite, PCRE2, libuv, and no more" needs_little
check "the shared library gives tn_ names only" exports_only -D --defined-only "$libraries/libtenon.so"
check "the static library is installed" test -e "$libraries/libtenon.a"
check "the static library gives tn_ names only" exports_only -g --defined-only "$libraries/libtenon.a"

warnings=(-Wall -Wextra -Wshadow -Wconversion -Werror)

# build_and_run shared|static COMPILER OPTION...
build_and_run() {
    local kind=$1 libs output
    shift
    if [ "$kind" = static ]; then
        # The archive itself, so that the linker cannot take the shared one; then what it needs.
        libs="$libraries/libtenon.a $(pkg-config --static --libs-only-l tenon | sed 's/-ltenon\b//')"
    else
        libs=$(pkg-config --libs tenon)
    fi
    # shellcheck disable=SC2046,SC2086
    "$@" "${warnings[@]}" $(pkg-config --cflags tenon) -c "$here/examples/embed.c" -o "$stage/embed.o" &&
        "$1" "$stage/embed.o" $libs -pthread -o "$stage/embed" || return 1
    output=$(LD_LIBRARY_PATH=$libraries "$stage/embed") || { echo "$output"; return 1; }
    echo "$output"
    grep -q 'found Ada' <<<"$output" && grep -q 'bytes' <<<"$output"
}

for kind in shared static; do
    check "C by gcc, $kind" build_and_run $kind gcc -std=c11 -D_GNU_SOURCE -x c
    check "C++ by g++, $kind" build_and_run $kind g++ -std=c++17 -x c++
    if command -v clang >/dev/null; then
        check "C by clang, $kind" build_and_run $kind clang -std=c11 -D_GNU_SOURCE -x c
    fi
    if command -v clang++ >/dev/null; then
        check "C++ by clang++, $kind" build_and_run $kind clang++ -std=c++17 -x c++
    fi
done
finish
