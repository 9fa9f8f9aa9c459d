#!/usr/bin/env bash
# Installs what judges the OpenAPI description into FOLDER, in pinned versions: Spectral (with npm), schemathesis and
# openapi-python-client (with pip). Does nothing where they are there already.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=${1:?expected the folder to install into}
mkdir -p "$folder"
cd "$folder"

if ! cmp -s "$here/package-lock.json" npm/installed; then
  mkdir -p npm
  cp "$here/package.json" "$here/package-lock.json" npm/
  (cd npm && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >/dev/null)
  cp "$here/package-lock.json" npm/installed
fi

if ! cmp -s "$here/requirements.txt" venv/installed; then
  python3 -m venv venv
  venv/bin/pip install --quiet --disable-pip-version-check --requirement "$here/requirements.txt"
  cp "$here/requirements.txt" venv/installed
fi
