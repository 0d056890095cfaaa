# What there is to do with EchoText. `make` alone says so.

SHELL := /bin/bash
PREFIX ?= /usr/local
DESTDIR ?=

SWIFT_SOURCES := Package.swift Sources Tests Benchmarks
SHELL_SCRIPTS := echotext .ci/run Scripts/setup Scripts/build-release Scripts/place-libraries Scripts/fuzz
PYTHON_SCRIPTS := $(wildcard Tests/Fixtures/*.py Tests/Attacks/*.py Tests/Browser/*.py Tests/Listening/*.py Tests/Setup/*.py Scripts/sqlite3mc/setuptools/*.py) Scripts/run-tests Scripts/fuzz-doors Scripts/test-long Scripts/test-loaded Scripts/check-documents Scripts/api-schemas Scripts/make-manual Scripts/make-catalogue $(wildcard Benchmarks/run Benchmarks/*.py)
# A target that imports another must say so in Package.swift: the arrows of Documentation/Architecture.md.
STRICT := --explicit-target-dependency-import-check error
# Built faster: by the toolchain's own linker, and of debugging information only with what backtraces need.
LEAN := -Xswiftc -use-ld=lld -Xswiftc -gline-tables-only

PROGRAM := .build/release/echotext
FIXTURES := .build/fixtures
LIBRARIES := .deps/sherpa-onnx/lib
SILERO := .deps/silero-vad/silero_vad.onnx
SQLITE := .deps/sqlite3mc/lib/libsqlite3.so.0
PYTHON := PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3
# ONLY=words picks a part of the tests by its name, or tests by words of theirs.
RUN_TESTS := Scripts/run-tests $(if $(ONLY),--only "$(ONLY)")

export ECHOTEXT_FIXTURES := $(CURDIR)/$(FIXTURES)
export ECHOTEXT_SHERPA_ONNX ?= $(CURDIR)/$(LIBRARIES)
export ECHOTEXT_VOICE_ACTIVITY ?= $(CURDIR)/$(SILERO)

.PHONY: help deps test-deps release build format lint check test test-long test-loaded quick test-page test-listening test-setup attacks fuzz fuzz-doors fixtures screenshots bench soak man install uninstall clean

help:
	@sed -n 's/^## //p' Makefile

## make deps        bring Debian's packages, sherpa-onnx, silero VAD, the encrypted SQLite and the natural voice onto this machine
deps:
	@Scripts/setup run build

test-deps:
	@Scripts/setup run build test

# Nothing is put among the voices of whoever builds or installs a copy.
release:
	@ECHOTEXT_STARTER_VOICE=none ./echotext --version >/dev/null

## make build       build everything for debugging, tests too
build: deps test-programs

.PHONY: test-programs
test-programs:
	swift build --build-tests $(STRICT) $(LEAN)
	@Scripts/place-libraries debug

## make test        set up, check the style, build, and run every test; ONLY=words picks a part or some of all parts
test:
	@[ -x /usr/bin/python3 ] || Scripts/setup run build test
	@$(RUN_TESTS)

## make test-long   every test at its full length, for hours; interrupted, it continues with the next call; ONLY=words picks some
test-long: export ECHOTEXT_LONG_TESTS := 1
test-long:
	@[ -x /usr/bin/python3 ] || Scripts/setup run build test
	@$(if $(ONLY),$(RUN_TESTS),Scripts/test-long)

## make test-loaded every test with all processors kept busy, RUNS=5 times: what fails by load or chance
test-loaded: RUNS := 5
test-loaded:
	@Scripts/test-loaded --runs $(RUNS) $(if $(ONLY),--only "$(ONLY)")

## make check       the same, for one who has set up already: nothing is installed
check:
	@$(RUN_TESTS) --no-install

## make quick       style, page's scripts, and the tests next to what differs from the main branch: minutes, and never enough for a merge
quick:
	@Scripts/run-tests --no-install --changed

## make test-page   the page's own tests: its scripts, then the built program in a browser; ONLY=words picks some
test-page:
	@$(RUN_TESTS) fixtures scripts browser

## make test-listening what the release build says, heard by a judge; ONLY=words picks some
test-listening:
	@$(RUN_TESTS) fixtures release listening

## make test-setup  set-up, the launcher and the scripts, in a checkout of their own: nothing stays behind
test-setup:
	@$(RUN_TESTS) setup

## make attacks     ten attacks on the release build by two users of this machine, all of which have to be refused; ONLY=words picks some
attacks: release fixtures
	$(PYTHON) Tests/Attacks $(ONLY)

## make fuzz        try parsers on bytes nobody has thought of, an hour each; SECONDS=600 TARGETS="frames keys"
fuzz: SECONDS := 3600
fuzz: TARGETS := archives frames keys layout models text
fuzz: fixtures
	@Scripts/fuzz $(SECONDS) $(TARGETS)

## make fuzz-doors  try every command and every route of the release build with hostile values, an hour each; SECONDS=600 DOORS=routes
fuzz-doors: SECONDS := 3600
fuzz-doors: DOORS := commands routes
fuzz-doors: release fixtures
	PYTHONDONTWRITEBYTECODE=1 .deps/browser-tests/bin/python Scripts/fuzz-doors $(SECONDS) $(DOORS)

## make screenshots write every page in both themes and two widths to Documentation/Screenshots
screenshots: fixtures
	PYTHONDONTWRITEBYTECODE=1 .deps/browser-tests/bin/python Tests/Browser/screenshots.py

## make format      put the Swift sources into their style
format:
	swift format format --in-place --recursive --parallel $(SWIFT_SOURCES)

## make lint        report what breaks it, schemas and types in the page's scripts that do not fit, and documents that are hard to read
lint:
	swift format lint --strict --recursive --parallel $(SWIFT_SOURCES)
	@for script in $(SHELL_SCRIPTS); do bash -n "$$script" || exit 1; done
	@$(PYTHON) -c 'import ast, sys; [ast.parse(open(name).read(), name) for name in sys.argv[1:]]' $(PYTHON_SCRIPTS)
	@Scripts/check-documents
	@Scripts/api-schemas --check
	tsc --project jsconfig.json

## make fixtures    make the voices and the recogniser that the tests use
fixtures: $(FIXTURES)/made

$(FIXTURES)/made: $(wildcard Tests/Fixtures/*.py)
	@mkdir -p $(FIXTURES)
	$(PYTHON) Tests/Fixtures/make-voice.py $(FIXTURES)
	$(PYTHON) Tests/Fixtures/make-bad-voices.py $(FIXTURES)
	$(PYTHON) Tests/Fixtures/make-archives.py $(FIXTURES)
	$(PYTHON) Tests/Fixtures/make-piper-graphs.py $(FIXTURES)
	$(PYTHON) Tests/Fixtures/make-recogniser.py $(FIXTURES)/recognizers
	$(PYTHON) Tests/Fixtures/make-speaker-models.py $(FIXTURES)/models/speakers
	@touch $@

## make bench       measure EchoText beside its peers, write Documentation/Benchmarks.md
bench: release
	@Scripts/setup bench
	@Scripts/build-release echotext-bench
	$(PYTHON) Benchmarks/run

## make soak        use the release build for four hours and say whether it grows; ended before, it goes on; SECONDS=600
soak: SECONDS := 14400
soak: release
	$(PYTHON) Benchmarks/soak.py --seconds $(SECONDS)

## make man         write the manual page to .build/echotext.1
man: .build/echotext.1

.build/echotext.1: release Scripts/make-manual
	@$(PYTHON) Scripts/make-manual $(PROGRAM) >$@.partial
	@mv $@.partial $@

## make install     PREFIX=/usr/local DESTDIR=: put a copy there that needs neither this folder nor Swift
install: release man
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/lib/echotext
	install -m 755 $(PROGRAM) $(DESTDIR)$(PREFIX)/lib/echotext/
	strip $(DESTDIR)$(PREFIX)/lib/echotext/echotext
	cp -R .build/release/EchoText_WebApp.resources $(DESTDIR)$(PREFIX)/lib/echotext/
	install -m 644 $(LIBRARIES)/libsherpa-onnx-c-api.so $(LIBRARIES)/libonnxruntime.so* $(SQLITE) $(SILERO) $(DESTDIR)$(PREFIX)/lib/echotext/
	ln -sfn ../lib/echotext/echotext $(DESTDIR)$(PREFIX)/bin/echotext
	install -d $(DESTDIR)$(PREFIX)/share/man/man1 $(DESTDIR)$(PREFIX)/share/doc/echotext
	install -m 644 .build/echotext.1 $(DESTDIR)$(PREFIX)/share/man/man1/
	install -m 644 LICENSE README.md $(DESTDIR)$(PREFIX)/share/doc/echotext/
	install -d $(DESTDIR)$(PREFIX)/lib/systemd/user
	sed 's#@PREFIX@#$(PREFIX)#' Scripts/systemd/echotext.service >$(DESTDIR)$(PREFIX)/lib/systemd/user/echotext.service
	install -d $(DESTDIR)$(PREFIX)/share/applications $(DESTDIR)$(PREFIX)/share/icons/hicolor/scalable/apps
	sed 's#@PREFIX@#$(PREFIX)#' Scripts/desktop/echotext.desktop >$(DESTDIR)$(PREFIX)/share/applications/echotext.desktop
	install -m 644 Sources/WebApp/Resources/www/icons/logo.svg $(DESTDIR)$(PREFIX)/share/icons/hicolor/scalable/apps/echotext.svg
	install -d $(DESTDIR)$(PREFIX)/share/bash-completion/completions
	$(PROGRAM) --generate-completion-script bash >$(DESTDIR)$(PREFIX)/share/bash-completion/completions/echotext
	install -d $(DESTDIR)$(PREFIX)/share/zsh/site-functions
	$(PROGRAM) --generate-completion-script zsh >$(DESTDIR)$(PREFIX)/share/zsh/site-functions/_echotext
	install -d $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
	$(PROGRAM) --generate-completion-script fish >$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/echotext.fish

## make uninstall   PREFIX= DESTDIR=: take it away again
uninstall:
	rm -rf $(DESTDIR)$(PREFIX)/lib/echotext $(DESTDIR)$(PREFIX)/share/doc/echotext
	rm -f $(DESTDIR)$(PREFIX)/lib/systemd/user/echotext.service
	rm -f $(DESTDIR)$(PREFIX)/share/applications/echotext.desktop
	rm -f $(DESTDIR)$(PREFIX)/share/icons/hicolor/scalable/apps/echotext.svg
	rm -f $(DESTDIR)$(PREFIX)/bin/echotext $(DESTDIR)$(PREFIX)/share/man/man1/echotext.1
	rm -f $(DESTDIR)$(PREFIX)/share/bash-completion/completions/echotext
	rm -f $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_echotext
	rm -f $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/echotext.fish

## make clean       remove what was built; what was fetched stays in .deps
clean:
	rm -rf .build
