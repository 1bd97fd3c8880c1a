#!/bin/sh
# Lock files and configuration name packages and hashes, never the address they came from.
set -eu
cd "$(dirname "$0")/.."
files=$(git ls-files '*.lock' '*package-lock.json' '*.npmrc' '*pip.conf' 'backend/pyproject.toml' '*Dockerfile*' 'docker-compose.yml')
found=$(grep -nE 'https?://[a-z0-9.-]*(pypi|npmjs|registry|pythonhosted|jfrog|nexus|proxy|mirror)' $files /dev/null || true)
if [ -n "$found" ]; then
  echo "$found"
  exit 1
fi
