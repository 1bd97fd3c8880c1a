#!/bin/sh
# Every check that needs no running stack. Stops at the first that fails, and says which.
set -eu
cd "$(dirname "$0")/.."
step() { printf '%-44s' "$1"; shift; if out=$("$@" 2>&1); then echo ok; else echo FAILED; printf '%s\n' "$out"; exit 1; fi; }
in_backend() { (cd backend && "$@"); }
in_frontend() { (cd frontend && "$@"); }
step "Python format (ruff)" ruff format --check backend agents/lab tools migrations
step "Python lint (ruff)" ruff check backend agents/lab tools migrations
step "Python types (mypy, strict)" in_backend mypy
step "Layers of packages (import-linter)" in_backend lint-imports
step "Packs of rules" plumbline ruleset check
step "Web: format, lint, types, client up to date" in_frontend npm run --silent check
step "Browser tests: types" in_frontend npx tsc --noEmit -p ../e2e/tsconfig.json
step "No address of a registry in a lock or config" sh tools/no-registry-hosts.sh
echo "All checks passed."
