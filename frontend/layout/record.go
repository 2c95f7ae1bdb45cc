package layout

import (
	"modernc.org/cc/v4"

	"c2bp/frontend/ccfix"
	"c2bp/frontend/ctree"
	"c2bp/source"
)

// This file lays out structs and unions: the rules of gcc's stor-layout.cc with
// PCC_BITFIELD_TYPE_MATTERS, in bits.

// recordLayout is the layout of a struct or union so far, in bits.
type recordLayout struct {
	*Table
	note   *recordNote
	union  bool
	offset int64 // where the next member may start; the size of a union
	align  int64
	user   bool
	// The members that were placed, in order.
	at []position
}

// record lays out the struct or union t. incomplete says that cc takes t for incomplete; a struct
// that ends in an array without a length counts as complete.
func (l *Table) record(t cc.Type, incomplete, union bool) Layout {
	// 1. What is not understood has no layout.
	list := AllMembers(t)
	if len(list) == 0 {
		// GNU C has empty structs, of size 0.
		return Layout{align: 1, Known: !incomplete}
	}
	note := l.recordNote(t, list)
	if note == nil || note.odd != "" || len(note.members) != len(list) || incomplete && !endsOpen(list) {
		return Layout{align: 1}
	}
	align, ok := l.alignment(note.attributes)
	if !ok {
		return Layout{align: 1}
	}
	r := recordLayout{Table: l, note: note, union: union, align: max(8, 8*align), user: align > 0}
	// 2. Place the members one after another.
	for i, f := range list {
		if !r.member(f, note.members[i], i == len(list)-1) {
			return Layout{align: 1}
		}
	}
	// 3. The size is a multiple of the alignment.
	size := roundUp(r.offset, 8)
	// A struct of 8 bytes that is aligned by 8 has the size of a number.
	if l.bits32 && !r.user && r.align == 64 && roundUp(size, r.align) == 64 {
		return Layout{align: 1} // gcc may align it as a number, or as its atomic member
	}
	return Layout{Size: roundUp(size, r.align) / 8, align: r.align / 8, user: r.user, Known: true, at: r.at}
}

// recordNote returns the note on the definition of t, whose members are list, nil if there is none.
// Structs of the compiler's own text have no attributes.
func (l *Table) recordNote(t cc.Type, list []*cc.Field) *recordNote {
	key, ok := typeKey(t, 0)
	if !ok {
		if isPadding(list[0]) && len(list) == 1 {
			return &recordNote{members: make([]memberNote, 1)} // of size 0: compile-time assertions do that
		}
		return nil
	}
	note := l.records[key]
	if note == nil && isPreludeFile(key.pos.File) {
		note = &recordNote{members: make([]memberNote, len(list))}
	}
	return note
}

// isPadding reports whether f is a bit-field of width 0 without a name, int : 0.
func isPadding(f *cc.Field) bool { return f.IsBitfield() && f.Name() == "" && f.ValueBits() == 0 }

// endsOpen reports whether the last member is an array without a number of elements,
// and nothing else is incomplete.
func endsOpen(list []*cc.Field) bool {
	for _, f := range list[:len(list)-1] {
		if f.Type().IsIncomplete() {
			return false
		}
	}
	return isOpenArray(list[len(list)-1].Type())
}

// member places f; ok is false if that is not possible.
func (r *recordLayout) member(f *cc.Field, m memberNote, last bool) (ok bool) {
	// 1. The layout of its type must be known, and its attributes understood.
	t := r.Of(f.Type())
	if isOpenArray(f.Type()) && !last && !r.union || !t.Known || !ctree.FixedSize(f.Type()) {
		return false
	}
	if r.bits32 && f.Type().VectorSize() == 8 {
		return false // depends on the instructions that gcc may use
	}
	if m.odd != "" && !(m.odd == "vector_size" && f.Type().VectorSize() > 0) || !r.atomic(f.Type(), m.attributes, &t) {
		return false
	}
	// 2. The alignment that it asks for; then it is placed by its kind.
	// It is in bytes, 0 if none.
	asked, ok := r.alignment(m.attributes)
	switch {
	case !ok:
		return false
	case f.Declarator() == nil && !f.IsBitfield() && !isAnonymous(f.Type()):
		return false // struct s; in a struct declares a member for some compilers only
	// The note and cc's member are not about the same declaration.
	case f.IsBitfield() != (m.width != nil) && !isPadding(f):
		return false
	case f.IsBitfield():
		if m.width != nil && r.DependsOnLayout(m.width) {
			return false
		}
		if m.width != nil {
			r.checkWidth(ccfix.At(m.width.Position()), f.ValueBits(), f.Type())
		}
		r.bitField(f, m, t, 8*asked)
	default:
		r.ordinary(f, m, t, 8*asked)
	}
	return true
}

// isAnonymous reports whether t is a struct or union without a tag.
func isAnonymous(t cc.Type) bool {
	switch t := t.(type) {
	case *cc.StructType:
		tag := t.Tag()
		return tag.SrcStr() == ""
	case *cc.UnionType:
		tag := t.Tag()
		return tag.SrcStr() == ""
	}
	return false
}

// ordinary places a member that is no bit-field. asked is the alignment that its attributes ask
// for, in bits.
//
//	struct { char c; int n; }                                     n at byte 4
//	struct { char c; int n; } __attribute__((packed))             n at byte 1
//	struct { char c; int n __attribute__((packed, aligned(2))); } n at byte 2
func (r *recordLayout) ordinary(f *cc.Field, m memberNote, t Layout, asked int64) {
	// 1. The alignment asked for, unless the type has a greater one; packed takes that back.
	packed := m.packed && t.align > 1 || r.note.packed
	align, user := asked, asked > 0
	if !(packed && user) && 8*t.align > align {
		align, user = 8*t.align, t.user
	}
	if packed && asked == 0 {
		align = min(align, 8)
	}
	if !packed && !user && !t.whole {
		align = 8 * r.narrowed(f.Type(), align/8)
	}
	// 2. #pragma pack limits it.
	align = r.limited(align)
	r.align, r.user = max(r.align, align), r.user || user
	r.put(align, 8*t.Size)
}

// limited returns align, in bits, under #pragma pack.
func (r *recordLayout) limited(align int64) int64 {
	if r.note.pack > 0 {
		return min(align, 8*r.note.pack)
	}
	return align
}

// put places a member of size bits at the next multiple of align bits, or at the start of a union.
func (r *recordLayout) put(align, size int64) {
	if r.union {
		r.at = append(r.at, position{})
		// All members of a union begin at its start.
		r.offset = max(r.offset, roundUp(size, 8))
		return
	}
	r.offset = roundUp(r.offset, align)
	r.at = append(r.at, position{Byte: r.offset / 8, Bit: int(r.offset % 8)})
	r.offset += size
}

// bitField places a bit-field. Unnamed ones do not align the struct. asked is in bits.
//
//	struct { int a : 20; int b : 12; }     b from bit 20 on
//	struct { int a : 20; int b : 20; }     b from bit 32 on: an int must hold it
//	struct { int a : 20; int : 0; int b : 1; }     b from bit 32 on
func (r *recordLayout) bitField(f *cc.Field, m memberNote, t Layout, asked int64) {
	// 1. The unit: a bit-field of width 0 ends it.
	width := f.ValueBits()
	unit := 8 * t.align // the bit-field must not cross more multiples of it than its type
	if !t.user {
		unit = 8 * r.narrowed(f.Type(), t.align)
	}
	if width == 0 {
		r.put(max(asked, unit), 0)
		return
	}
	// 2. The alignment: that of an integer of this width if it lies well, else of a bit.
	packed := m.packed || r.note.packed
	align, whole := max(asked, 1), false
	switch width {
	case 8, 16, 32, 64: // as an ordinary integer, if it lies well
		// The greatest power of two that divides the offset.
		known := r.offset & -r.offset
		if !(width > 8 && packed) && (r.union || r.offset == 0 || known >= width) {
			align, whole = max(width, align), true
		}
	}
	if packed && asked == 0 {
		align = min(align, 8)
	}
	if whole && !packed && asked == 0 {
		align = 8 * r.narrowed(f.Type(), align/8)
	}
	align = r.limited(align)
	// 3. The struct is aligned for the type of the bit-field, if it has a name.
	if f.Name() != "" {
		own := r.limited(unit)
		if r.note.pack == 0 && packed {
			own = min(own, 8)
		}
		r.align, r.user = max(r.align, align, own), r.user || asked > 0 || t.user
	}
	// 4. The place: the next unit, if it would cross more of them than its type.
	if !r.union {
		r.offset = roundUp(r.offset, align)
		if !whole && !packed && r.note.pack == 0 && (r.offset%unit+width+unit-1)/unit > 8*t.Size/unit {
			r.offset = roundUp(r.offset, unit)
		}
	}
	r.put(1, width)
}

// roundUp returns the next multiple of unit that is not below n.
func roundUp(n, unit int64) int64 { return (n + unit - 1) / unit * unit }

// FieldOffset returns the offset of f in the struct or union that it was selected from, through
// anonymous members: in bytes and, for a bit-field, bits from there. Without known the numbers mean
// nothing.
func (l *Table) FieldOffset(f *cc.Field) (off int64, bit int, known bool) {
	if f == nil {
		return 0, 0, false
	}
	p, known := l.OwnPosition(f)
	off, bit = p.Byte, p.Bit
	if f.Parent() == nil {
		return off, bit, known
	}
	for outer := f.ParentField(); outer != nil && outer.Declarator() == nil; outer = outer.ParentField() {
		p, ok := l.OwnPosition(outer)
		off += p.Byte
		known = known && ok
	}
	return off, bit, known
}

// OwnPosition returns the position of f in the struct or union that has it as a member, which may
// be an anonymous one.
func (l *Table) OwnPosition(f *cc.Field) (p position, known bool) {
	r := l.Of(f.ParentType())
	if !r.Known || f.Index() >= len(r.at) {
		return position{}, false
	}
	return r.at[f.Index()], true
}

// MemberOffset returns the member that e, a . or ->, selects, and its offset in its object. cc also
// looks into members that are not anonymous, so it may have another one, perhaps of another type; f
// is nil then.
func (l *Table) MemberOffset(e *cc.PostfixExpression) (f *cc.Field, off int64, bit int, known bool) {
	t := e.PostfixExpression.Type()
	if e.Case == cc.PostfixExpressionPSelect {
		t = ctree.Pointee(t)
	}
	// The member by the rules of C must be the one that cc has, or one like it.
	path := l.FindMember(t, e.Token2.SrcStr(), 0)
	if path == nil || e.Field() == nil || NameAt(path[0]) != NameAt(e.Field()) && path[0].Type().String() != e.Field().Type().String() {
		return nil, 0, 0, false
	}
	known = true
	for _, g := range path {
		p, ok := l.OwnPosition(g)
		off, bit, known = off+p.Byte, bit+p.Bit, known && ok
	}
	return path[0], off, bit, known
}

// NameAt returns the position of the name of f, by which a member is known; the zero position if it
// has none.
func NameAt(f *cc.Field) source.Pos {
	if f.Declarator() == nil {
		return source.Pos{}
	}
	return ccfix.RawAt(f.Declarator().NameTok().Position())
}

// FindMember finds the member name of t, in anonymous members too: the way to it, it first. It
// returns nil if there is none. depth is the number of structs around t, to end the search in
// circles.
func (l *Table) FindMember(t cc.Type, name string, depth int) []*cc.Field {
	list := AllMembers(t)
	for _, f := range list {
		if f.Name() == name {
			return []*cc.Field{f}
		}
	}
	for _, f := range list {
		if f.Name() == "" && !f.IsBitfield() && depth < ctree.MaxDepth {
			if path := l.FindMember(f.Type(), name, depth+1); path != nil {
				return append(path, f)
			}
		}
	}
	return nil
}

// checkWidth reports a bit-field that is wider than its type t (C11 6.7.2.1p4). A _Bool has one
// bit.
func (l *Table) checkWidth(pos source.Pos, width int64, t cc.Type) {
	i, ok := ctree.IntType(t)
	limit := int64(i.Bits)
	if i.Bool {
		limit = 1
	}
	if ok && width > limit {
		l.lowering.Error(pos, "the bit-field has %d bits, its type only %d", width, limit)
	}
}
