# The two commands of the README are `make play` and `make test`; both set up everything themselves.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
PLAYABLE := $(VENV)/.playable
COMMAND := $(BIN)/five211
CHROMIUM := $(VENV)/.chromium
SERVICES := $(VENV)/.services
TORCH := $(VENV)/.torch
# Two processes; one that crashes fails the run (replaced by another, it has been seen to hang).
BOTH := -n 2 --max-worker-restart=0
# Chromium itself hangs now and then; the watch in tests/browser kills it, and the test is told again.
AGAIN := --reruns 1 --only-rerun TargetClosedError

.PHONY: play page test test-web test-browser test-services check lint types bench bench-fast bench-peers bench-bots bench-terminal bench-env truth example-ppo soak-fast soak-env soak-server soak-services bench-server bench-scale bench-page screenshots soak strength train mutants lock build clean

play: page $(COMMAND)  ## the game, in your browser
	@$(COMMAND)

page: $(PLAYABLE)  ## the page to play on, if its sources have changed
	@$(BIN)/python web/build.py

test: $(READY) $(if $(CI),$(TORCH)) page $(CHROMIUM) $(SERVICES)  ## every test, with lint and types before
	$(MAKE) -j2 --output-sync=target check test-web
	$(BIN)/python -m pytest $(BOTH) --dist loadfile --no-loadscope-reorder --cov --cov-report= --ignore tests/browser
	$(BIN)/coverage report --fail-under=100
	$(BIN)/python -m pytest $(BOTH) $(AGAIN) tests/browser

test-browser: $(READY) page $(CHROMIUM)  ## everybody plays everywhere: the whole matrix in the browser
	TEST_SOAK=1 $(BIN)/python -m pytest $(BOTH) $(AGAIN) --durations=12 tests/browser $(ARGS)

test-services: $(READY) page $(SERVICES)  ## every test of the server, on PostgreSQL and Redis
	TEST_STORE=postgres $(BIN)/python -m pytest $(BOTH) --dist loadfile --durations=12 tests/server $(ARGS)

test-web: page  ## the tests, lint and types of the page
	$(BIN)/python web/build.py check test

check: lint types  ## lint and types

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY)
	$(BIN)/mypy

bench: $(READY)  ## how quick the readable engine is
	$(BIN)/python bench/engine.py

bench-fast: $(READY)  ## the compiled engine beside the same in C; needs gcc
	$(BIN)/python -m bench.fast

bench-peers: $(READY)  ## the compiled engine beside other libraries (installs those with pip)
	$(BIN)/python -m bench.peers.compare $(ARGS)

bench-bots: $(READY)  ## how long each bot thinks about a choice
	$(BIN)/python bench/bots.py $(ARGS)

bench-terminal: $(READY)  ## how quickly the terminal's screen is there, and answers a key
	$(BIN)/python bench/terminal.py

bench-env: $(READY)  ## the research environments beside their frameworks' own games (installs those with pip)
	$(BIN)/python -m bench.env_pettingzoo $(ARGS)
	$(BIN)/python -m bench.env_openspiel
	$(BIN)/python -m bench.env_vector

truth: $(READY)  ## mini-5211 solved by OpenSpiel, and how far each bot is from that; minutes
	$(BIN)/python -m five211.env.truth $(ARGS)

bench-server: $(READY)  ## our server beside boardgame.io's; needs node and npm
	$(BIN)/python -m bench.server.compare $(ARGS)

bench-scale: $(READY) $(SERVICES)  ## one process and several on PostgreSQL and Redis: what a game costs; needs node and npm
	$(BIN)/python -m bench.scale $(ARGS)

bench-page: $(READY) page $(CHROMIUM)  ## how heavy and how quick the page is
	$(BIN)/python -m bench.page

screenshots: $(READY) page $(CHROMIUM)  ## pictures of every screen and state, in build/screenshots/
	$(BIN)/python -m tests.browser.screens $(or $(OUT),build/screenshots) $(ARGS)

soak: $(READY)  ## the long forms of the tests
	TEST_SOAK=1 $(BIN)/python -m pytest --durations=12 tests/test_leaks.py tests/test_oracle.py \
	  tests/test_match_machine.py tests/test_table_machine.py tests/test_record_*.py tests/test_simulate.py \
	  tests/terminal/test_app.py

soak-fast: $(READY)  ## the compiled engine beside the readable one, game by game; every index checked
	TEST_SOAK=1 $(BIN)/python -m pytest $(BOTH) --durations=12 tests/fast
	NUMBA_BOUNDSCHECK=1 $(BIN)/python -m pytest $(BOTH) tests/fast

soak-env: $(READY)  ## 10,000 games an environment beside the core; every index checked
	TEST_SOAK=1 $(BIN)/python -m pytest $(BOTH) --durations=12 tests/env
	NUMBA_BOUNDSCHECK=1 $(BIN)/python -m pytest tests/env/test_vector.py

soak-server: $(READY)  ## kill -9, eavesdroppers, fuzzing and thousands of games on the server
	TEST_SOAK=1 $(BIN)/python -m pytest -s --durations=12 tests/server/test_killing.py \
	  tests/server/test_eavesdropper.py tests/server/test_fuzz.py tests/server/test_schema.py \
	  tests/server/test_soak.py tests/server/test_playing.py

soak-services: $(READY) $(SERVICES)  ## hundreds of games at three processes, while everything dies that can
	TEST_SOAK=1 $(BIN)/python -m pytest -s --durations=4 tests/services/test_history.py \
	  tests/services/test_chaos.py $(ARGS)

FIELDS := 2 4 3 5
STRENGTH := build/strength$(if $(ARGS),-args)
strength: $(READY)  ## every bot against a field of each other, for 2 to 5 players, in build/strength/; long
	mkdir -p $(STRENGTH)
	for n in $(FIELDS); do \
	  $(BIN)/five211 arena --players $$n --bots random,greedy,hasty,heuristic,montecarlo,neural,expert \
	    --seed strength --json --html $(STRENGTH)/$$n.html $(ARGS) > $(STRENGTH)/$$n.json.part && \
	  mv $(STRENGTH)/$$n.json.part $(STRENGTH)/$$n.json || exit 1; done
	$(BIN)/python bench/strength.py $(STRENGTH)

# The second stage goes on from the first with smaller steps, and keeps the mean of its weights.
LATER := --iterations 750 --rate 0.0008 --last_rate 0.00003 --last_entropy 0.005 --lead 0.25 --against 0.5 \
  --keep 20 --average 0.99
TRAINED := build/train

train: $(TORCH)  ## the networks anew: hours; both halves may run side by side (train/README.md)
	$(BIN)/python -m train --players 2 --iterations 1600 --stop 800 --out $(TRAINED)/two
	$(BIN)/python -m train --players 2 $(LATER) --weights $(TRAINED)/two/weights.npy \
	  --seed "five211 two" --out $(TRAINED)/two2
	$(BIN)/python -m train --players 3,4,5 --iterations 1650 --evaluate 102 --stop 918 --out $(TRAINED)/many
	$(BIN)/python -m train --players 3,4,5 $(LATER) --weights $(TRAINED)/many/weights.npy \
	  --seed "five211 many" --out $(TRAINED)/many2
	$(BIN)/python -m train.pack $(TRAINED)/two2/weights.npy $(TRAINED)/many2/weights.npy \
	  $(TRAINED)/many2/weights.npy $(TRAINED)/many2/weights.npy

example-ppo: $(TORCH)  ## an agent learns until it beats heuristic: minutes; curve and weights in build/ppo
	$(BIN)/python examples/ppo.py $(ARGS)

mutants: $(READY)  ## mutation testing of scoring, state, match and view
	$(BIN)/python tests/mutants.py

lock: $(READY)  ## write the locked versions anew
	$(BIN)/python -m piptools --version >/dev/null 2>&1 || $(BIN)/pip install pip-tools
	cd requirements && for name in run dev; do \
	  CUSTOM_COMPILE_COMMAND="make lock" ../$(BIN)/pip-compile -q --generate-hashes --no-strip-extras \
	    --no-emit-index-url --no-emit-trusted-host --no-emit-find-links --allow-unsafe \
	    $$name.in -o $$name.txt; done

build: $(READY) page  ## a wheel and an sdist in dist/
	$(BIN)/python -m build --no-isolation

clean:
	rm -rf $(VENV) dist .coverage .hypothesis .mypy_cache .ruff_cache .pytest_cache mutants \
	  web/node_modules src/five211/server/page

$(PLAYABLE): requirements/run.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "five211 needs Python 3.11 or newer; this is $$($(PYTHON) --version). Try: make PYTHON=python3.11" >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV) || \
	  { echo "Python's venv module is missing. On Debian: apt-get install python3-venv" >&2; exit 1; }
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements/run.txt
	@touch $(PLAYABLE)

$(COMMAND): | $(PLAYABLE)  # needs no network; what $(READY) installs takes its place
	@printf '#!/bin/sh\nPYTHONPATH="%s/src$${PYTHONPATH:+:$$PYTHONPATH}" exec "%s/$(BIN)/python" -m five211 "$$@"\n' \
	  '$(CURDIR)' '$(CURDIR)' > $@
	@chmod +x $@

$(CHROMIUM): $(PLAYABLE)
	@command -v chromium >/dev/null || { [ "$$(id -u)" = 0 ] && apt-get update -qq && \
	  apt-get install -y -qq --no-install-recommends chromium >/dev/null; } || \
	  { echo "The tests of the page need Chromium. On Debian: apt-get install chromium" >&2; exit 1; }
	@touch $(CHROMIUM)

$(SERVICES): $(PLAYABLE)
	@{ ls /usr/lib/postgresql/*/bin/postgres && command -v redis-server && command -v systemd-analyze && \
	  command -v openssl && command -v curl && PATH=$$PATH:/usr/sbin command -v nginx; } \
	  >/dev/null 2>&1 || { [ "$$(id -u)" = 0 ] && sh tests/services/install.sh; } || \
	  { echo "The tests of the server need PostgreSQL, Redis, nginx, systemd, openssl and curl. On Debian: apt-get install postgresql redis-server nginx systemd openssl curl" >&2; exit 1; }
	@touch $(SERVICES)

$(TORCH): $(READY)  # only to train; exactly this version, which is the one with a build for the CPU alone
	$(BIN)/pip install --quiet --disable-pip-version-check torch==2.13.0
	@touch $(TORCH)

$(READY): $(PLAYABLE) pyproject.toml requirements/dev.txt
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.txt
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $(READY)
