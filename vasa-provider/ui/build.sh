#!/usr/bin/env bash
# Builds the web UI into ../target/classes/ui, from these sources and the description of the API. Maven calls it with the
# class path of the provider. Without Node.js it makes nothing and says so.
#
#   SKIP_TESTS=true build.sh CLASSPATH    without its unit tests
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
classes=${1:?expected the class path of the provider}
work=../target/ui
out=../target/classes/ui
reports=$work/surefire-reports
mkdir -p "$work"

enough() { node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 22 || (a === 22 && b >= 12) || (a === 20 && b >= 19) ? 0 : 1)'; }
if ! command -v node >/dev/null || ! command -v npm >/dev/null || ! enough; then
  echo "[WARNING] the web UI is left out: expected Node.js 20.19 or newer with npm, got $(node --version 2>/dev/null || echo none)"
  rm -rf "$out"
  exit 0
fi

"${JAVA_HOME:?}/bin/java" -cp "$classes" io.coppice.admin.description.DescriptionFile "$work/openapi.json"
sources=$({
  cat "$work/openapi.json"
  find . -path ./node_modules -prune -o -path ./src/generated -prune -o -type f -print0 | sort -z | xargs -0 sha256sum
} | sha256sum)

if [ ! -f "$out/index.html" ] || [ "$(cat "$work/built" 2>/dev/null)" != "$sources" ]; then
  rm -f "$work/built" "$work/tested"
  if ! cmp -s package-lock.json node_modules/.installed; then
    npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
    cp package-lock.json node_modules/.installed
  fi
  npm run --silent types >/dev/null
  npm run --silent check
  npm run --silent build
  echo "$sources" >"$work/built"
fi

if [ "${SKIP_TESTS:-}" != true ] && { [ ! -f "$reports/TEST-ui.xml" ] || [ "$(cat "$work/tested" 2>/dev/null)" != "$sources" ]; }; then
  npm run --silent test -- --reporter=default --reporter=junit --outputFile.junit="$reports/TEST-ui.xml"
  echo "$sources" >"$work/tested"
fi
