package extents

import (
	"slices"

	"c2bp/alias"
	"c2bp/frontend/checks"
	"c2bp/frontend/core"
	"c2bp/frontend/core/splice"
)

// This file has the conditions of accesses and moves. For an access of w bytes at distance d from a pointer p, which may
// lead to byte off of an object of s bytes:
//
//	p != start + off || -off <= d && d <= s - w - off
//
// and for a p that may lead anywhere in it, as start + off + k*stride for any k:
//
//	if (start <= p && p <= start + s) assert 0 <= p - start + d && p - start + d <= s - w
//
// The sum is computed in steps of the stride: from p < start + 40 follows (p - start)/4 <= 9, whatever p is.

// extent is an object that a pointer leads to, or several that one is watched of.
type extent struct {
	v     *core.Var // the variable; nil if it is none
	start core.Expr // its address
	end   core.Expr // the address after it
	bytes int64     // its size
	size  core.Expr // if bytes is not known, the size; else nil

	offs     []int64 // distances of the pointer from its start
	anywhere bool    // the pointer leads anywhere in it, at these distances and multiples of
	stride   int64
}

// check returns the nodes that assert that a, of node n of q, is in bounds; none if it always is.
func (in *instrumenter) check(q *core.Proc, n *core.Node, a access) (list []*core.Node) {
	base, d := distanceOf(a.addr)
	// 1. A variable by its name.
	if v, ok := base.(*core.AddrOf); ok {
		s := core.Bytes(v.Var.Type)
		if s == 0 {
			in.unsized(v.Var)
			return nil
		}
		if cond := in.inBounds(d, a, extent{bytes: s}, 0); cond != nil {
			list = in.assertion(n, a, cond)
		}
		return list
	}
	// 2. The objects.
	named, watched, others := in.extents(q, base, d, a)
	if len(named) == 0 && watched == nil {
		return nil
	}
	objects := in.result.PointsTo(base).Targets()
	sole := watched == nil && len(named) == 1 && !slices.ContainsFunc(objects, func(t alias.Target) bool { return t.Object != objects[0].Object })
	// 3. A pointer that may lead anywhere in several is followed: which one it leads to is known.
	anywhere := watched != nil && watched.anywhere || slices.ContainsFunc(named, func(x extent) bool { return x.anywhere })
	if anywhere && !sole {
		if leads := in.tracked(q, base); leads != nil {
			in.followed(&list, n, a, base, d, named, watched, others, leads)
			return list
		}
	}
	var conds []core.Expr
	for _, x := range named {
		if x.anywhere {
			in.ranged(&list, n, a, base, d, x, sole)
			continue
		}
		for _, off := range x.offs {
			if cond := in.inBounds(d, a, x, off); cond != nil {
				conds = append(conds, is(core.LOr, in.differs(base, x, off), cond))
			}
		}
	}
	if x := watched; x != nil && x.anywhere {
		in.ranged(&list, n, a, base, d, *x, false)
	} else if x != nil {
		for _, off := range x.offs {
			if cond := in.inBounds(d, a, *x, off); cond != nil {
				elsewhere := is(core.LOr, in.stateIs(core.Ne, alive), is(core.Ne, base, in.Inside(in.watch, off).Ref()))
				conds = append(conds, is(core.LOr, elsewhere, cond))
			}
		}
	}
	if len(conds) > 0 {
		list = splice.Chain(in.assertion(n, a, all(conds)), list)
	}
	return list
}

// extents returns the objects that the pointer base of a, an access in q, may lead to, as far as it is not
// certain to be in bounds: those that have names in q, and those that are watched as one. others are all that have
// names, the former among them.
func (in *instrumenter) extents(q *core.Proc, base core.Expr, d distance, a access) (named []extent, watched *extent, others []extent) {
	var objects []*alias.Object
	targets := map[*alias.Object][]alias.Target{}
	for _, t := range in.result.PointsTo(base).Targets() {
		if targets[t.Object] == nil {
			objects = append(objects, t.Object)
		}
		targets[t.Object] = append(targets[t.Object], t)
	}
	for _, o := range objects {
		x := extent{}
		// 1. Its size, and its name.
		hasName := false
		switch o.Kind {
		case alias.Outside:
			in.outside = in.outside || !a.move
			continue
		case alias.Variable:
			x.v, x.bytes = o.Var, core.Bytes(o.Var.Type)
			if x.bytes == 0 {
				in.unsized(o.Var)
				continue
			}
			if hasName = o.Var.Kind == core.Global || o.Var.Proc == q && !in.recursive[q]; hasName {
				x.start = &core.AddrOf{Var: o.Var, Typ: in.Prog.Pointer()}
				x.end = &core.Offset{X: x.start, Off: x.bytes}
			}
		case alias.Allocation:
			k, ok := core.ConstantOf(o.Site.Size)
			if x.bytes = k; !ok || k < 0 {
				x.bytes, x.size = -1, in.size.Ref()
			}
		default:
			continue
		}
		// 2. Where in it the pointer leads.
		x.offs, x.anywhere, x.stride = in.places(targets[o])
		unknown := slices.ContainsFunc(x.offs, func(off int64) bool { return off < 0 || x.size != nil && off > 0 || x.size == nil && off > x.bytes })
		if !x.anywhere && !hasName && unknown {
			x.anywhere, x.stride = true, strideOf(x.offs)
		}
		if hasName {
			others = append(others, x)
		}
		// 3. It may be certain to be in bounds.
		if !x.anywhere && !slices.ContainsFunc(x.offs, func(off int64) bool { return in.inBounds(d, a, x, off) != nil }) {
			continue
		}
		// 4. A move to the start of an object that contains this one, as by container_of: there is none at the head of a
		// list, and the place before that is not accessed.
		if o, ok := a.addr.(*core.Offset); ok && a.move && o.Off < 0 && d.constant() && !x.anywhere {
			in.headed = true
			continue
		}
		if hasName {
			named = append(named, x)
			continue
		}
		// 5. One of several is watched.
		if o.Kind == alias.Variable {
			in.locals[o.Var] = true
		} else {
			in.sites[o.Site] = true
		}
		x.start, x.end = in.watch.Ref(), in.end.Ref()
		watched = join(watched, x)
	}
	// 6. What has a name may be watched as well, for the sake of another access.
	if watched != nil {
		watched.amid(others)
	}
	return named, watched, others
}

// amid takes into account that one of others, which have names, may be the one that is watched as x.
func (x *extent) amid(others []extent) {
	for _, o := range others {
		x.bytes = -1
		if x.anywhere {
			x.stride = gcd(gcd(x.stride, o.stride), strideOf(append(slices.Clone(o.offs), x.offs...)))
		}
	}
}

// places returns where targets of one object are: at these distances from its start or, if anywhere, at these and
// multiples of stride.
func (in *instrumenter) places(targets []alias.Target) (offs []int64, anywhere bool, stride int64) {
	for _, t := range targets {
		offs = append(offs, t.Off)
		if t.Stride != 0 || in.loose[t.Object] {
			anywhere = true
		}
		stride = gcd(stride, t.Stride)
		if in.loose[t.Object] {
			stride = 1
		}
	}
	if anywhere {
		stride = gcd(stride, strideOf(offs))
	}
	slices.Sort(offs)
	return slices.Compact(offs), anywhere, stride
}

// join returns the extent of objects of which one is watched.
func join(a *extent, b extent) *extent {
	if a == nil {
		return &b
	}
	c := *a
	if a.bytes != b.bytes || a.size != nil || b.size != nil {
		c.bytes = -1
	}
	c.offs = append(slices.Clone(a.offs), b.offs...)
	if a.anywhere || b.anywhere {
		c.anywhere, c.stride = true, gcd(gcd(a.stride, b.stride), strideOf(c.offs))
	}
	slices.Sort(c.offs)
	c.offs = slices.Compact(c.offs)
	return &c
}

// strideOf returns the greatest number that divides the differences of offs; 1 if there are none.
func strideOf(offs []int64) (g int64) {
	for _, off := range offs {
		g = gcd(g, abs(off-offs[0]))
	}
	return g
}

// gcd returns the greatest common divisor; that of 0 and x is x.
func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// limit returns the size of x, less k: a number, or an expression to which it is to be added.
func (in *instrumenter) limit(x extent, k int64) (hi int64, size core.Expr) {
	if x.bytes < 0 {
		return -k, in.size.Ref()
	}
	return x.bytes - k, nil
}

// inBounds returns the condition that a, at distance d from byte off of x, is in x; nil if it always is.
func (in *instrumenter) inBounds(d distance, a access, x extent, off int64) core.Expr {
	d.off += off
	hi, size := in.limit(x, a.width)
	upper := d
	if a.size != nil {
		upper = d.with(a.size)
	}
	low, high := d.atLeast(0), upper.atMost(hi, size)
	return in.unless(a, low, high)
}

// unless returns the conjunction of two conditions that may be nil, or that no bytes are accessed; nil if both are.
func (in *instrumenter) unless(a access, low, high core.Expr) core.Expr {
	var list []core.Expr
	for _, c := range []core.Expr{low, high} {
		if c != nil {
			list = append(list, c)
		}
	}
	if len(list) == 0 {
		return nil
	}
	cond := all(list)
	if a.size != nil {
		cond = is(core.LOr, is(core.Eq, a.size, core.NewConst(0, a.size.Type().(core.Int))), cond)
	}
	return cond
}

// differs returns the condition that base is not byte off of x, which has a name.
func (in *instrumenter) differs(base core.Expr, x extent, off int64) core.Expr {
	if off >= 0 && off <= x.bytes {
		at := x.start
		if off > 0 {
			at = &core.Offset{X: x.start, Off: off}
		}
		return is(core.Ne, base, at)
	}
	// There is no such pointer: compare numbers.
	word := in.Prog.Pointer().Word()
	start := in.value64(x.start)
	if off < 0 {
		return is(core.Ne, is(core.Add, in.value64(base), core.NewConst(-off, word)), start)
	}
	return is(core.Ne, in.value64(base), is(core.Add, start, core.NewConst(off, word)))
}

// value64 returns a pointer as a number.
func (in *instrumenter) value64(e core.Expr) core.Expr {
	return &core.ToInt{X: e, To: in.Prog.Pointer().Word()}
}

// ranged adds the nodes that assert that a, of node n, at distance d from base, is in x, where base may lead to any
// place. sole says that base leads to no other object.
func (in *instrumenter) ranged(list *[]*core.Node, n *core.Node, a access, base core.Expr, d distance, x extent, sole bool) {
	cond := in.condition(a, base, d, x)
	if cond == nil {
		return
	}
	from := is(core.Ge, in.value64(base), in.value64(x.start))
	// Where base is in the object.
	var nodes []*core.Node
	if sole {
		nodes = splice.If(n.Pos, is(core.Ne, base, core.Null(in.Prog.Pointer())), in.assertion(n, a, is(core.LAnd, from, cond)))
	} else {
		to := is(core.Le, in.value64(base), in.value64(x.end))
		nodes = splice.If(n.Pos, from, splice.If(n.Pos, to, in.assertion(n, a, cond)))
		if x.start == core.Expr(in.watch.Ref()) || isVar(x.start, in.watch) {
			nodes = splice.If(n.Pos, in.stateIs(core.Eq, alive), nodes)
		}
	}
	*list = splice.Chain(*list, nodes)
}

// condition returns the condition that a, at distance d from base, is in x, where base leads to any place; nil if it always is.
func (in *instrumenter) condition(a access, base core.Expr, d distance, x extent) core.Expr {
	// 1. The distance of base from the start, in steps.
	steps := x.stride
	if !d.constant() || a.size != nil || steps < 1 {
		steps = 1
	}
	rest := mod(x.offs[0], steps)
	rel := distance{off: d.off + rest, indices: append([]*core.Index{{I: &core.Diff{X: base, Y: x.start, Size: steps, Typ: core.Int64}, Size: steps}}, d.indices...)}
	// 2. The bounds.
	hi, size := in.limit(x, a.width)
	upper := rel
	if a.size != nil {
		upper = rel.with(a.size)
	}
	return in.unless(a, rel.atLeast(0), upper.atMost(hi, size))
}

// followed adds the nodes that assert that a, of node n, at distance d from the pointer base, is in the object that is watched,
// one of those given, if leads says that it leads there.
func (in *instrumenter) followed(list *[]*core.Node, n *core.Node, a access, base core.Expr, d distance, named []extent, watched *extent, others []extent, leads *core.Var) {
	// 1. All are watched.
	for _, x := range named {
		if x.v.Kind == core.Global {
			in.globals[x.v] = true
		} else {
			in.locals[x.v] = true
		}
		x.anywhere = true
		watched = join(watched, x)
	}
	x := *watched
	x.amid(others)
	x.start = in.watch.Ref()
	// 2. The bounds.
	if cond := in.condition(a, base, d, x); cond != nil {
		nodes := splice.If(n.Pos, is(core.Ne, leads.Ref(), number(0)), in.assertion(n, a, cond))
		*list = splice.Chain(*list, splice.If(n.Pos, in.stateIs(core.Eq, alive), nodes))
	}
}

// isVar reports whether e is v.
func isVar(e core.Expr, v *core.Var) bool {
	r, ok := e.(*core.VarRef)
	return ok && r.Var == v
}

// mod returns the residue of x modulo y, in [0, y).
func mod(x, y int64) int64 { return ((x % y) + y) % y }

// assertion returns the node that asserts cond of a, of node n. In a model the pointer that a library function yields is
// in its object: there a move is assumed to be in bounds.
func (in *instrumenter) assertion(n *core.Node, a access, cond core.Expr) []*core.Node {
	if n.Model != nil && a.move {
		return splice.Line(n.Pos, &core.Assume{Cond: cond})
	}
	name := checks.AccessOutOfBounds
	if a.move {
		name = checks.PointerOutOfBounds
	}
	return splice.Line(n.Pos, &core.Assert{Cond: cond, Check: &core.Check{Name: name, Pos: n.Pos, Text: a.text}})
}

// findLoose finds the objects in which distances are not known: the points-to sets leave out a move by more than
// the object has bytes, since it could only lead out of it.
func (in *instrumenter) findLoose() {
	look := func(e core.Expr) bool {
		x, ok := e.(*core.Index)
		if !ok {
			return true
		}
		if _, known := core.ConstantOf(x.I); known || x.Count > 0 && x.Count < core.OpenEnd {
			return true
		}
		for _, t := range in.result.PointsTo(x.X).Targets() {
			if o := t.Object; o.Size > 0 && t.Off+max(x.Size, t.Stride) > o.Size {
				in.loose[o] = true
			}
		}
		return true
	}
	for _, q := range in.Prog.Procs {
		for _, n := range q.Nodes {
			core.StmtExprs(n.Stmt, func(e core.Expr) { core.Walk(e, look) })
		}
	}
}
