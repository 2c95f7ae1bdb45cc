package cgen

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// This file finds true and false assertions about a program by running it on all its inputs.

// Claim is a program with one assertion, and whether a run violates it.
type Claim struct {
	Text  string
	Fails bool
}

// Claims compiles o with gcc, runs it in dir on all inputs, and returns a safe and an unsafe program
// with assertions about the observed values; none if a run has undefined behaviour.
func (o *Overlays) Claims(dir string, seed uint64) ([]Claim, error) {
	all, err := o.Observed(dir)
	if all == nil || err != nil {
		return nil, err
	}
	rng := rand.New(rand.NewPCG(seed, 7))
	k := rng.IntN(len(o.Probes))
	n := rng.IntN(Inputs)
	// For the input n the probe k has the observed value, so == holds in all runs, and != fails
	// in one.
	claim := func(op string, fails bool) Claim {
		end := fmt.Sprintf("__VERIFIER_assert(n != %d || %s %s %sl);", n, o.Probes[k], op, all[n][k])
		return Claim{"extern void __VERIFIER_assert(int);\n" + o.Text(end), fails}
	}
	return []Claim{claim("==", false), claim("!=", true)}, nil
}

// Observed compiles o with gcc, runs it in dir on all inputs, and returns the values of the probes at
// the end, by input; nil if a run has undefined behaviour.
func (o *Overlays) Observed(dir string) (all [][]string, err error) {
	var print strings.Builder
	// The end of main prints the probes, in a program whose input comes from the environment.
	for _, p := range o.Probes {
		fmt.Fprintf(&print, `printf("%%ld ", %s); `, p)
	}
	text := "#include <stdio.h>\n#include <stdlib.h>\n" + o.Text(print.String()) +
		"int input(void) { return atoi(getenv(\"INPUT\")); }\n"
	file, exe := filepath.Join(dir, "p.c"), filepath.Join(dir, "p")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		return nil, err
	}
	// The sanitizer stops a run that has undefined behaviour, and the program is given up.
	// Unaligned and differently typed accesses are meant: gcc must not assume that there are
	// none.
	args := []string{"-w", "-O0", "-fno-strict-aliasing", "-fsanitize=undefined", "-fno-sanitize-recover=all", "-o", exe, file}
	if out, err := exec.Command("gcc", args...).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("gcc: %v\n%.2000s\n%s", err, out, text)
	}
	for n := range Inputs {
		cmd := exec.Command(exe)
		cmd.Env = []string{fmt.Sprint("INPUT=", n)}
		out, err := cmd.Output()
		if err != nil {
			return nil, nil // undefined behaviour
		}
		all = append(all, strings.Fields(string(out)))
	}
	return all, nil
}
