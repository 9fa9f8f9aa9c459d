#!/usr/bin/env bash
# Makes the file with the database's password that compose.yaml hands to both containers, once: its content belongs to the
# database that was made with it. Readable by the provider's user (10001) alone where root runs this, else by everybody who
# may enter this folder, since the containers' users are others than yours.
set -euo pipefail
file=${COPPICE_DB_PASSWORD_FILE:-$(dirname "${BASH_SOURCE[0]}")/database.password}
if [ -e "$file" ]; then
  echo "database-password: $file is there already and stays" >&2
  exit
fi
umask 077
head -c 32 /dev/urandom | od -An -tx1 | tr -d ' \n' >"$file.new"
if [ "$(id -u)" = 0 ]; then
  chown 10001:10001 "$file.new"
  chmod 400 "$file.new"
else
  chmod 444 "$file.new"
fi
mv "$file.new" "$file"
echo "database-password: made $file" >&2
