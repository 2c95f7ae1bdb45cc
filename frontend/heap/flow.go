package heap

import (
	"c2bp/frontend/core"
)

// This file finds what control may reach after an object was freed. It does not distinguish calls: where a
// procedure returns, control goes to all its callers.

// flow is the control flow of a program.
type flow struct {
	prog    *core.Program
	callers map[*core.Proc][]position
}

// position is a node of a procedure.
type position struct {
	proc *core.Proc
	node int
}

// newFlow returns the flow of a program that has been through devirt.Resolve.
func newFlow(p *core.Program) *flow {
	f := &flow{p, map[*core.Proc][]position{}}
	for _, q := range p.Procs {
		for i, n := range q.Nodes {
			if c, ok := n.Stmt.(*core.Call); ok {
				for _, r := range f.entered(c) {
					f.callers[r] = append(f.callers[r], position{q, i})
				}
			}
		}
	}
	return f
}

// entered lists the procedures with a body that c may enter: all of them, if it calls through a pointer that is
// not resolved.
func (f *flow) entered(c *core.Call) (list []*core.Proc) {
	if c.Callee != nil {
		if c.Callee.HasBody() {
			list = append(list, c.Callee)
		}
		return list
	}
	for _, q := range f.prog.Procs {
		if q.HasBody() {
			list = append(list, q)
		}
	}
	return list
}

// after returns the nodes that control may reach after one of the nodes from was executed.
func (f *flow) after(from []position) map[*core.Node]bool {
	seen := map[*core.Node]bool{}
	var work []position
	next := func(q *core.Proc, list []int) {
		for _, i := range list {
			if n := q.Nodes[i]; !seen[n] {
				seen[n] = true
				work = append(work, position{q, i})
			}
		}
	}
	for _, at := range from {
		next(at.proc, at.proc.Nodes[at.node].Succ)
	}
	for len(work) > 0 {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		n := at.proc.Nodes[at.node]
		switch s := n.Stmt.(type) {
		case *core.Call:
			for _, q := range f.entered(s) {
				next(q, []int{0})
			}
		case *core.Return:
			for _, c := range f.callers[at.proc] {
				next(c.proc, c.proc.Nodes[c.node].Succ)
			}
		}
		next(at.proc, n.Succ)
	}
	return seen
}
