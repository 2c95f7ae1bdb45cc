package refine

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"c2bp/frontend"
	"c2bp/frontend/cgen"
	"c2bp/frontend/core"
	"c2bp/source"
	"c2bp/verdict"
)

// This file holds verdicts against all runs of programs whose memory is written as many
// types (cgen.GenerateOverlays).

// observed is what a program's probes are at its end, by input; nil if no run is of use.
func observed(t *testing.T, o *cgen.Overlays) [][]string {
	t.Helper()
	var print strings.Builder
	for _, p := range o.Probes {
		fmt.Fprintf(&print, `printf("%%ld ", %s); `, p)
	}
	dir := t.TempDir()
	text := "#include <stdio.h>\n#include <stdlib.h>\n" + o.Text(print.String()) +
		"int input(void) { return atoi(getenv(\"INPUT\")); }\n"
	file, exe := filepath.Join(dir, "p.c"), filepath.Join(dir, "p")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	args := []string{"-w", "-O0", "-fno-strict-aliasing", "-fsanitize=undefined", "-fno-sanitize-recover=all", "-o", exe, file}
	if out, err := exec.Command("gcc", args...).CombinedOutput(); err != nil {
		t.Fatalf("gcc: %v\n%.2000s\n%s", err, out, text)
	}
	var all [][]string
	for n := range cgen.Inputs {
		cmd := exec.Command(exe)
		cmd.Env = []string{fmt.Sprint("INPUT=", n)}
		out, err := cmd.Output()
		if err != nil {
			return nil // undefined behaviour
		}
		all = append(all, strings.Fields(string(bytes.TrimSpace(out))))
	}
	return all
}

// overlaysCase is a program with an assertion, and whether a run violates it.
type overlaysCase struct {
	text  string
	fails bool
}

// overlaysOf makes a safe and an unsafe program of a seed; none if no run is of use.
func overlaysOf(t *testing.T, seed uint64) []overlaysCase {
	o := cgen.GenerateOverlays(seed)
	all := observed(t, o)
	if all == nil {
		return nil
	}
	rng := rand.New(rand.NewPCG(seed, 7))
	k := rng.IntN(len(o.Probes))
	n := rng.IntN(cgen.Inputs)
	head := "extern void __VERIFIER_assert(int);\n"
	assert := func(cond string) string { return head + o.Text("__VERIFIER_assert("+cond+");") }
	return []overlaysCase{
		{assert(fmt.Sprintf("n != %d || %s == %sl", n, o.Probes[k], all[n][k])), false},
		{assert(fmt.Sprintf("n != %d || %s != %sl", n, o.Probes[k], all[n][k])), true},
	}
}

// overlaysTally counts what became of programs.
type overlaysTally struct {
	unused, safe, unsafe, proved, refuted, wrong int
	first                                        string // of the wrong ones
}

// auditOverlays audits the programs of n seeds. With change, which breaks programs, it stops
// when that is noticed.
func auditOverlays(t *testing.T, n uint64, limit time.Duration, change func(*core.Program)) (tally overlaysTally) {
	t.Helper()
	for seed := range n {
		if change != nil && tally.wrong > 0 {
			break
		}
		cases := overlaysOf(t, seed)
		if cases == nil {
			tally.unused++
		}
		for _, c := range cases {
			unit, err := frontend.Load(t.Context(), []*source.File{source.NewFile("p.c", []byte(c.text))}, frontend.Options{})
			if err != nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, c.text)
			}
			if change != nil {
				change(unit.Program)
			}
			ctx, cancel := context.WithTimeout(t.Context(), limit)
			o, err := Audit(ctx, unit.Program, Options{Iterations: 8})
			cancel()
			if err != nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, c.text)
			}
			v := o.Result.Verdict
			switch {
			case c.fails:
				tally.unsafe++
			default:
				tally.safe++
			}
			switch {
			case v == verdict.True && c.fails, v == verdict.False && !c.fails:
				if tally.wrong++; tally.first == "" {
					tally.first = fmt.Sprintf("seed %d: %s\n%s", seed, o.Result.Summary(), c.text)
				}
			case v == verdict.True:
				tally.proved++
			case v == verdict.False:
				tally.refuted++
			}
		}
	}
	return tally
}

// TestOverlays: no TRUE of a program that fails in a run, no FALSE of one that fails in none,
// and no panic.
func TestOverlays(t *testing.T) {
	needGCC(t)
	tally := auditOverlays(t, uint64(count(25, 1000)), time.Duration(count(2, 10))*time.Second, nil)
	first := tally.first
	tally.first = ""
	t.Logf("%+v", tally)
	if first != "" {
		t.Error(first)
	}
	if tally.proved < tally.safe/4 || tally.refuted < tally.unsafe/4 || tally.unused > count(10, 400) {
		t.Errorf("too little is decided: %+v", tally)
	}
}

// TestOverlaysForgotten: that what is written as a type whose values are not represented
// leaves memory as it is shows in a verdict.
func TestOverlaysForgotten(t *testing.T) {
	needGCC(t)
	tally := auditOverlays(t, 200, time.Second, func(p *core.Program) {
		for _, q := range p.Procs {
			for _, n := range q.Nodes {
				if h, ok := n.Stmt.(*core.Havoc); ok && len(h.Locs) == 1 {
					if _, opaque := h.Locs[0].Type().(core.Opaque); opaque {
						n.Stmt = &core.Skip{}
					}
				}
			}
		}
	})
	if tally.wrong == 0 {
		t.Errorf("nothing was noticed: %+v", tally)
	}
}
