package checker

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"c2bp/boolprog"
	"c2bp/internal/testkit"
	"c2bp/source"
	"c2bp/verdict"
)

var update = testkit.Update

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
// calls expanded, work counters, and reachable valuations of every node or, of programs
// with references, summaries.
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
	if s, ok := a.Solution.(Summarised); ok {
		add("summaries", showSummaries(t, s))
		add("summaries-of-whole-states", showSummaries(t, wholeStates(t, in["in.bp"])))
	} else if a.Solution != nil {
		add("valuations", showValuations(t, a))
		sameByExplicit(t, a, in["in.bp"], Options{Reach: strings.TrimSpace(in["reach"])})
	}
	if a.Solution != nil {
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

// wholeStates is what the explicit engine finds if patterns are whole visible states.
func wholeStates(t *testing.T, text string) Summarised {
	a, err := Analyse(context.Background(), parse(t, "in.bp", text), Options{WholeStates: true})
	if err != nil {
		t.Fatal(err)
	}
	return a.Solution.(Summarised)
}

func showSummaries(t *testing.T, s Summarised) string {
	var b strings.Builder
	if err := s.Summaries(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// sameByExplicit checks that the explicit engine says the same of a program without
// references.
func sameByExplicit(t *testing.T, a *Analysis, text string, opts Options) {
	opts.Engine = "explicit"
	b, err := Analyse(context.Background(), parse(t, "in.bp", text), opts)
	if err != nil {
		t.Fatal(err)
	}
	if ours, theirs := showVerdict(b.Result), showVerdict(a.Result); siteStates(ours) != siteStates(theirs) {
		t.Errorf("the explicit engine says otherwise:\n%s", ours)
	}
}

// siteStates is all but the first line, which tells the site that a trace leads to.
func siteStates(verdict string) string {
	_, rest, _ := strings.Cut(verdict, "\n")
	return rest
}

func showVerdict(r *verdict.Result) string {
	var b strings.Builder
	fmt.Fprintln(&b, r.Summary())
	for _, s := range r.Sites {
		state := "holds"
		switch {
		case s.Failed:
			state = "fails"
		case s.Open:
			state = "open"
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
		for _, o := range st.Heap {
			var fields []string
			for _, f := range o.Fields {
				fields = append(fields, f.Name+"="+f.Val)
			}
			vals = append(vals, o.Name+"{"+strings.Join(fields, " ")+"}")
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
