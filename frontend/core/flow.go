package core

// This file finds where control may come from given nodes. It does not distinguish calls: where a procedure
// returns, control goes to all its callers.

// Position is a node of a procedure.
type Position struct {
	Proc *Proc
	Node int
}

// Flow is the control flow of a program as it is when it is made: positions change with the nodes.
type Flow struct {
	prog    *Program
	callers map[*Proc][]Position
}

// NewFlow returns the flow of p.
func NewFlow(p *Program) *Flow {
	f := &Flow{p, map[*Proc][]Position{}}
	for _, q := range p.Procs {
		for i, n := range q.Nodes {
			if c, ok := n.Stmt.(*Call); ok {
				for _, r := range f.Entered(c) {
					f.callers[r] = append(f.callers[r], Position{q, i})
				}
			}
		}
	}
	return f
}

// Callers returns the calls that may enter p.
func (f *Flow) Callers(p *Proc) []Position { return f.callers[p] }

// Entered lists the procedures with a body that c may enter: all of them, if it calls through a pointer.
func (f *Flow) Entered(c *Call) (list []*Proc) {
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

// After returns the nodes that control may come to after one of the nodes from was executed.
func (f *Flow) After(from []Position) map[*Node]bool {
	seen := map[*Node]bool{}
	var work []Position
	next := func(q *Proc, list []int) {
		for _, i := range list {
			if n := q.Nodes[i]; !seen[n] {
				seen[n] = true
				work = append(work, Position{q, i})
			}
		}
	}
	for _, at := range from {
		next(at.Proc, at.Proc.Nodes[at.Node].Succ)
	}
	for len(work) > 0 {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		n := at.Proc.Nodes[at.Node]
		switch s := n.Stmt.(type) {
		// Enter the callee, and go on after it: it may have no body.
		case *Call:
			for _, q := range f.Entered(s) {
				next(q, []int{0})
			}
		case *Return:
			for _, c := range f.callers[at.Proc] {
				next(c.Proc, c.Proc.Nodes[c.Node].Succ)
			}
		}
		next(at.Proc, n.Succ)
	}
	return seen
}
