package alias

import (
	"fmt"
	"slices"

	"c2bp/frontend/core"
	"c2bp/source"
)

// Result answers questions about one program. It is read-only, and safe for
// concurrent use.
type Result struct {
	prog    *core.Program
	solver  *solver
	mutated mutation

	globals  map[*core.Var]int // position in prog.Globals
	cells    *cellTable
	effects  map[*core.Proc]*effect // shared within a component
	external map[*core.Call]*effect // what calls change outside of procedures with a body
}

// Analyze analyses p, which must be valid. What calls through pointers may call is
// found on the way, so p need not have been through [Resolve].
func Analyze(p *core.Program) *Result { return analyze(p, 0) }

func analyze(p *core.Program, m mutation) *Result {
	s := newSolver(p, m)
	s.build()
	s.solve()
	r := &Result{prog: p, solver: s, mutated: m, globals: map[*core.Var]int{}}
	for i, g := range p.Globals {
		r.globals[g] = i
	}
	r.findEffects()
	return r
}

// PointsTo is what e, the value of a pointer or of anything else that may carry an
// address, may point to at any time. A symbolic constant points to what its
// initial value may point to.
func (r *Result) PointsTo(e core.Expr) Set {
	return newSet(r.solver.objects, r.eval(e))
}

// MayAlias reports whether the places a and b may have a bit in common.
func (r *Result) MayAlias(a, b *core.Mem) bool {
	bitA, bitsA := bitRange(a.Typ, a.Bit)
	bitB, bitsB := bitRange(b.Typ, b.Bit)
	return r.PointsTo(a.Addr).overlaps(bitA, bitsA, r.PointsTo(b.Addr), bitB, bitsB)
}

// Objects is the objects of the program, the Outside one first, in a fixed order.
func (r *Result) Objects() []*Object {
	var out []*Object
	for _, o := range r.solver.objects {
		if o.Kind < number {
			out = append(out, o)
		}
	}
	return out
}

// siteName is the name of the object that node i of p allocates.
func siteName(taken map[string]int, p *core.Proc, i int) string {
	name := "alloc@" + p.NodeID(i)
	if pos := p.Nodes[i].Pos; pos != (source.Pos{}) {
		name = fmt.Sprintf("alloc@%s:%d", pos.File, pos.Line)
	}
	taken[name]++
	if n := taken[name]; n > 1 {
		name += fmt.Sprintf("#%d", n)
	}
	return name
}

// eval is the addresses that e may be, in any order and with repetitions. It agrees
// with solver.value, but makes no vertices.
func (r *Result) eval(e core.Expr) []address {
	s := r.solver
	switch e := e.(type) {
	case *core.Const:
		if e.Val.Sign() == 0 {
			return []address{s.addresses[zeroAddress]}
		}
		return []address{s.addresses[numberAddress]}
	case *core.VarRef:
		return r.variable(e)
	case *core.Mem:
		first, bits := bitRange(e.Typ, e.Bit)
		return r.contents(r.eval(e.Addr), first, bits)
	case *core.AddrOf:
		return []address{{s.object(e.Var), 0, 0}}
	case *core.FuncAddr:
		return []address{{s.function[e.Proc], 0, 0}}
	case *core.Offset:
		return r.move(r.eval(e.X), move{movePointer, e.Off, 0})
	case *core.Index:
		return r.index(e)
	case *core.ToPtr:
		list := r.eval(e.X)
		if s.narrow(e.X.Type()) {
			list = r.move(list, move{mode: widen})
		}
		return r.move(list, move{mode: cast})
	case *core.ToInt:
		if s.mutated == forgetIntegers {
			return []address{s.addresses[numberAddress]}
		}
		return r.eval(e.X)
	case *core.Conv:
		list := r.eval(e.X)
		if s.narrow(e.X.Type()) && !s.narrow(e.To) {
			list = r.move(list, move{mode: widen})
		}
		return list
	case *core.Unary:
		if e.Op != core.Not {
			return r.move(r.eval(e.X), move{mode: mix})
		}
	case *core.Binary:
		if !e.Op.IsComparison() && !e.Op.IsLogical() {
			return r.arithmetic(e)
		}
	case *core.Cond:
		return append(r.eval(e.X), r.eval(e.Y)...)
	}
	return []address{s.addresses[numberAddress]}
}

// variable is the addresses that a variable may hold.
func (r *Result) variable(e *core.VarRef) []address {
	v := e.Var
	if v.InMemory() {
		first, bits := bitRange(v.Type, 0)
		return r.contents([]address{{r.solver.object(v), 0, 0}}, first, bits)
	}
	var out []address
	if n, ok := r.solver.values[v]; ok {
		out = r.solver.members(out, n)
	}
	if v.Init != nil {
		out = append(out, r.eval(v.Init)...)
	}
	return out
}

// members appends the addresses in vertex n.
func (s *solver) members(out []address, n int32) []address {
	for _, a := range s.vertices[s.find(n)].set {
		out = append(out, s.addresses[a])
	}
	return out
}

// contents is the addresses that the cells at the addresses in list may hold.
func (r *Result) contents(list []address, first, bits int64) []address {
	s := r.solver
	var out []address
	for _, a := range list {
		o := s.objects[a.object]
		switch {
		case o.Kind == Outside:
			out = append(out, s.addresses[outsideAddress])
		case o.isMemory():
			c, ok := cell{a.off*8 + first, a.stride * 8, bits}.in(o.bits())
			if n, known := s.memories[a.object].viewOf[c]; ok && known {
				out = s.members(out, n)
				continue
			}
			for _, p := range s.memories[a.object].slots {
				if ok && s.sees(p.cell, c) {
					out = s.members(out, p.vertex)
				}
			}
		}
	}
	slices.SortFunc(out, address.compare)
	return slices.Compact(out)
}

// move is the addresses in list displaced.
func (r *Result) move(list []address, m move) []address {
	out := make([]address, 0, len(list))
	for _, a := range list {
		if b, ok := m.apply(a, r.solver.objects[a.object]); ok {
			out = append(out, b)
		}
	}
	return out
}

func (r *Result) index(e *core.Index) []address {
	if t, ok := e.X.(*core.ToPtr); ok {
		if _, ok := constant(t.X); ok {
			return r.move(r.eval(e.I), move{mode: mix})
		}
	}
	k, ok := constant(e.I)
	switch {
	case ok && (k == 0 || abs(k) < limit && e.Size < limit/(abs(k)+1)):
		return r.move(r.eval(e.X), move{movePointer, k * e.Size, 0})
	case r.mutated == noStrides:
		return r.eval(e.X)
	}
	return r.move(r.eval(e.X), move{movePointer, 0, e.Size})
}

func (r *Result) arithmetic(e *core.Binary) []address {
	if !r.solver.narrow(e.X.Type()) {
		if k, ok := constant(e.Y); ok && e.Op == core.Add {
			return r.move(r.eval(e.X), move{moveInteger, k, 0})
		} else if ok && e.Op == core.Sub && k > -limit {
			return r.move(r.eval(e.X), move{moveInteger, -k, 0})
		}
		if k, ok := constant(e.X); ok && e.Op == core.Add {
			return r.move(r.eval(e.Y), move{moveInteger, k, 0})
		}
	}
	return r.move(append(r.eval(e.X), r.eval(e.Y)...), move{mode: mix})
}
