package interp

import (
	"fmt"

	"c2bp/frontend/core"
	"c2bp/ieee"
)

// This file compiles expressions, so that types and variables are looked up once, and not each time
// that an expression is evaluated.

// operation is the operator of a code.
type operation uint8

const (
	opConstant     operation = iota
	opRegister               // a variable of the frame
	opGlobal                 // a variable of the program
	opLocalObject            // a variable of the frame that is in memory
	opGlobalObject           // one of the program
	opMemory                 // the scalar at an address
	opLocalAddress           // of a variable
	opGlobalAddress
	opProcAddress
	opConvert
	opNot
	opComplement
	opOnes
	opNegate
	opBinary // those of core.BinaryOp but for comparisons
	opCompare
	opOffset
	opIndex
	opDiff
	opCond
	opFloat
)

// code is a compiled expression. The fields after pointer belong to some operations only:
//
//	struct { int e, f; } a[9]; … a[i].f  opMemory
//	                                     x: opOffset, value 4
//	                                          x: opIndex, value 8, count 9
//	                                               x: opLocalAddress, slot of a
//	                                               y: opRegister, slot of i
type code struct {
	op      operation
	binary  core.BinaryOp
	float   ieee.Op
	width   int      // of floating-point operands
	typ     core.Int // of the value; of an address, its number's
	pointer bool     // the value is an address
	related bool     // of a comparison: the operands are addresses in one object
	x, y, z *code
	slot    int        // of a variable; the number of a procedure
	value   int64      // of a constant; the distance of an offset; the size of an index or a difference
	count   int64      // of an index
	site    int        // number of a comparison
	span    span       // of what is in memory, without its address
	shape   core.Shape // of the object in memory that it is a part of,
	within  int64      // so many bytes after its start
	partOf  int64      // core.Mem.PartOf
	from    core.Expr
}

// compile compiles e as q sees it. It panics for an expression with variables of another procedure.
func (p *Prepared) compile(q *core.Proc, e core.Expr) *code {
	t, _ := core.Word(e.Type())
	c := &code{typ: t, pointer: pointerType(e.Type()), from: e}
	switch e := e.(type) {
	case *core.Const:
		c.op, c.value = opConstant, fromBig(e.Val)
	case *core.VarRef:
		p.variable(q, c, e.Var)
	case *core.Mem:
		c.op, c.x = opMemory, p.compile(q, e.Addr)
		// A Mem that is no scalar is not read: only its address counts.
		if _, scalar := core.Word(e.Typ); scalar {
			c.span = placeSpan(0, e)
			c.shape, c.within = shapeOf(e)
			c.partOf = e.PartOf
		}
	case *core.AddrOf:
		c.op, c.slot = opLocalAddress, p.slotIn(q, e.Var).index
		if e.Var.Kind == core.Global {
			c.op = opGlobalAddress
		}
	case *core.FuncAddr:
		c.op, c.slot = opProcAddress, p.functions[e.Proc]
	case *core.Conv:
		c.op, c.x = opConvert, p.compile(q, e.X)
	// An address is a number of an unsigned type of its width.
	case *core.ToPtr:
		c.op, c.x = opConvert, p.compile(q, e.X)
	case *core.ToInt:
		c.op, c.x = opConvert, p.compile(q, e.X)
	case *core.Unary:
		c.op, c.x = [...]operation{core.Neg: opNegate, core.BitNot: opComplement, core.Not: opNot, core.Ones: opOnes}[e.Op], p.compile(q, e.X)
	case *core.Binary:
		p.binary(q, c, e)
	case *core.Float:
		c.op, c.float, c.width, c.x = opFloat, e.Op, e.FloatBits(), p.compile(q, e.Args[0])
		if len(e.Args) > 1 {
			c.y = p.compile(q, e.Args[1])
		}
	case *core.Offset:
		c.op, c.x, c.value = opOffset, p.compile(q, e.X), e.Off
	case *core.Index:
		c.op, c.x, c.y, c.value, c.count = opIndex, p.compile(q, e.X), p.compile(q, e.I), e.Size, e.Count
	case *core.Diff:
		c.op, c.x, c.y, c.value = opDiff, p.compile(q, e.X), p.compile(q, e.Y), e.Size
	case *core.Cond:
		c.op, c.x, c.y, c.z = opCond, p.compile(q, e.C), p.compile(q, e.X), p.compile(q, e.Y)
	default:
		panic(fmt.Sprintf("interp: cannot evaluate %T", e))
	}
	return c
}

// variable completes c, the value of v: it picks one of the four operations by the place of v.
func (p *Prepared) variable(q *core.Proc, c *code, v *core.Var) {
	s := p.slotIn(q, v)
	c.slot = s.index
	c.span = spanOf(0, c.typ, 0)
	switch {
	case v.Kind == core.Global && s.memory:
		c.op = opGlobalObject
	case v.Kind == core.Global:
		c.op = opGlobal
	case s.memory:
		c.op = opLocalObject
	default:
		c.op = opRegister
	}
}

// binary completes c, which is e.
func (p *Prepared) binary(q *core.Proc, c *code, e *core.Binary) {
	c.x, c.y, c.binary = p.compile(q, e.X), p.compile(q, e.Y), e.Op
	c.op = opBinary
	if e.Op.IsComparison() {
		c.op, c.site = opCompare, p.comparisons
		// Order of addresses is defined only within an object.
		c.related = e.Op >= core.Lt && !c.x.typ.Signed && c.x.pointer
		p.comparisons++
	}
}

// slotIn returns the slot of v, as q sees it.
func (p *Prepared) slotIn(q *core.Proc, v *core.Var) slot {
	s, ok := p.slots[v]
	if !ok {
		panic("interp: unknown variable " + v.Name)
	}
	if v.Kind != core.Global && v.Proc != q {
		panic("interp: " + v.Name + " is no variable of " + q.Name)
	}
	return s
}
