package frontend

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"c2bp/source"
)

// This file compares generated programs that add up a checksum with what gcc makes of
// them. A program ends after the last statement of main; its global sum is the result.

// gccSums compiles the programs of seeds, with undefined behaviour an error, and runs
// them; the sum of one that gcc or UBSan refuses is "".
func gccSums(t *testing.T, program func(uint64) string, seeds []uint64, flags ...string) []string {
	t.Helper()
	sums := make([]string, len(seeds))
	dir := t.TempDir()
	file, exe := filepath.Join(dir, "a.c"), filepath.Join(dir, "a")
	for i, seed := range seeds {
		text := "#include <stdio.h>\n" + program(seed) + "  printf(\"%llu\\n\", sum);\n  return 0;\n}\n"
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		args := append([]string{"-w", "-std=gnu17", "-fsanitize=undefined", "-fno-sanitize-recover=all", "-o", exe, file}, flags...)
		if out, err := exec.Command("gcc", args...).CombinedOutput(); err != nil {
			t.Logf("seed %d: gcc: %.500s", seed, out)
			continue
		}
		if out, err := exec.Command(exe).Output(); err == nil {
			sums[i] = strings.TrimSpace(string(out))
		}
	}
	return sums
}

// coreSum is the sum that the core program of text computes.
func coreSum(text string, opts Options) (string, error) {
	file := source.NewFile("gen.c", []byte(text+"  return 0;\n}\n"))
	u, err := Load(context.Background(), []*source.File{file}, opts)
	if err != nil {
		return "", err
	}
	return finalValue(u, "sum", 2_000_000)
}

// compareSums compares programs with gcc.
func compareSums(t *testing.T, program func(uint64) string, seeds []uint64, bits32 bool) {
	t.Helper()
	var flags []string
	if bits32 {
		flags = append(flags, "-m32")
	}
	want := gccSums(t, program, seeds, append(flags, "-lm")...)
	compared, wrong := 0, 0
	for i, seed := range seeds {
		if want[i] == "" {
			continue
		}
		got, err := coreSum(program(seed), Options{Bits32: bits32})
		if err != nil && strings.Contains(err.Error(), "error: not supported: ") {
			continue
		}
		compared++
		if err == nil && got != want[i] {
			err = errors.New("the sum is " + got + ", with gcc " + want[i])
		}
		if err != nil {
			if wrong++; wrong <= 3 {
				t.Errorf("seed %d: %v\n%s", seed, err, program(seed))
			} else {
				t.Errorf("seed %d: %v", seed, err)
			}
		}
	}
	t.Logf("%d programs, %d compared", len(seeds), compared)
	if 2*compared < len(seeds) {
		t.Error("the generator is of little use")
	}
}
