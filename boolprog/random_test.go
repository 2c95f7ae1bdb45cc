package boolprog_test

import (
	"fmt"
	"slices"
	"testing"

	"c2bp/boolprog"
	"c2bp/boolprog/bpgen"
	"c2bp/internal/testkit"
	"c2bp/source"
)

// programs is the number of random programs in a test.
func programs() uint64 { return testkit.Count[uint64](1000, 100_000) }

// fillBlocks puts a skip into empty blocks, as the parser does.
func fillBlocks(p *boolprog.Program) *boolprog.Program {
	fill := func(list []*boolprog.Stmt) []*boolprog.Stmt {
		if len(list) == 0 {
			list = []*boolprog.Stmt{{Op: &boolprog.Skip{}}}
		}
		return list
	}
	for _, proc := range p.Procs {
		boolprog.InspectStmts(proc.Body, func(s *boolprog.Stmt) {
			switch op := s.Op.(type) {
			case *boolprog.If:
				for i := range op.Thens {
					op.Thens[i] = fill(op.Thens[i])
				}
				if len(op.Else) == 0 {
					op.Else = nil
				}
			case *boolprog.While:
				op.Body = fill(op.Body)
			}
		})
	}
	return p
}

// TestRandomRoundTrip prints programs that no parser has made.
func TestRandomRoundTrip(t *testing.T) {
	for seed := range programs() {
		p := fillBlocks(bpgen.Generate(seed, bpgen.Config{Depth: 3}))
		boolprog.RoundTrip(t, p, boolprog.ParseOptions{})
	}
}

// TestRandomThreads is the same for programs with threads, which were read once already.
func TestRandomThreads(t *testing.T) {
	for seed := range programs() {
		boolprog.RoundTrip(t, bpgen.Threads(seed), boolprog.ParseOptions{})
	}
}

// reads parses "x := text;" and returns the expression and the number of warnings.
func reads(t *testing.T, text string) (boolprog.Expr, int) {
	f := source.NewFile("t.bp", fmt.Appendf(nil, "void main() begin x := %s; end", text))
	p, warns, err := boolprog.Parse(f, boolprog.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return p.Procs[0].Body[0].Op.(*boolprog.Assign).Rhs[0], len(warns)
}

// TestRandomParentheses checks that printed expressions mean the same to all readers.
func TestRandomParentheses(t *testing.T) {
	for seed := range programs() {
		p := bpgen.Generate(seed, bpgen.Config{Depth: 4})
		boolprog.InspectStmts(p.Procs[0].Body, func(s *boolprog.Stmt) {
			a, ok := s.Op.(*boolprog.Assign)
			if !ok {
				return
			}
			text := boolprog.ExprString(a.Rhs[0])
			if e, warns := reads(t, text); warns > 0 || boolprog.ExprString(e) != text {
				t.Errorf("%s is read as %s, with %d warnings", text, boolprog.ExprString(e), warns)
			}
		})
	}
}

// edges are the successors of statements, as the definition of Ball–Rajamani 2000, section
// 2.3 gives them top-down: from a statement to the statements behind it, nil being
// the end of the procedure. It shares nothing with BuildGraph.
type edges struct {
	labels map[string]*boolprog.Stmt
	succ   map[*boolprog.Stmt][]*boolprog.Stmt
}

// block visits a block whose next statement, lexically, is next.
func (d *edges) block(list []*boolprog.Stmt, next *boolprog.Stmt) {
	for i, s := range list {
		follow := next
		if i+1 < len(list) {
			follow = list[i+1]
		}
		first := func(block []*boolprog.Stmt, next *boolprog.Stmt) *boolprog.Stmt {
			if len(block) > 0 {
				return block[0]
			}
			return next
		}
		switch op := s.Op.(type) {
		case *boolprog.If:
			for _, then := range op.Thens {
				d.succ[s] = append(d.succ[s], first(then, follow))
				d.block(then, follow)
			}
			d.succ[s] = append(d.succ[s], first(op.Else, follow))
			d.block(op.Else, follow)
		case *boolprog.While:
			d.succ[s] = []*boolprog.Stmt{first(op.Body, s), follow}
			d.block(op.Body, s)
		case *boolprog.Goto:
			for _, l := range op.Targets {
				d.succ[s] = append(d.succ[s], d.labels[l.Name])
			}
		case *boolprog.Return:
			d.succ[s] = []*boolprog.Stmt{nil}
		default:
			d.succ[s] = []*boolprog.Stmt{follow}
		}
	}
}

// stmtEdges reads the same from a graph: the nodes of an if together are one.
func stmtEdges(p *boolprog.ProcGraph) map[*boolprog.Stmt][]*boolprog.Stmt {
	succ := map[*boolprog.Stmt][]*boolprog.Stmt{}
	for i, n := range p.Nodes {
		for k, to := range n.Succ {
			m := p.Nodes[to]
			isNextCond := n.Kind == boolprog.NodeBranch && k == 1 && m.Stmt == n.Stmt && to > i
			if n.Stmt != nil && !isNextCond {
				succ[n.Stmt] = append(succ[n.Stmt], m.Stmt)
			}
		}
	}
	return succ
}

// TestGraphIsTheDefinition compares graphs with the definition of successors.
func TestGraphIsTheDefinition(t *testing.T) {
	for seed := range programs() {
		p := bpgen.Generate(seed, bpgen.Config{})
		g := boolprog.BuildGraph(p)
		if err := g.Validate(); err != nil {
			t.Fatalf("%v\n%s", err, p)
		}
		for i, proc := range p.Procs {
			d := edges{map[string]*boolprog.Stmt{}, map[*boolprog.Stmt][]*boolprog.Stmt{}}
			boolprog.InspectStmts(proc.Body, func(s *boolprog.Stmt) {
				for _, l := range s.Labels {
					d.labels[l] = s
				}
			})
			d.block(proc.Body, nil)
			got := stmtEdges(g.Procs[i])
			for s, want := range d.succ {
				if !slices.Equal(got[s], want) {
					t.Errorf("seed %d: %s has wrong successors\n%s", seed, boolprog.StmtString(s.Op), p)
				}
			}
			if entry := g.Procs[i].Nodes[g.Procs[i].Entry].Stmt; entry != proc.Body[0] {
				t.Errorf("seed %d: %s starts elsewhere", seed, proc.Name)
			}
		}
	}
}
