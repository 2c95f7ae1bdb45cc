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

// exchange is such an instruction. Operands are numbered as in the template.
type exchange struct {
	name string // without its width: xchg, xadd or cmpxchg
	bits int    // of the word
	dst  int    // the operand in memory
	src  int    // the register that is stored or added; with the old value afterwards, but for cmpxchg
	was  int    // of cmpxchg: the output in the accumulator, -1 of the others
	old  int    // of cmpxchg: the operand that is in the accumulator before; was, or an input tied to it
	flag int    // of cmpxchg: the output that tells whether the word was stored, -1 if there is none
	not  bool   // it tells the contrary
}

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
	x, ok := a.exchange()
	op = AssemblyExchangeOperation{Bits: x.bits, Dst: x.dst, Src: x.src, Adds: x.name == "xadd", Was: x.src, Old: -1, Flag: -1}
	if x.name == "cmpxchg" {
		op.Was, op.Old, op.Flag, op.Not = x.was, x.old, x.flag, x.not
	}
	return op, ok
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
func (a *assembly) exchange() (x exchange, ok bool) {
	// 1. The name of the instruction, and the width in its suffix.
	code, ok := a.executed()
	if !ok || len(code) != 1 || a.jumps || code[0].name == "" {
		return x, false
	}
	name := code[0].name
	last := len(name) - 1
	x = exchange{name: name[:last], bits: map[byte]int{'b': 8, 'w': 16, 'l': 32, 'q': 64}[name[last]], was: -1, old: -1, flag: -1}
	if x.bits == 0 || x.name != "xchg" && x.name != "xadd" && x.name != "cmpxchg" {
		return x, false
	}
	// 2. Its operands: a register, and the word in memory.
	first, second, two := strings.Cut(code[0].operands, ",")
	if x.src, x.dst = a.operandNamed(first), a.operandNamed(second); !two || x.src < 0 || x.dst < 0 || x.src == x.dst {
		return x, false
	}
	return x, a.fitsExchange(&x)
}

// register reports whether a constraint is one of the registers in letters alone, without its marks.
func register(constraint, letters string) bool {
	c := strings.TrimLeft(constraint, "=+&%")
	return c != "" && strings.Trim(c, letters) == ""
}

// fitsExchange reports whether a has the operands of x and no others, and the right constraints for them. It notes the accumulator and
// the flag in x.
func (a *assembly) fitsExchange(x *exchange) bool {
	compares := x.name == "cmpxchg"
	for i := range len(a.outputs) + len(a.inputs) {
		o := a.operand(i)
		output := i < len(a.outputs)
		cond, isFlag := strings.CutPrefix(o.constraint, "=@cc")
		switch {
		case i == x.dst:
			// A word that is an input only changes for the compiler if all memory does.
			if !o.inMemory() || output && !o.both() || !output && !a.memory {
				return false
			}
		case i == x.src:
			if !register(o.constraint, "rqQbcdSD") || output != !compares || output && !o.both() || !output && a.tied(o) >= 0 {
				return false
			}
		case !compares:
			return false
		case isFlag && x.flag < 0:
			x.flag = i
			switch cond {
			case "e", "z":
			case "ne", "nz":
				x.not = true
			default:
				return false
			}
		// The accumulator: an output that is an input, too, or has an input tied to it.
		case output && register(o.constraint, "a") && x.was < 0:
			x.was = i
			if o.both() {
				x.old = i
			}
		case !output && x.old < 0 && a.tied(o) >= 0 && a.tied(o) == x.was:
			x.old = i
		default:
			return false
		}
	}
	return !compares || x.was >= 0 && x.old >= 0
}

// exchangeAssembly lowers a statement that is one such instruction, and reports whether it is one. It emits nothing if it returns
// false.
func (b *functionLowerer) exchangeAssembly(a *assembly) bool {
	x, ok := a.exchange()
	if !ok || b.opts.Assume.ClobberAll {
		return false
	}
	// 1. The types of the operands: numbers and pointers of the width. Casts around what is stored to mean nothing.
	word := core.Int{Bits: x.bits}
	fits := func(i int) bool {
		e := a.operand(i).expr
		if i < len(a.outputs) || i == x.dst {
			e = withoutCasts(e)
		}
		w, ok := core.Word(b.coreType(e.Type()))
		return ok && w.Bits == x.bits && !w.Bool && !w.Float
	}
	if !fits(x.dst) || !fits(x.src) || x.old >= 0 && (!fits(x.old) || !fits(x.was)) {
		return false
	}
	if x.flag >= 0 {
		if f, isInt := b.coreType(withoutCasts(a.outputs[x.flag].expr).Type()).(core.Int); !isInt || f.Float {
			return false
		}
	}
	// 2. The values of the operands, and the places of the outputs. One that is both is evaluated once.
	places := map[int]core.Loc{}
	output := func(i int) core.Loc {
		if places[i] == nil {
			places[i] = b.stable(b.asmPlace(a.operand(i).expr).loc())
		}
		return places[i]
	}
	input := func(i int) core.Expr {
		if i < len(a.outputs) {
			return b.once(output(i))
		}
		return b.once(b.force(b.value(a.operand(i).expr)))
	}
	by := input(x.src)
	var expected core.Expr
	was := x.src
	if x.old >= 0 {
		expected, was = input(x.old), x.was
	}
	result := output(was)
	var flag core.Loc
	if x.flag >= 0 {
		flag = output(x.flag)
	}
	// 3. The old value, and the stores.
	dst := withoutCasts(a.operand(x.dst).expr)
	p := b.asmPlace(dst)
	t := b.coreType(dst.Type())
	old := b.once(to(b.force(b.load(dst, p)), t))
	store := func(v core.Expr) { b.assign(p.loc(), to(v, t)) }
	tell := func(stored bool) {
		if flag != nil {
			b.assign(flag, convert(truth(stored != x.not), flag.Type().(core.Int)))
		}
	}
	switch x.name {
	case "xchg":
		store(by)
	case "xadd":
		store(convert(binary(core.Add, to(old, word), to(by, word)), word))
	default:
		b.whether(binary(core.Eq, to(old, word), to(expected, word)), func() { store(by); tell(true) }, func() { tell(false) })
	}
	b.assign(result, to(old, result.Type()))
	return true
}
