package bpgen

import (
	"context"
	"strings"
	"testing"

	"c2bp/boolprog"
	"c2bp/boolprog/refexec"
	"c2bp/source"
)

func graphOf(t *testing.T, text string) *boolprog.Graph {
	t.Helper()
	p, warns, err := boolprog.Parse(source.NewFile("manager.bp", []byte(text)), boolprog.ParseOptions{})
	if err != nil || len(warns) > 0 {
		t.Fatal(err, warns)
	}
	if _, err := boolprog.Check(p); err != nil {
		t.Fatal(err)
	}
	return boolprog.BuildGraph(p)
}

// TestTransactionManagerShape checks what Qadeer–Rajamani 2005 says of its program.
func TestTransactionManagerShape(t *testing.T) {
	text := TransactionManager(TransactionConfig{})
	if text != TransactionManager(TransactionConfig{}) {
		t.Error("two texts")
	}
	if n := strings.Count(text, "\n"); n < 900 || n > 1100 {
		t.Errorf("%d lines", n)
	}
	g := graphOf(t, text)
	allocating, sites := map[string]int{}, map[string]int{}
	all := 0
	for _, p := range g.Procs {
		for _, n := range p.Nodes {
			switch n.Kind {
			case boolprog.NodeAssign:
				if _, ok := n.Assign.Rhs[0].(*boolprog.New); ok {
					allocating[p.Proc.Name]++
					all++
				}
			case boolprog.NodeCall:
				sites[n.Callee.Proc.Name]++
			}
		}
	}
	shared := 0
	for name := range allocating {
		shared += one(sites[name] > 1)
	}
	t.Logf("%d places allocate, in %d procedures, of which %d are called from several sites", all, len(allocating), shared)
	if all != 57 || shared < 5 {
		t.Errorf("%d places allocate, in %d procedures called from several sites", all, shared)
	}
}

// TestTransactionManagerIsSafe runs a small manager in every way, without and with its
// bug.
func TestTransactionManagerIsSafe(t *testing.T) {
	c := TransactionConfig{Managers: 1, Sites: -1, Operations: 9, Unrelated: -1, Locals: -1}
	for _, c.Bug = range []bool{false, true} {
		r, err := refexec.Explore(context.Background(), graphOf(t, TransactionManager(c)), refexec.Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%d states", r.States)
		if !r.Complete || len(r.Failures) > 0 || len(r.Nulls) > 0 != c.Bug {
			t.Errorf("with bug %t: %+v", c.Bug, *r)
		}
	}
}
