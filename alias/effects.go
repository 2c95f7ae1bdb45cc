package alias

import (
	"slices"

	"c2bp/frontend/core"
)

// This file finds what each procedure may change, its callees included.

// effect is what the procedures of one component of the call graph may change, as
// their callers see it.
type effect struct {
	globals bitset         // variables outside of memory, by position
	cells   bitset         // by position in the table
	objects map[int32]bool // that externals may change anywhere in
	through bool           // what pointers from outside may point to
	outside bool           // something that pointers from outside may point to
	typed   bitset         // that, by position in Result.places: what the program writes there
	nowhere bool           // something that no pointer may point to, for all one knows
	region  bool           // what a Havoc of the region changes
	all     bool           // what [core.ExternAll] lists
}

// cellTable numbers the cells that statements write.
type cellTable struct {
	list     []writtenCell
	number   map[writtenCell]int
	ofObject [][]int // by object
}

type writtenCell struct {
	object int32
	cell   cell
}

func (t *cellTable) add(c writtenCell) int {
	n, ok := t.number[c]
	if !ok {
		n = len(t.list)
		t.list = append(t.list, c)
		t.number[c] = n
		t.ofObject[c.object] = append(t.ofObject[c.object], n)
	}
	return n
}

func (e *effect) add(other *effect) {
	e.globals.union(other.globals)
	e.cells.union(other.cells)
	for o := range other.objects {
		e.mark(o)
	}
	e.through = e.through || other.through
	e.outside = e.outside || other.outside
	e.typed.union(other.typed)
	e.nowhere = e.nowhere || other.nowhere
	e.region = e.region || other.region
	e.all = e.all || other.all
}

func (e *effect) mark(object int32) {
	if e.objects == nil {
		e.objects = map[int32]bool{}
	}
	e.objects[object] = true
}

// findEffects computes the effects of all procedures, callees first.
func (r *Result) findEffects(g callGraph) {
	r.cells = &cellTable{number: map[writtenCell]int{}, ofObject: make([][]int, len(r.solver.objects))}
	r.direct = map[cellsOf]direct{}
	r.effects = map[*core.Proc]*effect{}
	r.external = map[*core.Call]*effect{}
	for _, component := range g.components {
		e := &effect{}
		for _, p := range component {
			r.effects[p] = e
		}
		recursive := len(component) > 1
		for _, p := range component {
			r.addDirect(e, p)
			for _, q := range g.callees[p] {
				recursive = recursive || q == p
				if q.HasBody() && r.mutated != notTransitive {
					e.add(r.effects[q]) // callees come first, or are in component
				}
			}
		}
		if !recursive {
			r.dropOwn(e, component[0])
		}
	}
}

// dropOwn takes the variables of p from e. Only under recursion can a caller of p
// see variables of p: those of another activation.
func (r *Result) dropOwn(e *effect, p *core.Proc) {
	for _, list := range [][]*core.Var{p.Formals, p.Locals} {
		for _, v := range list {
			if o, ok := r.solver.varObject[v]; ok {
				delete(e.objects, o)
				for _, n := range r.cells.ofObject[o] {
					e.cells.clear(n)
				}
			}
		}
	}
}

// addDirect adds what the nodes of p themselves change.
func (r *Result) addDirect(e *effect, p *core.Proc) {
	for _, n := range p.Nodes {
		r.addNode(e, p, n)
	}
}

// addNode adds what node n of p itself changes.
func (r *Result) addNode(e *effect, p *core.Proc, n *core.Node) {
	switch s := n.Stmt.(type) {
	case *core.Assign:
		r.addLocs(e, p, s.Lhs)
	case *core.Havoc:
		r.addLocs(e, p, s.Locs)
		e.region = e.region || s.Region
		e.outside = e.outside || s.Region
	case *core.Alloc:
		r.addLocs(e, p, []core.Loc{s.Lhs})
	case *core.Copy:
		r.addRange(e, p, s.Dst, 0, sizeOf(s.Size), copied(s))
	case *core.Fill:
		r.addRange(e, p, s.Dst, 0, sizeOf(s.Size), typed{wild: true})
	case *core.Data:
		r.addRange(e, p, s.Dst, 0, extent(int64(len(s.Bytes))), typed{wild: true})
	case *core.Call:
		if s.Lhs != nil && r.mutated != noDestinations {
			r.addLocs(e, p, []core.Loc{s.Lhs})
		}
		if x := r.outsideEffect(s); x != nil {
			e.add(x)
		}
	}
}

func (r *Result) addLocs(e *effect, p *core.Proc, locs []core.Loc) {
	for _, l := range locs {
		switch l := l.(type) {
		case *core.Mem:
			first, bits := bitRange(l.Typ, l.Bit)
			r.addRange(e, p, l.Addr, first, bits, shownBy(l).typed)
		case *core.VarRef:
			if i, ok := r.globals[l.Var]; ok && !l.Var.InMemory() {
				e.globals.set(i)
			} else if l.Var.InMemory() {
				first, bits := bitRange(l.Var.Type, 0)
				r.addRange(e, p, &core.AddrOf{Var: l.Var}, first, bits, typed{wild: true})
			}
		}
	}
}

// addRange adds bits bits from first on behind address expression a, which are t if they are
// outside. What p stores in its own variables by name is not what a caller sees, not even under
// recursion.
func (r *Result) addRange(e *effect, p *core.Proc, a core.Expr, first, bits int64, t typed) {
	if bits == 0 {
		return
	}
	if v := root(a); v != nil && v.Proc == p && v.Kind != core.Global {
		return
	}
	key := cellsOf{r.eval(a), first, bits}
	d, known := r.direct[key]
	if !known {
		d = r.cellsAt(key)
		r.direct[key] = d
	}
	if d.through && r.follows != nil && !t.wild {
		e.typed.set(r.placeNumber(t))
	} else {
		e.through = e.through || d.through
	}
	e.outside = e.outside || d.outside
	e.nowhere = e.nowhere || d.nowhere
	for _, n := range d.cells {
		e.cells.set(n)
	}
}

// direct is what a store changes.
type direct struct {
	cells            []int
	through, outside bool // as in effect
	nowhere          bool
}

// placeNumber is the position of t in places.
func (r *Result) placeNumber(t typed) int {
	n, known := r.placeNo[t]
	if !known {
		n = len(r.places)
		r.placeNo[t] = n
		r.places = append(r.places, t)
	}
	return n
}

// cellsAt is what a store to the cells key changes.
func (r *Result) cellsAt(key cellsOf) direct {
	set := r.set(key.set)
	d := direct{outside: set.IsEmpty(), nowhere: set.IsEmpty()}
	for _, t := range set.targets {
		o := t.Object
		switch {
		case o.Kind == Outside:
			d.through, d.outside = true, true
		case o.isMemory():
			if c, ok := t.cell(key.first, key.bits).in(o.bits()); ok {
				d.cells = append(d.cells, r.cells.add(writtenCell{o.id, c}))
				d.outside = d.outside || o.Escaped
			}
		}
	}
	return d
}

// root is the variable that address expression a is a place in, or nil.
func root(a core.Expr) *core.Var {
	for {
		switch x := a.(type) {
		case *core.AddrOf:
			return x.Var
		case *core.Offset:
			a = x.X
		case *core.Index:
			a = x.X
		default:
			return nil
		}
	}
}

// outsideEffect is what c changes outside of procedures with a body, nil if it calls
// none without.
func (r *Result) outsideEffect(c *core.Call) *effect {
	if x, known := r.external[c]; known {
		return x
	}
	x := r.newOutsideEffect(c)
	r.external[c] = x
	return x
}

func (r *Result) newOutsideEffect(c *core.Call) *effect {
	unknown := c.Callee != nil && !c.Callee.HasBody()
	if c.Callee == nil {
		var list []*core.Proc
		list, unknown = r.targets(c)
		unknown = unknown || slices.ContainsFunc(list, func(p *core.Proc) bool { return !p.HasBody() })
	}
	if !unknown || r.mutated == quietExternals {
		return nil
	}
	x := &effect{}
	extern := r.prog.Extern
	if c.Callee != nil && c.Callee.Assembly {
		if extern == core.ExternPure {
			extern = core.ExternArgs
		}
		x.through, x.outside = r.mutated != quietAssembly, r.mutated != quietAssembly
	}
	if extern != core.ExternPure {
		r.addForeign(x)
	}
	switch extern {
	case core.ExternAll:
		x.all, x.region, x.through, x.outside = true, true, true, true
	case core.ExternArgs:
		for i, e := range c.Args {
			r.addReached(x, c, i, e)
		}
		for _, e := range c.Extra {
			r.addReached(x, c, -1, e)
		}
	}
	return x
}

// addForeign adds the globals that only others define: every external may change them
// and what they lead to.
func (r *Result) addForeign(x *effect) {
	for i, v := range r.prog.Globals {
		switch {
		case !v.Foreign:
		case !v.InMemory():
			x.globals.set(i)
		default:
			r.reaches(x, r.solver.objects[r.solver.object(v)])
		}
	}
}

// addReached adds the memory that argument i of c, e, leads to. An object that is
// large enough for an address may hold any that is known outside, put there by an
// earlier call, so that it leads to everything that has escaped.
func (r *Result) addReached(x *effect, c *core.Call, i int, e core.Expr) {
	if e == nil {
		return
	}
	set := r.eval(e)
	if p := c.Callee; p != nil && i >= 0 && i < len(p.Formals) {
		if t, ok := p.Formals[i].Type.(core.Agg); ok { // what a copy of it leads to
			set = r.contents(set, 0, extent(t.Size), outsideAddress)
		}
	}
	for _, t := range r.set(set).targets {
		if t.Object.Kind != Outside || !r.solver.narrowValue(e) {
			r.reaches(x, t.Object)
		}
	}
}

// reaches adds o, which an external has a pointer into.
func (r *Result) reaches(x *effect, o *Object) {
	switch {
	case !o.isMemory() || isLiteral(o):
		return
	case o.Kind == Outside || o.Size == 0 || o.bits() >= int64(r.solver.pointers):
		x.through = true
	default:
		x.mark(o.id)
	}
	x.outside = true
}
