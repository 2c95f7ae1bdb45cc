package abstract

import (
	"fmt"
	"testing"

	"c2bp/frontend/core"
	"c2bp/internal/testkit"
)

// edges checks that the Boolean program has exactly the control flow of the core
// program: behind the statements of a node come those of its successors and no others.
func (s *simulation) edges() error {
	for p, sp := range s.procs {
		for i, first := range sp.first {
			want := map[int]bool{}
			for _, j := range p.Nodes[i].Succ {
				want[sp.first[j]] = true
			}
			got := sp.behind(first)
			for n := range got {
				if !want[n] {
					return fmt.Errorf("%s leads to Boolean node %d, which starts none of its successors", p.NodeID(i), n)
				}
				delete(want, n)
			}
			if len(want) > 0 {
				return fmt.Errorf("%s does not lead to all its successors", p.NodeID(i))
			}
		}
	}
	return nil
}

// behind is the starts of nodes that control reaches from Boolean node n first.
func (sp *simProc) behind(n int) map[int]bool {
	out, seen := map[int]bool{}, map[int]bool{n: true}
	work := []int{n}
	for len(work) > 0 {
		m := work[len(work)-1]
		work = work[:len(work)-1]
		for _, next := range sp.bp.Nodes[m].Succ {
			switch {
			case sp.start[next]:
				out[next] = true
			case next == sp.bp.Exit && isReturn(sp, m):
			case !seen[next]:
				seen[next] = true
				work = append(work, next)
			}
		}
	}
	return out
}

func isReturn(sp *simProc, n int) bool {
	return len(sp.bp.Nodes[n].Succ) == 1 && sp.bp.Nodes[n].Stmt != nil
}

// TestShape: structured or not, control flow is kept edge for edge.
func TestShape(t *testing.T) {
	for seed := range testkit.Count[uint64](400, 400) {
		prog, _ := generated(seed)
		s, err := newSimulation(prog, nil, Options{Jobs: 1})
		if err != nil {
			t.Fatalf("program %d: %v", seed, err)
		}
		if err := s.edges(); err != nil {
			t.Fatalf("program %d: %v\n%s\n%s", seed, err, prog, s.graph.Prog)
		}
	}
}

// TestShapeDeep: an if in an if in an if, far beyond the depth to which structure is
// recovered, and a long chain of early returns.
func TestShapeDeep(t *testing.T) {
	const depth = 5000
	p := &core.Proc{Name: "main", CName: "main", RetType: core.Void{}}
	add := func(s core.Stmt, succ ...int) { p.Nodes = append(p.Nodes, &core.Node{Stmt: s, Succ: succ}) }
	cond := core.NewConst(1, core.Int32)
	exit := 3*depth + 1
	for i := range depth {
		add(&core.Branch{}, 3*i+1, 3*i+2)
		add(&core.Assume{Cond: cond}, 3*i+3)
		out := exit
		if i%2 == 0 {
			out = exit - 1
		}
		add(&core.Assume{Cond: core.Negate(cond)}, out)
	}
	add(&core.Skip{}, exit)
	add(&core.Return{})
	prog := &core.Program{Procs: []*core.Proc{p}, Entry: p}
	s, err := newSimulation(prog, nil, Options{Jobs: 1})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.edges(); err != nil {
		t.Fatal(err)
	}
}
