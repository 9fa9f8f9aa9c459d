#!/bin/bash
# Entry point of the locally made PostgreSQL image. Understands what the official image's variables of
# the same names mean: POSTGRES_USER, POSTGRES_PASSWORD, POSTGRES_PASSWORD_FILE, POSTGRES_DB, PGDATA.
set -euo pipefail

export PGDATA=${PGDATA:-/var/lib/postgresql/data}
PATH=$(echo /usr/lib/postgresql/*/bin):$PATH
user=${POSTGRES_USER:-postgres}
database=${POSTGRES_DB:-$user}

[ "${1:-postgres}" = postgres ] || [ "${1:0:1}" = - ] || exec "$@"
[ "${1:-}" = postgres ] && shift

# While this is root: the user postgres may not be the one who may read it.
if [ -n "${POSTGRES_PASSWORD_FILE:-}" ]; then
  POSTGRES_PASSWORD=$(cat "$POSTGRES_PASSWORD_FILE")
  export POSTGRES_PASSWORD
  unset POSTGRES_PASSWORD_FILE
fi

if [ "$(id -u)" = 0 ]; then
  mkdir -p "$PGDATA" /var/run/postgresql
  chown postgres "$PGDATA" /var/run/postgresql
  chmod 700 "$PGDATA"
  exec gosu postgres "$0" postgres "$@"
fi

if [ ! -s "$PGDATA/PG_VERSION" ]; then
  : "${POSTGRES_PASSWORD:?set POSTGRES_PASSWORD to the password of the user $user, or POSTGRES_PASSWORD_FILE to its file}"
  initdb --username="$user" --encoding=UTF8 --auth-local=trust --auth-host=scram-sha-256 \
    --pwfile=<(echo "$POSTGRES_PASSWORD") >/dev/null
  echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
  # This first start prints "ready to accept connections" too: those who wait for that line wait for two.
  pg_ctl --wait --options="-c listen_addresses=''" start
  [ "$database" = postgres ] || createdb --username="$user" "$database"
  pg_ctl --wait --mode=fast stop
fi

unset POSTGRES_PASSWORD
exec postgres -c listen_addresses='*' "$@"
