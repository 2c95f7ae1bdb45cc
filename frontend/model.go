package frontend

import (
	"modernc.org/cc/v4"

	"c2bp/frontend/core"
)

// This file says what functions of libraries do to memory. Their effects are written
// into the caller, so that each call is an allocation site of its own.

// modelledCall is a call of a library function: its arguments, evaluated, and where its
// result goes.
type modelledCall struct {
	*functionLowerer
	name  string
	nodes []cc.ExpressionNode // the arguments in C; nil in the body of a procedure
	args  []core.Expr
	dst   core.Loc // nil if the result is not used
}

// libraryModel is what a function does and the types of the arguments it takes.
type libraryModel struct {
	params []modelType
	result modelType
	writes bool // changes memory that it did not allocate
	do     func(c *modelledCall)
}

// modelType is a type in the signature of a model.
type modelType byte

const (
	aVoid modelType = iota
	aPointer
	aSize
	anInt
)

// core is the core type that t stands for.
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

// model is what the library function name does, nil if that is not known.
func model(name string) *libraryModel {
	m, ok := models[name]
	if !ok {
		return nil
	}
	return &m
}

var models = map[string]libraryModel{
	"malloc":            {[]modelType{aSize}, aPointer, false, func(c *modelledCall) { c.allocate(c.args[0], false, true, false) }},
	"__builtin_malloc":  {[]modelType{aSize}, aPointer, false, func(c *modelledCall) { c.allocate(c.args[0], false, true, false) }},
	"calloc":            {[]modelType{aSize, aSize}, aPointer, false, func(c *modelledCall) { c.allocate(c.product(0, 1), true, true, false) }},
	"__builtin_calloc":  {[]modelType{aSize, aSize}, aPointer, false, func(c *modelledCall) { c.allocate(c.product(0, 1), true, true, false) }},
	"alloca":            {[]modelType{aSize}, aPointer, false, func(c *modelledCall) { c.allocate(c.args[0], false, false, true) }},
	"__builtin_alloca":  {[]modelType{aSize}, aPointer, false, func(c *modelledCall) { c.allocate(c.args[0], false, false, true) }},
	"realloc":           {[]modelType{aPointer, aSize}, aPointer, true, (*modelledCall).reallocate},
	"free":              {[]modelType{aPointer}, aVoid, true, (*modelledCall).free},
	"__builtin_free":    {[]modelType{aPointer}, aVoid, true, (*modelledCall).free},
	"memcpy":            {[]modelType{aPointer, aPointer, aSize}, aPointer, true, (*modelledCall).copy},
	"memmove":           {[]modelType{aPointer, aPointer, aSize}, aPointer, true, (*modelledCall).copy},
	"__builtin_memcpy":  {[]modelType{aPointer, aPointer, aSize}, aPointer, true, (*modelledCall).copy},
	"__builtin_memmove": {[]modelType{aPointer, aPointer, aSize}, aPointer, true, (*modelledCall).copy},
	"memset":            {[]modelType{aPointer, anInt, aSize}, aPointer, true, (*modelledCall).fill},
	"__builtin_memset":  {[]modelType{aPointer, anInt, aSize}, aPointer, true, (*modelledCall).fill},
}

// modelCall lowers a call of the library function f. It reports false if the call does
// not fit the model.
func (b *functionLowerer) modelCall(e *cc.PostfixExpression, f *function, dst core.Loc) bool {
	m := model(f.name)
	list := arguments(e)
	if len(list) != len(m.params) {
		return false
	}
	var types []core.Type
	for _, t := range m.params {
		types = append(types, t.core(b.pointer()))
	}
	args, _ := b.argumentValues(e, types)
	c := &modelledCall{b, f.name, list, args, dst}
	if dst == nil || dst.Type() == m.result.core(b.pointer()) {
		m.do(c)
		return true
	}
	if !isScalarType(dst.Type()) || m.result == aVoid {
		c.dst = nil
		m.do(c)
		b.havocLoc(dst, "the result of "+f.name)
		return true
	}
	dst = b.stable(dst)
	t := b.temp(m.result.core(b.pointer())) // of an undeclared function
	c.dst = t.Ref()
	m.do(c)
	b.assign(dst, to(t.Ref(), dst.Type()))
	return true
}

// give stores the result of the call.
func (c *modelledCall) give(x core.Expr) {
	if c.dst != nil {
		c.assign(c.dst, x)
	}
}

// product is the product of two arguments.
func (c *modelledCall) product(i, j int) core.Expr { return binary(core.Mul, c.args[i], c.args[j]) }

// allocate makes a new object, zeroed or not, that may not be had, or that lives on the
// stack.
func (c *modelledCall) allocate(size core.Expr, zeroed, mayFail, stack bool) {
	if c.dst == nil {
		return
	}
	p := c.dst
	v, isVar := p.(*core.VarRef)
	if zeroed && (!isVar || v.Var.AddrTaken) {
		p = c.temp(c.pointer()).Ref()
	}
	end := newLabel()
	alloc := func() {
		c.emit(&core.Alloc{Lhs: p, Size: size, Stack: stack})
		if zeroed {
			c.emit(&core.Fill{Dst: p, Size: size, Byte: core.NewConst(0, core.Uint8)})
		}
		if p != c.dst {
			c.assign(c.dst, p)
		}
	}
	if !mayFail {
		alloc()
		return
	}
	br := c.branch()
	c.arm(br)
	alloc()
	c.jump(end)
	c.arm(br)
	c.assign(c.dst, core.Null(c.pointer()))
	c.functionLowerer.place(end)
}

// reallocate is realloc: a new object that starts with bytes of the old one, or null
// and no change.
func (c *modelledCall) reallocate() {
	old, size := c.args[0], c.args[1]
	p := c.temp(c.pointer())
	end, fails, copies := newLabel(), newLabel(), newLabel()
	br := c.branch()
	c.arm(br)
	c.emit(&core.Alloc{Lhs: p.Ref(), Size: size})
	none := newLabel()
	c.testExpr(old, copies, none)
	c.functionLowerer.place(copies)
	n := c.force(value{typ: c.pointer().Word(), why: "the size of the smaller object"})
	c.emit(&core.Copy{Dst: p.Ref(), Src: old, Size: n})
	c.emit(&core.Free{Ptr: old})
	c.functionLowerer.place(none)
	c.give(p.Ref())
	c.jump(end)
	c.arm(br)
	c.jump(fails)
	c.functionLowerer.place(fails)
	c.give(core.Null(c.pointer()))
	c.functionLowerer.place(end)
}

func (c *modelledCall) free() { c.emit(&core.Free{Ptr: c.args[0]}) }

// copy is memcpy and memmove.
func (c *modelledCall) copy() {
	if c.dst != nil {
		c.dst = c.stable(c.dst)
	}
	result := c.keepResult()
	s := &core.Copy{Dst: c.args[0], Src: c.args[1], Size: c.args[2]}
	if t := c.copied(); t != nil {
		s.Parts = c.parts(t)
	}
	c.emit(s)
	c.give(result)
}

// copied is the type of the object that is copied, if the types of the arguments tell,
// or nil.
func (c *modelledCall) copied() cc.Type {
	n, isConst := c.args[2].(*core.Const)
	for i := 0; isConst && i < len(c.nodes) && i < 2; i++ {
		a := strip(c.nodes[i])
		for {
			cast, ok := a.(*cc.CastExpression)
			if !ok {
				break
			}
			a = strip(cast.CastExpression)
		}
		t := pointedTo(a)
		if d := decayed(a); d != nil {
			t = operandType(a)
		}
		if size, ok := c.sizeBytes(t); ok && n.Val.IsInt64() && n.Val.Int64() == size {
			return t
		}
	}
	return nil
}

// keepResult is the first argument, which is also the result, so that writing to memory
// does not change it.
func (c *modelledCall) keepResult() core.Expr {
	if c.dst == nil || !readsMemory(c.args[0]) {
		return c.args[0]
	}
	t := c.temp(c.pointer())
	c.assign(t.Ref(), c.args[0])
	c.args[0] = t.Ref()
	return t.Ref()
}

// fill is memset.
func (c *modelledCall) fill() {
	if c.dst != nil {
		c.dst = c.stable(c.dst)
	}
	result := c.keepResult()
	c.emit(&core.Fill{Dst: c.args[0], Size: c.args[2], Byte: to(c.args[1], core.Uint8)})
	c.give(result)
}
