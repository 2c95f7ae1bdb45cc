// Package wp gives core expressions and statements their meaning as formulas:
// the translation of C arithmetic into terms of package logic, weakest liberal
// preconditions (Ball–Millstein–Rajamani 2005, §4.2), and the maps orig and γ that read predicates
// after a call (Ball–Millstein–Rajamani 2005, §4.4.3).
//
// Integers are mathematical (--ints=math): signed arithmetic is unbounded, since
// an overflow would be undefined behaviour and is assumed absent; unsigned
// arithmetic wraps and conversions are exact. With x a uint8 and y an int32:
//
//	y + 1 < 5            becomes  -3 + y <= 0
//	(uint8)(x + 1) == 0  becomes  ite(x - 254 <= 0, x + 1, x - 255) = 0
//
// The meaning of an expression is a total function of its variables, also where C
// leaves it undefined: x / 0 is 0, x % 0 is x, a shift by less than 0 or by at
// least the width is 0. (Executions that get there are undefined, and assumed
// absent; predicates may mention such expressions all the same.) The core
// interpreter's mathematical evaluation agrees, and a test holds them together.
//
// A float or double is the number that its bits are, and operations on them are functions of
// such numbers, see package logic: d + 0.5 is ieee64.add(d, 0x3fe0000000000000).
//
// Memory is a map from addresses, which are integers, to values: one for each region
// of package alias and each type that is read there. What is read after a write is a
// case distinction over addresses (write.go). With l a pointer to a struct with the
// member held,
//
//	l->held == 1                     becomes  M3:int32(l + 8) = 1
//	WP(m->held := 1, l->held == 1)   becomes  m = l or M3:int32(l + 8) = 1
//
// or stays as it is, where package alias knows that l and m never point to one place.
//
//	statement      WP(s, φ)
//	skip, branch   φ
//	l := e         φ with e for l, simultaneously for a parallel assignment; a place in
//	               memory by read over write
//	copy, fill     read over write, for a range of bytes
//	p := alloc     φ with the address of a new object for p
//	havoc l        φ with an unknown of its own for l: known only if φ cannot depend on l
//	assume e       left to the abstraction (strengthening to G(e))
//	call           through orig and γ
package wp

import (
	"math/big"

	"c2bp/frontend/core"
	"c2bp/logic"
)

// Env maps a variable to the term that stands for it. Reading an expression under an environment is
// the substitution of actuals for formals, or of old values for new.
type Env func(*core.Var) *logic.Term

// Translator turns core expressions into terms of its table.
type Translator struct {
	T   *logic.Table
	Env Env

	mem    *memory
	suffix func(core.Loc) string // suffix of the map that a place is read from; it tells the state
	frame  string                // suffix of the addresses of local variables; see On
	calls  string                // the activations around the variables; see In
	step   string                // suffix of unknowns; see On
}

// New returns a translator that reads every variable as its own symbol, and every place in memory
// from the map of its region. Pointers have the given number of bits (core.Program.Pointer).
// Programs without memory need no aliases: nil, 64.
func New(t *logic.Table, a Aliases, bits int) *Translator {
	tr := &Translator{T: t, mem: newMemory(a, bits), suffix: func(core.Loc) string { return "" }}
	tr.Env = tr.variable
	return tr
}

// With returns a translator into the same table under another environment.
func (tr *Translator) With(env Env) *Translator {
	out := *tr
	out.Env = env
	return &out
}

// variable returns the value of v: its symbol, or the content of memory at its address.
func (tr *Translator) variable(v *core.Var) *logic.Term {
	if v.InMemory() {
		return tr.load(v.Ref(), tr.address(v), v.Type, 0)
	}
	x := Sym(tr.T, v, "")
	tr.mem.vars[x] = v
	return x
}

// Sym returns the symbol for v; variants of it (old, new) have a suffix. Its range is that of v's
// type. Names are distinct within a procedure and never leave it.
func Sym(t *logic.Table, v *core.Var, suffix string) *logic.Term {
	w, ok := core.Word(v.Type)
	if !ok {
		panic("wp: variable " + v.Name + " of type " + v.Type.String() + " has no value")
	}
	return t.Sym(v.Name+suffix, w.Min(), w.Max())
}

// Cond returns the formula "e is not zero".
func (tr *Translator) Cond(e core.Expr) *logic.Term {
	t := tr.T
	switch e := e.(type) {
	case *core.Unary:
		if e.Op == core.Not {
			return t.Not(tr.Cond(e.X))
		}
	case *core.Cond:
		c := tr.Cond(e.C)
		return t.Or(t.And(c, tr.Cond(e.X)), t.And(t.Not(c), tr.Cond(e.Y)))
	case *core.Binary:
		switch e.Op {
		case core.LAnd:
			return t.And(tr.Cond(e.X), tr.Cond(e.Y))
		case core.LOr:
			return t.Or(tr.Cond(e.X), tr.Cond(e.Y))
		case core.Eq:
			return t.Eq(tr.Value(e.X), tr.Value(e.Y))
		case core.Ne:
			return t.Not(t.Eq(tr.Value(e.X), tr.Value(e.Y)))
		case core.Lt:
			return t.Lt(tr.Value(e.X), tr.Value(e.Y))
		case core.Le:
			return t.Le(tr.Value(e.X), tr.Value(e.Y))
		case core.Gt:
			return t.Lt(tr.Value(e.Y), tr.Value(e.X))
		case core.Ge:
			return t.Le(tr.Value(e.Y), tr.Value(e.X))
		}
	}
	// Any other expression is compared with zero.
	return t.Not(t.Eq(tr.Value(e), t.Int(0)))
}

// Value returns the integer value of e.
func (tr *Translator) Value(e core.Expr) *logic.Term {
	t := tr.T
	switch e := e.(type) {
	case *core.Const:
		return t.Big(e.Val)
	case *core.VarRef:
		return tr.Env(e.Var)
	case *core.Conv:
		return tr.convert(tr.Value(e.X), e.To)
	case *core.Mem:
		return tr.load(e, tr.followed(e.Addr), e.Typ, e.Bit)
	case *core.AddrOf:
		return tr.address(e.Var)
	case *core.FuncAddr:
		return t.Addr("&"+e.Proc.Name+"()", 1, e.Typ.Bits, logic.Storage{})
	case *core.Offset:
		return t.Add(tr.Value(e.X), t.Int(e.Off))
	case *core.Index:
		return t.Add(tr.Value(e.X), t.Scale(big.NewInt(e.Size), tr.Value(e.I)))
	case *core.Diff:
		return t.Quo(t.Sub(tr.Value(e.X), tr.Value(e.Y)), big.NewInt(e.Size))
	case *core.ToPtr:
		return tr.convert(tr.Value(e.X), e.Typ.Word())
	case *core.ToInt:
		return tr.convert(tr.Value(e.X), e.To)
	case *core.Cond:
		return t.Ite(tr.Cond(e.C), tr.Value(e.X), tr.Value(e.Y))
	case *core.Float:
		return tr.float(e)
	case *core.Unary:
		return tr.unary(e)
	case *core.Binary:
		if e.Op.IsComparison() || e.Op.IsLogical() {
			return tr.truth(tr.Cond(e))
		}
		return tr.arith(e)
	}
	panic("wp: unknown expression")
}

// truth returns 1 where f holds and 0 elsewhere.
func (tr *Translator) truth(f *logic.Term) *logic.Term {
	return tr.T.Ite(f, tr.T.Int(1), tr.T.Int(0))
}

// convert returns the exact value of C's conversion to an integer type.
func (tr *Translator) convert(v *logic.Term, to core.Int) *logic.Term {
	if to.Bool {
		return tr.truth(tr.T.Not(tr.T.Eq(v, tr.T.Int(0))))
	}
	return tr.T.Wrap(v, to.Min(), to.Max())
}

// unary returns the value of an expression with a unary operator.
func (tr *Translator) unary(e *core.Unary) *logic.Term {
	t := tr.T
	if e.Op == core.Not {
		return tr.truth(tr.Cond(e))
	}
	if e.Op == core.Ones {
		return tr.ones(e)
	}
	minus := t.Scale(big.NewInt(-1), tr.Value(e.X))
	if e.Op == core.BitNot { // two's complement: ~x = -x - 1; unsigned wraps to max - x
		minus = t.Sub(minus, t.Int(1))
	}
	return tr.wrapUnsigned(minus, e.Type())
}

// ones returns the population count of an integer. Conversions to types that have its bits do not
// change it, and are left out.
func (tr *Translator) ones(e *core.Unary) *logic.Term {
	x := e.X
	width := x.Type().(core.Int).Bits
	for {
		// A conversion to at least width bits keeps the low ones.
		c, ok := x.(*core.Conv)
		if !ok || c.To.Bool || c.To.Bits < width {
			break
		}
		x = c.X
	}
	return tr.T.Uninterpreted(logic.OnesName(width), new(big.Int), big.NewInt(int64(width)), tr.Value(x))
}

// wrapUnsigned reduces the result of an operation on type typ: unsigned types wrap, signed ones do
// not overflow.
func (tr *Translator) wrapUnsigned(v *logic.Term, typ core.Type) *logic.Term {
	if it := typ.(core.Int); !it.Signed {
		return tr.T.Wrap(v, it.Min(), it.Max())
	}
	return v
}

// float applies a floating-point operation to the bits of its operands.
func (tr *Translator) float(e *core.Float) *logic.Term {
	args := make([]*logic.Term, len(e.Args))
	for i, x := range e.Args {
		args[i] = tr.Value(x)
	}
	lo, hi := e.Typ.Min(), e.Typ.Max()
	if e.Op.IsTruth() {
		hi = big.NewInt(1)
	}
	return tr.T.Uninterpreted(logic.FloatName(e.Op, e.FloatBits(), lo, hi), lo, hi, args...)
}

// arith returns the value of an arithmetic or bitwise operation.
func (tr *Translator) arith(e *core.Binary) *logic.Term {
	t, x, y := tr.T, tr.Value(e.X), tr.Value(e.Y)
	typ := e.Type().(core.Int)
	apply := func(fn string) *logic.Term { return t.Uninterpreted(fn, nil, nil, x, y) }
	// & | ^ of two unsigned values stay in the range of the type.
	bitwise := func(fn string) *logic.Term {
		if typ.Signed {
			return apply(fn)
		}
		return t.Uninterpreted(fn, typ.Min(), typ.Max(), x, y)
	}
	// Operations that may leave the range of an unsigned type wrap.
	switch e.Op {
	case core.Add:
		return tr.wrapUnsigned(t.Add(x, y), typ)
	case core.Sub:
		return tr.wrapUnsigned(t.Sub(x, y), typ)
	case core.Mul:
		return tr.wrapUnsigned(apply(logic.FnMul), typ)
	case core.Div:
		return apply(logic.FnQuo)
	case core.Rem:
		return apply(logic.FnRem)
	case core.And:
		return bitwise(logic.FnAnd)
	case core.Or:
		return bitwise(logic.FnOr)
	case core.Xor:
		return bitwise(logic.FnXor)
	case core.Shl:
		return tr.wrapUnsigned(tr.shift(logic.FnShl, x, y, typ), typ)
	case core.Shr:
		return tr.shift(logic.FnShr, x, y, typ)
	}
	panic("wp: unknown operator " + e.Op.String())
}

// shift returns x shifted by y; 0 where y is not in [0, bits).
func (tr *Translator) shift(fn string, x, y *logic.Term, typ core.Int) *logic.Term {
	t := tr.T
	inRange := t.And(t.Le(t.Int(0), y), t.Lt(y, t.Int(int64(typ.Bits))))
	if inRange == t.False {
		return t.Int(0)
	}
	return t.Ite(inRange, t.Uninterpreted(fn, nil, nil, x, y), t.Int(0))
}
