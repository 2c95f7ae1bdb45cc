package boolprog

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"c2bp/internal/testkit"
	"c2bp/source"

	"github.com/rogpeppe/go-internal/txtar"
)

var update = testkit.Update

// TestGolden parses the file in.bp of every testdata/golden/*.txtar and compares
// its printed form, the warnings and the control-flow graph. The archive's comment
// may name the dialect in a line "dialect: boppo".
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/golden/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden files (%v)", err)
	}
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) { golden(t, name) })
	}
}

func golden(t *testing.T, name string) {
	archive, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	opts := ParseOptions{}
	if strings.Contains(string(archive.Comment), "dialect: boppo") {
		opts.Dialect = "boppo"
	}
	in := archive.Files[0]
	p, warns, err := Parse(source.NewFile(in.Name, in.Data), opts)
	if err != nil {
		t.Fatal(err)
	}
	roundTrip(t, p, opts)
	more, err := Check(p)
	if err != nil {
		t.Fatal(err)
	}
	warnings := append(warns, more...).Error()
	if warnings != "" {
		warnings += "\n"
	}
	got := []txtar.File{in,
		{Name: "out.bp", Data: []byte(p.String())},
		{Name: "warnings", Data: []byte(warnings)},
		{Name: "graph", Data: []byte(graphString(graph(t, p)))},
	}
	if *update {
		archive.Files = got
		if err := os.WriteFile(name, txtar.Format(archive), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	for i, f := range got {
		if i >= len(archive.Files) || archive.Files[i].Name != f.Name || string(archive.Files[i].Data) != string(f.Data) {
			t.Errorf("%s differs; now it is (go test -update writes it)\n%s", f.Name, f.Data)
		}
	}
}

// graphString prints a graph, one node a line: number, labels, what it does, successors.
func graphString(g *Graph) string {
	var b strings.Builder
	for _, p := range g.Procs {
		fmt.Fprintf(&b, "%s: entry %d\n", p.Proc.Name, p.Entry)
		for i, n := range p.Nodes {
			fmt.Fprintf(&b, "%4d  ", i)
			for _, l := range n.Labels {
				b.WriteString(l + ": ")
			}
			inside := ""
			if n.Inside {
				inside = ", atomic"
			}
			fmt.Fprintf(&b, "%s -> %v%s\n", nodeString(n), n.Succ, inside)
		}
	}
	return b.String()
}

func nodeString(n *Node) string {
	switch n.Kind {
	case NodeSkip:
		return "skip (" + StmtString(n.Stmt.Op) + ")"
	case NodeAssume:
		return "assume " + ExprString(n.Cond)
	case NodeAssert:
		return "assert " + ExprString(n.Cond)
	case NodeBranch:
		return "branch " + ExprString(n.Cond)
	case NodeAssign:
		return StmtString(n.Assign)
	case NodeDead:
		return StmtString(n.Dead)
	case NodeCall:
		return "call " + n.Callee.Proc.Name + " in " + StmtString(n.Call)
	case NodeReturn:
		return "return " + exprs(n.Values)
	case NodeStart, NodeEnd:
		return StmtString(n.Stmt.Op)
	}
	return "exit"
}
