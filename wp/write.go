package wp

import (
	"math/big"

	"c2bp/frontend/core"
	"c2bp/logic"
)

// This file computes reads over writes (Ball–Millstein–Rajamani 2005, §5.2, without its disjunction
// over alias scenarios, which is exponential and does not commute with negation once it is pruned).
// After v was stored at address a, a read at address b yields
//
//	v              if a = b and the types are the same, or convert v exactly
//	the old value  with the bits of v in their place, if the bytes overlap in another way
//	               and b - a is a number
//	unknown        if it is not
//	the old value  otherwise
//
// Package alias prunes: where it excludes that the two places share a byte, the read yields the old
// value.

// write is the effect of a statement on memory.
type write interface {
	// place returns the place that is written; nil if only over knows.
	place() core.Loc
	// over returns the value read after the write with kind k from address b; old is the value
	// before. unknown makes an arbitrary value of the kind.
	over(tr *Translator, k kind, b, old *logic.Term, unknown func() *logic.Term) *logic.Term
}

// after returns phi about the state after variables got the values in vars and memory was written,
// as a formula about the state before. The writes happen in order.
func (tr *Translator) after(phi *logic.Term, vars map[*logic.Term]*logic.Term, writes []write) *logic.Term {
	if len(writes) == 0 {
		return tr.T.Subst(phi, vars)
	}
	return tr.T.Rewrite(phi, vars, tr.mem.settled, func(f *logic.Term, args []*logic.Term) *logic.Term {
		// 1. The read in the state before, at the address in the state before.
		b := args[0]
		x := tr.reread(f, b)
		if tr.mem.isUnknown(f) {
			return x
		}
		// 2. Apply the writes to it, from first to last, except those that cannot touch it.
		for _, w := range writes {
			if _, all := w.(region); all && tr.mem.hidden(f) || !tr.mem.mayTouch(w.place(), f) {
				continue
			}
			unknown := func() *logic.Term { return tr.unknownAt(f, b) }
			k := tr.mem.kinds[f.Name]
			if y := tr.overAt(w, f, k, b, x, unknown); y != nil {
				x = y
				continue
			}
			x = w.over(tr, k, b, x, unknown)
		}
		return x
	})
}

// mayTouch reports whether a write to l may change the result of application f. The places of f are one
// place, however they are written: it is enough that l is certain to be none of them. But a place that is
// nowhere tells nothing: d->first->v is a place of q->v because of d->first = q, and with d always null
// that is never executed.
func (m *memory) mayTouch(l core.Loc, f *logic.Term) bool {
	if l == nil {
		return true
	}
	for _, p := range m.places[f] {
		if !m.aliases.MayAlias(l, p) && !m.aliases.Nowhere(p) {
			return false
		}
	}
	return true
}

// scalar is the store of one value.
type scalar struct {
	loc   core.Loc
	kind  kind
	addr  *logic.Term
	value *logic.Term // nil: unknown
}

// place implements write.
func (w *scalar) place() core.Loc { return w.loc }

// over implements write.
func (w *scalar) over(tr *Translator, k kind, b, old *logic.Term, unknown func() *logic.Term) *logic.Term {
	t := tr.T
	// 1. If the read does not obviously coincide with the store, and their distance is a number,
	// put the bits together.
	same := t.Eq(w.addr, b)
	if same != t.True || k.bits() != w.kind.bits() || k.bit != w.kind.bit {
		if x := w.mixed(tr, k, b, old); x != nil {
			return x
		}
	}
	// 2. Else the value, if the places are the same, is the stored one, converted.
	value := func() *logic.Term {
		switch {
		case w.value == nil, k.isBool() && !w.kind.isBool():
			return unknown()
		case k.typ == w.kind.typ:
			return w.value
		}
		to, _ := core.Word(k.typ)
		return tr.convert(w.value, to)
	}
	switch {
	// 3. Places that may overlap in another way yield an unknown then: bit-fields, places that may
	// be unaligned, and places of different sizes.
	case k.isField() || w.kind.isField():
		overlap := tr.bitsOverlap(w.addr, w.kind, b, k)
		if k == w.kind {
			return t.Ite(same, value(), t.Ite(overlap, unknown(), old))
		}
		return t.Ite(overlap, unknown(), old)
	case k.bits() == w.kind.bits() && tr.mayStraddle(w.loc, k):
		size := t.Int(k.bits() / 8)
		return t.Ite(same, value(), t.Ite(tr.overlap(w.addr, size, b, size), unknown(), old))
	case k.bits() == w.kind.bits(): // both aligned: the same bytes or none in common
		return t.Ite(same, value(), old)
	}
	return t.Ite(tr.overlap(w.addr, t.Int(w.kind.bits()/8), b, t.Int(k.bits()/8)), unknown(), old)
}

// maxPieces bounds the width of a read in terms of the stored bits that it includes: provers take
// long for values that are put together from bytes.
const maxPieces = 4

// mixed returns the value read with kind k from address b, which is a number of bytes from that of
// the store: the bits of old that the store did not write, and the stored bits. It returns nil if
// the distance is not a number, if the stored value is not known, or if the read is too wide.
//
//	short at a+2 of an int v at a:     v >> 16
//	int at a, after a char c at a+1:   (old & 0xffff00ff) | (c & 0xff) << 8
func (w *scalar) mixed(tr *Translator, k kind, b, old *logic.Term) *logic.Term {
	t := tr.T
	d := t.Sub(b, w.addr)
	if !d.IsConst() || w.value == nil || k.isBool() {
		return nil
	}
	// Bit i of what is read is bit i + shift of the value, for i of [lo, hi).
	distance := new(big.Int).Mul(d.Val, big.NewInt(8))
	distance.Add(distance, big.NewInt(int64(k.bit-w.kind.bit)))
	if distance.CmpAbs(big.NewInt(1024)) > 0 {
		return old
	}
	shift, width := distance.Int64(), k.bits()
	lo, hi := max(0, -shift), min(width, w.kind.bits()-shift)
	switch {
	case lo >= hi:
		return old
	case width > maxPieces*(hi-lo):
		return nil
	}
	// The stored bits, moved to their place.
	bits := t.Wrap(w.value, new(big.Int), lastOf(w.kind.bits()))
	bits = t.Scale(powerOf(lo), t.Mod(t.Div(bits, powerOf(lo+shift)), powerOf(hi-lo)))
	// The old bits below lo and from hi on.
	if lo > 0 || hi < width {
		was := t.Wrap(old, new(big.Int), lastOf(width))
		bits = t.Add(t.Mod(was, powerOf(lo)), bits, t.Sub(was, t.Mod(was, powerOf(hi))))
	}
	to, _ := core.Word(k.typ)
	return t.Wrap(bits, to.Min(), to.Max())
}

// mayStraddle reports whether places that are read with kind k and overlap l may do so partly, although they have the same
// size: if l is in a packed struct, or one that is read so in its region; and 32-bit programs align
// numbers of 64 bits to 32 only.
func (tr *Translator) mayStraddle(l core.Loc, k kind) bool {
	m, ok := l.(*core.Mem)
	return k.bits() > int64(tr.mem.bits) || ok && m.Packed || tr.mem.aliases.Unaligned(l, k.typ)
}

// overlap states that [a, a+n) and [b, b+m) share a byte.
func (tr *Translator) overlap(a, n, b, m *logic.Term) *logic.Term {
	t := tr.T
	return t.And(t.Lt(a, t.Add(b, m)), t.Lt(b, t.Add(a, n)))
}

// bitsOverlap is overlap for places that start and end within bytes.
func (tr *Translator) bitsOverlap(a *logic.Term, k kind, b *logic.Term, l kind) *logic.Term {
	t, eight := tr.T, big.NewInt(8)
	start := func(x *logic.Term, k kind) *logic.Term { return t.Add(t.Scale(eight, x), t.Int(int64(k.bit))) }
	return tr.overlap(start(a, k), t.Int(k.bits()), start(b, l), t.Int(l.bits()))
}

// extent is a write to a range of bytes. value returns the content of the bytes at offset off (a
// term), read with kind k, where [off, off+size of k) is within the range; it is nil if nothing is
// known.
type extent struct {
	loc   core.Loc
	addr  *logic.Term
	size  *logic.Term // nil: to the end of the object, whatever that is
	value func(k kind, off, unknown *logic.Term) *logic.Term

	// The variable that the range is in, if its text says so and the size does not: C lets no write leave the object
	// in which it begins.
	start, room *logic.Term // its address and size; nil if it is not known
}

// touches states that the range and n bytes at b have bytes in common.
func (w *extent) touches(tr *Translator, b, n *logic.Term) *logic.Term {
	both := tr.overlap(w.addr, w.size, b, n)
	if w.start == nil {
		return both
	}
	return tr.T.And(both, tr.overlap(w.start, w.room, b, n))
}

// place implements write.
func (w *extent) place() core.Loc { return w.loc }

// over implements write.
func (w *extent) over(tr *Translator, k kind, b, old *logic.Term, unknown func() *logic.Term) *logic.Term {
	t := tr.T
	if w.size == nil {
		return unknown()
	}
	// 1. Without a known content: an unknown where the range and the read overlap.
	bytes := t.Int((int64(k.bit) + k.bits() + 7) / 8)
	changed := t.Ite(w.touches(tr, b, bytes), unknown(), old)
	if w.value == nil {
		return changed
	}
	// 2. Merged constants have one known distance, or are apart.
	off := t.Sub(b, w.addr)
	if at, ok := t.Merged(off); ok { // two constants: they are one, with this distance, or apart
		return t.Ite(t.Eq(off, at), w.value(k, at, changed), old)
	}
	// 3. The known content where the read is inside the range.
	inside := t.And(t.Le(t.Int(0), off), t.Le(t.Add(off, bytes), w.size))
	if inside == t.False {
		return changed
	}
	v := w.value(k, off, unknown())
	return t.Ite(inside, v, changed)
}

// overAt is over for a write to a range of bytes in which the place that f reads is at one offset, if it has a byte of it
// (Aliases.Distance): the content at that offset if it is there, else the old value. It is nil if that is not known.
func (tr *Translator) overAt(w write, f *logic.Term, k kind, b, old *logic.Term, unknown func() *logic.Term) *logic.Term {
	x, isExtent := w.(*extent)
	if !isExtent || x.size == nil || !x.size.IsConst() {
		return nil
	}
	for _, l := range tr.mem.places[f] {
		d, known := tr.mem.aliases.Distance(l, x.loc)
		if !known || tr.mem.aliases.Nowhere(l) {
			continue
		}
		t, at := tr.T, tr.T.Int(d)
		content := unknown()
		if bytes := (int64(k.bit) + k.bits() + 7) / 8; x.value != nil && d >= 0 && t.Int(d+bytes).Val.Cmp(x.size.Val) <= 0 {
			content = x.value(k, at, content)
		}
		return t.Ite(t.Eq(t.Sub(b, x.addr), at), content, old)
	}
	return nil
}

// region is the effect of Havoc.Region: everything that has an address becomes arbitrary.
type region struct{}

// place implements write: a region is no single place.
func (region) place() core.Loc { return nil }

// over implements write: everything becomes arbitrary.
func (region) over(_ *Translator, _ kind, _, _ *logic.Term, unknown func() *logic.Term) *logic.Term {
	return unknown()
}

// hidden reports whether f reads, by name, a variable whose address nobody has.
func (m *memory) hidden(f *logic.Term) bool {
	for _, p := range m.places[f] {
		if v := direct(p); v != nil && !v.AddrTaken {
			return true
		}
	}
	return false
}

// direct returns the variable that l lies in, if l names it: x, s.f, a[i].
func direct(l core.Loc) *core.Var {
	var e core.Expr = l
	for {
		// Only the outermost node may be a place; below it, addresses lead to the variable.
		switch x := e.(type) {
		case *core.VarRef:
			if e == core.Expr(l) {
				return x.Var
			}
			return nil
		case *core.Mem:
			if e != core.Expr(l) {
				return nil
			}
			e = x.Addr
		case *core.Offset:
			e = x.X
		case *core.Index:
			e = x.X
		case *core.AddrOf:
			return x.Var
		default:
			return nil
		}
	}
}
