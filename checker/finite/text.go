package finite

import (
	"fmt"

	"c2bp/boolprog"
)

// This file writes a translation as a Boolean program that can be read: a label for each node, and gotos.

// Text returns the translation as a program that passes boolprog.Check.
func (t *Program) Text() *boolprog.Program {
	out := &boolprog.Program{Globals: t.Graph.Prog.Globals}
	for _, p := range t.Graph.Procs {
		proc := *p.Proc
		w := &writer{p: p, used: map[int]bool{}}
		for v, n := range p.Nodes {
			for _, s := range n.Succ {
				if s != v+1 || n.Kind == boolprog.NodeBranch {
					w.used[s] = true
				}
			}
		}
		for v, n := range p.Nodes {
			w.node(v, n)
		}
		proc.Body = w.body
		out.Procs = append(out.Procs, &proc)
	}
	return out
}

// writer writes the nodes of a procedure.
type writer struct {
	p    *boolprog.ProcGraph
	used map[int]bool // nodes to which a goto leads
	body []*boolprog.Stmt
}

func (w *writer) label(v int) *boolprog.Ref { return &boolprog.Ref{Name: fmt.Sprint("N", v)} }

// add adds a statement at node v.
func (w *writer) add(v int, first bool, op boolprog.Op) {
	s := &boolprog.Stmt{Op: op}
	if first && w.used[v] {
		s.Labels = []string{w.label(v).Name}
	}
	w.body = append(w.body, s)
}

// jump adds a goto to the successors of node v, if control does not fall through.
func (w *writer) jump(v int, first bool, succ []int) {
	if len(succ) == 1 && succ[0] == v+1 && !first {
		return
	}
	if len(succ) == 0 {
		w.add(v, first, &boolprog.Assume{Cond: no})
		return
	}
	if len(succ) == 1 && succ[0] == v+1 {
		w.add(v, first, &boolprog.Skip{})
		return
	}
	var to boolprog.Goto
	for _, s := range succ {
		to.Targets = append(to.Targets, w.label(s))
	}
	w.add(v, first, &to)
}

// node adds the statements of a node.
func (w *writer) node(v int, n *boolprog.Node) {
	switch n.Kind {
	case boolprog.NodeSkip:
		w.jump(v, true, n.Succ)
		return
	case boolprog.NodeExit:
		w.add(v, true, &boolprog.Skip{})
		return
	case boolprog.NodeReturn:
		w.add(v, true, &boolprog.Return{Values: n.Values})
		return
	case boolprog.NodeBranch:
		to := func(k int) []*boolprog.Stmt {
			return []*boolprog.Stmt{{Op: &boolprog.Goto{Targets: []*boolprog.Ref{w.label(n.Succ[k])}}}}
		}
		w.add(v, true, &boolprog.If{Conds: []boolprog.Expr{n.Cond}, Thens: [][]*boolprog.Stmt{to(0)}, Else: to(1)})
		return
	case boolprog.NodeAssume:
		w.add(v, true, &boolprog.Assume{Cond: n.Cond})
	case boolprog.NodeAssert:
		w.add(v, true, &boolprog.Assert{Cond: n.Cond})
	case boolprog.NodeAssign:
		w.assign(v, n.Assign)
	case boolprog.NodeDead:
		w.dead(v, n.Dead)
	case boolprog.NodeCall:
		call := *n.Call
		if len(call.Lhs) == 0 {
			call.Lhs = nil
		}
		call.Callee = &boolprog.Ref{Name: n.Callee.Proc.Name}
		w.add(v, true, &call)
	}
	w.jump(v, false, n.Succ)
}

// assign adds an assignment; one without targets is an assumption.
func (w *writer) assign(v int, a *boolprog.Assign) {
	switch {
	case len(a.Lhs) > 0:
		w.add(v, true, a)
	case a.Constrain != nil:
		w.add(v, true, &boolprog.Assume{Cond: a.Constrain})
	default:
		w.add(v, true, &boolprog.Skip{})
	}
}

// dead adds a statement that makes variables arbitrary, if there are any.
func (w *writer) dead(v int, d *boolprog.Dead) {
	if len(d.Vars) == 0 {
		w.add(v, true, &boolprog.Skip{})
		return
	}
	w.add(v, true, d)
}
