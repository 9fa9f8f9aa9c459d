#!/usr/bin/env bash
# A Docker daemon of its own with the image of PostgreSQL that Coppice's container tests need, made without
# an image registry: for Debian as root. Everything lives in one folder and is gone with it.
#
#   docker/local-daemon.sh up       install what is missing, start the daemon, make the image
#   eval "$(docker/local-daemon.sh env)"   what docker and Testcontainers need to know
#   docker/local-daemon.sh down     stop this daemon, and leave the machine's network as it was before: without its
#                                   bridges and its rules of the packet filter. Its images stay for the next time
#
# For compose.yaml it installs version 1 of compose ("docker-compose") where there is none, the only one that Debian 12 has.
#
# COPPICE_DOCKER_DIR names the folder (default /var/tmp/coppice-docker).
set -euo pipefail

dir=${COPPICE_DOCKER_DIR:-/var/tmp/coppice-docker}
socket=$dir/docker.sock
pidfile=$dir/dockerd.pid
export DOCKER_HOST=unix://$socket

say() { printf 'local-daemon: %s\n' "$*" >&2; }
die() { say "$*"; exit 1; }

is_running() {
  [ -s "$pidfile" ] && [ "$(cat "/proc/$(cat "$pidfile")/comm" 2>/dev/null)" = dockerd ]
}

install_missing() {
  local missing=() log=$dir/install.log
  command -v dockerd >/dev/null || missing+=(docker.io iptables)
  command -v debootstrap >/dev/null || missing+=(debootstrap)
  command -v ip >/dev/null || missing+=(iproute2)
  docker compose version >/dev/null 2>&1 || command -v docker-compose >/dev/null || missing+=(docker-compose)
  [ ${#missing[@]} = 0 ] && return
  say "installing ${missing[*]}"
  { apt-get update -qq &&
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"; } \
    >"$log" 2>&1 || die "could not install ${missing[*]}; see $log"
}

start_daemon() {
  is_running && return
  rm -f "$pidfile" "$socket"
  remember_network
  # Its own process group, so that it outlives the shell; published ports stay on loopback.
  setsid dockerd --ip 127.0.0.1 --host "$DOCKER_HOST" --data-root "$dir/data" --exec-root "$dir/exec" \
    --pidfile "$pidfile" </dev/null >"$dir/dockerd.log" 2>&1 &
  for _ in $(seq 1 150); do
    docker version >/dev/null 2>&1 && return
    sleep 0.2
  done
  tail -n 15 "$dir/dockerd.log" >&2
  die "dockerd did not answer within 30 s; its last lines stand above, all of them in $dir/dockerd.log"
}

# Docker's bridges on this machine, of whatever daemon.
bridges() {
  local link
  for link in /sys/class/net/*/bridge; do
    link=$(basename "$(dirname "$link")")
    [[ $link =~ ^(docker0|br-[0-9a-f]{12})$ ]] && echo "$link"
  done
  return 0
}

# What Docker changes of the machine's network, as it is before the first start. A daemon that was killed has left its changes
# there: then the file is there, and what it says still holds.
remember_network() {
  local tables
  [ -f "$dir/network.before" ] && return
  {
    bridges | sed 's/^/bridge /'
    for setting in net/ipv4/ip_forward net/ipv6/conf/all/forwarding net/ipv6/conf/default/forwarding; do
      [ -f "/proc/sys/$setting" ] && echo "setting $setting $(cat "/proc/sys/$setting")"
    done
    for tables in iptables ip6tables; do
      "$tables-save" 2>/dev/null | grep -q '^:DOCKER' && echo "rules $tables"
      echo "policy $tables $("$tables" -S FORWARD 2>/dev/null | sed -n 's/^-P FORWARD //p')"
    done
  } >"$dir/network.new"
  mv "$dir/network.new" "$dir/network.before"
}

# As remembered. The rules of another Docker that were there before cannot be told from this one's, and stay.
restore_network() {
  local before=$dir/network.before link tables policy rules key value
  [ -f "$before" ] || return 0
  bridges | while read -r link; do
    grep -qx "bridge $link" "$before" || ip link delete "$link"
  done
  for tables in iptables ip6tables; do
    if grep -qx "rules $tables" "$before"; then
      say "another Docker's rules of $tables were there before, so all of them stay"
      continue
    fi
    policy=$(sed -n "s/^policy $tables //p" "$before")
    rules=$("$tables-save" -c 2>/dev/null)
    [ -z "$rules" ] || grep -vE 'DOCKER|docker0|br-[0-9a-f]{12}' <<<"$rules" |
      sed "s/^:FORWARD [A-Z]*/:FORWARD ${policy:-ACCEPT}/" | "$tables-restore" -c ||
      say "the rules of $tables could not be taken back"
  done
  sed -n 's/^setting //p' "$before" | while read -r key value; do
    [ "$(cat "/proc/sys/$key")" = "$value" ] || echo "$value" >"/proc/sys/$key"
  done
  rm -f "$before"
}

has_image() { docker image inspect "$1" >/dev/null 2>&1; }

import_root() { # folder, image, changes...
  local root=$1 image=$2
  shift 2
  tar -C "$root" -c --exclude=./var/cache/apt/archives --exclude=./var/lib/apt/lists --exclude='./proc/*' \
    --exclude='./sys/*' --exclude='./dev/*' --exclude='./usr/share/doc/*' --exclude='./usr/share/man/*' . |
    docker import "$@" - "$image" >/dev/null
}

make_postgres() {
  has_image postgres:15 && return
  local root=$dir/root
  rm -rf "$root"
  mkdir -p "$root"
  "$(dirname "${BASH_SOURCE[0]}")/debian-root.sh" "$dir/debian.tar" || die "there is no Debian to make images from"
  tar -C "$root" -xf "$dir/debian.tar"
  say "making the PostgreSQL image"
  debootstrap_add "$root" postgresql gosu
  install -m 755 "$(dirname "${BASH_SOURCE[0]}")/postgres-entrypoint.sh" "$root/usr/local/bin/docker-entrypoint.sh"
  import_root "$root" postgres:15 --change 'ENTRYPOINT ["docker-entrypoint.sh"]' --change 'CMD ["postgres"]' \
    --change 'EXPOSE 5432' --change 'VOLUME /var/lib/postgresql/data'
  rm -rf "$root"
}

make_null() { # root
  local null=$1/dev/null
  rm -f "$null"
  mknod -m 666 "$null" c 1 3 2>/dev/null || install -m 666 /dev/null "$null"
}

debootstrap_add() { # root, packages...
  local root=$1
  shift
  cp /etc/resolv.conf "$root/etc/resolv.conf" 2>/dev/null || true
  # No service may start inside the folder while its package is installed.
  printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
  chmod 755 "$root/usr/sbin/policy-rc.d"
  # The archive of the root has no devices. The user that apt checks signatures as must be able to write to /dev/null, or no
  # repository is trusted.
  make_null "$root"
  { cp -r /etc/apt/apt.conf.d/. "$root/etc/apt/apt.conf.d/" 2>/dev/null || true
    chroot "$root" apt-get update -qq
    DEBIAN_FRONTEND=noninteractive chroot "$root" apt-get install -y -qq --no-install-recommends "$@"; } \
    >>"$dir/debootstrap.log" 2>&1 || die "could not install $* into the image; see $dir/debootstrap.log"
  rm -f "$root/usr/sbin/policy-rc.d"
}

case ${1:-up} in
  up)
    [ "$(id -u)" = 0 ] || die "needs root, to install packages and to start a daemon"
    command -v apt-get >/dev/null || die "needs Debian's apt-get; elsewhere start a Docker daemon by your own means"
    mkdir -p "$dir"
    install_missing
    start_daemon
    make_postgres
    say "ready: $DOCKER_HOST; compose is \"$(docker compose version >/dev/null 2>&1 && echo docker compose || echo docker-compose)\""
    ;;
  env)
    # No helper image can be fetched, so the tests clean up by themselves; and the marker of some sandboxes
    # makes Testcontainers look for the daemon's host elsewhere than here.
    echo "export DOCKER_HOST=$DOCKER_HOST TESTCONTAINERS_RYUK_DISABLED=true TESTCONTAINERS_HOST_OVERRIDE=localhost DOCKER_BUILDKIT=0"
    ;;
  down)
    if is_running; then
      pid=$(cat "$pidfile")
      kill "$pid"
      # A start that came before its end would find a daemon that no longer answers.
      for _ in $(seq 1 100); do
        [ -e "/proc/$pid" ] || break
        sleep 0.2
      done
      [ ! -e "/proc/$pid" ] || die "dockerd (process $pid) did not end within 20 s; see $dir/dockerd.log"
      restore_network
      say "stopped"
    else
      restore_network
      say "not running"
    fi
    ;;
  *)
    sed -n '2,/^set /{/^#/p}' "${BASH_SOURCE[0]}"
    exit 2
    ;;
esac
