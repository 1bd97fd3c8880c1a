# Bare `make` lists the commands. `make up` and `make test` need only Python 3.11+ with venv, and make.
SHELL := /bin/sh
PYTHON ?= python3
VENV := .venv
BIN := $(CURDIR)/$(VENV)/bin
export PATH := $(BIN):$(PATH)
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# uv and Node bring their own list of authorities; a site's own (a proxy that inspects TLS) stands in the system's.
CERTIFICATES := $(firstword $(wildcard /etc/ssl/certs/ca-certificates.crt /etc/pki/tls/certs/ca-bundle.crt))
ifneq ($(CERTIFICATES),)
export SSL_CERT_FILE ?= $(CERTIFICATES)
export NODE_EXTRA_CA_CERTS ?= $(CERTIFICATES)
endif

.DEFAULT_GOAL := help
.PHONY: help up build check test unit e2e faults bench client format clean chromium vcsim chart prometheus lock sbom audit image

help: ## List the commands
	@awk -F':.*## ' '/^[a-z0-9-]+:.*## /{printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(VENV)/.installed: backend/requirements-dev.lock backend/pyproject.toml backend/hatch_build.py
	@echo "Installing Python packages ..."
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) || { echo "Python's venv is missing: on Debian, apt-get install python3-venv"; exit 1; }
	@$(BIN)/python -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Plumbline needs Python 3.11 or newer: make PYTHON=/path/to/python3.11 up"; exit 1; }
	@test -x $(BIN)/uv || { awk '/^uv==/, !/\\$$/' backend/requirements-dev.lock > $(VENV)/uv.txt && $(BIN)/python -m pip install --quiet --no-deps --require-hashes --only-binary :all: --requirement $(VENV)/uv.txt; }
	@$(BIN)/uv pip sync --compile-bytecode --quiet --python $(BIN)/python --require-hashes backend/requirements-dev.lock
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation --editable backend
	@touch $@

frontend/node_modules/.installed: frontend/package-lock.json $(VENV)/.installed
	@echo "Installing web packages ..."
	@cd frontend && npm ci --no-audit --no-fund --loglevel=error
	@touch $@

e2e/node_modules/.installed: e2e/package-lock.json $(VENV)/.installed
	@echo "Installing the browser tests' packages ..."
	@cd e2e && PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 npm ci --no-audit --no-fund --loglevel=error
	@touch $@

FRONTEND := $(shell find frontend/src frontend/public -type f 2>/dev/null) frontend/index.html frontend/vite.config.ts frontend/package.json
frontend/dist/index.html: frontend/node_modules/.installed $(FRONTEND)
	@echo "Building the web interface ..."
	@cd frontend && npm run --silent build
	@touch $@

build: $(VENV)/.installed frontend/dist/index.html ## Install what is needed and build the web interface
	@# Where Python may write no bytecode of its own (PYTHONDONTWRITEBYTECODE), each process would compile everything anew.
	@$(BIN)/python -m compileall -q backend/plumbline agents/lab

up: build ## Start everything; prints the address and the logins. Ctrl-C stops it
	@exec $(BIN)/plumbline up $(ARGS)

check: build e2e/node_modules/.installed ## Format, lint, types, the layers of packages, the packs of rules, the client, no registry's address
	sh tools/check.sh

test: build sbom e2e/node_modules/.installed chromium ## Every test but four slow ones (pytest -m slow): Python, web, browser
	$(BIN)/python tools/test.py

unit: $(VENV)/.installed sbom ## Python tests only
	cd backend && $(BIN)/pytest -n 2 tests

e2e: build e2e/node_modules/.installed chromium ## Browser tests only, on a stack of their own
	$(BIN)/python tools/test.py --only browser

faults: build ## Fault tests, at most 90 minutes a part: make faults PART=agents, security, installation or machines, or PART=jobs ARGS="--faults J8"
	cd backend && $(BIN)/python -m faults $(PART) $(ARGS)

bench: build ## Measurements beside named peers; results go to docs/measured/
	cd backend && $(BIN)/python -m bench

vcsim: $(VENV)/.installed ## Build the vSphere simulator that the vCenter tests use, where Go is; without it they are skipped
	$(BIN)/python tools/vcsim.py

chart: $(VENV)/.installed ## Build Helm and kubeconform for the tests of the Helm chart, where Go is; without them they are skipped
	$(BIN)/python tools/chart.py

prometheus: $(VENV)/.installed ## Build Prometheus, promtool and a check of the Grafana dashboard for their tests, where Go is; without them they are skipped
	$(BIN)/python tools/prometheus.py

LOCK = cd backend && $(BIN)/uv pip compile --quiet --generate-hashes --no-annotate --no-header --python-version 3.11.2
lock: $(VENV)/.installed ## Lock the Python packages that pyproject.toml names; add ARGS=--upgrade for the newest of all
	$(LOCK) pyproject.toml --extra dev --output-file requirements-dev.lock $(ARGS)
	$(LOCK) pyproject.toml --constraint requirements-dev.lock --output-file requirements.lock
	$(LOCK) --group release --output-file requirements-release.lock $(ARGS)

# Packages that only a release needs, apart from those that we develop with.
RELEASE := $(VENV)/release
$(RELEASE)/.installed: backend/requirements-release.lock $(VENV)/.installed
	@$(BIN)/uv venv --quiet --clear --python $(BIN)/python $(RELEASE)
	@$(BIN)/uv pip sync --quiet --python $(RELEASE)/bin/python --require-hashes backend/requirements-release.lock
	@touch $@

sbom/python.cdx.json: $(RELEASE)/.installed backend/requirements.lock
	@$(BIN)/uv venv --quiet --clear --python $(BIN)/python $(VENV)/run
	@$(BIN)/uv pip sync --compile-bytecode --quiet --python $(VENV)/run/bin/python --require-hashes backend/requirements.lock
	@mkdir -p sbom
	@$(RELEASE)/bin/cyclonedx-py environment --pyproject backend/pyproject.toml --output-reproducible --of JSON -o $@ $(VENV)/run

sbom/web.cdx.json: frontend/node_modules/.installed tools/web_bill.py
	@mkdir -p sbom
	@$(BIN)/python tools/web_bill.py > $@.new && mv $@.new $@

sbom: sbom/python.cdx.json sbom/web.cdx.json ## Write the bills of materials of a release (CycloneDX), for wheel and image

audit: $(RELEASE)/.installed frontend/node_modules/.installed ## Look the locked packages up in the lists of known vulnerabilities, before a release
	$(RELEASE)/bin/pip-audit --strict --disable-pip --require-hashes --progress-spinner off --requirement backend/requirements.lock
	cd frontend && npm audit --omit dev --audit-level high

image: $(VENV)/.installed ## Build the image with buildah and start it, as root; where buildah or debootstrap is missing it says so
	$(BIN)/python tools/image.py

client: build ## Write the TypeScript types again from the API
	cd frontend && npm run --silent client

format: $(VENV)/.installed ## Format all code
	$(BIN)/ruff format backend agents/lab tools migrations && $(BIN)/ruff check --fix backend agents/lab tools migrations

chromium: $(VENV)/.installed
	@$(BIN)/python tools/chromium.py

clean: ## Remove what was built; keeps var/ (your data)
	rm -rf $(VENV) frontend/node_modules frontend/dist e2e/node_modules sbom
