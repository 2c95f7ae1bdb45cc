package frontend

import (
	"bytes"
	"math/big"
	"regexp"
	"strconv"
	"strings"

	"modernc.org/cc/v4"

	"c2bp/frontend/core"
	"c2bp/frontend/ctree"
	"c2bp/ieee"
)

// This file lowers the functions of math.h whose results C and IEEE 754 specify, and the compiler's
// functions of these names: fabs, sqrt, floor, fmin, isnan, __builtin_signbit. sin, pow and the like have
// arbitrary results, since libraries differ in them.

// mathShape is the way in which a function is lowered.
type mathShape int

const (
	rounding   mathShape = iota // float to integer, by op and truncated: lround
	operation                   // op on numbers of the type of the function: sqrtf
	compares                    // of numbers of any type
	classifies                  // of a number of any type: isnan
	extreme                     // fmin, fmax
	fixed                       // without a value from outside: nan("")
)

// mathFunction is a function of math.h.
type mathFunction struct {
	shape mathShape
	// What operation and rounding compute; it has no meaning for other shapes.
	op    ieee.Op
	args  int
	width int  // of the numbers; 0 for any
	errno bool // it sets errno if the result is not defined
}

// mathFunctions has the functions by name, without __builtin_ in front.
var mathFunctions = func() map[string]mathFunction {
	m := map[string]mathFunction{}
	both := func(name string, f mathFunction) {
		f.width = 64
		m[name] = f
		f.width = 32
		m[name+"f"] = f
	}
	// Exact results, and the rounding mode does not matter or is to nearest.
	for name, op := range map[string]ieee.Op{"fabs": ieee.Abs, "floor": ieee.Floor, "ceil": ieee.Ceil, "trunc": ieee.Trunc, "round": ieee.Round,
		"rint": ieee.Rint, "nearbyint": ieee.Rint} {
		both(name, mathFunction{operation, op, 1, 0, false})
	}
	// Correctly rounded by IEEE 754, or exact as remainders are; errno is set for a NaN that they
	// make.
	both("sqrt", mathFunction{operation, ieee.Sqrt, 1, 0, true})
	both("fmod", mathFunction{operation, ieee.Mod, 2, 0, true})
	both("remainder", mathFunction{operation, ieee.Remainder, 2, 0, true})
	both("drem", mathFunction{operation, ieee.Remainder, 2, 0, true})
	both("fmin", mathFunction{extreme, ieee.Lt, 2, 0, false})
	both("fmax", mathFunction{extreme, ieee.Lt, 2, 0, false})
	both("copysign", mathFunction{operation, ieee.CopySign, 2, 0, false})
	for name, op := range map[string]ieee.Op{"lrint": ieee.Rint, "llrint": ieee.Rint, "lround": ieee.Round, "llround": ieee.Round} {
		both(name, mathFunction{rounding, op, 1, 0, true})
	}
	for _, name := range strings.Fields("isgreater isgreaterequal isless islessequal islessgreater isunordered") {
		m[name] = mathFunction{compares, 0, 2, 0, false}
	}
	for _, name := range strings.Fields("isnan isinf isinf_sign isfinite isnormal signbit finite issignaling isnanf isinff finitef signbitf __isnan __isnanf __finite __finitef") {
		m[name] = mathFunction{classifies, 0, 1, 0, false}
	}
	m["fpclassify"] = mathFunction{classifies, 0, 6, 0, false}
	for _, name := range strings.Fields("inf huge_val") {
		both(name, mathFunction{fixed, 0, 0, 0, false})
	}
	for _, name := range strings.Fields("nan nans") {
		both(name, mathFunction{fixed, 0, 1, 0, false})
	}
	return m
}()

// builtinMath has the names that only the compiler defines; without __builtin_ a program or a library may
// give them another meaning.
var builtinMath = map[string]bool{"inf": true, "inff": true, "huge_val": true, "huge_valf": true, "nans": true, "nansf": true, "isinf_sign": true,
	"fpclassify": true, "isgreater": true, "isgreaterequal": true, "isless": true, "islessequal": true, "islessgreater": true, "isunordered": true,
	"isfinite": true, "isnormal": true, "signbit": true, "signbitf": true, "issignaling": true, "isinf": true}

// mathNamed returns the function called name, and its name without __builtin_.
func mathNamed(name string) (base string, m mathFunction, ok bool) {
	base, builtin := strings.CutPrefix(name, "__builtin_")
	m, ok = mathFunctions[base]
	return base, m, ok && (builtin || !builtinMath[base])
}

// mathCall lowers a call e of f; it reports false if f is none of these functions or has a body, or
// if the values of its arguments are not represented. If it reports false, nothing was emitted. The
// value is a pure expression, or a temporary with it.
func (b *functionLowerer) mathCall(e *cc.PostfixExpression, f *function) (value, bool) {
	if f == nil || f.def != nil || b.opaqueFloats() {
		return value{}, false
	}
	base, m, ok := mathNamed(f.name)
	args := ctree.Arguments(e)
	if !ok || len(args) != m.args || !b.fitsMath(f, base, m, args) {
		return value{}, false
	}
	// A constant needs no arguments; that of nan is a literal without effects.
	if m.shape == fixed {
		c := b.mathConstant(base, m, args)
		if c == nil {
			return value{}, false
		}
		return known(c), true
	}
	// 1. The arguments.
	b.checkOrderOf(e, nodes(args)...)
	var x []core.Expr
	for i, a := range args {
		x = append(x, b.force(b.keep(b.value(a), nodes(args[i+1:])...)))
	}
	// 2. Classes and comparisons, in the common type of the arguments.
	b.ledger.add(exactFloats)
	if m.shape == classifies || m.shape == compares {
		t := commonFloat(x)
		for i := range x {
			if base != "fpclassify" || i == 5 {
				x[i] = b.held(b.converted(x[i], t))
			}
		}
		if r := classified(base, x, t); r != nil {
			return known(r), true
		}
		return known(b.signBit(x[0], t)), true
	}
	// 3. Operations, in the type of the function.
	t := core.Int{Bits: m.width, Float: true}
	for i := range x {
		x[i] = b.converted(x[i], t)
	}
	if m.shape == extreme {
		return known(b.extreme(strings.HasPrefix(base, "fmax"), b.held(x[0]), b.held(x[1]), t)), true
	}
	r := floatOperation(m.op, t, x...)
	if m.shape == rounding {
		r = b.converted(r, core.Int64)
	}
	if m.errno && b.setsErrno() {
		dst := b.temp(r.Type())
		b.settingErrno(f, dst.Ref(), func(l core.Loc) { b.assign(l, r) })
		r = dst.Ref()
	}
	return known(r), true
}

// fitsMath reports whether f is declared as in math.h, and the values of the arguments are represented.
// A program may declare double fabs(int), which is another function.
func (b *typing) fitsMath(f *function, base string, m mathFunction, args []cc.ExpressionNode) bool {
	numbers := args
	switch {
	case m.shape == fixed:
		numbers = nil
	case base == "fpclassify":
		numbers = args[5:]
		for _, a := range args[:5] {
			if !b.isInteger(a) {
				return false
			}
		}
	}
	// The arguments must be numbers.
	anyFloat := false
	for _, a := range numbers {
		t, isInt := b.coreType(a.Type()).(core.Int)
		if !isInt {
			return false
		}
		anyFloat = anyFloat || t.Float
	}
	// The result must be of the type in math.h; classifying functions need a floating-point argument.
	result, isInt := f.proc.RetType.(core.Int)
	switch m.shape {
	case operation, extreme, fixed:
		return isInt && result == core.Int{Bits: m.width, Float: true} && b.declaredFloat(f, m)
	case rounding:
		return isInt && result == core.Int64 && b.declaredFloat(f, m)
	}
	return anyFloat && isInt && !result.Float
}

// isInteger reports whether n has an integer type.
func (b *typing) isInteger(n cc.ExpressionNode) bool {
	t, ok := b.coreType(n.Type()).(core.Int)
	return ok && !t.Float
}

// declaredFloat reports whether the parameters of f, if it has any, are of the type of m. Without
// parameters, as after double sqrt(), the arguments decide.
func (b *sources) declaredFloat(f *function, m mathFunction) bool {
	for _, v := range f.proc.Formals {
		if m.shape != fixed && v.Type != core.Type(core.Int{Bits: m.width, Float: true}) {
			return false
		}
	}
	return true
}

// mathConstant returns an infinity or a NaN; nil if the bits of the NaN depend on the library.
// nan("") is a quiet NaN without a payload, nans("") a signaling one. The payload of nan("12") is the
// number in the text, if there is room for it: there gcc and the libraries agree.
func (l *sources) mathConstant(base string, m mathFunction, args []cc.ExpressionNode) core.Expr {
	t := core.Int{Bits: m.width, Float: true}
	if len(args) == 0 {
		return core.NewFloat(ieee.Infinity(m.width), t)
	}
	tag, width, ok := l.StringBytes(args[0])
	if tag = bytes.TrimRight(tag, "\x00"); !ok || width != 1 {
		return nil
	}
	bits := ieee.NaN(m.width, !strings.HasPrefix(base, "nans"))
	if len(tag) > 0 {
		payload, err := strconv.ParseUint(string(tag), 0, 64)
		if err != nil || !numericTag.Match(tag) || payload >= ieee.QuietBit(m.width) || strings.HasPrefix(base, "nans") {
			return nil
		}
		bits |= payload
	}
	return core.NewFloat(bits, t)
}

// numericTag matches the text of a payload of a NaN: a number as C writes it, without a suffix.
var numericTag = regexp.MustCompile(`^(0[xX][0-9a-fA-F]+|0[0-7]*|[1-9][0-9]*)$`)

// mathPure returns the value of a call of such a function as an expression, nil if it is none.
// fmin and fmax are none: equal zeros of different sign leave a choice, which is no pure
// expression.
func (p pureLowerer) mathPure(e *cc.PostfixExpression) (core.Expr, error) {
	f, args := p.calleeOf(e), ctree.Arguments(e)
	if f == nil || f.def != nil || p.opaqueFloats() {
		return nil, nil
	}
	base, m, ok := mathNamed(f.name)
	if !ok || len(args) != m.args || m.shape == extreme || !p.fitsMath(f, base, m, args) {
		return nil, nil
	}
	// 1. Constants.
	if m.shape == fixed {
		return p.mathConstant(base, m, args), nil
	}
	// 2. The arguments.
	var x []core.Expr
	for _, a := range args {
		v, err := p.expr(a)
		if err != nil {
			return nil, err
		}
		x = append(x, v)
	}
	// 3. Classes and comparisons, in the common type of the arguments.
	if m.shape == classifies || m.shape == compares {
		t := commonFloat(x)
		for i := range x {
			if base != "fpclassify" || i == 5 {
				x[i] = convert(x[i], t)
			}
		}
		if r := classified(base, x, t); r != nil {
			return r, nil
		}
		return floatOperation(ieee.Sign, core.Int32, x[0]), nil
	}
	// 4. Operations, in the type of the function.
	t := core.Int{Bits: m.width, Float: true}
	for i := range x {
		x[i] = convert(x[i], t)
	}
	r := floatOperation(m.op, t, x...)
	if m.shape == rounding {
		r = convert(r, core.Int64)
	}
	return r, nil
}

// commonFloat returns the type in which numbers are classified or compared. It is double if one of
// the arguments is; integers are not looked at.
func commonFloat(args []core.Expr) core.Int {
	for _, x := range args {
		if x.Type() == core.Type(core.Float64) {
			return core.Float64
		}
	}
	return core.Float32
}

// classified returns the result of the function base, which classifies its last argument or compares two
// of type t; nil for signbit.
func classified(base string, args []core.Expr, t core.Int) core.Expr {
	// 1. Classes of the last argument. A NaN is not equal to itself.
	x := args[len(args)-1]
	isNumber := func(x core.Expr) core.Expr { return floatBinary(core.Eq, x, x, t) }
	abs := floatOperation(ieee.Abs, t, x)
	inf := core.NewFloat(ieee.Infinity(t.Bits), t)
	finite := floatBinary(core.Lt, abs, inf, t)
	normal := floatBinary(core.Le, core.NewFloat(ieee.LeastNormal(t.Bits), t), abs, t)
	switch strings.TrimPrefix(base, "__") {
	case "isnan", "isnanf":
		return unary(core.Not, isNumber(x))
	// 1 for plus infinity, -1 for minus infinity.
	case "isinf_sign", "isinff":
		return binary(core.Sub, floatBinary(core.Eq, x, inf, t), floatBinary(core.Eq, floatOperation(ieee.Neg, t, x), inf, t))
	case "isinf":
		return floatBinary(core.Eq, abs, inf, t)
	case "isfinite", "finite", "finitef":
		return finite
	case "isnormal":
		return binary(core.And, finite, normal)
	case "signbit", "signbitf":
		return nil
	case "issignaling":
		return signaling(x, t)
	case "fpclassify":
		return fpclassify(args[:5], isNumber(x), finite, normal, floatBinary(core.Eq, x, core.NewFloat(0, t), t))
	}
	// 2. Comparisons of the first two arguments; they are false for NaNs, except isunordered.
	y, x := x, args[0]
	less, greater := floatBinary(core.Lt, x, y, t), floatBinary(core.Lt, y, x, t)
	switch base {
	case "isless":
		return less
	case "isgreater":
		return greater
	case "islessequal":
		return floatBinary(core.Le, x, y, t)
	case "isgreaterequal":
		return floatBinary(core.Le, y, x, t)
	case "islessgreater":
		return binary(core.Or, less, greater)
	}
	return binary(core.Or, unary(core.Not, isNumber(x)), unary(core.Not, isNumber(y)))
}

// held returns x as a constant or a temporary, since it is used several times.
func (b *frame) held(x core.Expr) core.Expr {
	if _, isConst := x.(*core.Const); isConst {
		return x
	}
	v := b.temp(x.Type())
	b.assign(v.Ref(), x)
	return v.Ref()
}

// extreme returns the greater or the smaller of x and y: if one is a NaN the other one, if one is a
// signaling NaN a NaN, and either of two equal numbers, since zeros may differ in sign. The numbers
// must be constants or temporaries, as each is read several times.
func (b *frame) extreme(greatest bool, x, y core.Expr, t core.Int) core.Expr {
	dst, end := b.temp(t), newLabel()
	when := func(cond, r core.Expr) {
		yes, no := newLabel(), newLabel()
		b.testExpr(cond, yes, no)
		b.place(yes)
		b.assign(dst.Ref(), r)
		b.jump(end)
		b.place(no)
	}
	sum := floatOperation(ieee.Add, t, x, y)
	isNaN := func(x core.Expr) core.Expr { return unary(core.Not, floatBinary(core.Eq, x, x, t)) }
	// 1. NaNs: the sum with a signaling one is quiet.
	when(binary(core.Or, signaling(x, t), signaling(y, t)), sum)
	when(isNaN(x), y)
	when(isNaN(y), x)
	// 2. Different numbers.
	if greatest {
		when(floatBinary(core.Lt, y, x, t), x)
		when(floatBinary(core.Lt, x, y, t), y)
	} else {
		when(floatBinary(core.Lt, x, y, t), x)
		when(floatBinary(core.Lt, y, x, t), y)
	}
	// 3. Equal numbers: zeros of different signs, so either.
	br := b.branch()
	b.arm(br)
	b.assign(dst.Ref(), x)
	b.jump(end)
	b.arm(br)
	b.assign(dst.Ref(), y)
	b.place(end)
	return dst.Ref()
}

// signBit returns a number that is not zero if the sign of x is set: 1 for a double, any for a float, as
// compilers differ.
func (b *frame) signBit(x core.Expr, t core.Int) core.Expr {
	sign := floatOperation(ieee.Sign, core.Int32, x)
	if _, isConst := sign.(*core.Const); t == core.Float64 || isConst {
		return sign
	}
	// Any number that is zero if and only if the sign is not set.
	v := b.temp(core.Int32)
	b.emit(&core.Havoc{Locs: []core.Loc{v.Ref()}, Why: "signbit of a float"})
	b.emit(&core.Assume{Cond: binary(core.Eq, binary(core.Ne, v.Ref(), truth(false)), sign)})
	return v.Ref()
}

// signaling returns 1 if x is a signaling NaN, with a first bit of the significand of 0; else 0.
// Conv takes the bits of x as an unsigned number of its width.
func signaling(x core.Expr, t core.Int) core.Expr {
	word := core.Int{Bits: t.Bits}
	bit := new(big.Int).SetUint64(ieee.QuietBit(t.Bits))
	quiet := binary(core.And, &core.Conv{X: x, To: word}, &core.Const{Val: bit, Typ: word})
	return binary(core.And, unary(core.Not, floatBinary(core.Eq, x, x, t)), binary(core.Eq, quiet, core.NewConst(0, word)))
}

// fpclassify returns one of classes, which are in the order of the arguments of the built-in function:
// NaN, infinity, normal, subnormal, zero.
func fpclassify(classes []core.Expr, number, finite, normal, zero core.Expr) core.Expr {
	not := func(x core.Expr) core.Expr { return unary(core.Not, x) }
	and := func(x, y core.Expr) core.Expr { return binary(core.And, x, y) }
	cases := []core.Expr{not(number), and(number, not(finite)), and(finite, normal), and(and(number, not(zero)), not(normal)), zero}
	// Exactly one of the conditions is 1.
	sum := truth(false)
	for i, c := range classes {
		sum = binary(core.Add, sum, binary(core.Mul, convert(c, core.Int32), cases[i]))
	}
	return sum
}
