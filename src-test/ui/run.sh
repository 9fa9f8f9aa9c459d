#!/usr/bin/env bash
# Runs the tests of the web UI in Debian's Chromium, against a provider that is on a throw-away home: they make accounts
# and volumes there. Pictures of every page are in WORK/pictures afterwards.
#
#   run.sh WORK URL HOME REPORT [PLAYWRIGHT OPTIONS]
set -euo pipefail
work=${1:?expected a folder for what the tests leave behind}
url=${2:?expected the URL of the management port}
home=${3:?expected the home of the provider}
report=${4:?expected the file for the report}
shift 4
cd "$(dirname "${BASH_SOURCE[0]}")"

if ! cmp -s package-lock.json node_modules/.installed; then
  npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >/dev/null
  cp package-lock.json node_modules/.installed
fi
if ! cmp -s requirements.txt "$work/ansible/installed"; then
  python3 -m venv "$work/ansible"
  "$work/ansible/bin/pip" install --quiet --disable-pip-version-check --requirement requirements.txt
  cp requirements.txt "$work/ansible/installed"
fi
npm run --silent check
status=0
COPPICE_URL=$url COPPICE_HOME=$home UI_TEST_WORK=$work CHROMIUM=$(command -v chromium) \
  ANSIBLE_PLAYBOOK=$work/ansible/bin/ansible-playbook \
  npx playwright test "$@" || status=$?
mkdir -p "$(dirname "$report")"
cp "$work/TEST-web-ui.xml" "$report"
exit $status
