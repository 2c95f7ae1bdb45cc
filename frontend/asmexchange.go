package frontend

import (
	"fmt"
	"strings"

	"c2bp/frontend/core"
)

// This file lowers assembly statements of one instruction of x86 that exchanges a word of memory with a register, as
// atomic operations are written that return the old value:
//
//	asm volatile ("lock; xaddl %0, %1" : "+r" (x), "+m" (*p) : : "memory");
//	                                     old := *p
//	                                     *p := old + x
//	                                     x := old
//	asm volatile ("lock; cmpxchgl %2, %1" : "=a" (was), "+m" (*p) : "r" (new), "0" (old) : "memory");
//	                                     was := *p
//	                                     if (was == old) *p := new
//
// The effect is known exactly, so a clobber for memory does not matter.

// AssemblyExchangeOperation is an assembly statement that exchanges a word of memory with a register. Operands are numbered as in its
// template, outputs first.
type AssemblyExchangeOperation struct {
	Bits     int
	Dst, Src int  // the word, and the register that is stored or added
	Adds     bool // it is added
	// Was is the output with the old value. Old is -1, or the operand to which the word must be equal to be stored.
	Was, Old int
	Flag     int  // the output that tells whether it was, -1 if there is none
	Not      bool // it tells the contrary
}

// AssemblyExchange reports whether an assembly statement, not asm goto, is such an operation: then Load lowers it as one if the
// operands are numbers or pointers of op.Bits bits. memory says whether it has a clobber for memory. The template is spelt as string
// literals.
func AssemblyExchange(template string, memory bool, outputs, inputs []AssemblyOperand) (op AssemblyExchangeOperation, ok bool) {
	a := newAssembly(template, outputs, inputs)
	a.memory = memory
	return a.exchange()
}

// TextC returns the operation in C; expr has the operands. It leaves the loop around it if their widths are right.
func (o AssemblyExchangeOperation) TextC(expr []string) string {
	// 1. The operands, and the old value.
	var b strings.Builder
	fmt.Fprintf(&b, " if (sizeof (%s) == %d && sizeof (%s) == %d && sizeof (%s) == %d) {", expr[o.Dst], o.Bits/8, expr[o.Src], o.Bits/8, expr[o.Was], o.Bits/8)
	fmt.Fprintf(&b, " typedef __UINT%d_TYPE__ __attribute__((may_alias)) c2bp_uint;", o.Bits)
	fmt.Fprintf(&b, " c2bp_uint c2bp_by = (c2bp_uint) (%s), *c2bp_at = (c2bp_uint *) &(%s), c2bp_old = *c2bp_at;", expr[o.Src], expr[o.Dst])
	// 2. The stores.
	switch {
	case o.Old >= 0:
		fmt.Fprintf(&b, " int c2bp_equal = c2bp_old == (c2bp_uint) (%s); if (c2bp_equal) *c2bp_at = c2bp_by;", expr[o.Old])
	case o.Adds:
		b.WriteString(" *c2bp_at = c2bp_old + c2bp_by;")
	default:
		b.WriteString(" *c2bp_at = c2bp_by;")
	}
	fmt.Fprintf(&b, " (%s) = (__typeof__(%s)) c2bp_old;", expr[o.Was], expr[o.Was])
	if o.Flag >= 0 {
		sign := map[bool]string{false: "", true: "!"}[o.Not]
		fmt.Fprintf(&b, " (%s) = %sc2bp_equal;", expr[o.Flag], sign)
	}
	b.WriteString(" break; }")
	return b.String()
}

// exchange returns the operation of a; ok is false if a is more or less than one such instruction. The widths of the operands are
// checked by exchangeAssembly.
func (a *assembly) exchange() (x AssemblyExchangeOperation, ok bool) {
	// 1. The name of the instruction, and the width in its suffix.
	code, ok := a.executed()
	if !ok || len(code) != 1 || a.jumps || code[0].name == "" {
		return x, false
	}
	name := code[0].name
	last := len(name) - 1
	x = AssemblyExchangeOperation{Bits: map[byte]int{'b': 8, 'w': 16, 'l': 32, 'q': 64}[name[last]], Was: -1, Old: -1, Flag: -1}
	name = name[:last]
	if x.Bits == 0 || name != "xchg" && name != "xadd" && name != "cmpxchg" {
		return x, false
	}
	// 2. Its operands: a register, and the word in memory.
	first, second, two := strings.Cut(code[0].operands, ",")
	if x.Src, x.Dst = a.operandNamed(first), a.operandNamed(second); !two || x.Src < 0 || x.Dst < 0 || x.Src == x.Dst {
		return x, false
	}
	// 3. The constraints must agree with them.
	if name == "cmpxchg" {
		ok = a.fitsExchange(&x, true) && x.Was >= 0 && x.Old >= 0
		return x, ok
	}
	x.Adds, x.Was = name == "xadd", x.Src
	ok = a.fitsExchange(&x, false)
	return x, ok
}

// register reports whether a constraint is one of the registers in letters alone, without its marks.
func register(constraint, letters string) bool {
	c := strings.TrimLeft(constraint, "=+&%")
	return c != "" && strings.Trim(c, letters) == ""
}

// fitsExchange reports whether a has the operands of x and no others, and the right constraints for them. If x compares, it notes the
// accumulator and the flag in x.
func (a *assembly) fitsExchange(x *AssemblyExchangeOperation, compares bool) bool {
	for i := range len(a.outputs) + len(a.inputs) {
		o := a.operand(i)
		output := i < len(a.outputs)
		cond, isFlag := strings.CutPrefix(o.constraint, "=@cc")
		switch {
		case i == x.Dst:
			// A word that is an input only changes for the compiler if all memory does.
			if !o.inMemory() || output && !o.both() || !output && !a.memory {
				return false
			}
		case i == x.Src:
			if !register(o.constraint, "rqQbcdSD") || output != !compares || output && !o.both() || !output && a.tied(o) >= 0 {
				return false
			}
		case !compares:
			return false
		case isFlag && x.Flag < 0:
			x.Flag = i
			switch cond {
			case "e", "z":
			case "ne", "nz":
				x.Not = true
			default:
				return false
			}
		// The accumulator: an output that is an input, too, or has an input tied to it.
		case output && register(o.constraint, "a") && x.Was < 0:
			x.Was = i
			if o.both() {
				x.Old = i
			}
		case !output && x.Old < 0 && a.tied(o) >= 0 && a.tied(o) == x.Was:
			x.Old = i
		default:
			return false
		}
	}
	return true
}

// exchangeAssembly lowers a statement that is one such instruction, and reports whether it is one. It emits nothing if it returns
// false.
func (b *functionLowerer) exchangeAssembly(a *assembly) bool {
	x, ok := a.exchange()
	if !ok || b.opts.Assume.ClobberAll {
		return false
	}
	// 1. The types of the operands: numbers and pointers of the width. Casts around what is stored to mean nothing.
	word := core.Int{Bits: x.Bits}
	fits := func(i int) bool {
		e := a.operand(i).expr
		if i < len(a.outputs) || i == x.Dst {
			e = withoutCasts(e)
		}
		w, ok := core.Word(b.coreType(e.Type()))
		return ok && w.Bits == x.Bits && !w.Bool && !w.Float
	}
	if !fits(x.Dst) || !fits(x.Src) || x.Old >= 0 && (!fits(x.Old) || !fits(x.Was)) {
		return false
	}
	if x.Flag >= 0 {
		if f, isInt := b.coreType(withoutCasts(a.outputs[x.Flag].expr).Type()).(core.Int); !isInt || f.Float {
			return false
		}
	}
	// 2. The values of the operands, and the places of the outputs. One that is both is evaluated once.
	places := map[int]place{}
	at := func(i int) place {
		p, found := places[i]
		if !found {
			p = b.asmPlace(a.operand(i).expr)
			if p.addr != nil {
				p.addr = b.pinned(p.addr, readsMemory)
			}
			places[i] = p
		}
		return p
	}
	output := func(i int) core.Loc { return at(i).loc() }
	input := func(i int) core.Expr {
		if i < len(a.outputs) { // volatile perhaps
			return b.once(b.force(b.load(withoutCasts(a.operand(i).expr), at(i))))
		}
		return b.once(b.force(b.value(a.operand(i).expr)))
	}
	by := input(x.Src)
	var expected core.Expr
	if x.Old >= 0 {
		expected = input(x.Old)
	}
	result := output(x.Was)
	var flag core.Loc
	if x.Flag >= 0 {
		flag = output(x.Flag)
	}
	// 3. The old value, and the stores.
	dst := withoutCasts(a.operand(x.Dst).expr)
	p := b.asmPlace(dst)
	t := b.coreType(dst.Type())
	old := b.once(to(b.force(b.load(dst, p)), t))
	store := func(v core.Expr) { b.assign(p.loc(), to(v, t)) }
	tell := func(stored bool) {
		if flag != nil {
			b.assign(flag, convert(truth(stored != x.Not), flag.Type().(core.Int)))
		}
	}
	switch {
	case x.Adds:
		store(convert(binary(core.Add, to(old, word), to(by, word)), word))
	case x.Old >= 0:
		b.whether(binary(core.Eq, to(old, word), to(expected, word)), func() { store(by); tell(true) }, func() { tell(false) })
	default:
		store(by)
	}
	b.assign(result, to(old, result.Type()))
	return true
}
