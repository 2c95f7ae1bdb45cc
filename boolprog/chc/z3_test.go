package chc

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"c2bp/boolprog"
	"c2bp/checker"
	"c2bp/internal/testkit"
	"c2bp/source"
)

// This file compares what Spacer says of the clauses with what checker says of the
// program.

// errTimeout says that Spacer gave no answer in time.
var errTimeout = errors.New("no answer in time")

// spacer asks Z3 whether clauses are satisfiable.
func spacer(t testing.TB, text string) (sat bool, err error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "clauses.smt2")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, "z3", "fp.engine=spacer", file).CombinedOutput()
	if ctx.Err() != nil {
		return false, errTimeout
	}
	switch answer := strings.TrimSpace(string(out)); answer {
	case "sat", "unsat":
		return answer == "sat", nil
	default:
		return false, fmt.Errorf("z3: %v: %s", err, answer)
	}
}

func needZ3(t testing.TB) {
	if _, err := exec.LookPath("z3"); err != nil {
		t.Skip("the program z3 is not installed; it is the other side of this comparison")
	}
}

// question is what a seed asks of its program: everything, or one site.
func question(g *boolprog.Graph, a *checker.Analysis, seed uint64) (targets []Target, fails bool) {
	_, all, _ := checker.Sites(g, checker.Options{ErrorLabels: testLabels})
	ask := func(i int) {
		targets = append(targets, Target{all[i].Proc, all[i].Node, all[i].Fails})
		fails = fails || a.Result.Sites[i].Failed
	}
	if len(all) > 0 && seed%4 != 0 {
		ask(int(seed / 4 % uint64(len(all))))
		return targets, fails
	}
	for i := range all {
		ask(i)
	}
	return targets, fails
}

var testLabels = []string{"L0", "L1", "END"}

// agreeWithSpacer compares one program.
func agreeWithSpacer(t testing.TB, seed uint64) (fails bool, err error) {
	g := random(t, seed)
	a, err := checker.Analyse(context.Background(), g.Prog, checker.Options{ErrorLabels: testLabels})
	if err != nil {
		t.Fatal(err)
	}
	targets, fails := question(g, a, seed)
	sat, err := spacer(t, clauses(t, g, targets))
	if err == nil && sat == fails {
		err = fmt.Errorf("Spacer says that something fails: %v, the checker: %v", !sat, fails)
	}
	return fails, err
}

func TestAgreesWithSpacer(t *testing.T) {
	needZ3(t)
	n := testkit.Count[uint64](60, 2000)
	failing, holding, late := 0, 0, 0
	for seed := range n {
		fails, err := agreeWithSpacer(t, seed)
		switch {
		case err == errTimeout:
			late++
		case err != nil:
			t.Fatalf("seed %d: %v\n%s", seed, err, random(t, seed).Prog)
		case fails:
			failing++
		default:
			holding++
		}
	}
	t.Logf("%d questions: %d fail, %d hold, %d not answered in time", n, failing, holding, late)
	if failing < int(n/5) || holding < int(n/5) || late > int(n/20) {
		t.Error("the programs exercise too little, or Spacer was too slow")
	}
}

// template is T(N) of Ball–Rajamani 2000, Fig. 5: an execution has more than 2^N steps.
func template(n int) string {
	var b strings.Builder
	b.WriteString("decl g;\nvoid main() begin decl h; h := g; level1(); level1(); if (!g) then reach: skip; fi assert(g = h); end\n")
	for i := 1; i <= n; i++ {
		inner := "skip"
		if i < n {
			inner = fmt.Sprintf("level%d()", i+1)
		}
		fmt.Fprintf(&b, `void level%d() begin
    decl a, b, c;
    if (g) then
        a, b, c := 0, 0, 0;
        while (!a | !b | !c) do
            if (!a) then a := 1;
            elsif (!b) then a, b := 0, 1;
            elsif (!c) then a, b, c := 0, 0, 1;
            else skip; fi
        od
    else %[2]s; %[2]s; fi
    g := !g;
end
`, i, inner)
	}
	return b.String()
}

func parse(t testing.TB, name, text string) *boolprog.Graph {
	t.Helper()
	p, _, err := boolprog.Parse(source.NewFile(name, []byte(text)), boolprog.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return graphOf(t, p)
}

// On T(N) too, of which both questions are asked: the label is reached, the assertion
// holds.
func TestTemplate(t *testing.T) {
	needZ3(t)
	for n := 1; n <= 3; n++ {
		g := parse(t, "t.bp", template(n))
		for _, opts := range []checker.Options{{Reach: "reach"}, {}} {
			a, err := checker.Analyse(context.Background(), g.Prog, opts)
			if err != nil {
				t.Fatal(err)
			}
			_, all, _ := checker.Sites(g, opts)
			if len(all) != 1 {
				t.Fatal(all)
			}
			start := time.Now()
			sat, err := spacer(t, clauses(t, g, []Target{{all[0].Proc, all[0].Node, all[0].Fails}}))
			if err != nil || sat == a.Result.Sites[0].Failed {
				t.Errorf("T(%d), %+v: sat %v, %v; the checker: %s", n, opts, sat, err, a.Result.Summary())
			}
			t.Logf("T(%d), %+v: sat %v in %v", n, opts, sat, time.Since(start).Round(time.Millisecond))
		}
	}
}
