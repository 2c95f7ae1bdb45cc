package alias

import (
	"slices"

	"c2bp/frontend/core"
)

// This file says of which numbers in structs the addresses are that the program passes to a procedure, where that is seen in its
// text: as if the procedure were in the place of each call.
//
//	static void set_bit(int n, unsigned long *word) { word[n / 64] |= 1UL << n % 64; }
//	set_bit(n, &dev->state);                         a word of dev->state
//	set_bit(n, (unsigned long *)&dev->list);         any word of the struct, and so of dev: not said here

// passed is the arguments of the calls of a program.
type passed struct {
	prog   *core.Program
	flow   *core.Flow
	others map[*core.Proc]bool          // procedures that others may call, too
	set    map[*core.Var]bool           // formals that their procedures set
	known  map[*core.Var][]*core.Offset // answers of numbers
}

// passed returns the arguments of all calls, which are found when they are first needed.
func (r *Result) passed() *passed {
	if r.passes != nil {
		return r.passes
	}
	p := &passed{r.prog, core.NewFlow(r.prog), map[*core.Proc]bool{}, map[*core.Var]bool{}, map[*core.Var][]*core.Offset{}}
	for _, q := range r.solver.escapedProcs {
		p.others[q] = true
	}
	for _, q := range r.prog.Procs {
		for _, n := range q.Nodes {
			for _, l := range core.Destinations(n.Stmt) {
				if v, ok := l.(*core.VarRef); ok {
					p.set[v.Var] = true
				}
			}
		}
	}
	r.passes = p
	return p
}

// numbers lists the addresses of members that e is one of: itself, or the argument that it is in each call. The members are numbers,
// pointers or arrays of these. It is empty if e may be anything else.
func (p *passed) numbers(e core.Expr) []*core.Offset {
	v, isVar := e.(*core.VarRef)
	if isVar {
		if list, known := p.known[v.Var]; known {
			return list
		}
	}
	list, ok := p.ofValue(e, map[*core.Var]bool{})
	if !ok {
		list = nil
	}
	if isVar {
		p.known[v.Var] = list
	}
	return list
}

// ofValue lists the addresses that e is one of; ok is false if it may be anything else. The formals in seen are looked at already.
func (p *passed) ofValue(e core.Expr, seen map[*core.Var]bool) (list []*core.Offset, ok bool) {
	if o, isOffset := e.(*core.Offset); isOffset && isNumberIn(o) {
		return []*core.Offset{o}, true
	}
	ref, isVar := e.(*core.VarRef)
	if !isVar {
		return nil, false
	}
	// 1. A formal that is what the calls pass.
	v := ref.Var
	if v.Kind != core.Formal || v.InMemory() || p.set[v] || p.others[v.Proc] || v.Proc == p.prog.Entry {
		return nil, false
	}
	if seen[v] {
		return nil, true
	}
	seen[v] = true
	// 2. What each of them passes.
	i := slices.Index(v.Proc.Formals, v)
	for _, at := range p.flow.Callers(v.Proc) {
		args := at.Proc.Nodes[at.Node].Stmt.(*core.Call).Args
		if i < 0 || i >= len(args) {
			return nil, false
		}
		more, ok := p.ofValue(args[i], seen)
		if !ok {
			return nil, false
		}
		list = append(list, more...)
	}
	return list, true
}

// isNumberIn reports whether o is the address of a member that is a number, a pointer or an array of these, and nothing else.
func isNumberIn(o *core.Offset) bool {
	if o.Of == nil {
		return false
	}
	in := func(m core.Member) bool { return m.Off <= o.Member && o.Member < m.Off+span(m) }
	return slices.ContainsFunc(o.Of.Members, in) &&
		!slices.ContainsFunc(o.Of.Members, func(m core.Member) bool { return in(m) && (m.Record != nil || m.Count == 0) })
}

// spot is a place that a procedure accesses as a number, as the member of which it was passed the address.
type spot struct {
	typed
	of *core.Offset // the address that was passed, nil if nothing is known of it
}

// spots lists the places outside that l may be.
func (r *Result) spots(l *core.Mem) []spot {
	if r.follows == nil {
		return []spot{{typed: typed{wild: true}}}
	}
	return r.follows.spots(r.follows.shown(l))
}

// spots lists the places outside that a may be to, a alone if it is not known of which members its address is. An index leads to
// another word of the member, where no access leaves an array, or a number that is none.
func (f *follows) spots(a access) []spot {
	unknown := []spot{{typed: a.typed}}
	if a.wild || a.shape.Record != nil || a.inRow && !f.result.prog.ArraysApart {
		return unknown
	}
	var list []spot
	for _, o := range f.result.passed().numbers(a.base) {
		off, size := o.Member+a.start, a.shape.Size
		if off < 0 || off+size > o.Of.Size {
			return unknown
		}
		at := at(0, off)
		if a.inRow {
			row, ok := o.Of.RowAt(off, size)
			if !ok {
				return unknown
			}
			at = address{off: row.Off, stride: size, count: row.Count}
		}
		list = append(list, spot{typed{shape: shapeOf(o.Of), cell: at.cell(a.cell.off, a.cell.bits)}, o})
	}
	if len(list) == 0 {
		return unknown
	}
	return list
}

// mayShare reports whether the places outside of a and b may share a bit.
func (f *follows) mayShare(a, b access) bool {
	if !f.shapes.overlap(a.typed, b.typed) {
		return false
	}
	others := f.spots(b)
	return slices.ContainsFunc(f.spots(a), func(x spot) bool {
		return slices.ContainsFunc(others, func(y spot) bool { return f.shapes.overlap(x.typed, y.typed) })
	})
}
