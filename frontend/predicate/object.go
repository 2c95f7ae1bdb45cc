package predicate

import (
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"c2bp/frontend/ccfix"
	"c2bp/frontend/core"
	"c2bp/frontend/ctree"
	"c2bp/source"
)

// This file reads object predicates: those in a section for a struct, a union or a typedef of
// one. They are put where global ones are, with a pointer to the object declared in front of them;
// a name of a member becomes a member of what it points to. For "state == 2" in the section
// struct dev,
//
//	{ struct dev *$v0;
//	  (void)($v0->state == 2);
//	}

// object is the struct or union that a section is about.
type object struct {
	name  string       // as C spells the type: struct dev, irp_t
	units []objectType // by translation unit
	first int          // the first unit with a type
}

// objectType is the type of an object in one translation unit. Without a type, typ is nil.
type objectType struct {
	typ    cc.Type
	record *core.Record
	pos    source.Pos // of the declaration
}

// The reasons why a name is no type of objects in a translation unit, those that say more last.
const (
	notDeclared = iota
	notStruct   // it is another type
	noMembers
	noLayout
	notUsed
	usable
)

// object finds the struct or union that a section names: struct dev, union u, or the name of a
// typedef. Without one the text says why.
func (r *resolution) object(name string) (*object, string) {
	o := &object{name: name, first: -1}
	best, hint := notDeclared, ""
	for i := range r.units {
		t, state, h := r.objectIn(i, name)
		if state > best {
			best, hint = state, h
		}
		o.units = append(o.units, t)
		if state == usable && o.first < 0 {
			o.first = i
		}
	}
	// The reason of the unit that comes nearest to a type.
	switch best {
	case usable:
		return o, ""
	case notUsed:
		return nil, fmt.Sprintf("nothing that the program reaches uses %s", name)
	case noLayout:
		return nil, fmt.Sprintf("the layout of %s is not known", name)
	case noMembers:
		return nil, fmt.Sprintf("%s is incomplete: no file lists its members", name)
	case notStruct:
		return nil, fmt.Sprintf("%s is no struct or union%s", name, hint)
	}
	return nil, fmt.Sprintf("no file declares %s outside of its procedures%s", name, r.otherObject(name))
}

// objectIn looks for the type called name at the end of translation unit i, and returns how far it
// came. The hint is for a type that is no struct or union.
func (r *resolution) objectIn(i int, name string) (found objectType, state int, hint string) {
	kind, tag, tagged := strings.Cut(name, " ")
	if !tagged {
		tag = name
	}
	for _, n := range r.units[i].AST.Scope.Nodes[tag] {
		// 1. The type that the declaration gives to the name.
		var t cc.Type
		var pos source.Pos
		switch n := n.(type) {
		case *cc.StructOrUnionSpecifier:
			if tagged && kindName(n.Type()) == kind {
				t, pos = n.Type(), ccfix.At(n.Token.Position())
			}
		case *cc.Declarator:
			if !tagged && n.IsTypename() {
				t, pos = n.Type(), ccfix.At(n.NameTok().Position())
			}
		}
		if t == nil {
			continue
		}
		// 2. Of several declarations, such as struct dev; and the definition, the best counts.
		s, h := notStruct, ""
		var record *core.Record
		switch {
		case kindName(t) == "":
			h = targetHint(t)
		case t.IsIncomplete():
			s = noMembers
		default:
			s = noLayout
			if record = r.Record(t); record != nil {
				s = notUsed
				if r.whole.usedRecords()[record] {
					s = usable
				}
			}
		}
		if s > state {
			state, hint = s, h
			found = objectType{}
			if s == usable {
				found = objectType{t, record, pos}
			}
		}
	}
	return found, state, hint
}

// kindName returns struct or union, whichever t is; "" for other types.
func kindName(t cc.Type) string {
	switch t.(type) {
	case *cc.StructType:
		return "struct"
	case *cc.UnionType:
		return "union"
	}
	return ""
}

// targetHint says which section a user has meant who named the pointer type t; "" if that is not
// known.
func targetHint(t cc.Type) string {
	p, ok := t.(*cc.PointerType)
	if !ok || kindName(p.Elem()) == "" {
		return ""
	}
	hint := ", but a pointer to one"
	if name := ctree.TypeName(p.Elem(), 1); strings.Contains(name, " ") { // it has a tag
		hint += ": write " + name
	}
	return hint
}

// otherObject says under which name there is a type where there is none called name: with the other
// kind, or as a typedef; "" if there is none.
func (r *resolution) otherObject(name string) string {
	_, tag, tagged := strings.Cut(name, " ")
	others := []string{"struct " + tag, "union " + tag, tag}
	if !tagged {
		others = []string{"struct " + name, "union " + name}
	}
	for _, other := range others {
		for i := range r.units {
			if _, state, _ := r.objectIn(i, other); other != name && state > notStruct {
				return "; write " + other
			}
		}
	}
	return ""
}

// isFunction reports whether the program has a function of that name, with a body or without: a
// section of this name is about it.
func (r *resolution) isFunction(name string) bool {
	for f := range r.Functions() {
		if f.Name == name || f.Proc.Name == name {
			return true
		}
	}
	return r.Parser().Unreached[name] != nil
}

// isType reports whether name is a typedef at the end of a file.
func (r *resolution) isType(name string) bool {
	for i := range r.units {
		if _, state, _ := r.objectIn(i, name); state > notDeclared {
			return true
		}
	}
	return false
}

// usedRecords returns the structs and unions that the core program uses: of variables, of the
// declared targets of pointers and of accesses to members, with all that lie in these.
func (u *Resolver) usedRecords() map[*core.Record]bool {
	if u.used != nil {
		return u.used
	}
	u.used = map[*core.Record]bool{}
	// add notes a record with those of its members.
	var add func(r *core.Record)
	add = func(r *core.Record) {
		if r == nil || u.used[r] {
			return
		}
		u.used[r] = true
		for _, m := range r.Members {
			add(m.Record)
		}
	}
	for _, r := range u.program.Core().Records() {
		add(r)
	}
	return u.used
}

// this returns the variable that stands for the pointer to the object that q is about: one for each
// type. The first name of a type without a tag is used.
func (u *Resolver) this(q *request) *core.Var {
	t := q.objectType()
	v := u.objects[t.record]
	if v == nil {
		name := t.record.Name
		if !strings.Contains(name, " ") { // without a tag
			name = q.object.name
		}
		v = &core.Var{Name: `\this(` + name + `)`, Type: u.program.Core().Pointer(), Kind: core.Ghost, Pos: t.pos, To: t.record}
		u.objects[t.record] = v
	}
	return v
}

// declareObject makes the first $-name the pointer to the object, if q has one.
func (r *resolution) declareObject(q *request) {
	if q.object != nil {
		q.names = append(q.names, name{
			spelling: "the object", v: r.whole.this(q), decl: q.object.name + " *" + dollar(0),
		})
	}
}

// objectType returns the type that the section of q means in its translation unit. There must be
// one.
func (q *request) objectType() objectType { return q.object.units[q.tu] }

// hasMember reports whether word is a member of the object that q is about, also one of a struct or
// union without a name in it.
func (q *request) hasMember(word string) bool {
	// cc knows members without a name by their numbers.
	if q.object == nil || word == "" || word[0] >= '0' && word[0] <= '9' {
		return false
	}
	switch t := q.objectType().typ.(type) {
	case *cc.StructType:
		return t.FieldByName(word) != nil
	case *cc.UnionType:
		return t.FieldByName(word) != nil
	}
	return false
}

// member reports whether the name of n bytes at the start of rest means a member of the object. A
// member hides everything but macros, and those count as members if they begin with one:
//
//	#define s6_addr __in6_u.__u6_addr8
func (s *nameScanner) member(rest string, n int) bool {
	word := rest[:n]
	m := s.units[s.q.tu].AST.Macros[word]
	switch {
	case s.q.object == nil:
		return false
	case n < len(rest) && rest[n] == '@': // x@12 is a variable
		return false
	case m == nil:
		return s.q.hasMember(word)
	// Without arguments it is no macro.
	case m.IsFnLike:
		return s.q.hasMember(word) && !strings.HasPrefix(rest[blanks(rest, n):], "(")
	}
	list := m.ReplacementList()
	if len(list) == 0 {
		return false
	}
	first := list[0].SrcStr()
	return s.q.hasMember(first) && (first == word || !s.declared(first))
}

// declared reports whether word is a variable, function, type or constant at the end of the file.
func (s *nameScanner) declared(word string) bool {
	return slices.ContainsFunc(s.scopeNodes(s.q, word), func(n cc.Node) bool {
		switch n.(type) {
		case *cc.Declarator, *cc.Enumerator:
			return true
		}
		return false
	})
}

// selectMember writes the name of a member, n bytes long, as that of the object. After a type among
// the arguments of a macro it is first tried so, as in min_t(int, state, 2), and then left as it
// is, as in offsetof(struct dev, state).
func (s *nameScanner) selectMember(n int) {
	s.previous = "x"
	if s.inMacro() && s.depth[len(s.depth)-1].afterType {
		if s.q.inMacro = true; s.q.plain {
			s.copy(n)
			return
		}
	}
	s.put(dollar(0)+"->", s.i)
	s.copy(n)
}

// noteType notes that an argument of a macro is a type, if word begins one and is its first word.
func (s *nameScanner) noteType(word string) {
	if s.inMacro() && (s.previous == "(" || s.previous == ",") {
		s.depth[len(s.depth)-1].isType = s.beginsType(word)
	}
}

// beginsType reports whether word is the first of the name of a type.
func (s *nameScanner) beginsType(word string) bool {
	switch word {
	case "sizeof", "_Alignof", "__alignof__", "_Generic":
		return false
	}
	if isKeyword(word) {
		return true
	}
	for _, n := range s.scopeNodes(s.q, word) {
		if d, ok := n.(*cc.Declarator); ok {
			return d.IsTypename()
		}
	}
	return false
}

// section names the section of q in messages.
func (q *request) section() string {
	if q.object != nil {
		return "the section " + q.object.name
	}
	return "the section global"
}

// isObject reports whether n is the pointer to the object, which the user has not written.
func (q *request) isObject(n cc.Node) bool {
	p, ok := n.(*cc.PrimaryExpression)
	return ok && q.object != nil && p.Case == cc.PrimaryExpressionIdent && p.Token.SrcStr() == dollar(0)
}
