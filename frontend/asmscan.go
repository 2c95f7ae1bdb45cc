package frontend

import (
	"fmt"
	"strings"

	"c2bp/frontend/core"
)

// This file lowers assembly statements of one instruction of x86 that finds the lowest or the highest one among the
// bits of a word:
//
//	asm ("bsfl %1, %0" : "=r" (n) : "rm" (x), "0" (-1));
//	                                     n := x == 0 ? -1 : the number of the lowest one of x
//	asm ("rep; bsf %1, %0" : "=r" (n) : "rm" (x));
//	                                     the same, but any value if x is 0
//
// For 0 the register stays as it is. With the prefix rep newer processors execute another instruction (tzcnt, lzcnt),
// which differs for 0 only, or for bsr always: rep; bsr is not followed.

// AssemblyScan is an assembly statement that finds a one in a word. Operands are numbered as in its template, outputs first.
type AssemblyScan struct {
	Bits     int  // of the word, 0 if it is that of the operands
	Dst, Src int  // the register for the number, and the word
	Highest  bool // the highest one is found
	Zero     int  // the operand with the result for 0, which is Dst or tied to it; -1 if that is arbitrary
}

// AssemblyBitScan reports whether an assembly statement, not asm goto, is such an operation: then Load lowers it as one if the
// operands are integers of fitting widths. The template is spelt as string literals.
func AssemblyBitScan(template string, outputs, inputs []AssemblyOperand) (op AssemblyScan, ok bool) {
	return newAssembly(template, outputs, inputs).scan()
}

// TextC returns the operation in C; expr has the operands. It leaves the loop around it if their widths are right, and
// the result is certain.
func (s AssemblyScan) TextC(expr []string) string {
	// 1. The widths: that of the word is known, or it is that of the register.
	var b strings.Builder
	src, dst := expr[s.Src], expr[s.Dst]
	same := fmt.Sprintf("sizeof (%s) == sizeof (%s) && (sizeof (%s) == 4 || sizeof (%s) == 8)", src, dst, src, src)
	if s.Bits != 0 {
		same = fmt.Sprintf("sizeof (%s) == %d && (sizeof (%s) == 4 || sizeof (%s) == 8)", src, s.Bits/8, dst, dst)
	}
	if s.Zero >= 0 {
		same += fmt.Sprintf(" && sizeof (%s) <= sizeof (%s) && sizeof (%s) == sizeof (%s)", dst, src, expr[s.Zero], dst)
	}
	// 2. The number of the one.
	number := "__builtin_ctzll (c2bp_word)"
	if s.Highest {
		number = "63 - __builtin_clzll (c2bp_word)"
	}
	fmt.Fprintf(&b, " if (%s) { unsigned long long c2bp_word = sizeof (%s) == 4 ? (__UINT32_TYPE__) (%s) : (__UINT64_TYPE__) (%s);", same, src, src, src)
	fmt.Fprintf(&b, " if (c2bp_word) { (%s) = %s; break; }", dst, number)
	// 3. Of 0.
	if s.Zero >= 0 {
		fmt.Fprintf(&b, " (%s) = (%s); break;", dst, expr[s.Zero])
	}
	b.WriteString(" }")
	return b.String()
}

// scan returns the operation of a; ok is false if a is more or less than one such instruction. The widths of the operands
// are checked by scanAssembly.
func (a *assembly) scan() (s AssemblyScan, ok bool) {
	// 1. The name of the instruction, perhaps after a prefix, and the width in its suffix.
	code, ok := a.executed()
	again := ok && len(code) > 0 && code[0].name == "rep"
	switch {
	case again && code[0].operands == "":
		code = code[1:]
	case again:
		name, operands, _ := strings.Cut(strings.TrimSpace(code[0].operands), " ")
		code = []instruction{{name, operands}}
	}
	if !ok || len(code) != 1 || a.jumps {
		return s, false
	}
	name, found := strings.CutPrefix(code[0].name, "bs")
	s = AssemblyScan{Highest: strings.HasPrefix(name, "r"), Zero: -1}
	if !found || name == "" || name[0] != 'f' && name[0] != 'r' || again && s.Highest {
		return s, false
	}
	switch name[1:] {
	case "":
	case "l":
		s.Bits = 32
	case "q":
		s.Bits = 64
	default:
		return s, false
	}
	// 2. Its operands. A register is named by its own width, unless the instruction says which it uses.
	first, second, two := strings.Cut(code[0].operands, ",")
	if s.Src, s.Dst = a.operandNamed(first), a.operandNamed(second); !two || s.Src < 0 || s.Dst != 0 || len(a.outputs) != 1 {
		return s, false
	}
	if s.Bits == 0 && (asRegisterOfWidth(first) || asRegisterOfWidth(second)) {
		return s, false
	}
	// 3. The constraints must agree with them: a word to be read, a register, and the value that it has before.
	if s.Src < len(a.outputs) || !register(a.outputs[0].constraint, "rqQabcdSD") || a.outputs[0].both() && len(a.inputs) > 1 {
		return s, false
	}
	if a.outputs[0].both() {
		s.Zero = 0
	}
	for i := range a.inputs {
		o, n := a.inputs[i], len(a.outputs)+i
		switch tied := a.tied(o); {
		case n == s.Src && tied < 0 && (o.inMemory() || strings.Trim(o.constraint, "rmg") == ""):
		case n != s.Src && tied == 0 && s.Zero < 0:
			s.Zero = n
		default:
			return s, false
		}
	}
	// What other processors do for 0 is another thing.
	if again {
		s.Zero = -1
	}
	return s, true
}

// asRegisterOfWidth reports whether an operand in a template is a register of a certain width: %k1.
func asRegisterOfWidth(operand string) bool {
	rest := strings.TrimPrefix(strings.TrimSpace(operand), "%")
	return rest != "" && strings.IndexByte("bwkqh", rest[0]) >= 0
}

// scanAssembly lowers a statement that is one such instruction, and reports whether it is one. It emits nothing if it
// returns false.
func (b *functionLowerer) scanAssembly(a *assembly) bool {
	s, ok := a.scan()
	if !ok || b.opts.Assume.ClobberAll {
		return false
	}
	// 1. The types of the operands: integers in registers, the word of the width that the instruction says or of that of
	// the register.
	integer := func(n int) (t core.Int, ok bool) {
		e := a.operand(n).expr
		if n < len(a.outputs) { // casts around what is stored to mean nothing
			e = withoutCasts(e)
		}
		t, ok = b.coreType(e.Type()).(core.Int)
		return t, ok && !t.Float && !t.Bool
	}
	into, ok1 := integer(s.Dst)
	from, ok2 := integer(s.Src)
	bits := s.Bits
	if bits == 0 {
		bits = into.Bits
	}
	if !ok1 || !ok2 || from.Bits != bits || bits != 32 && bits != 64 || into.Bits != 32 && into.Bits != 64 {
		return false
	}
	// Of 0 some processors clear the upper half of a wider register.
	if s.Zero >= 0 {
		if t, ok := integer(s.Zero); !ok || t.Bits != into.Bits || into.Bits > bits {
			return false
		}
	}
	// 2. The place of the result, then the values.
	p := b.asmPlace(a.operand(s.Dst).expr)
	if p.addr != nil {
		p.addr = b.pinned(p.addr, readsMemory)
	}
	t := core.Int{Bits: bits}
	var word, zero core.Expr
	for i := range a.inputs {
		v := b.once(b.force(b.value(a.inputs[i].expr)))
		switch len(a.outputs) + i {
		case s.Src:
			word = b.once(convert(to(v, from), t))
		case s.Zero:
			zero = v
		}
	}
	// 3. The result: of 0 what the register has, or anything.
	dst := b.stable(p.loc())
	b.whether(binary(core.Eq, word, core.NewConst(0, t)), func() {
		switch {
		case zero != nil:
			b.assign(dst, to(zero, dst.Type()))
		case s.Zero < 0:
			b.emit(&core.Havoc{Locs: []core.Loc{dst}, Why: core.AssemblyOutput})
		}
	}, func() {
		number := trailingZeros
		if s.Highest {
			number = highestOne
		}
		b.assign(dst, convert(number(word, t), into))
	})
	return true
}

// highestOne returns the number of the highest one of x, which is not 0. Of 8 bits 00010110 it is 4, as x is at
// least 2, 4, 8 and 16.
func highestOne(x core.Expr, t core.Int) core.Expr {
	return sum(t.Bits-1, func(i int) core.Expr { return binary(core.Le, power(i+1, t), x) })
}
