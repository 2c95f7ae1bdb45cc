package checker

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"c2bp/boolprog"
	"c2bp/source"
	"c2bp/verdict"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// parse reads a program that is right.
func parse(t testing.TB, name, text string) *boolprog.Program {
	t.Helper()
	p, _, err := boolprog.Parse(source.NewFile(name, []byte(text)), boolprog.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := boolprog.Check(p); err != nil {
		t.Fatal(err)
	}
	return p
}

// Each archive in testdata has the program in.bp and perhaps a file "reach" with a
// label; its sections out/… are what the checker says: verdict, trace with all
// calls expanded, reachable valuations of every node, work counters.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no archives", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) { golden(t, file) })
	}
}

func golden(t *testing.T, file string) {
	ar, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	in := map[string]string{}
	var got txtar.Archive
	got.Comment = ar.Comment
	for _, f := range ar.Files {
		if !strings.HasPrefix(f.Name, "out/") {
			in[f.Name] = string(f.Data)
			got.Files = append(got.Files, f)
		}
	}
	a, err := Analyse(context.Background(), parse(t, "in.bp", in["in.bp"]), Options{Reach: strings.TrimSpace(in["reach"])})
	if err != nil {
		t.Fatal(err)
	}
	add := func(name, text string) {
		if text != "" {
			got.Files = append(got.Files, txtar.File{Name: "out/" + name, Data: []byte(text)})
		}
	}
	add("verdict", showVerdict(a.Result))
	if a.Trace != nil {
		add("trace", showTrace(t, a.Trace, false))
		add("expanded", showTrace(t, a.Trace, true))
	}
	if a.Solution != nil {
		add("valuations", showValuations(t, a))
		add("stats", showStats(a.Result.Stats))
	}
	want := string(txtar.Format(ar))
	have := string(txtar.Format(&got))
	if *update {
		if err := os.WriteFile(file, []byte(have), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if have != want {
		t.Errorf("%s differs (run with -update to accept):\n%s", file, have)
	}
}

func showVerdict(r *verdict.Result) string {
	var b strings.Builder
	fmt.Fprintln(&b, r.Summary())
	for _, s := range r.Sites {
		state := "holds"
		if s.Failed {
			state = "fails"
		}
		fmt.Fprintf(&b, "%s: %s in %s: %s  [%s]\n", state, s.What(), s.Proc, s.Text, s.Pos)
	}
	return b.String()
}

// showTrace prints a step a line: + in front of collapsed calls, then the
// statement by depth, then the values before it.
func showTrace(t *testing.T, tr Trace, expand bool) string {
	var b strings.Builder
	for i, st := range tr.Steps() {
		mark := " "
		if st.Collapsed {
			mark = "+"
		}
		var vals []string
		for _, v := range st.Values {
			vals = append(vals, v.Name+"="+v.Val)
		}
		stmt := mark + strings.Repeat("    ", st.Depth) + st.Stmt
		if st.Origin != "" {
			stmt += " <" + st.Origin + ">"
		}
		fmt.Fprintf(&b, "%s\n", strings.TrimRight(fmt.Sprintf("%-40s %s", stmt, strings.Join(vals, " ")), " "))
		if st.Collapsed && expand {
			inner, err := tr.Expand(context.Background(), i)
			if err != nil {
				t.Fatal(err)
			}
			b.WriteString(showTrace(t, inner, expand))
		}
	}
	return b.String()
}

func showValuations(t *testing.T, a *Analysis) string {
	var b strings.Builder
	for _, p := range a.Graph.Procs {
		for v, n := range p.Nodes {
			e, err := a.Solution.Valuations(context.Background(), Point{p.Index, v})
			if err != nil {
				t.Fatal(err)
			}
			stmt := "end"
			if n.Stmt != nil {
				stmt = boolprog.StmtString(n.Stmt.Op)
			}
			fmt.Fprintf(&b, "%-40s %s\n", p.Proc.Name+": "+stmt, boolprog.ExprString(e))
		}
	}
	return b.String()
}

func showStats(stats []verdict.Stat) string {
	var b strings.Builder
	for _, s := range stats {
		fmt.Fprintf(&b, "%-20s %d\n", s.Name, s.Value)
	}
	return b.String()
}
