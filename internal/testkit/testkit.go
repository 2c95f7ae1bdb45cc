// Package testkit is what the tests of all packages share: one meaning of a long test, one switch
// that rewrites expected outputs, one way to ask for a compiler.
//
//	C2BP_LONG=1 go test ./...      the long counts (make test-long)
//	go test ./frontend -update     expected outputs are rewritten
package testkit

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
)

// Update is the flag -update: expected outputs are to be rewritten with what came out.
var Update = flag.Bool("update", false, "rewrite the expected outputs in testdata")

// Long reports whether tests may take hours: the environment has C2BP_LONG=1.
func Long() bool { return os.Getenv("C2BP_LONG") == "1" }

// Count returns how often a randomised test is to do something, ordinarily and in a long test. The
// environment may ask for a multiple of the ordinary count, C2BP_TIMES=10, up to the long one.
func Count[N int | uint64](ordinary, long N) N {
	if Long() {
		return long
	}
	if times, err := strconv.Atoi(os.Getenv("C2BP_TIMES")); err == nil && times > 1 {
		return min(ordinary*N(times), max(ordinary, long))
	}
	return ordinary
}

// NeedGCC skips the test if gcc is not installed, or another tool that it needs besides: "make test" installs gcc, and
// without a compiler or SPIN there is nothing to compare with.
func NeedGCC(t testing.TB, besides ...string) {
	t.Helper()
	if tool := Missing(append([]string{"gcc"}, besides...)...); tool != "" {
		t.Skip(tool + " is not installed; this test needs it")
	}
}

// Missing returns the first of the tools that is not installed, "" if all are.
func Missing(tools ...string) string {
	for _, tool := range tools {
		if _, err := exec.LookPath(tool); err != nil {
			return tool
		}
	}
	return ""
}

// NeedGCC32 skips the test if gcc with flags makes no programs of 32 bits that run, and returns one
// that does: on a machine of 64 bits their C library is a package of its own.
func NeedGCC32(t testing.TB, flags ...string) (program string) {
	t.Helper()
	NeedGCC(t)
	probe := filepath.Join(t.TempDir(), "probe.c")
	if err := os.WriteFile(probe, []byte("#include <stdio.h>\nint main(void) { return 0; }\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	program = probe + ".exe"
	if err := exec.Command("gcc", append([]string{"-m32", "-o", program, probe}, flags...)...).Run(); err != nil {
		t.Skip("gcc -m32 makes no programs here, because the C library for 32 bits is missing")
	}
	if err := exec.Command(program).Run(); err != nil {
		t.Skip("programs of 32 bits do not run here")
	}
	return program
}
