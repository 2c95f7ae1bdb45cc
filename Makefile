# The targets a user or a contributor calls. Each makes sure that Go, a C compiler
# and Z3's library are there (.ci/deps) before it needs them.

GO ?= go
PREFIX ?= /usr/local

.PHONY: all build install demo test test-long test-mutants bench lint clean deps

all: build

deps:
	@./.ci/deps

build: deps
	$(GO) build -o bin/c2bp ./cmd/c2bp

install: build
	install -d $(DESTDIR)$(PREFIX)/bin
	install -m 755 bin/c2bp $(DESTDIR)$(PREFIX)/bin/c2bp

# The main job on a sample driver: the Boolean program and its verdict.
demo: build
	@./.ci/demo bin/c2bp

# Tests allocate much and keep little: collecting less often saves a sixth of their time. What
# only debuggers read is neither compiled nor linked, nor in programs that tests build.
TESTENV = GOGC=$${GOGC:-400} GOFLAGS="$$($(GO) env GOFLAGS) -gcflags=all=-dwarf=false -ldflags=-s"

# go test stops a package after ten minutes; on a loaded machine that decides nothing. It
# would also vet each package, which make lint does for all.
test: deps
	$(TESTENV) $(GO) test -vet=off -timeout 1h ./...

# The randomised tests with their long counts.
test-long: deps
	$(TESTENV) C2BP_LONG=1 $(GO) test -timeout 4h ./...
	$(TESTENV) $(GO) run ./internal/mutants -share 1/8

# Defects that a test must notice, one after the other (internal/mutants).
test-mutants: deps
	$(TESTENV) $(GO) run ./internal/mutants

# Every benchmark as a line of a table: name, runs, then value and unit in turn; and the
# tables that benchmarks print themselves.
bench: deps
	@$(GO) test -run '^$$' -bench . -benchmem ./... | awk ' \
		/^pkg:/ { pkg = $$2 } \
		/^Benchmark/ { \
			sub(/-[0-9]+$$/, "", $$1); \
			printf "%-28s %-34s %9s", pkg, substr($$1, 10), $$2; \
			for (i = 3; i < NF; i += 2) printf " %12s %-11s", $$i, $$(i+1); \
			print ""; fflush() } \
		/^\|/ { print; fflush() } \
		/^(FAIL|panic|---)/ { print; bad = 1 } \
		END { exit bad }'

lint: deps
	@unformatted=$$(gofmt -l .); \
	if [ -n "$$unformatted" ]; then echo "not formatted:"; echo "$$unformatted"; exit 1; fi
	$(GO) vet ./...
	$(GO) tool staticcheck ./...

clean:
	rm -rf bin
