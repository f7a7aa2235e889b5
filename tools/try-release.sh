#!/usr/bin/env bash
# Try this tree on a fresh Debian of some release, as a newcomer would: nothing installed but the
# base system. Needs root and debootstrap.
#
#   tools/try-release.sh bookworm|trixie [--again] [COMMAND...]
#
# COMMAND is run in the copied tree; ./run test if none is given. --again keeps what an earlier try
# installed and built, and only copies the tree anew.
#
# The folder is TENON_CACHE/try/RELEASE. The mirror is the machine's own, and so are the resolver,
# a proxy of apt and locally trusted certificates. Mounts are made in a mount namespace of our own:
# they end with this script however it ends.
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/common.sh

[ "$(id -u)" -eq 0 ] || die "debootstrap and chroot need root" "Run this as root, or by sudo."
command -v debootstrap >/dev/null || die "no debootstrap" "apt-get install debootstrap"
if [ -z "${TENON_OWN_MOUNTS:-}" ]; then
    TENON_OWN_MOUNTS=1 exec unshare --mount --propagation private "$0" "$@"
fi

release=${1:-}
case $release in
bookworm | trixie) shift ;;
*) die "which release? bookworm or trixie" ;;
esac
again=
if [ "${1:-}" = --again ]; then
    again=1
    shift
fi
[ $# -gt 0 ] || set -- ./run test

folder=$cache/try/$release
base=$cache/try/$release.tar

unmount() {
    local mount
    for mount in dev/pts dev/shm dev proc; do
        mountpoint -q "$folder/$mount" && umount -l "$folder/$mount"
    done
    return 0
}

# The base system, made once and kept as an archive.
make_base() {
    local work=$cache/try/$release.base
    rm -rf --one-file-system "$work"
    mkdir -p "$work"
    debootstrap --variant=minbase "$release" "$work" "$(tools/archive-sources uri)"
    tar -C "$work" -cf "$base.part" .
    mv "$base.part" "$base"
    rm -rf --one-file-system "$work"
}

unpack_base() {
    rm -rf --one-file-system "$folder"
    mkdir -p "$folder"
    tar -C "$folder" -xf "$base"
}

# How this machine reaches the network: a newcomer's machine would have that too.
copy_network() {
    local file
    for file in /etc/resolv.conf /etc/hosts; do
        cat "$file" >"$folder$file"
    done
    apt-config dump --format '%F "%v";%n' Acquire | grep -iE '^Acquire::https?::Proxy' \
        >"$folder/etc/apt/apt.conf.d/90network" || true
    mkdir -p "$folder/usr/local/share/ca-certificates"
    find /usr/local/share/ca-certificates -name '*.crt' \
        -exec cp {} "$folder/usr/local/share/ca-certificates/" \;
}

# What a clone would have, with changes not committed yet.
copy_tree() {
    mkdir -p "$folder/root/tenon"
    find "$folder/root/tenon" -mindepth 1 -maxdepth 1 ! -name 'build*' -exec rm -rf {} +
    if git rev-parse --git-dir >/dev/null 2>&1; then
        git ls-files -z --cached --others --exclude-standard
    else
        find . -name 'build*' -prune -o -type f -print0
    fi | tar --null -T - --ignore-failed-read -cf - 2>/dev/null | tar -C "$folder/root/tenon" -xf -
}

trap unmount EXIT
trap 'exit 130' INT TERM
mkdir -p "$cache/try"
[ -f "$base" ] || step debootstrap "a base system of $release" make_base
if [ -z "$again" ] || [ ! -d "$folder/root/tenon" ]; then
    step unpack "a fresh $release in $folder" unpack_base
fi
copy_network
copy_tree
mount --bind /dev "$folder/dev"
mount -t devpts devpts "$folder/dev/pts" 2>/dev/null || true
mkdir -p "$folder/dev/shm"
mount -t tmpfs tmpfs "$folder/dev/shm"
mount -t proc proc "$folder/proc"
say "in $release: $*"
status=0
# shellcheck disable=SC2016
chroot "$folder" /usr/bin/env -i HOME=/root TERM="${TERM:-dumb}" PATH=/usr/sbin:/usr/bin:/sbin:/bin \
    /bin/bash -c 'cd /root/tenon && exec "$@"' bash "$@" || status=$?
exit "$status"
