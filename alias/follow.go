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
//	then    where else values of an origin may be read: from places that they are stored in, or that are one (flows.go)
//	laid    shapes that one value is dereferenced as, unless one nests in the other so (overlay.go)
//
// An overlay lets more places overlap, so that values may be read elsewhere; the last two steps are
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
// does may be all of the struct, taken for numbers. Numbers in an array of characters are in that.
//
//	test_bit(n, &q->state)             8 bytes at byte 144 + 8k; just at 144, as the state of a struct netdev_queue is one number
//	test_bit(n, &dev->_tx[i].state)    just at 144 + 320i
//	((__le16 *)db->srom)[i]            2 bytes at byte 344 + 2k; those of srom, a char [128]
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
			if chars, isChars := y.shape.Record.RowAt(d, 1); !ok && isChars && step == 0 {
				row, ok = within(chars, d, x.shape.Size)
			}
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

// within returns the row of numbers of a size at byte off, and any multiple of the size from there, that an array of characters
// holds; ok is false if there is no room for one.
func within(chars core.Member, off, size int64) (row core.Member, ok bool) {
	first := chars.Off + mod(off-chars.Off, size)
	row = core.Member{Off: first, Size: size, Count: (chars.Off + chars.Count - first) / size}
	return row, chars.Count < core.OpenEnd && row.Count > 0
}

// followList is a set of follows, in the order in which they were added.
type followList struct {
	list      []follow
	has       map[follow]bool
	distances map[follow]int // by type
	whole     []follow       // of an object: those that are all of it
	around    []touch        // of an object: bytes in it that are accessed of structs around it (objectTouch)
	// The parts of structs that are accessed, of outside only.
	touched    []touch
	hasTouched map[touch]bool
}

// touch is an access to bytes of a struct.
type touch struct {
	follow
	bytes core.Range // from the start of the struct
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
		l.has, l.distances = map[follow]bool{}, map[follow]int{}
	}
	// Of many distances of one type, all are at a stride.
	kind := follow{shape: x.shape, row: x.row}
	if l.distances[kind]++; l.distances[kind] > mostDistances {
		for _, y := range l.list {
			if y.shape == x.shape && y.row == x.row {
				x.at = x.at.merge(y.at)
			}
		}
		if l.has[x] {
			return false
		}
	}
	l.has[x] = true
	l.list = append(l.list, x)
	return true
}

// touch adds t, displaced by any multiple of stride, and reports whether it is new.
func (l *followList) touch(t touch, stride int64) bool {
	t.follow = t.upTo(stride)
	if l.hasTouched[t] {
		return false
	}
	if l.hasTouched == nil {
		l.hasTouched = map[touch]bool{}
	}
	l.hasTouched[t] = true
	l.touched = append(l.touched, t)
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
// dereferenced as, and where values of an origin are read again.
type follows struct {
	result *Result
	shapes *shapes
	seen   map[overlay]bool // those that merge has looked at

	// The nodes are the origins, and the sets of values that are stored. Those on a cycle of flows are joined (union-find): a
	// value of one is that of its parent plus away, plus any multiple of the root's stride.
	nodes   map[int32]int // by object
	parent  []int
	away    []int64
	stride  []int64
	list    []*followList // of roots
	objects map[int32]*followList
	windows map[*core.Record]core.Ranges // bytes of structs that the program finds around its own objects, which are in these
	flows   []*passage
	linked  map[flow]bool
	cycles  int                // the flows of which the cycles have been joined
	inflows map[int][]*passage // by root, once all is found, as the rest ([follows.inflowsOf])
	up      map[int][]upstream // of roots ([follows.upstreams])
	used    map[int][]follow   // of roots ([follows.usesOf])

	moved      map[*core.Var]*core.Index // pointers that are moved along an array once
	characters map[*core.Alloc]bool      // those whose results are declared to lead to characters
	results    map[int32]*core.Record    // by origin: the type that a result of a function without a body leads to (room.go)

	looked map[looked]bool     // uses of all addresses in a set that have been noted
	into   map[lookedInto]bool // accesses, likewise
	plain  map[plainPlace]bool // those that the program reads pointers from
	read   []readPlace         // places that pointers are read from
	stores []store
	sets   map[setID]int     // nodes of sets of values that are stored, where they may be read
	sent   map[int][]address // by node: addresses of objects of the program among these
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
	nodes []int
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
		looked: map[looked]bool{}, into: map[lookedInto]bool{}, plain: map[plainPlace]bool{}, nodes: map[int32]int{}, objects: map[int32]*followList{},
		windows: map[*core.Record]core.Ranges{},
		linked:  map[flow]bool{}, up: map[int][]upstream{}, used: map[int][]follow{}, sets: map[setID]int{}, sent: map[int][]address{}, pieces: -1,
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
	// 2. Let values flow and merge shapes until nothing changes.
	n := len(f.read)
	f.met, f.put = make([]bool, n*(n-1)/2), make([]bool, n*len(f.stores))
	for f.flowOn() || f.merge() {
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
		n = f.newNode()
		f.nodes[object] = n
	}
	return n
}

// newNode makes a node.
func (f *follows) newNode() int {
	n := len(f.parent)
	f.parent = append(f.parent, n)
	f.away = append(f.away, 0)
	f.stride = append(f.stride, 0)
	f.list = append(f.list, &followList{})
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

// isFollowed reports whether a value of origin n is dereferenced. One that is not tells nothing about the others that
// it may be. That it is may be found out later.
func (f *follows) isFollowed(n int) bool {
	root, _ := f.root(n)
	return len(f.list[root].list) > 0
}

// isPostponed reports whether the values of a root, none of which is dereferenced, may be those of another one.
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

// objectFollow notes that an object of the program is used as x, and reports whether that is new. Use as characters
// says nothing: they may hold anything.
func (f *follows) objectFollow(object int32, x follow) bool {
	if x.shape.Record == nil && x.shape.Size <= 1 {
		return false
	}
	o := f.result.solver.objects[object]
	// Of a struct around the object only the parts that are accessed count (touch).
	if window, ok := windowOf(x, o.Size); ok {
		f.windows[x.shape.Record] = f.windows[x.shape.Record].With(window)
		return false
	}
	l := f.usesOfObject(object)
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

// windowOf returns the bytes of x that are in an object of size bytes, 0 if that is not known, before which x begins; ok is false if x
// does not begin there.
func windowOf(x follow, size int64) (window core.Range, ok bool) {
	if x.shape.Record == nil || x.row || x.at.stride != 0 || x.at.off >= 0 {
		return core.Range{}, false
	}
	if size == 0 {
		size = core.Far
	}
	return core.Range{Off: -x.at.off, End: -x.at.off + size}, true
}

// objectTouch notes that bytes of a struct are accessed, some of which are in an object of the program before which the struct
// begins; it reports whether that is new.
//
//	while ((d = list_first_entry_or_null(&head, struct dev, link)))     of the struct dev around head: its link, which is head,
//		d->open--;                                                  and no other part of a larger object, in which head is
func (f *follows) objectTouch(object int32, t touch) (changed bool) {
	window, ok := windowOf(t.follow, f.result.solver.objects[object].Size)
	if !ok {
		return false
	}
	if window = window.Both(t.bytes); window.Off >= window.End {
		return false
	}
	list, ok := partsWithin(t.follow, window)
	if !ok { // too many: a number anywhere
		list = []follow{{shape: core.Shape{Size: largestScalar}, at: address{stride: 1}}}
	}
	for _, x := range list {
		changed = f.objectFollow(object, x) || changed
	}
	// The struct itself says what these bytes are, if they are characters, too.
	in := touch{t.follow, window}
	if l := f.usesOfObject(object); !slices.Contains(l.around, in) {
		l.around = append(l.around, in)
		changed = true
	}
	return changed
}

// usesOfObject returns the list of an object, a new one if it has none.
func (f *follows) usesOfObject(object int32) *followList {
	l := f.objects[object]
	if l == nil {
		l = &followList{}
		f.objects[object] = l
	}
	return l
}

// mostParts bounds the number of parts that are told apart (partsWithin).
const mostParts = 256

// partsWithin returns the parts of x that overlap a window of it, where they are in an object before which x begins: none that is not
// in the object from its start on. ok is false if they are too many.
func partsWithin(x follow, window core.Range) (list []follow, ok bool) {
	var visit func(r *core.Record, start int64) bool
	visit = func(r *core.Record, start int64) bool {
		for _, m := range r.Members {
			if m.Size <= 0 || m.Count <= 0 {
				continue
			}
			// The elements that overlap the window.
			first := start + m.Off
			for k := max((window.Off-first)/m.Size, 0); k < m.Count && first+k*m.Size < window.End; k++ {
				at := first + k*m.Size
				switch {
				case at+m.Size <= window.Off:
				case len(list) >= mostParts:
					return false
				case at+x.at.off >= 0:
					list = append(list, follow{shape: m.Shape(), at: address{off: at + x.at.off}})
				case m.Record != nil && !visit(m.Record, at):
					return false
				}
			}
		}
		return true
	}
	if !visit(x.shape.Record, 0) {
		return nil, false
	}
	return list, true
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
