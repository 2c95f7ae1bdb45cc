package alias

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"c2bp/frontend/core"
)

// This file finds the places that functions without a body do not change, though they lie in objects that are
// known outside: members of private structs. A struct is private if only the given files define it
// ([core.Record].Private): who does not know its members can change one only through an address of it.
//
//	struct dev { spinlock_t lock; int open; struct device *parent; };    private
//	dev_set_drvdata(parent, d);      d is known outside, d->open is not
//	spin_lock(&d->lock);             d->lock is
//
// A member is hidden unless an address escapes that leads to it: to itself, a part of it, or a struct in it.
// That holds for the members of a type, whichever object the address leads into. The address of the whole
// struct is that of its first member, too; it leads there if the first member is a struct that others know, or if
// the program takes its address or converts pointers to the struct to pointers to scalars. It leads to no
// other members, unless bytes may be written there: an argument for which a size is passed.
//
//	give(&d->first)                  give(d) may change it then
//	read(file, d, sizeof *d)         all members of struct dev are known
//
// In some structs of headers a member is the driver's own ([core.Record].Kept): the context of a device, of a file.
// It is hidden in the same way.
//
// A struct whose objects the program also uses as another type is not private if they are its own and known outside,
// unless they are constants: nobody changes these. Of objects outside, what is known of the other type is known of the
// struct (hiddenlaid.go).
//
//	static const struct ops ops = { … };  dev->ops = &ops;  ((struct priv *)(dev + 1))->open    perhaps in ops: no matter

// hidden is the hidden places of a program.
type hidden struct {
	follows *follows
	private []*core.Record
	first   map[*core.Record]bool        // those of private whose addresses lead to the first member
	shown   map[*core.Record]core.Ranges // the members of private structs that are known outside
	owned   map[int32]owned              // answers of own
	memo    map[hiddenIn]core.Ranges     // those of Hidden
	seen    map[seenAt]bool              // what show was asked for
}

// seenAt is an address that is known outside, and whether all of what it leads to is.
type seenAt struct {
	address
	rest bool
}

// findHidden finds the hidden places; nil if there are none.
func (r *Result) findHidden() *hidden {
	if r.follows == nil || r.prog.Extern != core.ExternArgs {
		return nil
	}
	h := &hidden{follows: r.follows, shown: map[*core.Record]core.Ranges{}, owned: map[int32]owned{}, memo: map[hiddenIn]core.Ranges{}, seen: map[seenAt]bool{}}
	// 1. The private structs of which no object of the program that others know is used as another type.
	for _, t := range r.prog.Records() {
		if t.Private || len(t.Kept) > 0 {
			h.private = append(h.private, t)
		}
	}
	if len(h.private) == 0 {
		return nil
	}
	for i, o := range r.solver.objects {
		if _, one := h.own(int32(i)); !one && o.Escaped && o.Kind != Outside && !isConstant(o.Var) {
			h.private = slices.DeleteFunc(h.private, func(t *core.Record) bool { return !t.Forced && h.isUsedAs(int32(i), t) })
		}
	}
	if len(h.private) == 0 {
		return nil
	}
	h.findFirst(r.prog)
	for _, t := range h.private {
		if !t.Private {
			h.showOthers(t)
		}
	}
	// 2. The members that addresses lead to that are known outside.
	for n := range r.solver.sets.all(r.solver.setIn(r.solver.escaped)) {
		h.show(r.solver.addresses[n], false)
	}
	// 3. Memory that is passed with its size.
	r.showBuffers(h)
	// 4. What other types lie over.
	h.showLaid()
	return h
}

// findFirst finds the private structs whose addresses lead to their first members.
func (h *hidden) findFirst(p *core.Program) {
	h.first = map[*core.Record]bool{}
	// 1. By their types, and conversions of pointers.
	for _, t := range h.private {
		known := slices.ContainsFunc(t.Members, func(m core.Member) bool { return m.Off == 0 && m.Record != nil })
		h.first[t] = known || t.Converted
	}
	// 2. By addresses of members at their starts, which are more than the place of a read or write.
	var look func(e core.Expr, place bool)
	look = func(e core.Expr, place bool) {
		o, isOffset := e.(*core.Offset)
		if isOffset && !place && o.Of != nil {
			for _, t := range h.private {
				for _, a := range h.follows.shapes.placements(o.Of, t) {
					h.first[t] = h.first[t] || a.stride != 0 || a.off == o.Member
				}
			}
		}
		_, isIndex := e.(*core.Index)
		_, isMem := e.(*core.Mem)
		for i, x := range core.Children(e) {
			look(x, i == 0 && (isMem || place && (isOffset || isIndex)))
		}
	}
	for _, q := range p.Procs {
		for _, n := range q.Nodes {
			core.StmtExprs(n.Stmt, func(e core.Expr) { look(e, false) })
		}
	}
}

// names returns the structs that have hidden members, as C spells them: private ones, and others with members
// that are the program's own, unless the ledger says so anyway.
func (h *hidden) names() (private, others []string) {
	if h == nil {
		return nil, nil
	}
	for _, t := range h.private {
		list := &others
		if t.Stated && !t.Private {
			continue
		}
		if t.Private {
			list = &private
		}
		if len(h.rest(t)) > 0 && !slices.Contains(*list, t.Name) {
			*list = append(*list, t.Name)
		}
	}
	return private, others
}

// rest returns the hidden bytes of a private struct.
func (h *hidden) rest(t *core.Record) core.Ranges {
	return core.Ranges{{Off: 0, End: t.Size}}.Without(h.shown[t])
}

// String lists the hidden bytes of the private structs: struct dev+0:8, struct dev+12:8.
func (h *hidden) String() string {
	if h == nil {
		return ""
	}
	var names []string
	for _, t := range h.private {
		for _, r := range h.rest(t) {
			names = append(names, fmt.Sprintf("%s+%d:%d", t.Name, r.Off, r.End-r.Off))
		}
	}
	return strings.Join(names, ", ")
}

// showOthers notes that all members of t, a struct of others, are known outside but those that are the program's, and
// those of private structs in it, which stand for themselves.
func (h *hidden) showOthers(t *core.Record) {
	var kept core.Ranges
	for _, m := range t.Kept {
		kept = kept.With(core.Range{Off: m.Off, End: m.Off + m.Count*m.Size})
	}
	shapes := h.follows.shapes
	for _, inner := range h.private {
		if inner == t || shapes.inUnion(shapeOf(inner), shapeOf(t)) {
			continue
		}
		for _, p := range shapes.placements(t, inner) {
			if p.stride == 0 {
				kept = kept.With(core.Range{Off: p.off, End: p.off + inner.Size})
			}
		}
	}
	h.shown[t] = core.Ranges{{Off: 0, End: t.Size}}.Without(kept)
}

// owned is the type of an object, and where it begins; one is false if it has none, or is used as another.
type owned struct {
	follow
	one bool
}

// own returns the type of an object of the program: the one that it is declared with, or the largest that it
// is used as. one is false if it has none, or is used as another.
func (h *hidden) own(object int32) (own follow, one bool) {
	o, known := h.owned[object]
	if !known {
		list := h.follows.objects[object].of()
		o.follow, o.one = h.follows.declared(object)
		if !o.one {
			for _, x := range list {
				x = x.anyInRow() // all structs of the row are its own
				if x.shape.Record != nil && (!o.one || x.contains(o.follow)) {
					o = owned{x, true}
				}
			}
		}
		o.one = o.one && !slices.ContainsFunc(list, func(x follow) bool { return !o.contains(x) })
		// Its own type, although it is used as another, where that is to be tried ([core.Record].Forced).
		if l := h.follows.objects[object]; l != nil && !o.one {
			if i := slices.IndexFunc(l.whole, func(x follow) bool { return x.shape.Record != nil && x.shape.Record.Forced }); i >= 0 {
				o = owned{l.whole[i], true}
			}
		}
		h.owned[object] = o
	}
	return o.follow, o.one
}

// isUsedAs reports whether an object is used as t, or as a struct that holds one.
func (h *hidden) isUsedAs(object int32, t *core.Record) bool {
	if o := h.follows.result.solver.objects[object]; o.Kind == Variable && isOfOthers(o.Var, t) {
		return false
	}
	return slices.ContainsFunc(h.follows.objects[object].of(), func(x follow) bool {
		return x.shape.Record != nil && len(h.follows.shapes.placements(x.shape.Record, t)) > 0
	})
}

// isOfOthers reports whether v holds no struct t, since only the given files define that, while v is a variable of other
// files with a struct that the given ones do not define.
//
//	extern struct module __this_module;        where no header defines struct module
func isOfOthers(v *core.Var, t *core.Record) bool {
	return v != nil && v.Foreign && v.Incomplete && v.Declared == nil && t != nil && t.Private
}

// isConstant reports whether v is a variable of the program that nobody changes after its initialiser, since that would be
// undefined (C17 6.7.3p6, 6.4.5p7).
func isConstant(v *core.Var) bool {
	return v != nil && (v.Const || v.Literal) && !v.Volatile && !v.Foreign
}

// uses lists the types of the object that a leads into, each with its place.
func (h *hidden) uses(a address) []follow {
	f := h.follows
	if f.result.solver.objects[a.object].Kind != Outside {
		if own, one := h.own(a.object); one {
			return []follow{own}
		}
		return nil
	}
	// At the root of the origin, the distance is from there.
	node, known := f.nodes[a.object]
	if !known {
		return nil
	}
	root, away := f.root(node)
	var list []follow
	for _, x := range f.usesOf(root) {
		x.at = x.at.add(-away, 0, 0)
		list = append(list, x)
	}
	return list
}

// show notes that a is known outside: the members that it leads to, or, if rest, all of the struct.
func (h *hidden) show(a address, rest bool) {
	if h.seen[seenAt{a, rest}] {
		return
	}
	h.seen[seenAt{a, rest}] = true
	for _, x := range h.uses(a) {
		if x.shape.Record == nil {
			continue
		}
		for _, t := range h.private {
			if t.Forced && x.at.stride != 0 { // where the program uses the struct as itself
				continue
			}
			for _, p := range h.follows.shapes.placements(x.shape.Record, t) {
				h.showIn(t, a, p.add(x.at.off, x.at.stride, x.at.count), rest)
			}
		}
	}
}

// showIn notes the members of t, objects of which begin at start, that a leads to.
func (h *hidden) showIn(t *core.Record, a, start address, rest bool) {
	off, step := a.off-start.off, gcd(a.stride, start.stride)
	// From one place on in one object: at that place, or at a few.
	if start.stride == 0 && a.isBounded() {
		for end := min(a.last()-start.off, t.Size-1); off <= end; off += max(step, 1) {
			h.showAt(t, off, rest)
			if step == 0 {
				return
			}
		}
		return
	}
	// At any multiple of the step.
	for off = mod(off, step); off < t.Size; off += step {
		h.showAt(t, off, rest)
	}
}

// showAt notes that byte off of t is known outside. A private struct there has members of its own.
func (h *hidden) showAt(t *core.Record, off int64, rest bool) {
	if off < 0 || off >= t.Size {
		return
	}
	for _, m := range t.Members {
		// Who knows where some members begin may know all of them.
		if m.Count == 0 && m.Off == off {
			h.shown[t] = h.shown[t].With(core.Range{Off: off, End: t.Size})
		}
		if m.Off > off || m.Off+span(m) <= off {
			continue
		}
		inner := m.Record != nil && slices.Contains(h.private, m.Record)
		if !inner && (off > 0 || h.first[t]) {
			h.shown[t] = h.shown[t].With(core.Range{Off: m.Off, End: m.Off + span(m)})
		}
	}
	if rest && off == 0 {
		h.shown[t] = core.Ranges{{Off: 0, End: t.Size}}
	}
}

// hides reports whether functions without a body do not change t, a place that a pointer from outside leads
// to.
func (h *hidden) hides(t typed) bool {
	if h == nil || t.wild || t.shape.Record == nil {
		return false
	}
	return h.hidesIn(t.shape.Record, address{}, t.cell)
}

// hidesCell reports whether they do not change c, in an object of the program.
func (r *Result) hidesCell(object int32, c cell) bool {
	v := r.solver.objects[object].Var
	return v != nil && v.Kept || r.hidden.hidesCell(object, c)
}

// hidesCell reports whether c is in hidden members of an object of the program.
func (h *hidden) hidesCell(object int32, c cell) bool {
	if h == nil {
		return false
	}
	own, one := h.own(object)
	// Places are in the object: those at a stride are in elements, if it consists of them.
	if o := h.follows.result.solver.objects[object]; own.at.off == 0 && own.at.stride*own.at.count == o.Size {
		own.at.count = 0
	}
	return one && own.shape.Record != nil && h.hidesIn(own.shape.Record, own.at, c)
}

// hidesIn reports whether c is in hidden members alone of an object of type r, which begins at start: in those of
// all private structs that it lies in.
func (h *hidden) hidesIn(r *core.Record, start address, c cell) (hides bool) {
	for _, t := range h.private {
		for _, p := range h.follows.shapes.placements(r, t) {
			p = p.add(start.off, start.stride, start.count)
			switch h.standing(t, p, c) {
			case isHidden:
				hides = true
			case isShown:
				return false
			}
		}
	}
	return hides
}

// standing says how bits stand to an object of a private struct.
type standing int

const (
	isApart  standing = iota // outside of it
	isHidden                 // in hidden members
	isShown                  // in others, or nobody knows
)

// standing says how c stands to the objects of type t that begin at start.
func (h *hidden) standing(t *core.Record, start address, c cell) standing {
	if !c.overlaps(start.cell(0, t.Size*8)) {
		return isApart
	}
	// 1. The place in t. Ranges at a stride repeat with the objects, or are all in one.
	from, bits := c.off-start.off*8, c.bits
	step := start.stride * 8
	switch {
	case c.stride == 0 || step != 0 && c.stride%step == 0:
	case c.isBounded():
		bits = c.end() - c.off
	default:
		return isShown
	}
	if start.isBounded() && (!c.isBounded() || from < 0 || c.end() > (start.last()+t.Size)*8) {
		return isShown // beyond the last object
	}
	if step != 0 {
		from = mod(from, step)
	}
	to := from + bits
	if from < 0 || to > t.Size*8 {
		return isShown
	}
	// 2. Some of it is known.
	if slices.ContainsFunc(h.shown[t], func(b core.Range) bool { return from < b.End*8 && b.Off*8 < to }) {
		return isShown
	}
	return isHidden
}

// Hidden returns the bytes that functions without a body do not change: in the object of
// v or, if v is nil, in those that site allocates; if both are nil, in one of type t outside. The
// object has size bytes. It is for runs, in which such functions may change less than they could: of an array with more than
// mostElements structs the rest stays.
func (r *Result) Hidden(v *core.Var, site *core.Alloc, t *core.Record, size int64) core.Ranges {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.hidden == nil {
		return nil
	}
	key := hiddenIn{v, site, t, size}
	if list, known := r.hidden.memo[key]; known {
		return list
	}
	// 1. The type of the object, and where it begins.
	own, known := r.ownType(r.hidden, v, site, t)
	if !known {
		return nil
	}
	// 2. Each private struct in it.
	list := r.hidden.hiddenIn(own, size)
	r.hidden.memo[key] = list
	return list
}

// ownType returns the type of the object of v or, if v is nil, of those that site allocates, and where it begins; or, if both
// are nil, that of one of type t outside. known is false if it has none.
func (r *Result) ownType(h *hidden, v *core.Var, site *core.Alloc, t *core.Record) (own follow, known bool) {
	if t != nil {
		own.shape = shapeOf(t)
		return own, true
	}
	object, known := r.solver.varObject[v]
	if v == nil {
		object, known = r.solver.site[site]
	}
	if known {
		own, known = h.own(object)
	}
	return own, known && own.shape.Record != nil
}

// Within returns the bytes of such an object as [Result.Hidden] is about that are in structs of the types in list.
func (r *Result) Within(list []*core.Record, v *core.Var, site *core.Alloc, t *core.Record, size int64) (within core.Ranges) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.follows == nil {
		return nil
	}
	h := r.hidden
	if h == nil {
		h = &hidden{follows: r.follows, owned: map[int32]owned{}}
	}
	own, known := r.ownType(h, v, site, t)
	if !known {
		return nil
	}
	for _, x := range list {
		for _, p := range r.follows.shapes.placements(own.shape.Record, x) {
			list, _ := p.add(own.at.off, own.at.stride, own.at.count).upTo(size - x.Size)
			for _, off := range list {
				within = within.With(core.Range{Off: off, End: off + x.Size})
			}
		}
	}
	return within
}

// hiddenIn returns the bytes of an object of size bytes that are in hidden members alone, own being its type and where
// it begins.
func (h *hidden) hiddenIn(own follow, size int64) core.Ranges {
	var all, shown core.Ranges
	for _, t := range h.private {
		for _, p := range h.follows.shapes.placements(own.shape.Record, t) {
			list, rest := p.add(own.at.off, own.at.stride, own.at.count).upTo(size - t.Size)
			for _, off := range list {
				all = all.With(core.Range{Off: off, End: off + t.Size})
				for _, b := range h.shown[t] {
					shown = shown.With(core.Range{Off: off + b.Off, End: off + b.End})
				}
			}
			if rest < size {
				all = all.With(core.Range{Off: rest, End: size})
			}
		}
	}
	return all.Without(shown)
}

// mostElements bounds the elements of an array that upTo lists. A run may allocate as many bytes as there are addresses.
const mostElements = 1 << 12

// upTo lists the offsets of a that are not negative and at most last, but no more than mostElements; those from rest on are
// not listed.
func (a address) upTo(last int64) (list []int64, rest int64) {
	if a.stride == 0 {
		return []int64{a.off}, math.MaxInt64
	}
	for k, off := int64(0), a.off; off <= last && (a.count == 0 || k < a.count); k, off = k+1, off+a.stride {
		if len(list) == mostElements {
			return list, off
		}
		list = append(list, off)
	}
	return list, math.MaxInt64
}

// hiddenIn is a question to Result.Hidden.
type hiddenIn struct {
	v    *core.Var
	site *core.Alloc
	t    *core.Record
	size int64
}
