package alias

import (
	"maps"
	"slices"

	"c2bp/frontend/core"
)

// This file finds out which places outside of the program may overlap although their types
// exclude it, since the program itself follows one pointer as both. What counts is the value,
// however it travels, not the cast: a pointer that is read from a void * member in one function
// as a struct a * and in another as a struct b * leads to an object that is both.
//
//	first   what each origin is followed as, and how far from where it leads
//	then    which origins may be one value: reads of one place, and what was stored there
//	merged  shapes that one value is followed as, unless they nest just so
//
// Merging lets more places overlap, so that more origins may be one value; the last two are
// repeated until nothing changes.

// follow is that a value is followed as an object of a shape, which begins at a distance from
// where the value leads.
type follow struct {
	shape core.Shape
	at    address // its object means nothing
}

// followList is a set of them, in the order in which they came.
type followList struct {
	list []follow
	has  map[follow]bool
}

// add adds x and reports whether it is new.
func (l *followList) add(x follow) bool {
	x.at.object = 0
	if l.has[x] {
		return false
	}
	if l.has == nil {
		l.has = map[follow]bool{}
	}
	l.has[x] = true
	l.list = append(l.list, x)
	return true
}

// of is the list of an object, empty if there is none.
func (l *followList) of() []follow {
	if l == nil {
		return nil
	}
	return l.list
}

// follows is what is known of the origins of a program.
type follows struct {
	result *Result
	shapes *shapes
	merged map[[2]core.Shape]bool

	// Union-find over origins: a value of one is that of its parent plus away, or plus any
	// multiple of the root's stride besides.
	nodes   map[int32]int // by object
	parent  []int
	away    []int64
	stride  []int64
	list    []*followList // of roots
	objects map[int32]*followList

	read   []readPlace // places that pointers are read from
	stores []store
	sent   map[int][]address // by read: objects of the program that it may lead to
	steps  int               // work so far
	met    []bool            // pairs of read that may be one place, the later one first
	put    []bool            // pairs of stores and read likewise
}

// readPlace is a place that others may write to, or one outside, and the origin of what is read
// there.
type readPlace struct {
	where  where
	origin int
}

// where is a place outside, or bits of an object of the program that others know.
type where struct {
	typed
	object int32 // 0: outside
}

// store is what is put into a place.
type store struct {
	where where
	value setID
}

// mostFollowing bounds the work of finding out what is followed as what, in steps. A program that
// takes more has its memory outside read without types, which is always right.
const mostFollowing = 3_000_000

// findFollows makes the follows of the program, nil if its memory from outside is not typed, or
// if it takes too long to find them.
func (r *Result) findFollows() *follows {
	if r.prog.Environment != core.EnvironmentTyped {
		return nil
	}
	f := &follows{
		result: r, shapes: newShapes(r.records(), r.mutated), merged: map[[2]core.Shape]bool{},
		nodes: map[int32]int{}, objects: map[int32]*followList{}, sent: map[int][]address{},
	}
	f.declare(r.prog.Globals)
	for _, p := range r.prog.Procs {
		f.declare(p.Formals)
		f.declare(p.Locals)
		for _, n := range p.Nodes {
			f.look(n.Stmt)
			f.store(n.Stmt)
		}
	}
	f.findRead()
	if r.mutated == stayingPointers {
		f.read = nil
	}
	n := len(f.read)
	f.met, f.put = make([]bool, n*(n-1)/2), make([]bool, n*len(f.stores))
	for f.unify() || r.mutated != oneTypeEach && f.merge() {
	}
	if f.steps > mostFollowing {
		return nil
	}
	return f
}

// records lists the structs and unions that the program speaks of.
func (r *Result) records() (list []*core.Record) {
	seen := map[*core.Record]bool{}
	add := func(x *core.Record) {
		if x != nil && !seen[x] {
			seen[x] = true
			list = append(list, x)
		}
	}
	declared := func(vars []*core.Var) {
		for _, v := range vars {
			if v.Declared != nil {
				add(v.Declared.Record)
			}
			add(v.To)
		}
	}
	declared(r.prog.Globals)
	for _, p := range r.prog.Procs {
		declared(p.Formals)
		declared(p.Locals)
		add(p.RetTo)
		for _, n := range p.Nodes {
			core.StmtExprs(n.Stmt, func(e core.Expr) {
				core.Walk(e, func(e core.Expr) bool {
					switch e := e.(type) {
					case *core.Offset:
						add(e.Of)
					case *core.Mem:
						add(e.To)
					}
					return true
				})
			})
			if c, ok := n.Stmt.(*core.Copy); ok {
				add(c.Of)
			}
		}
	}
	return list
}

// declare notes what vars are declared to point to. That counts as following: others need not
// cast.
func (f *follows) declare(vars []*core.Var) {
	for _, v := range vars {
		if v.To != nil {
			f.follow(v.Ref(), 0, shapeOf(v.To))
		}
	}
}

func shapeOf(r *core.Record) core.Shape { return core.Shape{Record: r, Size: r.Size} }

// node is the number of the origin that is object.
func (f *follows) node(object int32) int {
	n, known := f.nodes[object]
	if !known {
		n = len(f.parent)
		f.nodes[object] = n
		f.parent = append(f.parent, n)
		f.away = append(f.away, 0)
		f.stride = append(f.stride, 0)
		f.list = append(f.list, &followList{})
	}
	return n
}

// root is the root of n, and how far a value of n is from one of the root.
func (f *follows) root(n int) (root int, away int64) {
	if f.parent[n] == n {
		return n, 0
	}
	root, away = f.root(f.parent[n])
	away += f.away[n]
	f.parent[n], f.away[n] = root, away
	return root, away
}

// look notes what stmt follows.
func (f *follows) look(stmt core.Stmt) {
	core.StmtExprs(stmt, func(e core.Expr) {
		core.Walk(e, func(e core.Expr) bool {
			if m, ok := e.(*core.Mem); ok {
				if a := shownBy(m); !a.wild {
					f.follow(a.base, a.start, a.shape)
				}
				if m.To != nil {
					f.follow(m, 0, shapeOf(m.To))
				}
			}
			if o, ok := e.(*core.Offset); ok && o.Of != nil { // the address of a member
				f.follow(o.X, o.Off-o.Member, shapeOf(o.Of))
			}
			return true
		})
	})
	if c, ok := stmt.(*core.Copy); ok && c.Of != nil {
		f.follow(c.Src, 0, shapeOf(c.Of))
		f.follow(c.Dst, 0, shapeOf(c.Of))
	}
	if c, ok := stmt.(*core.Call); ok {
		f.lookAtCall(c)
	}
}

// lookAtCall notes what functions without a body take the arguments of c for, and what their results
// are declared as.
func (f *follows) lookAtCall(c *core.Call) {
	list := []*core.Proc{c.Callee}
	if c.Callee == nil {
		list, _ = f.result.targets(c)
	}
	for _, p := range list {
		if p.HasBody() {
			continue
		}
		for i, v := range p.Formals {
			if v.To != nil && i < len(c.Args) && c.Args[i] != nil {
				f.follow(c.Args[i], 0, shapeOf(v.To))
			}
		}
		if p.RetTo != nil {
			s := f.result.solver
			f.followSet(s.sets.single(s.origin(originKey{node: c})), 0, shapeOf(p.RetTo))
		}
	}
}

// follow notes that an object of the shape begins start bytes behind where base leads.
func (f *follows) follow(base core.Expr, start int64, s core.Shape) {
	f.followSet(f.result.eval(base), start, s)
}

// followSet is follow for where the addresses in set lead.
func (f *follows) followSet(set setID, start int64, s core.Shape) {
	solver := f.result.solver
	for _, n := range solver.sets.lists[set] {
		a := solver.addresses[n].add(start, 0, 0)
		switch o := solver.objects[a.object]; {
		case o.Kind == Outside:
			root, away := f.root(f.node(a.object))
			f.list[root].add(follow{s, a.add(away, 0, 0)})
		case o.Kind == Variable || o.Kind == Allocation:
			f.objectFollow(a.object, follow{s, a})
		}
	}
}

// store notes what stmt puts into places that others may read, or outside.
func (f *follows) store(stmt core.Stmt) {
	r := f.result
	outsideOf := func(k originKey) setID { return r.solver.sets.single(r.solver.origin(k)) }
	switch n := stmt.(type) {
	case *core.Assign:
		for i, l := range n.Lhs {
			f.storeAt(l, r.eval(n.Rhs[i]))
		}
	case *core.Havoc:
		for i, l := range n.Locs {
			f.storeAt(l, outsideOf(originKey{node: n, n: i}))
		}
	case *core.Alloc:
		f.storeAt(n.Lhs, r.exactly(r.solver.addresses[r.solver.number(at(r.solver.site[n], 0))].object))
	case *core.Fill:
		if n.Byte == nil {
			f.storeRange(n.Dst, sizeOf(n.Size), outsideOf(originKey{node: n}))
		}
	case *core.Copy:
		f.storeCopy(n)
	case *core.Call:
		f.storeResult(n)
	}
}

// storeAt notes that value is put into l.
func (f *follows) storeAt(l core.Loc, value setID) {
	if t, ok := l.Type().(core.Int); ok && t.Bits < f.result.solver.pointers {
		return
	}
	switch l := l.(type) {
	case *core.VarRef:
		if l.Var.InMemory() {
			first, bits := bitRange(l.Var.Type, 0)
			o := f.result.solver.object(l.Var)
			f.storeIn(f.result.exactly(o), typed{}, first, bits, value)
		}
	case *core.Mem:
		first, bits := bitRange(l.Typ, l.Bit)
		f.storeIn(f.result.eval(l.Addr), shownBy(l).typed, first, bits, value)
	}
}

// storeRange notes that value may be put anywhere into bits bits from address a on.
func (f *follows) storeRange(a core.Expr, bits int64, value setID) {
	f.storeIn(f.result.eval(a), typed{wild: true}, 0, bits, value)
}

// storeIn notes that value is put into bits bits, first bits behind where the addresses in set
// lead: outside into t.
func (f *follows) storeIn(set setID, t typed, first, bits int64, value setID) {
	if !f.leads(value) {
		return
	}
	for _, to := range f.result.set(set).targets {
		switch o := to.Object; {
		case o.Kind == Outside:
			f.stores = append(f.stores, store{where{typed: t}, value})
		case o.isMemory() && o.Escaped:
			if c, ok := to.cell(first, bits).in(o.bits()); ok {
				f.stores = append(f.stores, store{where{typed: typed{cell: c}, object: o.id}, value})
			}
		}
	}
}

// leads reports whether a value in set may lead outside, or to an object of the program.
func (f *follows) leads(set setID) bool {
	s := f.result.solver
	return slices.ContainsFunc(s.sets.lists[set], func(n int32) bool { return s.objects[s.addresses[n].object].Kind <= Allocation })
}

// storeCopy notes what c puts into places.
func (f *follows) storeCopy(c *core.Copy) {
	r := f.result
	from, to := r.eval(c.Src), r.eval(c.Dst)
	if c.Of == nil {
		f.storeIn(to, typed{wild: true}, 0, sizeOf(c.Size), r.contents(from, 0, sizeOf(c.Size), r.solver.origin(originKey{node: anywhere})))
		return
	}
	eachScalar(c.Of, func(a address, size int64) {
		k := originKey{record: c.Of, cell: a.cell(0, size*8)}
		part := move{mode: movePointer, off: a.off, stride: a.stride, count: a.count}
		if size*8 == int64(r.solver.pointers) {
			value := r.contents(r.solver.moveSet(from, part), 0, size*8, r.solver.origin(k))
			t := typed{shape: shapeOf(c.Of), cell: k.cell}
			f.storeIn(r.solver.moveSet(to, part), t, 0, size*8, value)
		}
	})
}

// storeResult notes what c puts where its result goes.
func (f *follows) storeResult(c *core.Call) {
	r := f.result
	if c.Lhs == nil {
		return
	}
	list := []*core.Proc{c.Callee}
	unknown := false
	if c.Callee == nil {
		list, unknown = r.targets(c)
	}
	for _, p := range list {
		if !p.HasBody() || p.Result == nil {
			unknown = true
			continue
		}
		if isScalar(p.RetType) {
			f.storeAt(c.Lhs, r.eval(p.Result.Ref()))
			continue
		}
		value := r.contents(r.exactly(r.solver.object(p.Result)), 0, extent(core.Bytes(p.RetType)), outsideAddress)
		f.storeWhole(c.Lhs, value)
	}
	if unknown {
		f.storeWhole(c.Lhs, r.solver.sets.single(r.solver.origin(originKey{node: c})))
	}
}

// storeWhole notes that value may be put anywhere in l.
func (f *follows) storeWhole(l core.Loc, value setID) {
	switch l := l.(type) {
	case *core.VarRef:
		if l.Var.InMemory() {
			f.storeIn(f.result.exactly(f.result.solver.object(l.Var)), typed{}, 0, extent(core.Bytes(l.Var.Type)), value)
		}
	case *core.Mem:
		f.storeIn(f.result.eval(l.Addr), typed{wild: true}, 0, extent(core.Bytes(l.Typ)), value)
	}
}

// findRead collects the places that pointers are read from, which origins were made for.
func (f *follows) findRead() {
	origins := f.result.solver.origins
	keys := slices.SortedFunc(maps.Keys(origins), func(a, b originKey) int { return int(origins[a] - origins[b]) })
	for _, k := range keys {
		node := f.node(f.result.solver.addresses[origins[k]].object)
		switch {
		case k.node == anywhere:
			f.read = append(f.read, readPlace{where{typed: typed{wild: true}}, node})
		case k.node == nil && k.cell.bits >= int64(f.result.solver.pointers):
			w := where{typed: typed{cell: k.cell}, object: k.object}
			if k.object == 0 {
				w.shape = core.Shape{Record: k.record, Size: k.cell.bits / 8}
				if k.record != nil {
					w.shape.Size = k.record.Size
				}
			} else if k.record != nil { // copied from the start of the record, wherever that is
				w.cell = whole(f.result.solver.objects[k.object].bits())
			}
			f.read = append(f.read, readPlace{w, node})
		}
	}
}

// unify makes origins one that may be the same value, and reports whether there were any new.
func (f *follows) unify() (changed bool) {
	for i, a := range f.read {
		f.steps += i / 16
		for j, b := range f.read[:i] {
			if f.steps > mostFollowing {
				return false
			}
			if done := &f.met[i*(i-1)/2+j]; !*done && f.overlap(a.where, b.where) {
				*done = true
				f.union(a.origin, b.origin, 0, 0)
				changed = true
			}
		}
	}
	for k, st := range f.stores {
		f.steps += len(f.read) / 16
		for i, a := range f.read {
			if f.steps > mostFollowing {
				return false
			}
			if done := &f.put[k*len(f.read)+i]; !*done && f.overlap(st.where, a.where) {
				*done = true
				f.flow(st.value, i)
				changed = true
			}
		}
	}
	for i, list := range f.sent {
		root, away := f.root(f.read[i].origin)
		for _, v := range list {
			if f.steps += len(f.list[root].list); f.steps > mostFollowing {
				return false
			}
			for _, x := range f.list[root].list {
				// The value is v, and that of the root plus away.
				at := v.add(x.at.off-away, gcd(x.at.stride, f.stride[root]), 0)
				changed = f.objectFollow(v.object, follow{x.shape, at}) || changed
			}
		}
	}
	return changed
}

// flow lets what is read at place i be a value in set.
func (f *follows) flow(set setID, i int) {
	s := f.result.solver
	f.steps += len(s.sets.lists[set])
	for _, n := range s.sets.lists[set] {
		v := s.addresses[n]
		switch o := s.objects[v.object]; {
		case o.Kind == Outside:
			f.union(f.read[i].origin, f.node(v.object), v.off, v.stride)
		case (o.Kind == Variable || o.Kind == Allocation) && !slices.Contains(f.sent[i], v):
			f.sent[i] = append(f.sent[i], v)
		}
	}
}

// objectFollow notes that an object of the program is used as x, and reports whether that is new.
func (f *follows) objectFollow(object int32, x follow) bool {
	l := f.objects[object]
	if l == nil {
		l = &followList{}
		f.objects[object] = l
	}
	return l.add(x)
}

// union lets values of a be those of b plus off and any multiple of stride.
func (f *follows) union(a, b int, off, stride int64) {
	x, ax := f.root(a)
	y, by := f.root(b)
	// a = x + ax, b = y + by, a = b + off: x = y + by + off - ax.
	d := by + off - ax
	if x == y {
		f.stride[x] = gcd(gcd(f.stride[x], stride), abs(d))
		return
	}
	if len(f.list[x].list) > len(f.list[y].list) { // y = x - d
		x, y, d = y, x, -d
	}
	f.parent[x], f.away[x] = y, d
	f.stride[y] = gcd(gcd(f.stride[y], f.stride[x]), stride)
	f.steps += len(f.list[x].list)
	for _, m := range f.list[x].list {
		m.at = m.at.add(d, 0, 0)
		f.list[y].add(m)
	}
	f.list[x] = &followList{}
}

// merge merges the shapes that one value is followed as although they do not nest so, and
// reports whether any are new.
func (f *follows) merge() (changed bool) {
	for root, l := range f.list {
		for i, a := range l.list {
			if f.steps += i / 4; f.steps > mostFollowing {
				return false
			}
			for _, b := range l.list[:i+1] {
				key := [2]core.Shape{a.shape, b.shape}
				if !f.merged[key] && !natural(a, b, f.stride[root]) {
					f.merged[key] = true
					f.shapes.merge(a.shape, b.shape)
					changed = true
				}
			}
		}
	}
	return changed
}

// mostPositions bounds the positions of two objects to each other that are looked at.
const mostPositions = 4096

// natural reports whether objects can be as a and b say, any multiple of stride apart besides:
// one in the other as their types nest, or apart.
func natural(a, b follow, stride int64) bool {
	step := gcd(gcd(a.at.stride, b.at.stride), stride)
	d := b.at.off - a.at.off
	fits := func(d int64) bool {
		return d >= a.shape.Size || -d >= b.shape.Size || a.shape.Holds(d, b.shape) || b.shape.Holds(-d, a.shape)
	}
	if step == 0 {
		return fits(d)
	}
	if (a.shape.Size+b.shape.Size)/step > mostPositions {
		return false
	}
	for d = mod(d+b.shape.Size, step) - b.shape.Size; d < a.shape.Size; d += step {
		if !fits(d) {
			return false
		}
	}
	return true
}

// overlap reports whether a and b may share a bit.
func (f *follows) overlap(a, b where) bool {
	switch {
	case a.object != 0 && b.object != 0:
		return a.object == b.object && a.cell.overlaps(b.cell)
	case a.object != 0:
		return f.inObject(b.typed, a.object, a.cell)
	case b.object != 0:
		return f.inObject(a.typed, b.object, b.cell)
	}
	return f.shapes.overlap(a.typed, b.typed)
}

// inObject reports whether a place where a pointer from outside leads, t, may share bits with
// c of an object of the program that others know. Such an object is of the type that it is
// declared with, and of those that the program uses it as.
func (f *follows) inObject(t typed, object int32, c cell) bool {
	if t.wild {
		return true
	}
	if f.result.mutated == nothingGiven {
		return false
	}
	list := f.objects[object].of()
	own, declared := f.declared(object)
	if !declared && len(list) == 0 {
		return true
	}
	if declared {
		if f.inFollow(t, own, c, false) {
			return true
		}
		for _, x := range list {
			if !natural(own, x, 0) && f.inFollow(t, x, c, true) {
				return true
			}
		}
		return false
	}
	return slices.ContainsFunc(list, func(x follow) bool { return f.inFollow(t, x, c, true) })
}

// inFollow reports whether t may share bits with c, of an object that is used as x says; other
// is whether it may be a part of a larger one.
func (f *follows) inFollow(t typed, x follow, c cell, other bool) bool {
	inner := typed{shape: x.shape, cell: c.shift(address{off: -x.at.off})}
	if x.at.stride > 0 {
		inner.cell = inner.cell.shift(address{stride: x.at.stride})
	}
	switch {
	case t.shape == x.shape && t.cell.overlaps(inner.cell):
		return true
	case f.shapes.mayMix(t.shape, x.shape):
		return true
	}
	return f.shapes.holds(inner, t) || other && f.shapes.holds(t, inner)
}

// isKnown reports whether what a says of the object that it is in was reckoned with: the program
// follows its pointer so, or might. A predicate need not, as it may cast.
func (f *follows) isKnown(a access) bool {
	if a.wild {
		return true
	}
	s := f.result.solver
	for _, n := range s.sets.lists[f.result.eval(a.base)] {
		v := s.addresses[n].add(a.start, 0, 0)
		if !s.isOutside(v) {
			continue
		}
		node, known := f.nodes[v.object]
		if !known {
			return false
		}
		root, away := f.root(node)
		v = v.add(away, 0, 0)
		v.object = 0
		x := follow{a.shape, v}
		if f.list[root].has[x] {
			continue
		}
		for _, y := range f.list[root].list {
			if !natural(x, y, f.stride[root]) || !natural(x, x, f.stride[root]) {
				return false
			}
		}
	}
	return true
}

// excludes reports whether types exclude that a pointer from outside that the program follows
// leads to some object of the program that others know, and that two of them lead to places that
// overlap.
func (f *follows) excludes() (objects, overlaps bool) {
	r := f.result
	seen := map[typed]bool{}
	var places []typed
	for _, p := range r.prog.Procs {
		for _, n := range p.Nodes {
			core.StmtExprs(n.Stmt, func(e core.Expr) {
				core.Walk(e, func(e core.Expr) bool {
					if m, ok := e.(*core.Mem); ok && r.leadsOutside(m.Addr) {
						if t := shownBy(m).typed; !t.wild && !seen[t] {
							seen[t] = true
							places = append(places, t)
						}
					}
					return true
				})
			})
		}
	}
	for i, t := range places {
		for _, u := range places[:i] {
			overlaps = overlaps || !f.shapes.overlap(t, u)
		}
	}
	for _, o := range r.solver.objects {
		if o.Escaped && o.Kind != Outside && o.isMemory() && !isLiteral(o) {
			objects = objects || slices.ContainsFunc(places, func(t typed) bool { return !f.inObject(t, o.id, whole(o.bits())) })
		}
	}
	return objects, overlaps
}

// shareOrigin reports whether a and b may be reached through one pointer from outside.
func (f *follows) shareOrigin(a, b access) bool {
	s := f.result.solver
	origins := map[int32]bool{}
	for _, n := range s.sets.lists[f.result.eval(a.base)] {
		origins[s.addresses[n].object] = true
	}
	return slices.ContainsFunc(s.sets.lists[f.result.eval(b.base)], func(n int32) bool { return origins[s.addresses[n].object] })
}

// MayMix reports whether objects outside of the program of these shapes may overlap although
// neither lies in the other: in a union, or as the program takes one for the other.
func (r *Result) MayMix(a, b core.Shape) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.follows == nil || r.follows.shapes.mayMix(a, b)
}

// MayUse reports whether byte off of the object of v or, if that is nil, of what site allocates,
// may be where an object of shape s begins: as its type says, or since the program uses it so.
func (r *Result) MayUse(v *core.Var, site *core.Alloc, off int64, s core.Shape) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	f := r.follows
	object, known := r.solver.varObject[v]
	if v == nil {
		object, known = r.solver.site[site]
	}
	if f == nil || !known {
		return true
	}
	x := follow{shape: s, at: address{off: off}}
	list := f.objects[object].of()
	if own, declared := f.declared(object); declared {
		if natural(own, x, 0) || f.shapes.mayMix(own.shape, s) {
			return true
		}
	} else if len(list) == 0 {
		return true
	}
	return slices.ContainsFunc(list, func(y follow) bool {
		return natural(y, x, 0) && y.cell().overlaps(x.cell()) || f.shapes.mayMix(y.shape, s)
	})
}

// cell is the bits that x takes.
func (x follow) cell() cell { return x.at.cell(0, x.shape.Size*8) }

// declared is what object is declared as; ok is false if that is not known.
func (f *follows) declared(object int32) (own follow, ok bool) {
	o := f.result.solver.objects[object]
	if o.Kind != Variable || o.Var.Declared == nil {
		return follow{}, false
	}
	d := o.Var.Declared
	own.shape = memberShape(*d)
	if d.Count > 1 {
		own.at = address{stride: d.Size, count: closed(d.Count)}
	}
	return own, true
}

// mayMeet reports whether places of which a pointer from outside leads to the one, a, and the
// addresses in set to the other, b, may share a bit for what their types are. That has bits
// bits, first bits behind these addresses.
func (f *follows) mayMeet(a, b access, set Set, first, bits int64) bool {
	if !f.isKnown(a) {
		return true
	}
	for _, t := range set.targets {
		switch o := t.Object; {
		case o.Kind == Outside:
			if f.result.mutated == strangersApart && !f.shareOrigin(a, b) {
				continue
			}
			if !f.isKnown(b) || f.shapes.overlap(a.typed, b.typed) {
				return true
			}
		case o.isMemory() && o.Escaped:
			if f.inObject(a.typed, o.id, t.cell(first, bits)) {
				return true
			}
		}
	}
	return false
}

// Typed reports whether types keep places apart in memory that the program did not make.
func (r *Result) Typed() bool { return r.follows != nil }
