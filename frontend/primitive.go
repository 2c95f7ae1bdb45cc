package frontend

import (
	"slices"

	"modernc.org/cc/v4"

	"c2bp/frontend/core"
	"c2bp/frontend/ctree"
)

// This file gives meaning to the functions that cannot be written in C: those of which models are
// made, see models/lib/models.c, and the compiler's own.

// primitiveCall is a call of a primitive: its arguments, evaluated, and where its result
// goes.
type primitiveCall struct {
	*functionLowerer
	nodes []cc.ExpressionNode // the arguments in C; nil in the body of a procedure
	args  []core.Expr
	dst   core.Loc // nil if the result is not used
}

// primitive is the effect of a function, with the types of its arguments and its result.
type primitive struct {
	params []modelType
	result modelType
	writes bool // changes memory that it did not allocate
	do     func(c *primitiveCall)
}

// modelType is a type in the signature of a primitive.
type modelType byte

const (
	// Sizes are unsigned words of the width of pointers.
	aVoid modelType = iota
	aPointer
	aSize
	anInt
)

// core returns the core type that t stands for; p is the type of pointers.
func (t modelType) core(p core.Ptr) core.Type {
	switch t {
	case aPointer:
		return p
	case aSize:
		return p.Word()
	case anInt:
		return core.Int32
	}
	return core.Void{}
}

// primitives has the functions by name. Those that begin with __c2bp_ are used only in models and
// in the file for the end of the program.
var primitives = map[string]*primitive{
	// New objects: p = __c2bp_alloc(n), or the same for an object that moves, as by realloc.
	"__c2bp_alloc": {[]modelType{aSize}, aPointer, false, func(c *primitiveCall) { c.allocate(core.Alloc{}) }},
	"__c2bp_move":  {[]modelType{aSize}, aPointer, false, func(c *primitiveCall) { c.allocate(core.Alloc{Moved: true}) }},
	// Effects on the object at p, its end, or on n bytes there: they become arbitrary, come from
	// outside, or are known outside from then on.
	"__c2bp_free":  {[]modelType{aPointer}, aVoid, true, (*primitiveCall).free},
	"__c2bp_havoc": {[]modelType{aPointer, aSize}, aVoid, true, (*primitiveCall).havoc},
	"__c2bp_input": {[]modelType{aPointer, aSize}, aVoid, true, (*primitiveCall).input},
	"__c2bp_known": {[]modelType{aPointer, aSize}, aVoid, false, (*primitiveCall).known},

	// The compiler's functions. alloca makes an object that lives as long as the activation.
	"alloca":            {[]modelType{aSize}, aPointer, false, func(c *primitiveCall) { c.allocate(core.Alloc{Stack: true}) }},
	"__builtin_alloca":  {[]modelType{aSize}, aPointer, false, func(c *primitiveCall) { c.allocate(core.Alloc{Stack: true}) }},
	"__builtin_memcpy":  {[]modelType{aPointer, aPointer, aSize}, aPointer, true, (*primitiveCall).copy},
	"__builtin_memmove": {[]modelType{aPointer, aPointer, aSize}, aPointer, true, (*primitiveCall).copy},
	"__builtin_memset":  {[]modelType{aPointer, anInt, aSize}, aPointer, true, (*primitiveCall).fill},
}

// primitiveCall lowers a call of the primitive f. It reports false if the call does not fit.
// Nothing was emitted then.
func (b *functionLowerer) primitiveCall(e *cc.PostfixExpression, f *function, dst core.Loc) bool {
	m := primitives[f.name]
	list := ctree.Arguments(e)
	if len(list) != len(m.params) {
		return false
	}
	// Arguments are converted to the types of the table, whatever the program declares.
	var types []core.Type
	for _, t := range m.params {
		types = append(types, t.core(b.pointer()))
	}
	args, _ := b.argumentValues(e, types)
	b.withResult(m.result.core(b.pointer()), nil, dst, f.name, func(dst core.Loc) {
		m.do(&primitiveCall{b, list, args, dst})
	})
	return true
}

// withResult calls do with the place for a result of type t, which, converted to declared unless
// that is nil, goes to dst unless that is nil. do must store to the place that it is given unless
// that is nil. A temporary is used only if the types differ.
func (b *frame) withResult(t, declared core.Type, dst core.Loc, name string, do func(core.Loc)) {
	switch {
	case dst == nil || dst.Type() == t && (declared == nil || declared == t):
		do(dst)
	// A result that is not represented: the call for its effects, and then any value.
	case !isScalarType(dst.Type()) || !isScalarType(t):
		do(nil)
		b.havocLoc(dst, "the result of "+name)
	default:
		dst = b.stable(dst)
		v := b.temp(t)
		do(v.Ref())
		x := core.Expr(v.Ref())
		if declared != nil {
			x = to(x, declared)
		}
		b.assign(dst, to(x, dst.Type()))
	}
}

// give stores the result of the call.
func (c *primitiveCall) give(x core.Expr) {
	if c.dst != nil {
		c.assign(c.dst, x)
	}
}

// allocate makes a new object as how says. An object that nobody can reach is not made.
func (c *primitiveCall) allocate(how core.Alloc) {
	if c.dst != nil {
		how.Lhs, how.Size = c.dst, c.args[0]
		c.emit(&how)
	}
}

// free ends the life of an object.
func (c *primitiveCall) free() {
	c.assumeAccess()
	c.emit(&core.Free{Ptr: c.args[0]})
}

// havoc makes bytes arbitrary. It is for the bytes that a library function stores, as read does in
// its buffer.
func (c *primitiveCall) havoc() {
	c.assumeAccess()
	c.emit(&core.Fill{Dst: c.args[0], Size: c.args[1], Chars: c.writesChars(), Why: "what a library function writes"})
}

// input makes bytes arbitrary, each of which can really come from outside. An execution with any of
// these values is possible in reality, unlike with havoc.
func (c *primitiveCall) input() {
	c.assumeAccess()
	c.emit(&core.Fill{Dst: c.args[0], Size: c.args[1], Chars: c.writesChars(), Why: core.LibraryInput})
}

// writesChars reports whether the first argument is a pointer to characters, before it becomes one to void.
func (c *primitiveCall) writesChars() bool { return c.leadsTo(0, cc.Char, cc.SChar, cc.UChar) }

// copiesChars reports whether one of the first two arguments is a pointer to characters, and the other one, too, or
// one to void.
func (c *primitiveCall) copiesChars() bool {
	chars := []cc.Kind{cc.Char, cc.SChar, cc.UChar}
	return c.leadsTo(0, chars...) && c.leadsTo(1, append(chars, cc.Void)...) || c.leadsTo(0, cc.Void) && c.leadsTo(1, chars...)
}

// leadsTo reports whether argument i is in C a pointer to a type of one of kinds, or an array of that.
func (c *primitiveCall) leadsTo(i int, kinds ...cc.Kind) bool {
	if i >= len(c.nodes) {
		return false
	}
	switch t := c.nodes[i].Type().(type) {
	case *cc.PointerType:
		return slices.Contains(kinds, t.Elem().Kind())
	case *cc.ArrayType:
		return slices.Contains(kinds, t.Elem().Kind())
	}
	return false
}

// known makes bytes known outside of the program, or lets results depend on them: addresses
// that they hold are known from then on.
func (c *primitiveCall) known() {
	x := core.Source{At: c.args[0], Size: c.args[1], Outside: true}
	c.emit(&core.Havoc{From: []core.Source{x}, Why: "what a library function reads"})
}

// copy lowers memcpy and memmove: bytes are copied as if through a buffer, so overlaps do no harm.
func (c *primitiveCall) copy() {
	if c.dst != nil {
		c.dst = c.stable(c.dst)
	}
	c.assumeAccess()
	result := c.keepResult()
	c.emit(&core.Copy{Dst: c.args[0], Src: c.args[1], Size: c.args[2], Parts: c.partsOf(c.nodes, c.args[2]), Chars: c.copiesChars()})
	c.give(result)
}

// keepResult returns the first argument, which is also the result, in a form that writing to memory
// does not change.
func (c *primitiveCall) keepResult() core.Expr {
	if c.dst == nil || !readsMemory(c.args[0]) {
		return c.args[0]
	}
	t := c.temp(c.pointer())
	c.assign(t.Ref(), c.args[0])
	c.args[0] = t.Ref()
	return t.Ref()
}

// fill lowers memset: the value is converted to unsigned char (C11 7.24.6.1).
func (c *primitiveCall) fill() {
	if c.dst != nil {
		c.dst = c.stable(c.dst)
	}
	c.assumeAccess()
	result := c.keepResult()
	c.emit(&core.Fill{Dst: c.args[0], Size: c.args[2], Byte: to(c.args[1], core.Uint8)})
	c.give(result)
}
