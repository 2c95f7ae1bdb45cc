package wp

import (
	"math/big"

	"c2bp/frontend/core"
	"c2bp/logic"
)

// This file defines weakest liberal preconditions of statements.

// SuffixNew is the suffix of the content of a variable or map of memory after a havoc or an
// external call, an unknown of its own.
const SuffixNew = "@new"

// Pre returns WP(s, φ) as a function of φ. Values that s leaves open become unknowns with
// [SuffixNew]: the result is valid iff WP(s, φ) is. s is a statement that continues within its
// procedure: not a call, and not an assume.
func (tr *Translator) Pre(s core.Stmt) func(phi *logic.Term) *logic.Term {
	// 1. Collect the writes of s, with values in the state before.
	e := effect{tr: tr, vars: map[*logic.Term]*logic.Term{}}
	switch s := s.(type) {
	case *core.Assign:
		for i, l := range s.Lhs {
			e.store(l, tr.Value(s.Rhs[i]))
		}
	case *core.Havoc:
		for _, l := range s.Locs {
			e.store(l, nil)
		}
		if s.Region {
			e.writes = append(e.writes, region{})
		}
	case *core.Alloc:
		e.store(s.Lhs, tr.Allocated(s))
	case *core.Copy:
		e.rangeWrite(s.Dst, s.Size, core.Mem{Of: s.Of, Chars: s.Chars}, tr.copied(s))
	case *core.Fill:
		e.rangeWrite(s.Dst, s.Size, core.Mem{Chars: s.Chars}, tr.filled(s))
	case *core.Data:
		size := core.NewConst(int64(len(s.Bytes)), core.Uint64)
		e.rangeWrite(s.Dst, size, core.Mem{}, tr.data(s))
	}
	// 2. Read φ over the writes.
	after := func(phi *logic.Term) *logic.Term { return tr.awayFromGlobals(tr.after(phi, e.vars, e.writes)) }
	if s, ok := s.(*core.Alloc); ok {
		return func(phi *logic.Term) *logic.Term { return tr.unlikeNew(after(phi), s) }
	}
	return after
}

// effect is the effect of a statement: new values of variables by their terms, and writes to memory
// in order.
type effect struct {
	tr     *Translator
	vars   map[*logic.Term]*logic.Term
	writes []write
}

// store assigns v, or an unknown if v is nil, to l.
func (e *effect) store(l core.Loc, v *logic.Term) {
	// 1. A variable outside memory: a substitution.
	if r, ok := l.(*core.VarRef); ok && !r.Var.InMemory() {
		if v == nil {
			v = Sym(e.tr.T, r.Var, SuffixNew)
		}
		e.vars[e.tr.Env(r.Var)] = v
		return
	}
	// 2. A scalar in memory.
	a, typ, bit := e.tr.placeOf(l)
	if _, scalarType := core.Word(typ); scalarType {
		e.writes = append(e.writes, &scalar{loc: l, kind: kind{typ, bit}, addr: a, value: v})
		return
	}
	// 3. An object with arbitrary contents.
	x := &extent{loc: l, addr: a}
	if n := core.Bytes(typ); n > 0 {
		x.size = e.tr.T.Int(n)
	}
	e.writes = append(e.writes, x)
}

// placeOf returns the address and type of a place in memory.
func (tr *Translator) placeOf(l core.Loc) (a *logic.Term, typ core.Type, bit int) {
	switch l := l.(type) {
	case *core.VarRef:
		return tr.address(l.Var), l.Var.Type, 0
	case *core.Mem:
		return tr.followed(l.Addr), l.Typ, l.Bit
	}
	panic("wp: unknown location")
}

// rangeWrite writes size bytes at dst: an object of a type, characters, or anything, as as says. value returns the new
// content as extent.value does.
func (e *effect) rangeWrite(dst, size core.Expr, as core.Mem, value func(k kind, off, unknown *logic.Term) *logic.Term) {
	as.Addr, as.Typ = dst, core.Agg{Size: constant(size)}
	x := &extent{loc: &as, addr: e.tr.followed(dst), value: value}
	if x.size = e.tr.Value(size); x.size.IsConst() && x.size.Val.Sign() == 0 {
		return
	}
	if v := direct(x.loc); v != nil && !x.size.IsConst() && core.Bytes(v.Type) > 0 {
		x.start, x.room = e.tr.Address(v.Ref()), e.tr.T.Int(core.Bytes(v.Type))
	}
	e.writes = append(e.writes, x)
}

// constant returns the value of e if it is a constant, else 0.
func constant(e core.Expr) int64 {
	k, _ := core.ConstantOf(e)
	return k
}

// copied returns the content of the destination of s: its parts, read at the source.
func (tr *Translator) copied(s *core.Copy) func(k kind, off, unknown *logic.Term) *logic.Term {
	from := func(off int64, k kind) *logic.Term {
		l := &core.Mem{Addr: &core.Offset{X: s.Src, Off: off}, Typ: k.typ, Bit: k.bit}
		return tr.Value(l)
	}
	return func(k kind, off, unknown *logic.Term) *logic.Term {
		// At a known offset: read the part that has all bits, or else put pieces of parts together.
		if off.IsConst() {
			o := off.Val.Int64()
			if inOne(s.Parts, o, k) {
				return from(o, k)
			}
			return tr.assembled(s.Parts, o, k, from, unknown)
		}
		// At an unknown offset: distinguish the elements that it may be.
		places := elements(s.Parts, k)
		if len(places) > maxElements {
			return unknown
		}
		v := unknown
		for _, o := range places {
			v = tr.T.Ite(tr.T.Eq(off, tr.T.Int(o)), from(o, k), v)
		}
		return v
	}
}

// maxElements bounds the places of a copied object that a read may be of.
const maxElements = 16

// elements returns the offsets of parts, or of elements of them, that are as wide as k; if there
// are more than maxElements, some.
func elements(parts []core.Part, k kind) (offsets []int64) {
	for _, p := range parts {
		if p.Bit != k.bit || (kind{typ: p.Typ}).bits() != k.bits() {
			continue
		}
		for i := int64(0); i < p.Count && len(offsets) <= maxElements; i++ {
			offsets = append(offsets, p.Off+i*core.Bytes(p.Typ))
		}
	}
	return offsets
}

// inOne reports whether one of parts, or an element of it, has all bits of a read at offset off of
// kind k. Then they are in the region of that part.
func inOne(parts []core.Part, off int64, k kind) bool {
	first := 8*off + int64(k.bit)
	for _, p := range parts {
		bits, stride := (kind{typ: p.Typ}).bits(), 8*core.Bytes(p.Typ)
		at := 8*p.Off + int64(p.Bit)
		// i is the element in which the read starts.
		i := min((first-at)/stride, p.Count-1)
		if first >= at && first+k.bits() <= at+i*stride+bits {
			return true
		}
	}
	return false
}

// assembled returns the value read at offset off with kind k, put together from the parts that hold
// its bits, which from reads; unknown if some bits are in no part: padding need not be copied.
func (tr *Translator) assembled(parts []core.Part, off int64, k kind, from func(int64, kind) *logic.Term, unknown *logic.Term) *logic.Term {
	t := tr.T
	first := 8*off + int64(k.bit)
	v, have, pieces := t.Int(0), int64(0), 0
	if k.isBool() {
		return unknown
	}
	for _, p := range parts {
		bits, size := (kind{typ: p.Typ}).bits(), core.Bytes(p.Typ)
		for i := max(0, (off-p.Off)/size-1); i < p.Count && p.Off+i*size < off+16; i++ {
			at := 8*(p.Off+i*size) + int64(p.Bit)
			// Bits lo up to hi, counted from the start of the object, are in this element and are
			// read.
			lo, hi := max(first, at), min(first+k.bits(), at+bits)
			if lo >= hi {
				continue
			}
			x := t.Wrap(from(p.Off+i*size, kind{p.Typ, p.Bit}), new(big.Int), lastOf(bits))
			x = t.Mod(t.Div(x, powerOf(lo-at)), powerOf(hi-lo))
			v, have = t.Add(v, t.Scale(powerOf(lo-first), x)), have+hi-lo
			pieces++
		}
	}
	// All bits must be there, in few pieces.
	if have != k.bits() || pieces > maxPieces {
		return unknown
	}
	to, _ := core.Word(k.typ)
	return t.Wrap(v, to.Min(), to.Max())
}

// powerOf returns 2^n.
func powerOf(n int64) *big.Int { return new(big.Int).Lsh(big.NewInt(1), uint(n)) }

// lastOf returns the greatest number of n bits.
func lastOf(n int64) *big.Int { return new(big.Int).Sub(powerOf(n), big.NewInt(1)) }

// filled returns the content of the bytes of s, all the same byte; nil if that is not known.
func (tr *Translator) filled(s *core.Fill) func(k kind, off, unknown *logic.Term) *logic.Term {
	if s.Byte == nil {
		return nil
	}
	b := tr.Value(s.Byte)
	return func(k kind, off, unknown *logic.Term) *logic.Term {
		to, _ := core.Word(k.typ)
		switch {
		case b.IsConst() && !(k.isBool() && b.Val.BitLen() > 1):
			v := repeated(byte(b.Val.Uint64()), 9+k.bit/8)
			return tr.T.Big(to.Convert(v.Rsh(v, uint(k.bit))))
		case k.bits() == 8 && !k.isField() && !k.isBool():
			return tr.convert(b, to)
		}
		return unknown
	}
}

// repeated returns the number whose n lowest bytes are all b.
func repeated(b byte, n int) *big.Int {
	bytes := make([]byte, n)
	for i := range bytes {
		bytes[i] = b
	}
	return new(big.Int).SetBytes(bytes)
}

// data returns the content of the bytes of s, little end first.
func (tr *Translator) data(s *core.Data) func(k kind, off, unknown *logic.Term) *logic.Term {
	return func(k kind, off, unknown *logic.Term) *logic.Term {
		n := (k.bits() + 7) / 8
		if !off.IsConst() || k.isField() || off.Val.Sign() < 0 || off.Val.Int64()+n > int64(len(s.Bytes)) {
			return unknown
		}
		v := new(big.Int)
		for i := n - 1; i >= 0; i-- {
			v.Lsh(v, 8)
			v.Or(v, big.NewInt(int64(s.Bytes[off.Val.Int64()+i])))
		}
		if k.isBool() && v.BitLen() > 1 {
			return unknown
		}
		to, _ := core.Word(k.typ)
		return tr.T.Big(to.Convert(v))
	}
}

// Vars returns the variables that occur in e, each once, in order of occurrence.
func Vars(e core.Expr) []*core.Var {
	var out []*core.Var
	seen := map[*core.Var]bool{}
	core.WalkVars(e, func(v *core.Var) {
		if !seen[v] {
			seen[v] = true
			out = append(out, v)
		}
	})
	return out
}
