package frontend

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"c2bp/frontend/core/interp"
	"c2bp/source"
)

// This file compares the lowering with gcc on programs of csmith, a generator of
// random C programs that others wrote (Yang, Chen, Eide, Regehr: "Finding and
// Understanding Bugs in C Compilers", 2011). A program adds the bytes of all its globals
// to a CRC, which is the observation.
//
// The front end reads them with the qualifier volatile taken away, for what it does not
// know about a volatile variable is what these programs compute.

// csmithDir is where Debian puts the headers that the programs include.
const csmithDir = "/usr/include/csmith"

// csmithModes are options of csmith, one line for each kind of program.
var csmithModes = [][]string{
	{},
	{"--no-packed-struct", "--max-funcs", "6"},
	{"--max-pointer-depth", "4", "--max-funcs", "5"},
	{"--max-array-dim", "2", "--max-block-depth", "3", "--max-struct-fields", "16"},
	{"--no-safe-math", "--max-funcs", "4", "--max-expr-complexity", "5"},
}

// csmithSource is the program of a seed.
func csmithSource(t *testing.T, seed int) []byte {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	args := append([]string{"--seed", fmt.Sprint(seed), "--no-argc", "--concise"}, csmithModes[seed%len(csmithModes)]...)
	text, err := exec.CommandContext(ctx, "csmith", args...).Output()
	if err != nil {
		return nil // it gives up on some seeds
	}
	return text
}

// csmithCompiled is the checksum that a compiled program prints, "" if it
// does not end or has undefined behaviour.
func csmithCompiled(t *testing.T, text []byte) (string, string) {
	t.Helper()
	dir := t.TempDir()
	file, exe := filepath.Join(dir, "a.c"), filepath.Join(dir, "a")
	if err := os.WriteFile(file, text, 0o644); err != nil {
		t.Fatal(err)
	}
	flags := []string{"-w", "-O0", "-fno-strict-aliasing", "-fsanitize=undefined,address", "-fno-sanitize-recover=all", "-I" + csmithDir, "-o", exe, file}
	if out, err := exec.Command("gcc", flags...).CombinedOutput(); err != nil {
		t.Fatalf("gcc: %v\n%.3000s", err, out)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, exe)
	cmd.Env = append(os.Environ(), "ASAN_OPTIONS=detect_leaks=0:detect_stack_use_after_return=1")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	switch {
	case ctx.Err() != nil:
		return "", "does not end"
	case err != nil:
		return "", stderr.String()
	}
	_, sum, _ := strings.Cut(strings.TrimSpace(string(out)), "checksum = ")
	return sum, ""
}

// csmithLowered is the checksum of the core program.
func csmithLowered(t *testing.T, text []byte, mutate mutation) (string, error) {
	t.Helper()
	file := source.NewFile("csmith.c", text)
	u, err := Load(context.Background(), []*source.File{file},
		Options{IncludePaths: []string{csmithDir}, Defines: []string{"volatile="}, mutation: mutate})
	if err != nil {
		return "", err
	}
	choices := &success{prog: u.Program}
	machine := interp.New(u.Program, choices, interp.Options{})
	event, err := machine.Run(context.Background(), 20_000_000)
	switch {
	case err != nil:
		return "", err
	case choices.asked != "":
		return "", errors.New("the program is not deterministic: " + choices.asked)
	case event.Kind != interp.Finished:
		return "", fmt.Errorf("the run ended with %s at %s", event.Kind, event.Proc.NodeID(event.Node))
	}
	for _, g := range u.Program.Globals {
		if g.Name == "crc32_context" {
			crc := new(big.Int).Xor(machine.Global(g), big.NewInt(0xffffffff))
			return fmt.Sprintf("%X", crc), nil
		}
	}
	return "", errors.New("no crc32_context")
}

func TestCsmithExplore(t *testing.T) {
	var from, n int
	fmt.Sscanf(os.Getenv("CS"), "%d,%d", &from, &n)
	for seed := from; seed < from+n; seed++ {
		text := csmithSource(t, seed)
		if text == nil {
			fmt.Println(seed, "none")
			continue
		}
		want, why := csmithCompiled(t, text)
		if want == "" {
			fmt.Printf("%d discarded: %.200q\n", seed, why)
			continue
		}
		start := time.Now()
		got, err := csmithLowered(t, text, 0)
		verdict := "same"
		if got != want {
			verdict = "DIFFERENT"
		}
		fmt.Printf("%d %s %s %s %.300v %.1fs\n", seed, verdict, want, got, err, time.Since(start).Seconds())
	}
}
