package alias

import (
	"slices"

	"c2bp/frontend/core"
)

// This file finds the places outside of the program that may overlap although their types exclude
// it, since the program itself dereferences one pointer as both types. The value counts, however it
// travels, not the cast: a pointer that is read from a void * member in one function as a struct a
// * and in another as a struct b * leads to an object that is both.
//
//	first   the types that each origin is dereferenced as, and at which distance
//	then    the origins that may be one value: reads of one place, and stores there
//	laid    shapes that one value is dereferenced as, unless one nests in the other so (overlay.go)
//
// An overlay lets more places overlap, so that more origins may be one value; the last two steps are
// repeated until nothing changes.

// follow says that a value is dereferenced as an object of a shape, which begins at a distance from
// where the value leads: container_of(b, struct dev, bus), with bus at byte 16, says that a struct
// dev begins 16 bytes before the target of b.
type follow struct {
	shape core.Shape
	at    address // its object means nothing
	// row says that the object is a number in an array, and others of the array are accessed from there: at any multiple
	// of its size. No access leaves the array (settled).
	row bool
}

// anyInRow returns x at all places at which it may be if nothing is known of its array.
func (x follow) anyInRow() follow {
	if x.row {
		x.row, x.at = false, x.at.add(0, x.shape.Size, 0)
	}
	return x
}

// settled returns x, a use of values of a root, without reference to an array: in a row, it is at the places of the
// array that is a member of y there, another use of them, or of any other one. A row that begins where a struct
// does may be all of the struct, taken for numbers.
//
//	test_bit(n, &q->state)             8 bytes at byte 144 + 8k; just at 144, as the state of a struct netdev_queue is one number
//	test_bit(n, &dev->_tx[i].state)    just at 144 + 320i
func (f *follows) settled(x, y follow, root int) follow {
	if !x.row {
		return x
	}
	if f.stride[root] == 0 && f.result.prog.ArraysApart {
		inMember := func(y follow) (at address, ok bool) {
			d, step := x.at.off-y.at.off, x.at.stride
			switch {
			case y.shape.Record == nil || y.at.stride != 0:
				return address{}, false
			case step > 0: // in each of several structs, one after the other
				d = mod(d, step)
			}
			row, ok := y.shape.Record.RowAt(d, x.shape.Size)
			switch {
			case !ok || d <= 0 || step > 0 && (step%y.shape.Size != 0 || row.Count != 1):
				return address{}, false
			case step > 0:
				return x.at, true
			}
			return address{off: y.at.off + row.Off}.add(0, x.shape.Size, row.Count), true
		}
		for _, y := range append([]follow{y}, f.list[root].list...) {
			if at, ok := inMember(y); ok {
				return follow{shape: x.shape, at: at}
			}
		}
	}
	return x.anyInRow()
}

// followList is a set of follows, in the order in which they were added.
type followList struct {
	list  []follow
	has   map[follow]bool
	whole []follow // of an object: those that are all of it
}

// upTo returns x displaced by any multiple of stride.
func (x follow) upTo(stride int64) follow {
	x.at.object = 0
	if stride > 0 {
		x.at = x.at.add(0, stride, 0)
	}
	return x
}

// add adds x, displaced by any multiple of stride, and reports whether it is new.
func (l *followList) add(x follow, stride int64) bool {
	x = x.upTo(stride)
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

// of returns the list of an object, empty if there is none.
func (l *followList) of() []follow {
	if l == nil {
		return nil
	}
	return l.list
}

// follows is the facts about the origins of a program: the types that the values of each are
// dereferenced as, and the origins whose values may be the same.
type follows struct {
	result *Result
	shapes *shapes
	seen   map[overlay]bool // those that merge has looked at

	// Union-find over origins: a value of one is that of its parent plus away, plus any multiple of the
	// root's stride.
	nodes   map[int32]int // by object
	parent  []int
	away    []int64
	stride  []int64
	list    []*followList // of roots
	objects map[int32]*followList

	moved      map[*core.Var]*core.Index // pointers that are moved along an array once
	characters map[*core.Alloc]bool      // those whose results are declared to lead to characters
	results    map[int32]*core.Record    // by origin: the type that a result of a function without a body leads to (room.go)

	looked map[looked]bool     // uses of all addresses in a set that have been noted
	plain  map[plainPlace]bool // those that the program reads pointers from
	read   []readPlace         // places that pointers are read from
	stores []store
	flown  map[setID]int     // by value that is stored: the first read that may yield it
	sent   map[int][]address // by read: objects of the program that it may lead to
	places bool              // the types of pointers say where some number is written
	told   *bool             // whether the ledger says that types exclude that places overlap, once it is asked (Distance)
	pieces int               // the origin of pieces of pointers, -1 if none are read
	joined bool              // a pointer that is put together of pieces is dereferenced
	steps  int               // work so far
	met    []bool            // pairs of read that may be one place, the later one first
	put    []bool            // pairs of stores and read likewise

	readsAs   map[int32]readAs // answers of readAs, once all is found
	postponed map[int]bool     // answers of isPostponed, likewise
}

// readAs is an answer of [follows.readAs].
type readAs struct {
	node  int
	known bool
}

// plainPlace is a place outside, of no structure, and the tag of its shape.
type plainPlace struct {
	cell cell
	tag  string
}

// readPlace is a place outside, or one that others may write to, and the origin of the values that
// are read there.
type readPlace struct {
	where  where
	origin int
}

// where is a place outside, or bits of an object of the program that others know.
type where struct {
	typed
	object int32   // 0: outside
	pieces bool    // a piece of it only
	from   address // for a place outside without a record: the address, if one is known; see placed
	inRow  bool    // at any multiple of its size from there, in the same array
}

// store is a value that is put into a place.
type store struct {
	where where
	value setID
}

// mostFollowing bounds the work of findFollows, in steps. For a program that takes more, the types of
// memory outside are ignored, which is always sound.
const mostFollowing = 3_000_000

// findFollows returns the follows of the program, nil if its memory from outside is not typed, or
// if it takes too long to find them.
func (r *Result) findFollows() *follows {
	if r.prog.Environment != core.EnvironmentTyped {
		return nil
	}
	f := &follows{
		result: r, shapes: newShapes(r.prog.Records()), seen: map[overlay]bool{},
		looked: map[looked]bool{}, plain: map[plainPlace]bool{}, nodes: map[int32]int{}, objects: map[int32]*followList{}, flown: map[setID]int{}, sent: map[int][]address{}, pieces: -1,
		characters: charactersAt(r.prog), moved: movedFrom(r.prog), results: map[int32]*core.Record{}, readsAs: map[int32]readAs{}, postponed: map[int]bool{},
	}
	// 1. Collect the types that values are dereferenced as, stores, and reads.
	f.declare(r.prog.Globals)
	for _, p := range r.prog.Procs {
		f.declare(p.Formals)
		f.declare(p.Locals)
		for _, n := range p.Nodes {
			f.look(n.Stmt)
			f.lookAtInput(n)
			f.store(n.Stmt)
		}
	}
	f.findRead()
	// 2. Unify origins and merge shapes until nothing changes.
	n := len(f.read)
	f.met, f.put = make([]bool, n*(n-1)/2), make([]bool, n*len(f.stores))
	for f.unify() || f.merge() {
	}
	if f.steps > mostFollowing {
		return nil
	}
	// 3. The places of numbers are settled.
	for i := range f.stores {
		at := f.placed(f.stores[i].where)
		f.places = f.places || at != f.stores[i].where
		f.stores[i].where = at
	}
	return f
}

// node returns the number of the origin that is object.
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

// root returns the root of n, and the distance of a value of n from one of the root.
func (f *follows) root(n int) (root int, away int64) {
	if f.parent[n] == n {
		return n, 0
	}
	// Compress the path.
	root, away = f.root(f.parent[n])
	away += f.away[n]
	f.parent[n], f.away[n] = root, away
	return root, away
}

// unify unifies origins that may be the same value, and reports whether there were any new.
func (f *follows) unify() (changed bool) {
	// 1. Is a pointer that is put together of pieces dereferenced?
	if f.pieces >= 0 && !f.joined {
		root, _ := f.root(f.pieces)
		f.joined = len(f.list[root].list) > 0
	}
	// 2. Values that are read from places that may overlap may be one.
	for i, a := range f.read {
		f.steps += i / 16
		for j, b := range f.read[:i] {
			if f.steps > mostFollowing {
				return false
			}
			if done := &f.met[i*(i-1)/2+j]; !*done && f.isFollowed(a.origin) && f.isFollowed(b.origin) && f.overlap(a.where, b.where) {
				*done = true
				f.union(a.origin, b.origin, 0, 0)
				changed = true
			}
		}
	}
	// 3. A value that is stored may be read where the place may overlap.
	for k, st := range f.stores {
		f.steps += len(f.read) / 16
		at := f.placed(st.where)
		for i, a := range f.read {
			if f.steps > mostFollowing {
				return false
			}
			if done := &f.put[k*len(f.read)+i]; !*done && f.isFollowed(a.origin) && f.overlap(at, a.where) {
				*done = true
				f.flow(st.value, i)
				changed = true
			}
		}
	}
	// 4. An object of the program that a read may yield is used as the value that is read.
	for i, list := range f.sent {
		root, away := f.root(f.read[i].origin)
		for _, v := range list {
			if f.steps += len(f.list[root].list); f.steps > mostFollowing {
				return false
			}
			for _, x := range f.list[root].list {
				// The value is v, and that of the root plus away.
				if !f.result.prog.ArraysApart {
					x = x.anyInRow()
				}
				at := v.add(x.at.off-away, gcd(x.at.stride, f.stride[root]), 0)
				changed = f.objectFollow(v.object, follow{shape: x.shape, at: at, row: x.row}) || changed
			}
		}
	}
	return changed
}

// isFollowed reports whether a value of origin n is dereferenced. One that is not tells nothing about the others that
// it may be: a number that is read through a pointer to numbers, which may be any number of any structure, does not
// make one of them all. That it is may be found out later.
func (f *follows) isFollowed(n int) bool {
	root, _ := f.root(n)
	return len(f.list[root].list) > 0
}

// isPostponed reports whether the values of a root, none of which is dereferenced, may be those of another root.
func (f *follows) isPostponed(root int) bool {
	if len(f.list[root].list) > 0 {
		return false
	}
	answer, known := f.postponed[root]
	if !known {
		answer = f.findPostponed(root)
		f.postponed[root] = answer
	}
	return answer
}

// findPostponed computes isPostponed.
func (f *follows) findPostponed(root int) bool {
	of := func(r readPlace) bool { at, _ := f.root(r.origin); return at == root }
	return slices.ContainsFunc(f.read, func(a readPlace) bool {
		return of(a) && (slices.ContainsFunc(f.read, func(b readPlace) bool { return !of(b) && f.overlap(a.where, b.where) }) ||
			slices.ContainsFunc(f.stores, func(st store) bool { return f.overlap(st.where, a.where) }))
	})
}

// flow notes that the values in set may be read at place i, and so unifies its origin with those of
// other places that such a value flows to. Sets are shared by many stores, so that each is gone
// through once.
func (f *follows) flow(set setID, i int) {
	// 1. The value has flowed to another read already: the two may be one value.
	if first, known := f.flown[set]; known {
		f.union(f.read[i].origin, f.read[first].origin, 0, 0)
		return
	}
	f.flown[set] = i
	// 2. Unify with the origins in it; note its objects of the program.
	s := f.result.solver
	f.steps += s.sets.size(set)
	for n := range s.sets.all(set) {
		v := s.addresses[n]
		switch o := s.objects[v.object]; {
		case o.Kind == Outside:
			f.union(f.read[i].origin, f.node(v.object), v.off, v.stride)
		case o.isOwn() && !slices.Contains(f.sent[i], v):
			f.sent[i] = append(f.sent[i], v)
		}
	}
}

// objectFollow notes that an object of the program is used as x, and reports whether that is new. Use as characters
// says nothing: they may hold anything.
func (f *follows) objectFollow(object int32, x follow) bool {
	if x.shape.Record == nil && x.shape.Size <= 1 {
		return false
	}
	o := f.result.solver.objects[object]
	if parts, ok := partsWithin(x, o.Size); ok {
		changed := false
		for _, p := range parts {
			changed = f.objectFollow(object, p) || changed
		}
		return changed
	}
	l := f.objects[object]
	if l == nil {
		l = &followList{}
		f.objects[object] = l
	}
	if !l.add(x, 0) {
		return false
	}
	// Those that others may be parts of are few, and asked for often (isPart). A struct that ends with an array without an
	// end has all of the memory that was allocated for it.
	hasAll := o.Kind == Allocation && !x.row && x.shape.End() >= core.OpenEnd && (o.Size == 0 || o.Size >= x.shape.Size)
	if x.at.off == 0 && x.at.stride == 0 && (x.shape.Size == o.Size || hasAll) {
		l.whole = append(l.whole, x)
	}
	return true
}

// mostParts bounds the number of parts that are told apart (partsWithin).
const mostParts = 256

// partsWithin returns the parts of x in an object of size bytes, 0 if that is not known, before which x begins: no access
// is outside of the object, so others of x are not used. ok is false if x does not begin there, or if they are too many.
//
//	while ((d = list_first_entry_or_null(&head, struct dev, link)))     of the struct dev around head: its link, which is head
func partsWithin(x follow, size int64) (list []follow, ok bool) {
	if x.shape.Record == nil || x.row || x.at.stride != 0 || x.at.off >= 0 {
		return nil, false
	}
	if size == 0 {
		size = core.Far
	}
	var visit func(r *core.Record, start int64) bool
	visit = func(r *core.Record, start int64) bool {
		for _, m := range r.Members {
			if m.Size <= 0 || m.Count <= 0 {
				continue
			}
			// The elements of which the last byte is in the object, as far as the first one is.
			first := start + m.Off
			k := max((-first)/m.Size, 0)
			for ; k < m.Count && first+k*m.Size < size; k++ {
				at := first + k*m.Size
				switch {
				case len(list) >= mostParts:
					return false
				case at >= 0:
					list = append(list, follow{shape: m.Shape(), at: address{off: at}})
				case m.Record != nil && !visit(m.Record, at):
					return false
				}
			}
		}
		return true
	}
	if !visit(x.shape.Record, x.at.off) {
		return nil, false
	}
	return list, true
}

// union unifies values of a with those of b plus off and any multiple of stride. It is union-find
// with distances: each child knows how far its values are from those of its parent.
func (f *follows) union(a, b int, off, stride int64) {
	x, ax := f.root(a)
	y, by := f.root(b)
	// a = x + ax, b = y + by, a = b + off: x = y + by + off - ax.
	d := by + off - ax
	// 1. They are unified already: their distance can be any multiple of the difference.
	if x == y {
		if g := gcd(gcd(f.stride[x], stride), abs(d)); g != f.stride[x] {
			f.stride[x] = g
			f.move(x, x, 0)
		}
		return
	}
	// 2. Make the root with the shorter list a child of the other.
	if len(f.list[x].list) > len(f.list[y].list) { // y = x - d
		x, y, d = y, x, -d
	}
	f.parent[x], f.away[x] = y, d
	if g := gcd(gcd(f.stride[y], f.stride[x]), stride); g != f.stride[y] {
		f.stride[y] = g
		f.move(y, y, 0)
	}
	// 3. Join the lists.
	f.move(x, y, d)
}

// move moves the list of x to that of y, displaced by d bytes.
func (f *follows) move(x, y int, d int64) {
	list := f.list[x].list
	f.list[x] = &followList{}
	f.steps += len(list)
	// The distances are from the new root now.
	for _, m := range list {
		m.at = m.at.add(d, 0, 0)
		f.list[y].add(m, f.stride[y])
	}
}

// merge lets shapes that one value is dereferenced as lie over each other, unless their types nest so, and reports
// whether that is new.
func (f *follows) merge() (changed bool) {
	for root, l := range f.list {
		// Compare each pair of types, at each distance once.
		for i, a := range l.list {
			if f.steps += i / 4; f.steps > mostFollowing {
				return false
			}
			for _, b := range l.list[:i+1] {
				a, b := f.settled(a, b, root), f.settled(b, a, root)
				x := overlayOf(a, b, f.stride[root])
				if f.seen[x] {
					continue
				}
				f.seen[x] = true
				if !natural(a, b, f.stride[root]) {
					changed = f.shapes.merge(x) || changed
				}
			}
		}
	}
	return changed
}
