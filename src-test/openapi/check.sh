#!/usr/bin/env bash
# Judges the OpenAPI description of a running provider with the tools that install.sh put into FOLDER.
#
#   check.sh lint FOLDER URL HOME               Spectral's rules: no finding of any severity
#   check.sh client FOLDER URL HOME             client.py over a client that is generated from the description
#   check.sh fuzz FOLDER URL HOME [OPTION ...]  schemathesis with all its checks and the given options
#
# URL is that of the management port, HOME the provider's home.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
what=${1:?expected lint, client or fuzz}
folder=$(cd "${2:?expected the folder of the tools}" && pwd)
url=${3:?expected the URL of the management port}
home=$(cd "${4:?expected the home of the provider}" && pwd)
shift 4
root=$home/tls/root.crt

description() {
  curl -fsS --cacert "$root" -H "Authorization: Bearer $(cat "$home/admin.token")" "$url/api/v1/openapi" \
    -o "$folder/openapi.json"
}

case $what in
  lint)
    description
    cd "$folder/npm"
    node_modules/.bin/spectral lint --ruleset "$here/spectral.yaml" --fail-severity=hint ../openapi.json
    ;;
  client)
    description
    rm -rf "$folder/generated"
    "$folder/venv/bin/openapi-python-client" generate --path "$folder/openapi.json" --config "$here/client.yaml" \
      --meta none --output-path "$folder/generated/coppice_client" --fail-on-warning
    PYTHONPATH=$folder/generated "$folder/venv/bin/python" "$here/client.py" "$url" "$home/admin.token" "$root"
    ;;
  fuzz)
    description
    cd "$folder" # it leaves its cache where it runs
    COPPICE_TOKEN=$(cat "$home/admin.token")
    export COPPICE_TOKEN COPPICE_URL=$url COPPICE_ROOT=$root
    SCHEMATHESIS_HOOKS=hooks PYTHONPATH=$here PYTHONDONTWRITEBYTECODE=1 \
      venv/bin/schemathesis --config-file "$here/schemathesis.toml" run openapi.json --url "$url" --tls-verify "$root" \
      --checks all --continue-on-failure --no-color "$@"
    ;;
  *)
    echo "expected lint, client or fuzz, got: $what" >&2
    exit 2
    ;;
esac
