#!/usr/bin/env bash
# A clean Debian 12 as an archive, made once by debootstrap from this machine's own mirror; needs root:
#
#   docker/debian-root.sh FILE
#
# local-daemon.sh makes its images from it, and the tests of the package install the package into it.
set -euo pipefail
archive=${1:?a file for the archive}
[ ! -f "$archive" ] || exit 0

mirror() {
  cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null |
    grep -v -e '^ *#' -e security | grep -oE 'https?://[^ ]+/debian/?( |$)' | head -n 1 | tr -d ' '
}

folder=$(mktemp -d "$archive.XXXXXX")
trap 'rm -rf "$folder"' EXIT
printf 'debian-root: making a Debian (about half a minute)\n' >&2
debootstrap --variant=minbase bookworm "$folder/root" "$(mirror)" >"$folder/log" 2>&1 || {
  tail -n 15 "$folder/log" >&2
  printf 'debian-root: debootstrap failed; its last lines stand above\n' >&2
  exit 1
}
tar -C "$folder/root" -c --exclude='./var/cache/apt/archives/*.deb' --exclude='./var/lib/apt/lists/*' --exclude='./proc/*' \
  --exclude='./sys/*' --exclude='./dev/*' -f "$folder/root.tar" .
mv "$folder/root.tar" "$archive"
