package cgen

import (
	"fmt"
	"strings"
)

// This file generates the types, globals and functions of programs with memory.
//
// Every object belongs to a pool, and every pointer type points into one pool; a pointer that is stored
// in an object points to an object that lives as long as the program. For the effects of expressions a
// pool is like one global variable (see variable.isPool): so operands without an order never access the
// same memory, whatever pointers they use.
//
// Values never depend on addresses, nor on padding: bytes are looked at only in integers, arrays of
// them, and unions, whose first member covers the others and is initialised.

// pools is how many pools there are.
const pools = 3

// kind of a type.
type kind int

const (
	integer kind = iota
	bitField
	pointer
	funcPointer
	array
	record
)

// mtype is a type of programs with memory.
type mtype struct {
	kind kind
	int  ctype      // integer, bitField
	bits int        // width of a bitField
	elem *mtype     // of an array; what a pointer points to
	n    int        // length of an array
	pool int        // that a pointer points into
	null bool       // a pointer may be null
	rec  *structure // record
	sig  *signature // funcPointer
}

// structure is a struct or union.
type structure struct {
	keyword, name string
	members       []member
	pointers      bool // a pointer is part of it
	bools         bool // a _Bool
	inner         bool // it is a member of a union, whose bytes are looked at
}

// member of a structure. Without a name it is an anonymous structure.
type member struct {
	name string
	typ  *mtype
}

// signature is a type of functions that pointers point to.
type signature struct {
	result  ctype
	params  []ctype
	pointer *mtype   // the type of the last parameter, or nil
	funcs   []string // such functions
	defined int      // of funcs
}

// define returns the name of the next function to be defined.
func (s *signature) define() string {
	s.defined++
	return s.funcs[s.defined-1]
}

// object is a variable of such a type.
type object struct {
	name  string
	typ   *mtype
	pool  int
	scope int // nesting depth of the block that it lives in, 0 for the file
}

// pointerVar is a variable that holds a pointer, to an object that lives at least as long as itself.
type pointerVar struct {
	name  string
	typ   *mtype
	scope int
	fixed bool // not to be assigned
}

// global reports whether functions may change v.
func (v pointerVar) global() bool { return v.scope == 0 }

// builder is a function that returns a structure.
type builder struct {
	name   string
	typ    *mtype
	params []ctype
}

// selector is a function that returns one of two pointers.
type selector struct {
	name string
	typ  *mtype
}

// memory is the state of the generator that programs with memory need.
type memory struct {
	structs  []*mtype
	unions   []*mtype
	kinds    []*mtype // pointers that objects may hold
	bases    []object // for each of kinds something to point to
	sigs     []*mtype
	objects  []object     // in scope
	pointers []pointerVar // in scope
	builders []builder
	selects  []selector
	node     string // a struct for lists
	scope    int
	nested   int // depth of indices in indices
}

// poolMark begins the names of the variables that stand for pools: no name in C does.
const poolMark = "\x00pool"

// poolName returns the name of the variable that stands for pool k.
func poolName(k int) string { return fmt.Sprintf("%s%d", poolMark, k) }

// isPool reports whether v stands for all objects of a pool.
func (v variable) isPool() bool { return strings.HasPrefix(v.name, poolMark) }

// enterScope opens a scope; the result closes it.
func (g *generator) enterScope() func() {
	m := g.mem
	if m == nil {
		return func() {}
	}
	objects, pointers := len(m.objects), len(m.pointers)
	m.scope++
	return func() {
		m.objects, m.pointers = m.objects[:objects], m.pointers[:pointers]
		m.scope--
	}
}

// isUnion reports whether t is a union.
func (t *mtype) isUnion() bool { return t.kind == record && t.rec.keyword == "union" }

// hasPointers reports whether bytes of t are parts of pointers.
func (t *mtype) hasPointers() bool {
	switch t.kind {
	case pointer, funcPointer:
		return true
	case array:
		return t.elem.hasPointers()
	case record:
		return t.rec.pointers
	}
	return false
}

// hasBools reports whether not all bytes are values of t.
func (t *mtype) hasBools() bool {
	switch t.kind {
	case integer:
		return t.int.bits == 1
	case array:
		return t.elem.hasBools()
	case record:
		return t.rec.bools
	}
	return false
}

// bytewise reports whether the bytes of t may be looked at and written one by one.
func (t *mtype) bytewise() bool {
	switch t.kind {
	case integer:
		return t.int.bits > 1
	case array:
		return t.elem.bytewise()
	}
	return t.isUnion()
}

// same reports whether t and u are the same type.
func (t *mtype) same(u *mtype) bool {
	if t == u {
		return true
	}
	if t.kind != u.kind {
		return false
	}
	switch t.kind {
	case integer:
		return t.int.name == u.int.name
	case array:
		return t.n == u.n && t.elem.same(u.elem)
	case record:
		return t.rec == u.rec
	case pointer:
		return t.pool == u.pool && t.null == u.null && t.elem.same(u.elem)
	case funcPointer:
		return t.sig == u.sig
	}
	return false
}

// declare returns a declarator with type: "int (*x)[4]".
func (t *mtype) declare(name string) string {
	switch t.kind {
	case integer, bitField:
		s := strings.TrimSpace(t.int.name + " " + name)
		if t.kind == bitField {
			s += fmt.Sprintf(" : %d", t.bits)
		}
		return s
	case pointer:
		if t.elem.kind == array {
			return t.elem.declare("(*" + name + ")")
		}
		return t.elem.declare("*" + name)
	case funcPointer:
		return fmt.Sprintf("%s (*%s)(%s)", t.sig.result.name, name, strings.Join(t.sig.types(), ", "))
	case array:
		return t.elem.declare(fmt.Sprintf("%s[%d]", name, t.n))
	}
	return strings.TrimSpace(t.rec.keyword + " " + t.rec.name + " " + name)
}

// String returns the type without a name: "int (*)[4]".
func (t *mtype) String() string { return t.declare("") }

// types lists the types of the parameters.
func (s *signature) types() (list []string) {
	for _, t := range s.params {
		list = append(list, t.name)
	}
	if s.pointer != nil {
		list = append(list, s.pointer.String())
	}
	return list
}

// wide returns an integer type other than _Bool.
func (g *generator) wide() *mtype { return &mtype{kind: integer, int: pick(g, types[1:])} }

// anyInt returns an integer type.
func (g *generator) anyInt() *mtype { return &mtype{kind: integer, int: g.typ()} }

// bits returns a type of bit-fields: an integer type of any size, and any width up to its own.
func (g *generator) bits() *mtype {
	t := pick(g, []ctype{{"int", 32, true}, {"unsigned", 32, false}, {"signed char", 8, true}, {"unsigned char", 8, false},
		{"short", 16, true}, {"unsigned short", 16, false}, {"long long", 64, true}, {"unsigned long long", 64, false},
		{"_Bool", 1, false}, {"int", 32, true}, {"unsigned", 32, false}})
	return &mtype{kind: bitField, int: t, bits: 1 + g.n(t.bits)}
}

// length returns the length of an array, a power of two in most cases: then an index is a mask.
func (g *generator) length() int { return pick(g, []int{2, 2, 3, 4, 4, 5, 8}) }

// arrayOf returns an array of t.
func (g *generator) arrayOf(t *mtype) *mtype { return &mtype{kind: array, elem: t, n: g.length()} }

// memberType returns the type of a member of a new struct: integers, bit-fields, arrays (of
// arrays), structs and unions made before, pointers to itself, which may be null, other pointers,
// arrays of them, pointers to functions.
func (g *generator) memberType(self *mtype) *mtype {
	m := g.mem
	switch k := g.n(22); {
	case k < 5:
		return g.anyInt()
	case k < 9:
		return g.bits()
	case k < 12:
		t := g.arrayOf(g.wide())
		if g.p(30) {
			t.n = 2
			t = &mtype{kind: array, elem: t, n: 1 + g.n(3)}
		}
		return t
	case k < 14 && len(m.structs) > 0:
		return pick(g, m.structs)
	case k < 15 && len(m.structs) > 0:
		return &mtype{kind: array, elem: pick(g, m.structs), n: 2}
	case k < 17 && len(m.unions) > 0:
		return pick(g, m.unions)
	case k < 18:
		return &mtype{kind: pointer, elem: self, pool: g.n(pools), null: true}
	case k < 20:
		return pick(g, m.kinds)
	case k < 21:
		return &mtype{kind: array, elem: pick(g, m.kinds), n: 2}
	}
	return pick(g, m.sigs)
}

// newStruct declares a struct.
func (g *generator) newStruct() {
	t := &mtype{kind: record, rec: &structure{keyword: "struct", name: g.fresh("S")}}
	// Two to six random members, and an integer at the end.
	for n := 2 + g.n(5); n > 0; n-- {
		t.rec.members = append(t.rec.members, member{g.fresh("m"), g.memberType(t)})
	}
	// At least one integer that is no bit-field.
	t.rec.members = append(t.rec.members, member{g.fresh("m"), g.wide()})
	if g.p(25) { // members of an anonymous structure are the structure's own
		inner := &structure{keyword: "struct"}
		for n := 1 + g.n(3); n > 0; n-- {
			inner.members = append(inner.members, member{g.fresh("m"), pick(g, []*mtype{g.bits(), g.anyInt()})})
		}
		// It stands anywhere among the others.
		i := g.n(len(t.rec.members))
		t.rec.members = append(t.rec.members[:i:i], append([]member{{"", &mtype{kind: record, rec: inner}}}, t.rec.members[i:]...)...)
		inner.note()
	}
	t.rec.note()
	g.declareRecord(t)
	g.mem.structs = append(g.mem.structs, t)
	// A null pointer in an object is replaced by the address of a spare object when it is
	// followed.
	spare := map[int]bool{}
	for _, m := range t.rec.members { // something for null pointers to point to
		if m.typ.null && !spare[m.typ.pool] {
			spare[m.typ.pool] = true
			g.globalObject(t, m.typ.pool)
		}
	}
}

// note computes the properties of s from its members.
func (s *structure) note() {
	for _, m := range s.members {
		s.pointers = s.pointers || m.typ.hasPointers()
		s.bools = s.bools || m.typ.hasBools()
	}
}

// unionBytes is the size of the first member of a union, which covers the others: so every byte is
// initialised.
const unionBytes = 24

// newUnion declares a union: bytes, and then integers, arrays that fill it, bit-fields, or structs
// of bit-fields and integers. A read of another member than the one that was written is defined by
// its bytes.
func (g *generator) newUnion() {
	u := &structure{keyword: "union", name: g.fresh("U")}
	bytes := &mtype{kind: array, elem: &mtype{kind: integer, int: ctype{"unsigned char", 8, false}}, n: unionBytes}
	// The bytes come first: an initialiser of the union is one of its first member.
	u.members = append(u.members, member{g.fresh("m"), bytes})
	for n := 2 + g.n(4); n > 0; n-- {
		t := g.wide()
		switch g.n(5) {
		case 0:
			t = &mtype{kind: array, elem: t, n: unionBytes * 8 / t.int.bits}
		case 1:
			t = g.bits()
		case 2:
			inner := &mtype{kind: record, rec: &structure{keyword: "struct", name: g.fresh("S"), inner: true}}
			for k := 1 + g.n(3); k > 0; k-- {
				inner.rec.members = append(inner.rec.members, member{g.fresh("m"), pick(g, []*mtype{g.bits(), g.wide()})})
			}
			g.declareRecord(inner)
			t = inner
		}
		u.members = append(u.members, member{g.fresh("m"), t})
	}
	t := &mtype{kind: record, rec: u}
	g.declareRecord(t)
	g.mem.unions = append(g.mem.unions, t)
}

// declareRecord declares a struct or union in the program.
func (g *generator) declareRecord(t *mtype) {
	g.line("%s %s { %s};", t.rec.keyword, t.rec.name, memberList(t.rec))
}

// memberList returns the members of a structure as C declares them, those of anonymous structures
// included.
func memberList(s *structure) string {
	var b strings.Builder
	for _, m := range s.members {
		if m.name == "" {
			fmt.Fprintf(&b, "struct { %s}; ", memberList(m.typ.rec))
		} else {
			fmt.Fprintf(&b, "%s; ", m.typ.declare(m.name))
		}
	}
	return b.String()
}

// records returns the structs and unions that objects may be.
func (g *generator) records() []*mtype {
	return append(append([]*mtype(nil), g.mem.structs...), g.mem.unions...)
}

// newKind makes a type of pointers that objects may hold, and something to point to.
func (g *generator) newKind(elem *mtype) {
	p := &mtype{kind: pointer, elem: elem, pool: g.n(pools)}
	o := g.globalObject(elem, p.pool)
	g.mem.kinds = append(g.mem.kinds, p)
	g.mem.bases = append(g.mem.bases, o)
}

// base returns an object that p may point to at any time.
func (g *generator) base(p *mtype) string {
	// Types are compared by structure, as two equal ones may have been made.
	for i, k := range g.mem.kinds {
		if k.same(p) {
			return "&" + g.mem.bases[i].name
		}
	}
	panic("cgen: a pointer to nothing: " + p.String())
}

// hasBase reports whether base returns an object for p.
func (g *generator) hasBase(p *mtype) bool {
	for _, k := range g.mem.kinds {
		if k.same(p) {
			return true
		}
	}
	return false
}

// globalObject declares an object of the file.
func (g *generator) globalObject(t *mtype, pool int) object {
	o := object{g.fresh("o"), t, pool, 0}
	storage := pick(g, []string{"", "static "})
	if !t.hasPointers() && g.p(15) {
		g.line("%s%s;", storage, t.declare(o.name))
	} else {
		g.line("%s%s = %s;", storage, t.declare(o.name), g.initialiser(t, g.constantValue))
	}
	g.mem.objects = append(g.mem.objects, o)
	return o
}

// memoryGlobals makes types and global objects: each kind of pointer gets an object to point to as
// soon as it exists, then signatures, unions, structs, more objects, pointers and tables of
// functions.
func (g *generator) memoryGlobals() {
	m := g.mem
	g.line("void *malloc(__SIZE_TYPE__); void free(void *); void *memcpy(void *, const void *, __SIZE_TYPE__);")
	g.line("void *memmove(void *, const void *, __SIZE_TYPE__); void *memset(void *, int, __SIZE_TYPE__);")
	// Pools are variables to the effects of expressions.
	for k := range pools {
		g.vars = append(g.vars, variable{poolName(k), ctype{}, true, false})
	}
	for i := 1 + g.n(2); i > 0; i-- {
		g.newKind(g.wide())
	}
	// Pointers to arrays, too.
	g.newKind(g.arrayOf(g.wide()))
	for i := 1 + g.n(2); i > 0; i-- {
		g.newSignature()
	}
	g.newUnion()
	g.newStruct()
	if g.p(50) {
		g.newKind(pick(g, m.structs))
	}
	if g.p(40) {
		g.newUnion()
	}
	g.newStruct()
	g.newKind(pick(g, m.structs))
	if g.p(40) {
		g.newStruct()
	}
	// Objects of each structure, alone and in arrays.
	for _, t := range g.records() {
		if g.p(60) {
			g.globalObject(t, g.n(pools))
		}
		if g.p(30) {
			g.globalObject(g.arrayOf(t), g.n(pools))
		}
	}
	if g.p(50) {
		g.globalObject(&mtype{kind: array, elem: g.arrayOf(g.wide()), n: 1 + g.n(3)}, g.n(pools))
	}
	for i := g.n(3); i > 0; i-- {
		p := pick(g, m.kinds)
		v := pointerVar{name: g.fresh("q"), typ: p}
		g.line("static %s = %s;", p.declare(v.name), g.constantAddress(p))
		m.pointers = append(m.pointers, v)
	}
	// Tables of functions, with two or four entries.
	for _, t := range m.sigs {
		g.globalObject(&mtype{kind: array, elem: t, n: 2 + g.n(2)*2}, g.n(pools))
	}
	// Functions that need all types.
	g.listFunctions()
	g.fixedFunctions()
}

// newSignature makes a type of pointers to functions and declares such functions.
func (g *generator) newSignature() {
	s := &signature{result: g.typ()}
	for i := g.n(3); i > 0; i-- {
		s.params = append(s.params, g.typ())
	}
	if g.p(60) {
		s.pointer = pick(g, g.mem.kinds)
	}
	// Two functions are declared now, so that tables can hold them, and defined after the
	// others.
	for range 2 {
		s.funcs = append(s.funcs, g.fresh("f"))
		types := strings.Join(s.types(), ", ")
		if types == "" {
			types = "void"
			s.params = append(s.params, ctype{"int", 32, true})
			types = "int"
		}
		g.line("static %s %s(%s);", s.result.name, s.funcs[len(s.funcs)-1], types)
	}
	g.mem.sigs = append(g.mem.sigs, &mtype{kind: funcPointer, sig: s})
}

// memoryFunctions defines the functions that pointers may point to, and others.
func (g *generator) memoryFunctions() {
	for _, t := range g.mem.sigs {
		for range t.sig.funcs {
			g.function(false, t.sig)
		}
	}
}

// memoryParams adds parameters to f, or the last one of sig, and declares them.
func (g *generator) memoryParams(f *fn, sig *signature) (params []string) {
	add := func(t *mtype) {
		name := g.fresh("a")
		f.memory = append(f.memory, t)
		params = append(params, t.declare(name))
		if t.kind == pointer {
			g.mem.pointers = append(g.mem.pointers, pointerVar{name, t, g.mem.scope, false})
		} else {
			g.mem.objects = append(g.mem.objects, object{name, t, g.n(pools), g.mem.scope})
		}
	}
	switch {
	case sig != nil && sig.pointer != nil:
		add(sig.pointer)
	case sig == nil:
		// A recursive function always gets a pointer: activations can reach each other's
		// objects.
		if f.fuel || g.p(60) {
			add(pick(g, g.mem.kinds))
		}
		if g.p(25) {
			add(pick(g, g.records()))
		}
	}
	return params
}
