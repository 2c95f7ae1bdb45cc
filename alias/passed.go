package alias

import (
	"slices"

	"c2bp/frontend/core"
)

// This file says of which members the addresses are that the program passes to a procedure, where that is seen in its text: as if
// the procedure were in the place of each call.
//
//	static void set_bit(int n, unsigned long *word) { word[n / 64] |= 1UL << n % 64; }
//	set_bit(n, &dev->state);                         a word of dev->state

// passed is the arguments of the calls of a program.
type passed struct {
	prog     *core.Program
	flow     *core.Flow
	assigned map[*core.Var]bool           // formals that their procedures change
	known    map[*core.Var][]*core.Offset // answers of members
}

// passed returns the arguments of all calls, which are found when they are first needed.
func (r *Result) passed() *passed {
	if r.passes == nil {
		r.passes = newPassed(r.prog)
	}
	return r.passes
}

// newPassed looks at all calls of prog.
func newPassed(prog *core.Program) *passed {
	p := &passed{prog: prog, flow: core.NewFlow(prog), assigned: map[*core.Var]bool{}, known: map[*core.Var][]*core.Offset{}}
	for _, q := range prog.Procs {
		for _, n := range q.Nodes {
			for _, l := range core.Destinations(n.Stmt) {
				if v, ok := l.(*core.VarRef); ok {
					p.assigned[v.Var] = true
				}
			}
		}
	}
	return p
}

// members lists the addresses of members that e is one of: itself, or the argument that it is in each call. It is empty if e
// may be anything else.
func (p *passed) members(e core.Expr) []*core.Offset {
	switch e := e.(type) {
	case *core.Offset:
		if e.Of != nil {
			return []*core.Offset{e}
		}
	case *core.VarRef:
		list, known := p.known[e.Var]
		if !known {
			list, _ = p.arguments(e.Var, map[*core.Var]bool{})
			p.known[e.Var] = list
		}
		return list
	}
	return nil
}

// arguments lists the addresses that v is one of, the argument of each call; ok is false if it may be anything else. The formals in
// seen are looked at already.
func (p *passed) arguments(v *core.Var, seen map[*core.Var]bool) (list []*core.Offset, ok bool) {
	if v.Kind != core.Formal || v.InMemory() || p.assigned[v] || v.Proc == p.prog.Entry {
		return nil, false
	}
	if seen[v] {
		return nil, true
	}
	seen[v] = true
	i := slices.Index(v.Proc.Formals, v)
	if i < 0 {
		return nil, false
	}
	for _, at := range p.flow.Callers(v.Proc) {
		args := at.Proc.Nodes[at.Node].Stmt.(*core.Call).Args
		if i >= len(args) {
			return nil, false
		}
		switch e := args[i].(type) {
		case *core.Offset:
			if e.Of == nil {
				return nil, false
			}
			list = append(list, e)
		case *core.VarRef:
			more, ok := p.arguments(e.Var, seen)
			if !ok {
				return nil, false
			}
			list = append(list, more...)
		default:
			return nil, false
		}
	}
	return list, true
}

// spot is a place that a procedure accesses as a number, as the member of which it was passed the address.
type spot struct {
	typed
	of *core.Offset // the address that was passed, nil if nothing is known of it
}

// spots lists the places outside that a may be to, a alone if it is not known of which members its address is. An index leads to
// another word of the member, where no access leaves an array, or a number that is none.
func (f *follows) spots(a access) []spot {
	unknown := []spot{{typed: a.typed}}
	if a.wild || a.shape.Record != nil || a.inRow && !f.result.prog.ArraysApart {
		return unknown
	}
	var list []spot
	for _, o := range f.result.passed().members(a.base) {
		off, size := o.Member+a.start, a.shape.Size
		at := at(0, off)
		if a.inRow {
			row, ok := o.Of.RowAt(off, size)
			if !ok {
				return unknown
			}
			at = address{off: row.Off, stride: size, count: row.Count}
		}
		if off < 0 || off+size > o.Of.Size {
			return unknown
		}
		first := a.cell.off
		list = append(list, spot{typed{shape: shapeOf(o.Of), cell: at.cell(first, a.cell.bits)}, o})
	}
	if len(list) == 0 {
		return unknown
	}
	return list
}

// mayShare reports whether the places outside of a and b may share a bit.
func (f *follows) mayShare(a, b access) bool {
	for _, x := range f.spots(a) {
		if slices.ContainsFunc(f.spots(b), func(y spot) bool { return f.shapes.overlap(x.typed, y.typed) }) {
			return true
		}
	}
	return false
}
