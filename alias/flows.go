package alias

import "c2bp/internal/graph"

// This file says which values of one origin the program may read again as values of another one, and so follows values from
// outside through memory. A flow leads from an origin to a read; it is as directed as the value is:
//
//	d->owner = p;        what is read from owner may be p: all that the program uses owner as, it uses p as
//	f->owner = q;        likewise q; but not p as q, nor owner as p
//
// The list of an origin is what the program dereferences its values as, at the origin itself and wherever they flow. So all uses
// of one value are in one list, that of the origin where the program got it, with the distances that add up along the way.
//
//	stores     a value that is put into a place flows to the reads of all places that may be that one
//	reads      a value from outside is the same at all reads of the place where it lies: of two reads of places that may be
//	           one, the list of one has the uses of the other. Which one does not matter; it is the one of the place that more
//	           is known of, so that what is read through a pointer to numbers does not make one of all values that it may be
//	cycles     along a cycle of flows, origins have the same uses: they are joined (union-find), with the distance around
//	           the cycle as their stride
//
// Without cycles there are finitely many ways from an origin to a use, so that lists are finite; of more than mostDistances
// distances of one type all further ones are at a stride.

// flow says that values of node from, displaced by off and any multiple of stride, are values of node to.
type flow struct {
	from, to    int
	off, stride int64
}

// passage is a flow, and how much of the list at its end has passed it already.
type passage struct {
	flow
	list  *followList // at its end
	root  int         // to which it passes
	shift int64       // by which it is displaced then
	n     int         // the elements of list that have passed
	m     int         // the touches in it, likewise
}

// flowOn finds flows along which values may be followed, and passes uses back along them; it reports whether there were any new.
func (f *follows) flowOn() (changed bool) {
	// 1. Is a pointer that is put together of pieces dereferenced?
	if f.pieces >= 0 && !f.joined {
		f.joined = f.isFollowed(f.pieces)
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
				from, to := a, b
				if f.isBroader(a.where, b.where) {
					from, to = b, a
				}
				changed = f.link(flow{from: from.origin, to: to.origin}) || changed
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
				changed = f.link(flow{from: f.setNode(st.value), to: a.origin}) || changed
			}
		}
	}
	// 4. Uses pass back along all flows.
	changed = f.pass() || changed
	// 5. An object of the program that a read may yield is used as the value that is read.
	for node := range f.parent {
		root, away := f.root(node)
		for _, v := range f.sent[node] {
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
			for _, t := range f.list[root].touched {
				t.at = v.add(t.at.off-away, gcd(t.at.stride, f.stride[root]), 0)
				t.at.object = 0
				changed = f.objectTouch(v.object, t) || changed
			}
		}
	}
	return changed
}

// isBroader reports whether less is known of a than of b, two places that may be one: a number anywhere, or the member of a
// struct that may be a part of the other one.
func (f *follows) isBroader(a, b where) bool {
	rank := func(w where) int {
		switch {
		case w.object != 0:
			return 0
		case w.wild:
			return 3
		case w.shape.Record == nil:
			return 2
		}
		return 1
	}
	if i, j := rank(a), rank(b); i != j {
		return i > j
	}
	return rank(a) == 1 && f.shapes.holds(b.typed, a.typed)
}

// setNode returns the node of the values in a set, which all flow there. Many stores are of the same large sets.
func (f *follows) setNode(set setID) int {
	node, known := f.sets[set]
	if known {
		return node
	}
	node = f.newNode()
	f.sets[set] = node
	s := f.result.solver
	f.steps += s.sets.size(set)
	for n := range s.sets.all(set) {
		v := s.addresses[n]
		switch o := s.objects[v.object]; {
		case o.Kind == Outside:
			f.link(flow{f.node(v.object), node, v.off, v.stride})
		case o.isOwn():
			f.sent[node] = append(f.sent[node], v)
		}
	}
	return node
}

// link adds a flow, and reports whether it is new.
func (f *follows) link(x flow) bool {
	if x.from == x.to && x.off == 0 && x.stride == 0 || f.linked[x] {
		return false
	}
	f.linked[x] = true
	f.flows = append(f.flows, &passage{flow: x})
	return true
}

// between returns the roots at the ends of a flow, and how far a use at the end is from the value at its start, if it is at the
// value of its root: to = from + off for the values of nodes.
func (f *follows) between(x flow) (from, to int, shift int64) {
	from, af := f.root(x.from)
	to, at := f.root(x.to)
	return from, to, af + x.off - at
}

// pass passes uses back along flows until nothing changes, and reports whether anything did.
func (f *follows) pass() (changed bool) {
	for again := true; again && f.steps <= mostFollowing; {
		again = f.joinCycles()
		for _, p := range f.flows {
			from, to, shift := f.between(p.flow)
			if from == to {
				continue
			}
			// Only what is new since the last time.
			list := f.list[to]
			if p.list != list || p.root != from || p.shift != shift {
				p.list, p.root, p.shift, p.n, p.m = list, from, shift, 0, 0
			}
			for ; p.n < len(list.list); p.n++ {
				f.steps++
				x := list.list[p.n]
				x.at = x.at.add(shift, p.stride, 0)
				again = f.list[from].add(x, f.stride[from]) || again
			}
			for ; p.m < len(list.touched); p.m++ {
				f.steps++
				t := list.touched[p.m]
				t.at = t.at.add(shift, p.stride, 0)
				again = f.list[from].touch(t, f.stride[from]) || again
			}
		}
		changed = changed || again
	}
	return changed
}

// joinCycles joins the nodes of each cycle of flows, and reports whether there were any that had not been joined.
func (f *follows) joinCycles() (changed bool) {
	// 1. Components of roots. Joining some makes no new cycles.
	if f.cycles == len(f.flows) {
		return false
	}
	f.cycles = len(f.flows)
	succ := map[int32][]int32{}
	for _, p := range f.flows {
		if from, to, _ := f.between(p.flow); from != to {
			succ[int32(from)] = append(succ[int32(from)], int32(to))
		}
	}
	f.steps += len(f.flows) / 16
	var roots []int32
	for n := range f.parent {
		if f.parent[n] == n {
			roots = append(roots, int32(n))
		}
	}
	component := make([]int, len(f.parent))
	for i, list := range graph.Components(len(f.parent), roots, func(n int32) []int32 { return succ[n] }) {
		for _, n := range list {
			component[n] = i
		}
	}
	// 2. Along each flow in one component, values at its end are those at its start.
	for _, p := range f.flows {
		from, to, _ := f.between(p.flow)
		if component[from] == component[to] {
			changed = f.union(p.to, p.from, p.off, p.stride) || changed
		}
	}
	return changed
}

// union joins the nodes a and b: values of a are those of b plus off and any multiple of stride. It is union-find with distances:
// each child knows how far its values are from those of its parent. It reports whether it changes anything.
func (f *follows) union(a, b int, off, stride int64) bool {
	x, ax := f.root(a)
	y, by := f.root(b)
	// a = x + ax, b = y + by, a = b + off: x = y + by + off - ax.
	d := by + off - ax
	// 1. They are joined already: their distance can be any multiple of the difference.
	if x == y {
		g := gcd(gcd(f.stride[x], stride), abs(d))
		if g == f.stride[x] {
			return false
		}
		f.stride[x] = g
		f.move(x, x, 0)
		return true
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
	return true
}

// move moves the list of x to that of y, displaced by d bytes.
func (f *follows) move(x, y int, d int64) {
	list, touched := f.list[x].list, f.list[x].touched
	f.list[x] = &followList{}
	f.steps += len(list)
	// The distances are from the new root now.
	for _, m := range list {
		m.at = m.at.add(d, 0, 0)
		f.list[y].add(m, f.stride[y])
	}
	for _, t := range touched {
		t.at = t.at.add(d, 0, 0)
		f.list[y].touch(t, f.stride[y])
	}
}

// upstream is a root whose values, displaced by off and any multiple of stride, may be those of another one.
type upstream struct {
	root        int
	off, stride int64
}

// mostUpstreams bounds the upstreams of a root that are told apart by their distances.
const mostUpstreams = 1024

// upstreams lists the roots from which values flow to a root, itself included: all that is known of the values of one of them may be
// known of a value of the root. It is asked for when all flows are found.
func (f *follows) upstreams(root int) []upstream {
	list, known := f.up[root]
	if known {
		return list
	}
	// 1. Go back along the flows.
	into := f.inflowsOf()
	list = []upstream{{root, 0, f.stride[root]}}
	seen := map[upstream]bool{list[0]: true}
	for i := 0; i < len(list) && len(list) <= mostUpstreams; i++ {
		at := list[i]
		for _, p := range into[at.root] {
			from, _, shift := f.between(p.flow)
			s := upstream{from, at.off + shift, gcd(gcd(at.stride, p.stride), f.stride[from])}
			if s.stride != 0 {
				s.off = mod(s.off, s.stride)
			}
			if !seen[s] {
				seen[s] = true
				list = append(list, s)
			}
		}
	}
	// 2. They are too many: at any distance.
	if len(list) > mostUpstreams {
		list = []upstream{{root, 0, 1}}
		found := map[int]bool{root: true}
		for i := 0; i < len(list); i++ {
			for _, p := range into[list[i].root] {
				if from, _, _ := f.between(p.flow); !found[from] {
					found[from] = true
					list = append(list, upstream{from, 0, 1})
				}
			}
		}
	}
	f.up[root] = list
	return list
}

// inflowsOf returns the flows to each root from others, when all flows are found.
func (f *follows) inflowsOf() map[int][]*passage {
	if f.inflows == nil {
		f.inflows = map[int][]*passage{}
		for _, p := range f.flows {
			if from, to, _ := f.between(p.flow); from != to {
				f.inflows[to] = append(f.inflows[to], p)
			}
		}
	}
	return f.inflows
}

// usesOf lists the types that the program uses values of the upstreams of a root as, as seen from a value of the root.
func (f *follows) usesOf(root int) []follow {
	list, known := f.used[root]
	if known {
		return list
	}
	var all followList
	for _, s := range f.upstreams(root) {
		for _, x := range f.list[s.root].list {
			x.at = x.at.add(-s.off, s.stride, 0)
			all.add(x, 0)
		}
	}
	f.used[root] = all.list
	return all.list
}
