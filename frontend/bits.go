package frontend

import (
	"math/big"
	"math/bits"
	"strings"

	"modernc.org/cc/v4"

	"c2bp/frontend/core"
	"c2bp/frontend/ctree"
)

// This file gives meaning to the compiler's functions that count and move bits. Each is one
// expression. The prover knows most as a linear one: a comparison is 0 or 1, and bits that a
// constant mask selects are a remainder of a quotient. The number of ones, which would be a sum of
// as many bits, is an operator of the core language.
//
//	__builtin_clz(x)       (x < 1) + (x < 2) + (x < 4) + … + (x < 1 << 31)
//	__builtin_clrsb(x)     the same of x or ~x, whichever is not negative, less 1
//	__builtin_ctz(x)       (x & 1) == 0 + (x & 3) == 0 + … + (x & ~0u >> 1) == 0
//	__builtin_ffs(x)       0 if x is 0, else 1 more than that
//	__builtin_popcount(x)  core.Ones
//	__builtin_parity(x)    the remainder of that by 2
//	__builtin_bswap16(x)   (x & 255) << 8 + (x >> 8 & 255)
//
// The results of clz and ctz for 0 are not defined: they are arbitrary.

// bitFunction is the operation of a function, and the type of its argument.
type bitFunction struct {
	do       bitOperation
	bits     int // of the argument; 0 for those of a long
	signed   bool
	mayBeAny bool // the result for 0 is not defined
}

// bitOperation is one of the functions, for all types of arguments. of is nil for ffs and clrsb,
// which have cases, see bitResult.
type bitOperation struct {
	of    func(x core.Expr, t core.Int) core.Expr // an expression for x, of type t
	value func(x uint64, bits int) uint64         // its value for the low bits of x
}

// bitFunctions has the functions by name.
var bitFunctions = func() map[string]*bitFunction {
	all := map[string]*bitFunction{}
	for name, f := range map[string]bitFunction{
		// The compiler's types: clz of unsigned, clzl of unsigned long, clzll of unsigned long
		// long.
		"clz":      {do: bitOperation{leadingZeros, func(x uint64, n int) uint64 { return uint64(bits.LeadingZeros64(x) - (64 - n)) }}, mayBeAny: true},
		"ctz":      {do: bitOperation{trailingZeros, func(x uint64, n int) uint64 { return uint64(bits.TrailingZeros64(x)) }}, mayBeAny: true},
		"popcount": {do: bitOperation{onesIn, func(x uint64, n int) uint64 { return uint64(bits.OnesCount64(x)) }}},
		"parity":   {do: bitOperation{parityOf, func(x uint64, n int) uint64 { return uint64(bits.OnesCount64(x) % 2) }}},
		"ffs":      {do: bitOperation{nil, func(x uint64, n int) uint64 { return uint64(bits.TrailingZeros64(x)+1) * min(x, 1) }}, signed: true},
		"clrsb":    {do: bitOperation{nil, signBits}, signed: true},
	} {
		for suffix, n := range map[string]int{"": 32, "l": 0, "ll": 64} {
			g := f
			g.bits = n
			all["__builtin_"+name+suffix] = &g
		}
	}
	for name, n := range map[string]int{"16": 16, "32": 32, "64": 64} {
		all["__builtin_bswap"+name] = &bitFunction{bits: n, do: bitOperation{reversed,
			func(x uint64, n int) uint64 { return bits.ReverseBytes64(x) >> (64 - n) }}}
	}
	return all
}()

// signBits returns the number of bits after the sign, of n bits, that are equal to it. For 8 bits
// 11101010 it is 2: the sign is 1, and two more ones follow.
func signBits(x uint64, n int) uint64 {
	if x>>(n-1) != 0 {
		x = ^x & (1<<n - 1)
	}
	return uint64(bits.LeadingZeros64(x) - (64 - n) - 1)
}

// bitCall lowers a call of the function f, one of bitFunctions. It reports false if the call does
// not fit: then nothing was emitted, and the call is one of an external function.
func (b *functionLowerer) bitCall(e *cc.PostfixExpression, f *function, dst core.Loc) bool {
	m := bitFunctions[f.name]
	args := ctree.Arguments(e)
	if len(args) != 1 {
		return false
	}
	// The argument is first converted to the parameter of the declaration.
	from, result := b.bitTypes(f.name)
	declared := core.Type(from)
	if len(f.proc.Formals) == 1 && isScalarType(f.proc.Formals[0].Type) {
		declared = f.proc.Formals[0].Type
	}
	x := to(b.argument(args[0], declared, nil), from)
	b.withResult(result, nil, dst, f.name, func(dst core.Loc) {
		if dst != nil {
			b.bitResult(m, f.name, x, from, dst)
		}
	})
	return true
}

// bitTypes returns the types of the argument and of the result of the function of that name. They
// are those of gcc's documentation, not of a declaration in the program.
func (l *sources) bitTypes(name string) (from, result core.Int) {
	m := bitFunctions[name]
	from, result = core.Int{Bits: m.bits, Signed: m.signed}, core.Int32
	if m.bits == 0 {
		from.Bits = l.pointer().Bits
	}
	if strings.HasPrefix(name, "__builtin_bswap") {
		result = from
	}
	return from, result
}

// constant returns the result of m for x, of type t, as a constant of type result; nil if it is not
// defined. x must be a value of t.
func (m *bitFunction) constant(x *core.Const, t, result core.Int) core.Expr {
	n := unsigned(t).Convert(x.Val).Uint64()
	if n == 0 && m.mayBeAny {
		return nil
	}
	return &core.Const{Val: new(big.Int).SetUint64(m.do.value(n, t.Bits)), Typ: result}
}

// bits returns the value of a call of one of bitFunctions as an expression: with a constant argument, or
// of one that counts ones; nil for other calls.
func (p pureLowerer) bits(e *cc.PostfixExpression) core.Expr {
	name, args := ctree.CalleeName(e), ctree.Arguments(e)
	m := bitFunctions[name]
	if m == nil || len(args) != 1 {
		return nil
	}
	x, err := p.expr(args[0])
	// A constant is computed, a count of ones is an operator; others need branches.
	if c, ok := x.(*core.Const); ok && err == nil {
		from, result := p.bitTypes(name)
		return m.constant(convert(c, from).(*core.Const), from, result)
	}
	if err != nil {
		return nil
	}
	if _, ok := x.Type().(core.Int); ok && strings.HasPrefix(name, "__builtin_popcount") {
		from, _ := p.bitTypes(name)
		return onesIn(to(x, from), from)
	}
	return nil
}

// bitResult stores the result of m, called name, for x, of type t, in dst. Every case is one
// assignment to dst, so no temporary for the result is needed.
func (b *frame) bitResult(m *bitFunction, name string, x core.Expr, t core.Int, dst core.Loc) {
	result := dst.Type().(core.Int)
	// 1. A constant argument: a constant, or any value where the result is not defined.
	if c, ok := x.(*core.Const); ok {
		if k := m.constant(c, t, result); k != nil {
			b.assign(dst, k)
			return
		}
		b.emit(&core.Havoc{Locs: []core.Loc{dst}, Why: name + " of 0"})
		return
	}
	// Each case of the argument has an expression of its own.
	dst = b.stable(dst)
	x = b.once(x)
	zero := core.NewConst(0, t)
	give := func(x core.Expr) { b.assign(dst, convert(x, result)) }
	switch {
	case m.mayBeAny:
		b.whether(binary(core.Eq, x, zero), func() {
			b.emit(&core.Havoc{Locs: []core.Loc{dst}, Why: name + " of 0"})
		}, func() { give(m.do.of(x, t)) })
	case strings.HasPrefix(name, "__builtin_ffs"):
		b.whether(binary(core.Eq, x, zero), func() { give(core.NewConst(0, result)) }, func() {
			u := unsigned(t)
			give(binary(core.Add, trailingZeros(convert(x, u), u), core.NewConst(1, result)))
		})
	case strings.HasPrefix(name, "__builtin_clrsb"):
		more := func(x core.Expr) { give(binary(core.Sub, leadingZeros(x, t), core.NewConst(1, result))) }
		b.whether(binary(core.Lt, x, zero), func() { more(unary(core.BitNot, x)) }, func() { more(x) })
	default:
		give(m.do.of(x, t))
	}
}

// unsigned returns the unsigned type of the width of t.
func unsigned(t core.Int) core.Int { return core.Int{Bits: t.Bits} }

// once returns x, or a temporary with its value if evaluating x takes more than reading a variable.
// A variable in memory is copied, too: a store through a pointer may change it.
func (b *frame) once(x core.Expr) core.Expr {
	switch x := x.(type) {
	case *core.Const:
		return x
	case *core.VarRef:
		if !x.Var.InMemory() {
			return x
		}
	}
	t := b.temp(x.Type())
	b.assign(t.Ref(), x)
	return t.Ref()
}

// whether lowers if (c) yes(); else no(); for a condition c. A constant condition leaves one of
// them, without a branch.
func (b *frame) whether(c core.Expr, yes, no func()) {
	if k, ok := c.(*core.Const); ok {
		if k.Val.Sign() != 0 {
			yes()
		} else {
			no()
		}
		return
	}
	end := newLabel()
	br := b.branch()
	b.arm(br)
	b.emit(&core.Assume{Cond: c})
	yes()
	b.jump(end)
	b.arm(br)
	b.emit(&core.Assume{Cond: core.Negate(c)})
	no()
	b.place(end)
}

// sum returns the sum of n terms, at least one.
func sum(n int, term func(i int) core.Expr) core.Expr {
	total := term(0)
	for i := 1; i < n; i++ {
		total = binary(core.Add, total, term(i))
	}
	return total
}

// power returns 2 to the power of n as a value of t.
func power(n int, t core.Int) core.Expr {
	return &core.Const{Val: new(big.Int).Lsh(big.NewInt(1), uint(n)), Typ: t}
}

// leadingZeros returns the number of zeros above the highest one of x, which is not negative. Of 8
// bits 00010110 the comparisons x < 1, 2, 4, 8, 16 are 0, and x < 32, 64, 128 are 1: three zeros.
func leadingZeros(x core.Expr, t core.Int) core.Expr {
	above := sum(t.Bits-1, func(i int) core.Expr { return binary(core.Lt, x, power(i, t)) })
	if t.Signed { // the bit of the sign is zero
		return binary(core.Add, above, core.NewConst(1, core.Int32))
	}
	return binary(core.Add, above, binary(core.Lt, x, power(t.Bits-1, t)))
}

// trailingZeros returns the number of zeros below the lowest one of x, which is not 0. Of 8 bits
// 00010100 the lowest one and two bits are 0: two zeros.
func trailingZeros(x core.Expr, t core.Int) core.Expr {
	return sum(t.Bits-1, func(i int) core.Expr {
		mask := &core.Const{Val: new(big.Int).Sub(power(i+1, t).(*core.Const).Val, big.NewInt(1)), Typ: t}
		return binary(core.Eq, binary(core.And, x, mask), core.NewConst(0, t))
	})
}

// onesIn returns the number of ones in x.
func onesIn(x core.Expr, _ core.Int) core.Expr { return &core.Unary{Op: core.Ones, X: x} }

// parityOf returns the number of ones in x modulo 2.
func parityOf(x core.Expr, t core.Int) core.Expr {
	return binary(core.And, onesIn(x, t), core.NewConst(1, core.Int32))
}

// reversed returns x with its bytes in the opposite order. Byte i of x, counted from the lowest,
// goes to bit Bits - 8 - 8i: a shift as a multiplication.
func reversed(x core.Expr, t core.Int) core.Expr {
	byteMask := core.NewConst(255, core.Uint8)
	return convert(sum(t.Bits/8, func(i int) core.Expr {
		one := binary(core.And, binary(core.Shr, x, core.NewConst(int64(8*i), core.Int32)), byteMask)
		return binary(core.Mul, convert(one, unsigned(core.Int{Bits: max(t.Bits, 32)})), power(t.Bits-8-8*i, core.Int{Bits: max(t.Bits, 32)}))
	}), t)
}
