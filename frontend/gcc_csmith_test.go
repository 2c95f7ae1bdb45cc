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
	"regexp"
	"strings"
	"testing"
	"time"

	"c2bp/frontend/core/interp"
	"c2bp/internal/testkit"
	"c2bp/source"
)

// This file compares the lowering with gcc on programs of csmith, a generator of random
// C programs by others (Yang, Chen, Eide, Regehr: "Finding and Understanding Bugs in C
// Compilers", 2011). A program adds its globals to a CRC, which is what is compared.
//
// The front end reads them with the qualifier volatile taken away: a volatile variable
// has arbitrary values for it, and these programs count on what they have stored.

// csmithHeaders is where Debian's libcsmith-dev puts the headers of such programs.
const csmithHeaders = "/usr/include/csmith"

// csmithModes are options of csmith; a program is of one of these kinds.
var csmithModes = [][]string{
	{},
	{"--no-packed-struct", "--max-funcs", "6"},
	{"--max-pointer-depth", "4", "--max-funcs", "5"},
	{"--max-array-dim", "2", "--max-block-depth", "3", "--max-struct-fields", "16"},
	{"--max-union-fields", "8", "--max-expr-complexity", "5", "--inline-function"},
}

// csmithProgram is a program and what became of it.
type csmithProgram struct {
	seed      int
	text      []byte
	sum       string // that gcc's program prints, or
	discarded string // why there is none
}

// newCsmithProgram generates the program of a seed, compiles it and executes it in dir.
func newCsmithProgram(dir string, seed int) (*csmithProgram, error) {
	p := &csmithProgram{seed: seed}
	args := append([]string{"--seed", fmt.Sprint(seed), "--no-argc", "--concise"}, csmithModes[seed%len(csmithModes)]...)
	text, err := within(20*time.Second, dir, "csmith", args...)
	if err != nil { // it gives up on some seeds
		p.discarded = "csmith: " + err.Error()
		return p, nil
	}
	p.text = text
	file, exe := filepath.Join(dir, "a.c"), filepath.Join(dir, "a")
	if err := os.WriteFile(file, text, 0o644); err != nil {
		return nil, err
	}
	if _, err := within(5*time.Minute, dir, "gcc", "-w", "-O0", "-fno-strict-aliasing", "-fsanitize=undefined,address",
		"-fno-sanitize-recover=all", "-I"+csmithHeaders, "-o", exe, file); err != nil {
		return nil, fmt.Errorf("seed %d: gcc: %w", seed, err)
	}
	out, err := within(5*time.Second, dir, exe)
	if err != nil {
		p.discarded = err.Error()
		return p, nil
	}
	_, p.sum, _ = strings.Cut(strings.TrimSpace(string(out)), "checksum = ")
	return p, nil
}

// within runs a command in dir, which has to end in time.
func within(limit time.Duration, dir, name string, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "ASAN_OPTIONS=detect_leaks=0:detect_stack_use_after_return=1")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	switch {
	case ctx.Err() != nil:
		return nil, errors.New("does not end in time")
	case err != nil:
		return nil, fmt.Errorf("%w: %.300s", err, stderr.String())
	}
	return out, nil
}

// lowered is the checksum according to the core program.
func (p *csmithProgram) lowered() (string, error) {
	u, err := Load(context.Background(), []*source.File{source.NewFile("csmith.c", p.text)},
		Options{IncludePaths: []string{csmithHeaders}, Defines: []string{"volatile="}})
	if err != nil {
		return "", err
	}
	context, err := finalValue(u, "crc32_context", 30_000_000)
	if err != nil {
		return "", err
	}
	crc, _ := new(big.Int).SetString(context, 10)
	return fmt.Sprintf("%X", crc.Xor(crc, big.NewInt(0xffffffff))), nil
}

// csmithPrograms makes the programs of seeds from 1 to n, two at a time, in order.
func csmithPrograms(t *testing.T, n int) <-chan *csmithProgram {
	slots := make(chan struct{}, 2)
	done := make([]chan *csmithProgram, n)
	for i := range done {
		done[i] = make(chan *csmithProgram, 1)
		dir := t.TempDir()
		go func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			p, err := newCsmithProgram(dir, i+1)
			if err != nil {
				t.Error(err)
				p = &csmithProgram{seed: i + 1, discarded: "gcc"}
			}
			os.RemoveAll(dir)
			done[i] <- p
		}()
	}
	out := make(chan *csmithProgram)
	go func() {
		for _, c := range done {
			out <- <-c
		}
		close(out)
	}()
	return out
}

// csmithConstructs are for counting.
var csmithConstructs = []struct {
	name    string
	pattern *regexp.Regexp
}{
	{"structs", regexp.MustCompile(`struct S\d+ \{`)}, {"unions", regexp.MustCompile(`union U\d+ \{`)},
	{"bit-fields", regexp.MustCompile(`f\d+ : \d+;`)}, {"packed structs", regexp.MustCompile(`pragma pack\(1\)`)},
	{"pointers to pointers", regexp.MustCompile(`\*\*`)}, {"arrays of arrays", regexp.MustCompile(`\w\[\d+\]\[\d+\]`)},
	{"arrays of pointers", regexp.MustCompile(`\*\s*\w+\[\d+\]`)}, {"goto", regexp.MustCompile(`goto `)},
	{"struct parameters or results", regexp.MustCompile(`func_\d+\(.*(struct|union) \w+ +p_|(struct|union) \w+ +func_`)},
	{"arrow", regexp.MustCompile(`->`)}, {"volatile", regexp.MustCompile(`volatile`)},
}

func TestCsmithAgainstGCC(t *testing.T) {
	if !testkit.Long() {
		t.Skip("the programs of csmith take minutes: they are for long tests")
	}
	for _, need := range []string{"csmith", "gcc"} {
		if _, err := exec.LookPath(need); err != nil {
			t.Skipf("%s is not installed: apt-get install csmith libcsmith-dev gcc", need)
		}
	}
	if _, err := os.Stat(filepath.Join(csmithHeaders, "csmith.h")); err != nil {
		t.Skip("the headers of csmith's programs are not installed: apt-get install libcsmith-dev")
	}
	const n = 1250
	compared, discarded, long := 0, map[string]int{}, 0
	counts := make([]int, len(csmithConstructs))
	for p := range csmithPrograms(t, n) {
		if p.discarded != "" {
			discarded[discardReason(p.discarded)]++
			continue
		}
		got, err := p.lowered()
		var limit *interp.LimitError
		switch {
		case errors.As(err, &limit):
			long++
			continue
		case err != nil:
			t.Errorf("seed %d: %v", p.seed, err)
		case got != p.sum:
			t.Errorf("seed %d: %s instead of %s", p.seed, got, p.sum)
		}
		compared++
		for i, c := range csmithConstructs {
			if c.pattern.Match(p.text) {
				counts[i]++
			}
		}
	}
	t.Logf("%d programs, %d compared, %d too long, discarded: %v", n, compared, long, discarded)
	for i, c := range csmithConstructs {
		t.Logf("%4d have: %s", counts[i], c.name)
	}
	if compared < 1000 {
		t.Errorf("only %d of %d programs can be compared", compared, n)
	}
}

// discardReason is a summary of why a program is discarded.
func discardReason(text string) string {
	for _, s := range []string{"does not end", "csmith", "misaligned", "AddressSanitizer", "shift", "overflow", "division"} {
		if strings.Contains(text, s) {
			return s
		}
	}
	return "other undefined behaviour"
}
