package chc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"c2bp/boolprog"
	"c2bp/checker"
	"c2bp/internal/testkit"
	"c2bp/verdict"
)

var update = testkit.Update

// questions are the sites that checker decides.
func questions(t testing.TB, g *boolprog.Graph) (targets []Target) {
	t.Helper()
	_, sites, err := checker.Sites(g, checker.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range sites {
		targets = append(targets, Target{s.Proc, s.Node, s.Fails})
	}
	return targets
}

// Each archive in testdata has the program in.bp; out/clauses is its encoding,
// out/answer what its least solution makes a Horn solver say. The checker must agree.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no archives", err)
	}
	for _, file := range files {
		ar, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		g := parse(t, "in.bp", string(ar.Files[0].Data))
		text := clauses(t, g, questions(t, g))
		if text != clauses(t, g, questions(t, g)) {
			t.Errorf("%s: the output is not always the same", file)
		}
		answer := "sat"
		for _, fired := range solveHorn(t, text).queries() {
			if fired {
				answer = "unsat"
			}
		}
		r, err := checker.Check(context.Background(), g.Prog, checker.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if want := map[verdict.Verdict]string{verdict.True: "sat", verdict.False: "unsat"}[r.Verdict]; answer != want {
			t.Errorf("%s: %s, but the checker says %s", file, answer, r.Summary())
		}
		got := &txtar.Archive{Comment: ar.Comment, Files: []txtar.File{
			ar.Files[0],
			{Name: "out/clauses", Data: []byte(text)},
			{Name: "out/answer", Data: []byte(answer + "\n")},
		}}
		have, want := string(txtar.Format(got)), string(txtar.Format(ar))
		if *update {
			if err := os.WriteFile(file, []byte(have), 0o644); err != nil {
				t.Fatal(err)
			}
		} else if have != want {
			t.Errorf("%s differs (run with -update to accept):\n%s", file, have)
		}
	}
}

// Different names have different symbols, which SMT-LIB can read.
func TestSymbols(t *testing.T) {
	names := []string{
		"x", "and", "true", "let", "_x", "a-b", "a#b", "{x == 1}", "{a || b}", "{a %7C%7C b}", "{a %257C b}", `{c == '\\'}`, `{c == '%5C'}`,
		"{x % 2}", "{x %25}", "{x %}", "{é}", "{%C3%A9}", "%61nd", "{x}.in", "{x",
	}
	seen := map[string]string{}
	for _, name := range names {
		for _, suffix := range []string{"", ".in", ".next", ".3"} {
			s := symbol(name, suffix)
			bare := strings.Trim(s, "|")
			if other, twice := seen[bare]; twice {
				t.Errorf("%s and %s are both %s", name+" "+suffix, other, s)
			}
			seen[bare] = name + " " + suffix
			if strings.ContainsAny(bare, `|\`) || taken[bare] || (len(s) == len(bare)) != isSimple(bare) {
				t.Errorf("%s is no symbol", s)
			}
		}
	}
	for name, want := range map[string]string{"x": "x", "{x == 1}": "|{x == 1}|", "{a || b}": "|{a %7C%7C b}|", "and": "%61nd", "{x % 2}": "|{x % 2}|"} {
		if got := symbol(name, ""); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// Nesting and length cost no stack.
func TestDeepExpressions(t *testing.T) {
	const depth = 50_000
	nest := func(open, shut string) string { return strings.Repeat(open, depth) + "x" + strings.Repeat(shut, depth) }
	for _, e := range []string{nest("!", ""), nest("(", " & x | x)"), nest("choose(x, ", ")"), nest("(x => !", ")")} {
		g := parse(t, "deep.bp", "decl x; void main() begin x := "+e+"; assert("+e+"); end")
		text := clauses(t, g, questions(t, g))
		if open, shut := strings.Count(text, "("), strings.Count(text, ")"); open != shut+commentParens(text) {
			t.Errorf("%.20s: %d parentheses open, %d close", e, open, shut)
		}
	}
}

// commentParens is how many more parentheses open than close in comments.
func commentParens(text string) (n int) {
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, ";") {
			n += strings.Count(line, "(") - strings.Count(line, ")")
		}
	}
	return n
}

// Long programs and long chains of calls take time linear in their length.
func TestLongProgram(t *testing.T) {
	var b strings.Builder
	b.WriteString("decl g; void main() begin p0(); end\n")
	const n = 10_000
	for i := range n {
		fmt.Fprintf(&b, "void p%d() begin p%d(); end\n", i, i+1)
	}
	fmt.Fprintf(&b, "void p%d() begin %s assert(g); end\n", n, strings.Repeat("g := !g; ", n))
	g := parse(t, "long.bp", b.String())
	if text := clauses(t, g, questions(t, g)); len(text) > 1000*n {
		t.Errorf("%d bytes", len(text))
	}
}

// Write stops when it is told to, and tells that it could not write.
func TestWriteStops(t *testing.T) {
	g := parse(t, "t.bp", template(50))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := Write(ctx, io.Discard, g, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if err := Write(context.Background(), full{}, g, nil); !errors.Is(err, errFull) {
		t.Errorf("disk full: %v", err)
	}
}

var errFull = errors.New("full")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }
