# shellcheck shell=bash
# Shared by the scripts of this folder and by ./run: where things are kept, how steps are shown and
# how a failure says what to do. Sourced by bash, from the top of the tree; sets nothing but names.

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cache=${TENON_CACHE:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/tenon}
export LC_ALL=C.UTF-8

say() { printf '%s\n' "$*" >&2; }

# die MESSAGE [REMEDY]...: end with what went wrong, then what to do about it.
die() {
    printf '\nrun: %s\n' "$1" >&2
    shift
    [ $# -eq 0 ] || printf '     %s\n' "$@" >&2
    exit 1
}

# step NAME WHAT COMMAND...: run it with its noise in a log; show one line, or the log's end and
# what is known about such a failure.
step() {
    local name=$1 what=$2 began=$SECONDS log status
    shift 2
    mkdir -p "$cache/log" || die "cannot write to $cache" "Set TENON_CACHE to a folder of yours."
    log=$cache/log/$name.log
    printf '%-12s %s ' "$name" "$what" >&2
    # No "||" here: bash would then ignore a failure in the middle of a function.
    set +e
    (set -e; "$@") >"$log" 2>&1 </dev/null
    status=$?
    set -e
    if [ "$status" -eq 0 ]; then
        printf '(%d s)\n' $((SECONDS - began)) >&2
        return 0
    fi
    printf 'FAILED\n\n' >&2
    tail -n "${TENON_LOG_LINES:-40}" "$log" >&2
    die "$name failed: the end of its log is above, all of it in $log" "$(remedy "$log")"
}

# What to do about a failed step, as far as its log shows.
remedy() {
    if grep -qiE 'no space left|enough free space|ENOSPC' "$1"; then
        echo "The disk is full: about 3 GB are needed, for packages (/usr) and builds ($cache, $top)."
    elif grep -qiE 'could not get lock|unable to acquire the dpkg' "$1"; then
        echo "Another package manager is at work. Wait for it to end, then try again."
    elif grep -qi 'dpkg was interrupted' "$1"; then
        echo "An earlier installation broke off: run 'dpkg --configure -a' as root, then try again."
    elif [[ $(basename "$1") != build* && $(basename "$1") != test* ]] &&
        grep -qiE 'resolv|could not connect|failed to fetch|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONN|unreachable' "$1"; then
        echo "The network or the mirror did not answer. Check it (and a proxy, if you need one), then try again: what was fetched is kept."
    elif grep -qiE 'certificate.*(verif|trust|expired)|self.signed' "$1"; then
        echo "A certificate is not trusted. Behind a company's proxy, put its certificate in /usr/local/share/ca-certificates and run update-ca-certificates."
    elif grep -qiE 'unable to locate package|no installation candidate|unmet dependencies' "$1"; then
        echo "A package is missing or cannot be installed: are the sources of /etc/apt complete (suite of this release, component main)?"
    elif grep -qiE 'killed|out of memory|cannot allocate' "$1"; then
        echo "Memory ran out: the engine's compilation takes about 2 GB."
    else
        echo "Try again; if it stays, report it with that log (see SECURITY.md for security matters)."
    fi
}

# as_root COMMAND...: directly, or by sudo.
as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    else
        sudo "$@"
    fi
}

can_be_root() { [ "$(id -u)" -eq 0 ] || command -v sudo >/dev/null; }

hash_of() { cat "$@" | sha256sum | cut -c1-16; }
