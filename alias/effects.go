package alias

import (
	"slices"

	"c2bp/frontend/core"
)

// This file computes the effect of each procedure, its callees included: the memory and the globals
// that it may change. It goes over the call graph bottom-up; procedures that call each other share
// an effect. Stores through pointers count as stores to all their targets; how a single call
// restricts that is decided in calleffects.go.
//
// Effects on memory outside are of four kinds: stores of the program through pointers from
// outside, by their types (typed); stores that may be anywhere there (through); stores through
// pointers that lead nowhere for all that is known (nowhere), which are undefined; and those of
// functions without a body, anywhere but in hidden places (foreign; hidden.go).

// effect is the set of places that the procedures of one component of the call graph may change, as
// their callers see it. The flags stand for places that are not listed one by one.
type effect struct {
	globals bitset         // variables outside of memory, by position
	cells   bitset         // by position in the table
	objects map[int32]bool // objects of which externals may change any byte
	through bool           // everything that pointers from outside may point to
	foreign bool           // the same, except hidden places
	outside bool           // something that pointers from outside may point to
	typed   bitset         // places outside that the program writes to, by position in Result.places
	limited bitset         // those that functions without a body write to which change nothing else; not hidden ones
	nowhere bool           // something that no pointer is known to point to
	region  bool           // everything that a Havoc of the region changes
	all     bool           // everything that [core.ExternAll] lists
}

// cellTable numbers the cells that statements write, so that effects are bit sets.
type cellTable struct {
	list     []writtenCell
	number   map[writtenCell]int
	ofObject [][]int // by object
}

// writtenCell is a cell of an object.
type writtenCell struct {
	object int32
	cell   cell
}

// add returns the number of c, a new one if it has none.
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

// add adds the effect other to e.
func (e *effect) add(other *effect) {
	e.globals.union(other.globals)
	e.cells.union(other.cells)
	for o := range other.objects {
		e.mark(o)
	}
	e.through = e.through || other.through
	e.foreign = e.foreign || other.foreign
	e.outside = e.outside || other.outside
	e.typed.union(other.typed)
	e.limited.union(other.limited)
	e.nowhere = e.nowhere || other.nowhere
	e.region = e.region || other.region
	e.all = e.all || other.all
}

// mark notes that any byte of object may change.
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
	// Procedures of one component share an effect: of all their nodes, and of the callees of all.
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
				if q.HasBody() {
					e.add(r.effects[q]) // callees come first, or are in component
				}
			}
		}
		// Nobody sees the variables of a procedure that has returned.
		if !recursive {
			r.dropOwn(e, component[0])
		}
	}
}

// dropOwn removes the variables of p from e. Only under recursion can a caller of p see variables
// of p: those of another activation. Otherwise they do not exist before the call nor after it.
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

// addDirect adds the effects of the nodes of p, but not of its callees.
func (r *Result) addDirect(e *effect, p *core.Proc) {
	for _, n := range p.Nodes {
		r.addNode(e, p, n)
	}
}

// addNode adds the effect of node n of p, but not of its callees.
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
	// Ranges of bytes.
	case *core.Copy:
		r.addRange(e, p, s.Dst, 0, min(lengthOf(r.prog, s.Dst, s.Size), lengthOf(r.prog, s.Src, s.Size)), r.copied(s))
	case *core.Fill:
		t := typed{wild: true}
		if s.Chars && r.prog.CharsApart {
			t = characters
		}
		r.addRange(e, p, s.Dst, 0, lengthOf(r.prog, s.Dst, s.Size), t)
	case *core.Data:
		r.addRange(e, p, s.Dst, 0, extent(int64(len(s.Bytes))), typed{wild: true})
	case *core.Call:
		// The destination, and whatever procedures without a body change. Others are callees.
		if s.Lhs != nil {
			r.addLocs(e, p, []core.Loc{s.Lhs})
		}
		if x := r.outsideEffect(s); x != nil {
			e.add(x)
		}
	}
}

// addLocs adds stores by p to locs.
func (r *Result) addLocs(e *effect, p *core.Proc, locs []core.Loc) {
	for _, l := range locs {
		switch l := l.(type) {
		case *core.Mem:
			first, bits := bitRange(l.Typ, l.Bit)
			for _, s := range r.spots(l) {
				r.addRange(e, p, l.Addr, first, bits, s.typed)
			}
		// Globals outside of memory change by name.
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

// addRange adds a store by p to bits bits from first on after address expression a, which have type
// t if they are outside. Stores to p's own variables by name are invisible to callers, even under
// recursion, where the caller's variable of that name is another one.
func (r *Result) addRange(e *effect, p *core.Proc, a core.Expr, first, bits int64, t typed) {
	if bits == 0 {
		return
	}
	if v := root(a); v != nil && v.Proc == p && v.Kind != core.Global {
		return
	}
	// 1. Find the cells, once for each set of addresses.
	key := cellsOf{r.eval(a), first, bits}
	d, known := r.direct[key]
	if !known {
		d = r.cellsAt(key)
		r.direct[key] = d
	}
	// 2. Outside, note the type of the place if that is known.
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

// direct is the effect of a store.
type direct struct {
	cells            []int
	through, outside bool // as in effect
	nowhere          bool
}

// placeNumber returns the position of t in places.
func (r *Result) placeNumber(t typed) int {
	n, known := r.placeNo[t]
	if !known {
		n = len(r.places)
		r.placeNo[t] = n
		r.places = append(r.places, t)
	}
	return n
}

// cellsAt returns the effect of a store to the cells key.
func (r *Result) cellsAt(key cellsOf) direct {
	set := r.set(key.set)
	// A store through a pointer that leads nowhere is undefined; it counts as one outside.
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

// root returns the variable that address expression a is a place in, nil if there is none.
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

// outsideEffect returns the effect of c except through procedures with a body, nil if it calls none
// without. It differs from call to call, as it depends on the arguments.
func (r *Result) outsideEffect(c *core.Call) *effect {
	if x, known := r.external[c]; known {
		return x
	}
	x := r.newOutsideEffect(c)
	r.external[c] = x
	return x
}

// newOutsideEffect computes the outsideEffect of c.
func (r *Result) newOutsideEffect(c *core.Call) *effect {
	// 1. May c call a procedure without a body?
	list, unknownBody := r.targets(c)
	if !unknownBody && !slices.ContainsFunc(list, func(p *core.Proc) bool { return !p.HasBody() }) {
		return nil
	}
	x := &effect{}
	// 2. Assembly changes everything that is known outside.
	extern := r.prog.Extern
	if slices.ContainsFunc(list, func(p *core.Proc) bool { return p.Assembly }) {
		if extern == core.ExternPure {
			extern = core.ExternArgs
		}
		x.outside = true
		x.through, x.foreign = !c.Elsewhere, c.Elsewhere
	}
	// 3. Externals change what the program is assumed to let them change.
	if extern == core.ExternArgs && !unknownBody && r.follows != nil && r.addLimited(x, list) {
		return x
	}
	if extern != core.ExternPure {
		r.addForeign(x)
	}
	switch extern {
	case core.ExternAll:
		x.all, x.region, x.through, x.outside = true, true, true, true
	case core.ExternArgs:
		for i, e := range c.Args {
			if !unknownBody && onlyReads(list, i) {
				r.readOnly = r.readOnly || e != nil && r.leadsToMemory(e)
				continue
			}
			r.addReached(x, c, i, e)
		}
		for _, e := range c.Extra {
			r.addReached(x, c, -1, e)
		}
	}
	return x
}

// addLimited adds the effect of a call of one of the procedures list, if those without a body change certain structs
// only, wherever they are outside, and reports whether that is so.
func (r *Result) addLimited(x *effect, list []*core.Proc) bool {
	if slices.ContainsFunc(list, func(p *core.Proc) bool { return !p.HasBody() && !p.Limited }) {
		return false
	}
	for _, p := range list {
		if p.ChangesChars {
			t := characters
			t.wild = !r.prog.CharsApart
			x.limited.set(r.placeNumber(t))
			x.outside = true
		}
		for _, t := range p.Changes {
			x.limited.set(r.placeNumber(typed{shape: shapeOf(t), cell: whole(t.Size * 8)}))
			x.outside = true
		}
	}
	return true
}

// onlyReads reports whether those of the procedures list that have no body change nothing through argument i.
func onlyReads(list []*core.Proc, i int) bool {
	return !slices.ContainsFunc(list, func(p *core.Proc) bool {
		return !p.HasBody() && (i >= len(p.ReadOnly) || !p.ReadOnly[i])
	})
}

// leadsToMemory reports whether e leads to memory that others may change.
func (r *Result) leadsToMemory(e core.Expr) bool {
	return slices.ContainsFunc(r.set(r.eval(e)).targets, func(t Target) bool { return t.Object.isMemory() && !isLiteral(t.Object) })
}

// addForeign adds the globals that only other programs define: every external may change them and
// the memory that they lead to.
func (r *Result) addForeign(x *effect) {
	for i, v := range r.prog.Globals {
		switch {
		case !v.Foreign, v.Kept && !v.InMemory():
		case !v.InMemory():
			x.globals.set(i)
		default:
			r.reaches(x, r.solver.objects[r.solver.object(v)])
		}
	}
}

// addReached adds the memory that e, argument i of c, leads to; i is -1 for a variable argument. An
// object that is large enough for an address may hold any that is known outside, put there by an
// earlier call, so that it leads to everything that has escaped. A smaller one, an int above all,
// changes alone.
func (r *Result) addReached(x *effect, c *core.Call, i int, e core.Expr) {
	if e == nil {
		return
	}
	set := r.eval(e)
	// 1. Of an aggregate, the contents are passed.
	if p := c.Callee; p != nil && i >= 0 && i < len(p.Formals) {
		if t, ok := p.Formals[i].Type.(core.Agg); ok { // what a copy of it leads to
			set = r.contents(set, 0, extent(t.Size), outsideAddress)
		}
	}
	// 2. A value that is too narrow for an address leads to nothing outside.
	for _, t := range r.set(set).targets {
		switch {
		case t.Object.Kind == Outside && r.solver.narrowValue(e):
		// 3. A number from outside is no address, if that is assumed.
		case t.Object.Kind == Outside && r.isPlain(e, set):
			r.numbers = true
		default:
			r.reaches(x, t.Object)
		}
	}
}

// isPlain reports whether what e, a number whose addresses are set, has from outside is taken for no address by functions
// without a body.
func (r *Result) isPlain(e core.Expr, set setID) bool {
	if _, isInt := e.Type().(core.Int); !isInt || !r.prog.NumbersApart {
		return false
	}
	for n := range r.solver.sets.all(set) {
		object := r.solver.addresses[n].object
		if r.solver.objects[object].Kind == Outside && !r.givesNumbers(object) {
			return false
		}
	}
	return true
}

// reaches adds o, which an external has a pointer into.
func (r *Result) reaches(x *effect, o *Object) {
	switch {
	case !o.isMemory() || isLiteral(o):
		return
	// It may hold an address of anything that is known outside.
	case o.Kind == Outside || o.Size == 0 || o.bits() >= int64(r.solver.pointers):
		x.foreign = true
	// A variable that stays may lead to what changes, but does not change itself ([Result.hidesCell]).
	case o.Var == nil || !o.Var.Kept:
		x.mark(o.id)
	}
	x.outside = true
}
