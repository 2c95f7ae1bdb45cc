package frontend

import (
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"c2bp/frontend/core"
	"c2bp/frontend/ctree"
	"c2bp/frontend/layout"
)

// This file makes core.Records of C's structs and unions: they say which objects may contain which, for
// memory that comes from outside of the program.

// records holds the records made so far.
type records struct {
	// A nil entry is a type that is being made, or that has no record.
	memo map[cc.Type]*core.Record
	same map[string]*core.Record // by a text of name and members: many files include one header
}

// newRecords returns an empty memo of records.
func newRecords() records {
	return records{memo: map[cc.Type]*core.Record{}, same: map[string]*core.Record{}}
}

// recordType returns the struct or union type t, nil if it is none or its layout is not known. In
// struct node { struct node *next; int x; } the member next is a word: records are not followed
// through pointers.
func (l *typing) recordType(t cc.Type) *core.Record {
	if !isStruct(t) {
		return nil
	}
	// 1. A record that contains a pointer to itself is nil there: it is being made.
	if r, known := l.records.memo[t]; known {
		return r
	}
	l.records.memo[t] = nil
	own := l.layouts.Of(t)
	if !own.Known {
		return nil
	}
	r := &core.Record{Name: l.coreType(t).String(), Size: own.Size}
	if agg, ok := l.coreType(t).(core.Agg); ok {
		r.Name = agg.Name
	}
	// 2. Its members; one whose record is not known makes it unknown, too.
	var key strings.Builder
	fmt.Fprintf(&key, "%s %d", r.Name, r.Size)
	var fields []*cc.Field
	for _, f := range layout.AllMembers(t) {
		at, known := l.layouts.OwnPosition(f)
		if !known || f.IsBitfield() && f.Name() == "" {
			continue
		}
		m := l.elementsOf(f.Type())
		if m.Record == nil && isStruct(elementType(f.Type())) {
			return nil
		}
		m.Off = at.Byte
		r.Members, fields = append(r.Members, m), append(fields, f)
	}
	l.noteMarks(r, fields)
	for i, m := range r.Members {
		fmt.Fprintf(&key, " %d:%s:%p:%d*%d:%s", m.Off, fields[i].Name(), m.Record, m.Size, m.Count, m.Tag)
	}
	// 3. Structs of one header that is read in many files have one record.
	if old := l.records.same[key.String()]; old != nil {
		r = old
	}
	l.records.same[key.String()], l.records.memo[t] = r, r
	return r
}

// noteMarks notes the members of r, which are fields, that have no elements: arrays of length 0 with other members after
// them. To access an element of one is undefined (gcc, Arrays of Length Zero), so that nothing is in it. One at the end
// is without an end, and so is each in a union, where no member is after another one.
//
//	struct buff { int len; char mark[0]; int flags; char data[0]; }     mark has the Count 0, data the Count OpenEnd
func (l *typing) noteMarks(r *core.Record, fields []*cc.Field) {
	for i := range r.Members {
		m := &r.Members[i]
		a, ok := fields[i].Type().(*cc.ArrayType)
		if !ok {
			continue
		}
		if n, known := l.layouts.Elements(a); !known || n != 0 || ctree.IsNil(a.SizeExpression()) {
			continue
		}
		// A union has all members at its start.
		if slices.ContainsFunc(r.Members[i+1:], func(n core.Member) bool { return n.Off > 0 && n.Off >= m.Off && n.Size > 0 && n.Count < core.OpenEnd }) {
			m.Count = 0
		}
	}
}

// elementsOf returns a member of type t at offset 0: the innermost elements of an array, with their
// number, core.OpenEnd if that is not known. int m[3][4] is 12 elements of 4 bytes without a
// record.
func (l *typing) elementsOf(t cc.Type) core.Member {
	m := core.Member{Count: 1, Tag: pointeeTag(elementType(t))}
	for {
		a, ok := t.(*cc.ArrayType)
		if !ok {
			break
		}
		// Dimensions multiply; a length that is not known makes the end open.
		if n, known := l.layouts.Elements(a); known && n > 0 && m.Count < core.OpenEnd {
			m.Count = min(m.Count*n, core.OpenEnd)
		} else {
			m.Count = core.OpenEnd
		}
		t = a.Elem()
	}
	if m.Record = l.recordType(t); m.Record != nil {
		m.Size = m.Record.Size
	} else {
		m.Size = l.layouts.Of(t).Size
	}
	return m
}

// pointee returns the struct or union that t points to, nil if t is no pointer to one. Of a pointer
// to an array it is the record of the elements.
func (l *typing) pointee(t cc.Type) *core.Record {
	p, ok := t.(*cc.PointerType)
	if !ok {
		return nil
	}
	return l.recordType(elementType(p.Elem()))
}

// pointeeTag returns the tag of the struct or union that t points to, as in struct bus, with a star for each further
// pointer on the way; it is empty if t is no pointer to one with a tag. Unlike its record, the tag is known before the
// struct is complete. Two structs may share it, in two blocks or files; two tags are never of one struct.
func pointeeTag(t cc.Type) string {
	p, ok := t.(*cc.PointerType)
	if !ok {
		return ""
	}
	to := p.Elem()
	if inner := pointeeTag(to); inner != "" {
		return inner + " *"
	}
	switch tag := tagOf(to); {
	case tag == "":
		return ""
	case to.Kind() == cc.Union:
		return "union " + tag
	default:
		return "struct " + tag
	}
}

// toCharacters reports whether t is a pointer to characters.
func toCharacters(t cc.Type) bool {
	p, ok := t.(*cc.PointerType)
	return ok && slices.Contains([]cc.Kind{cc.Char, cc.SChar, cc.UChar}, p.Elem().Kind())
}

// pointeesOf returns the declared pointees of the result and the parameters of a function of type
// t; nil if it has no parameters, or they are not declared. The first is that of the result; the
// others follow the parameters.
func (l *typing) pointeesOf(t *cc.FunctionType) (list []core.Pointee) {
	params := parameters(t)
	if len(params) == 0 {
		return nil
	}
	add := func(t cc.Type) {
		p, ok := t.(*cc.PointerType)
		list = append(list, core.Pointee{Void: ok && p.Elem().Kind() == cc.Void, Record: l.pointee(t)})
	}
	add(t.Result())
	for _, p := range params {
		add(p.Type())
	}
	return list
}

// elementType returns the type of the innermost elements of t; t itself if it is no array.
func elementType(t cc.Type) cc.Type {
	for {
		a, ok := t.(*cc.ArrayType)
		if !ok {
			return t
		}
		t = a.Elem()
	}
}

// isStruct reports whether t is a struct or union.
func isStruct(t cc.Type) bool {
	switch t.(type) {
	case *cc.StructType, *cc.UnionType:
		return true
	}
	return false
}

// declareAs notes that v is declared with type t. Declared stays nil where that cannot be said.
func (l *typing) declareAs(v *core.Var, t cc.Type) {
	v.To, v.ToChars = l.pointee(t), toCharacters(t)
	if !l.layouts.Of(t).Known {
		v.Incomplete = isStruct(elementType(t))
		return
	}
	// Only if the record and the size are known.
	m := l.elementsOf(t)
	if m.Record == nil && isStruct(elementType(t)) || m.Count < core.OpenEnd && m.Count*m.Size != core.Bytes(v.Type) {
		return // not known, or an array that is a pointer as a parameter
	}
	v.Declared = &m
}

// memberOf returns the address a, noted as that of a member off bytes into an object of type t.
// An Offset that has a record already keeps it. The expression is changed in place: a must be new.
func (l *typing) memberOf(a core.Expr, t cc.Type, off int64) core.Expr {
	if o, ok := a.(*core.Offset); ok && o.Of == nil {
		o.Of, o.Member = l.recordType(t), off
	}
	return a
}
