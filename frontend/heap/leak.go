package heap

import (
	"c2bp/frontend/checks"
	"c2bp/frontend/core"
	"c2bp/frontend/core/splice"
	"c2bp/frontend/models"
)

// This file says what must hold at the end of the program: the object that is watched does not live any more. The
// property stands where the object is allocated.
//
//	main: … call heap$end(); return         proc heap$end()
//	exit(1): call heap$end(); exit(1)         assert state != alive || site != 1      memory leak: malloc(16)
//
// An object whose address is known outside is left out: others may free it, now or later. The ends of a program are
// the return of main and calls of exit. Neither abort nor _exit nor a failure is one: a program that ends so does not
// tidy up.

// leakSite is an allocation whose objects are to be freed in the end.
type leakSite struct {
	node *core.Node
	proc *core.Proc
}

// findLeakSites finds these allocations, and numbers them from 1.
func (in *instrumenter) findLeakSites() {
	if !in.kinds.Has(checks.Leak) {
		return
	}
	for _, q := range in.Prog.Procs {
		for _, n := range q.Nodes {
			s, ok := n.Stmt.(*core.Alloc)
			if !ok || in.sites[s] == nil || n.Pos.File == models.ExitName {
				continue
			}
			if in.sites[s].Escaped {
				in.ledger.add(leftToOthers)
				continue
			}
			in.leaks = append(in.leaks, leakSite{n, q})
			in.number[s] = int64(len(in.leaks))
		}
	}
	if len(in.leaks) > 0 {
		in.site = in.Global("site", core.Int32)
	}
}

// atEnds puts calls of a procedure with the assertions at the ends of the program.
func (in *instrumenter) atEnds() {
	if len(in.leaks) == 0 {
		return
	}
	// 1. The procedure.
	end := &core.Proc{Name: in.Name("end"), CName: "end of the program", Pos: in.Prog.Entry.Pos, RetType: core.Void{}}
	for _, l := range in.leaks {
		s := l.node.Stmt.(*core.Alloc)
		freed := is(core.LOr, in.stateIs(core.Ne, alive), is(core.Ne, in.site.Ref(), number(in.number[s])))
		nodes := in.assertion(checks.MemoryLeak, called(l.node), l.node, freed)
		nodes[0].Text, nodes[0].First, nodes[0].Pos = "the end of the program", true, in.Prog.Entry.Pos
		end.Nodes = splice.Chain(end.Nodes, nodes)
	}
	end.Nodes = append(end.Nodes, &core.Node{Stmt: &core.Return{}, Pos: end.Pos})
	// 2. Its calls.
	for _, q := range in.Prog.Procs {
		var e splice.Edit
		for i, n := range q.Nodes {
			if q == in.Prog.Entry && i == q.Exit() || endsProgram(q, n) {
				call := splice.Line(n.Pos, &core.Call{Callee: end})
				call[0].Text, call[0].First = "the end of the program", true
				e.Before(i, call, nil)
			}
		}
		e.Apply(q)
	}
	in.Prog.Procs = append(in.Prog.Procs, end)
}

// endsProgram reports whether the program ends at n, a node of q: at a call of exit, or in exit after the functions
// that were registered for the end.
func endsProgram(q *core.Proc, n *core.Node) bool {
	switch s := n.Stmt.(type) {
	case *core.Call:
		return s.Callee != nil && !s.Callee.HasBody() && s.Callee.CName == "exit"
	case *core.Assume:
		c, ok := core.ConstantOf(s.Cond)
		return ok && c == 0 && q.CName == "exit" && q.Pos.File == models.ExitName
	}
	return false
}
