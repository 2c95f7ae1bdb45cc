package frontend

import (
	"fmt"
	"math/big"
	"math/bits"
	"strconv"
	"strings"

	"c2bp/frontend/core"
)

// This file lowers assembly statements of one instruction of x86 that changes or tests a word of
// memory, as atomic operations and those on bits are written:
//
//	asm volatile ("lock; btsq %2, %1" : "=@ccc" (c) : "m" (*p), "r" (n) : "memory");
//	                                     old := p[n >> 6]
//	                                     p[n >> 6] := old | 1 << (n & 63)
//	                                     c := old >> (n & 63) & 1
//
// The effect of these is known exactly, so a clobber for memory does not matter.

// wordOperation is such an instruction. Operands are numbered as in the template.
type wordOperation struct {
	name string // without its width: bts
	bits int    // of the word
	dst  int    // the operand in memory
	src  int    // the other operand, -1 if there is none
	imm  int64  // the constant operand without one: decl is subl $1
	flag int    // the output that is a flag of the result, -1 if there is none
	cond string // which flag, see flags
}

// wordEffects maps each instruction to the new value of the word, from the old one and the operand; nil
// for a test.
var wordEffects = map[string]func(old, operand core.Expr) core.Expr{
	"bt": nil, "test": nil,
	"bts": func(old, mask core.Expr) core.Expr { return binary(core.Or, old, mask) },
	"btr": func(old, mask core.Expr) core.Expr { return binary(core.And, old, unary(core.BitNot, mask)) },
	"btc": func(old, mask core.Expr) core.Expr { return binary(core.Xor, old, mask) },
	"or":  func(old, x core.Expr) core.Expr { return binary(core.Or, old, x) },
	"and": func(old, x core.Expr) core.Expr { return binary(core.And, old, x) },
	"xor": func(old, x core.Expr) core.Expr { return binary(core.Xor, old, x) },
	"add": func(old, x core.Expr) core.Expr { return binary(core.Add, old, x) },
	"sub": func(old, x core.Expr) core.Expr { return binary(core.Sub, old, x) },
}

// flags maps the conditions of x86 to conditions on the signed result of an instruction: e to being 0.
// For instructions on bits there is also c, the old bit; carries of others are not computed.
var flags = map[string]func(result core.Expr, zero core.Expr) core.Expr{
	"e": equalsZero, "z": equalsZero, "ne": differsFromZero, "nz": differsFromZero,
	"s":  func(x, zero core.Expr) core.Expr { return binary(core.Lt, x, zero) },
	"ns": func(x, zero core.Expr) core.Expr { return binary(core.Le, zero, x) },
}

// equalsZero and differsFromZero compare for equality, so the sign of x does not matter.
func equalsZero(x, zero core.Expr) core.Expr      { return binary(core.Eq, x, zero) }
func differsFromZero(x, zero core.Expr) core.Expr { return binary(core.Ne, x, zero) }

// onBits reports whether the operand is the number of a bit, counted from the word in either direction.
func (o wordOperation) onBits() bool { return strings.HasPrefix(o.name, "bt") }

// AssemblyWordOperation is an assembly statement of one instruction that changes or tests a word of
// memory. Operands are numbered as in its template, outputs first. It is written in C by methods.
type AssemblyWordOperation struct {
	Bits     int   // of the word
	Dst      int   // the operand in memory
	Src      int   // the other operand, -1 if there is none
	Constant int64 // the operand without one
	Flag     int   // the output that is a flag of the result, -1 if there is none

	op wordOperation
}

// AssemblyWord reports whether an assembly statement, not asm goto, is such an operation: then Load
// lowers it as one if the operand in memory is an integer of op.Bits bits. memory says whether it has a
// clobber for memory. The template is spelt as string literals.
func AssemblyWord(template string, memory bool, outputs, inputs []AssemblyOperand) (op AssemblyWordOperation, ok bool) {
	a := newAssembly(template, outputs, inputs)
	a.memory = memory
	w, ok := a.wordOperation()
	return AssemblyWordOperation{w.bits, w.dst, w.src, w.imm, w.flag, w}, ok
}

// StepC returns the distance of the word from the operand in C, + and a number of words; "" if it
// is the operand. by is the name of a signed variable with the value of the other operand. >> 6 of
// a negative number rounds down: bit -1 is in the word before.
func (o AssemblyWordOperation) StepC(by string) string {
	if !o.op.onBits() {
		return ""
	}
	return fmt.Sprintf(" + (%s >> %d)", by, bits.TrailingZeros(uint(o.Bits)))
}

// maskC returns the bit in the word, in C.
func (o AssemblyWordOperation) maskC(by string) string {
	return fmt.Sprintf("((__UINT%d_TYPE__) 1 << (%s & %d))", o.Bits, by, o.Bits-1)
}

// ResultC returns the new value of the word in C; old is the name of an unsigned variable with the old one.
func (o AssemblyWordOperation) ResultC(old, by string) string {
	switch o.op.name {
	// A test leaves the word as it is; the others on bits use a mask, those below the operand
	// itself.
	case "bt", "test":
		return old
	case "bts":
		return old + " | " + o.maskC(by)
	case "btr":
		return old + " & ~" + o.maskC(by)
	case "btc":
		return old + " ^ " + o.maskC(by)
	}
	sign := map[string]string{"or": "|", "and": "&", "xor": "^", "add": "+", "sub": "-"}[o.op.name]
	return fmt.Sprintf("%s %s (__UINT%d_TYPE__) %s", old, sign, o.Bits, by)
}

// FlagC returns the flag in C; word is the name of a variable with the result.
func (o AssemblyWordOperation) FlagC(word, old, by string) string {
	if o.op.name == "test" { // the result is not stored
		word = fmt.Sprintf("(__UINT%d_TYPE__) (%s & %s)", o.Bits, old, by)
	}
	switch o.op.cond {
	// The old bit; all other flags are about the result.
	case "c":
		return fmt.Sprintf("(%s & %s) != 0", old, o.maskC(by))
	case "e", "z":
		return word + " == 0"
	case "s":
		return fmt.Sprintf("(__INT%d_TYPE__) %s < 0", o.Bits, word)
	case "ns":
		return fmt.Sprintf("(__INT%d_TYPE__) %s >= 0", o.Bits, word)
	}
	return word + " != 0"
}

// executed returns the instructions of a that are executed in place and have an effect, without the
// prefix lock; ok is false if the sections of the code are not known. Code of alternatives, which
// Linux puts into other sections, may replace the instruction by an equal one.
func (a *assembly) executed() (list []instruction, ok bool) {
	sections := 0
	for _, x := range a.code() {
		if x.name == "lock" && x.operands != "" {
			x.name, x.operands, _ = strings.Cut(strings.TrimSpace(x.operands), " ")
		}
		// Follow the sections: only code in the first one is executed in place.
		switch {
		case x.name == ".pushsection":
			sections++
		case x.name == ".popsection" && sections > 0:
			sections--
		case x.name == ".previous", x.name == ".section", x.name == ".text", x.name == ".subsection":
			return nil, false
		case sections > 0, x.name == "lock", x.name == "nop", x.name == "#":
		case x.name == "/*" && strings.HasSuffix(x.operands, "*/") && strings.Count(x.operands, "*/") == 1:
		default:
			list = append(list, x)
		}
	}
	return list, sections == 0
}

// wordOperation returns the operation of a; ok is false if a is more or less than one such instruction.
// The constraints are checked last, see fits; the widths of operands are checked by wordAssembly.
func (a *assembly) wordOperation() (op wordOperation, ok bool) {
	// 1. The name of the instruction, and the width in its suffix.
	code, ok := a.executed()
	if !ok || len(code) != 1 || a.jumps {
		return op, false
	}
	name := code[0].name
	if name == "" || strings.IndexByte("bwlq", name[len(name)-1]) < 0 {
		return op, false
	}
	op = wordOperation{name: name[:len(name)-1], bits: map[byte]int{'b': 8, 'w': 16, 'l': 32, 'q': 64}[name[len(name)-1]], src: -1, flag: -1}
	// 2. Its operands: a constant or an operand of the statement, and the word in memory.
	first, second, two := strings.Cut(code[0].operands, ",")
	switch op.name {
	case "inc", "dec":
		if two {
			return op, false
		}
		op.name = map[string]string{"inc": "add", "dec": "sub"}[op.name]
		op.imm, second = 1, first
	default:
		if _, known := wordEffects[op.name]; !known || !two || op.onBits() && op.bits == 8 {
			return op, false
		}
		if imm, ok := strings.CutPrefix(strings.TrimSpace(first), "$"); ok && !op.onBits() {
			n, err := strconv.ParseInt(imm, 0, 32)
			if err != nil {
				return op, false
			}
			op.imm = n
		} else if op.src = a.operandNamed(first); op.src < 0 {
			return op, false
		}
	}
	if op.dst = a.operandNamed(second); op.dst < 0 || op.dst == op.src {
		return op, false
	}
	// 3. The constraints must agree with them.
	ok = a.fits(&op) // which notes the flag in op
	return op, ok
}

// fits reports whether a has the operands of op, no others except a flag, which it notes in op, and the
// right constraints for them.
func (a *assembly) fits(op *wordOperation) bool {
	writes := wordEffects[op.name] != nil
	for i := range len(a.outputs) + len(a.inputs) {
		o := a.operand(i)
		cond, isFlag := strings.CutPrefix(o.constraint, "=@cc")
		switch {
		case i == op.dst:
			// A word that is an input only changes for the compiler if all memory does.
			if !o.inMemory() || i < len(a.outputs) && !o.both() || i >= len(a.outputs) && writes && !a.memory {
				return false
			}
		case i == op.src:
			// A constant that is no register counts within the word alone.
			if i < len(a.outputs) || a.tied(o) >= 0 || o.inMemory() || op.onBits() && !strings.Contains(o.constraint, "r") {
				return false
			}
		case isFlag && op.flag < 0:
			op.flag, op.cond = i, cond
			if op.onBits() && cond != "c" || !op.onBits() && flags[cond] == nil {
				return false
			}
		default:
			return false
		}
	}
	return writes || op.flag >= 0
}

// wordAssembly lowers a statement that is one such instruction, and reports whether it is one.
func (b *functionLowerer) wordAssembly(a *assembly) bool {
	op, ok := a.wordOperation()
	if !ok || b.opts.Assume.ClobberAll {
		return false
	}
	// 1. The operands, if their types fit.
	word, signed := core.Int{Bits: op.bits}, core.Int{Bits: op.bits, Signed: true}
	dst := withoutCasts(a.operand(op.dst).expr)
	t, isInt := b.coreType(dst.Type()).(core.Int)
	if !isInt || t.Bits != op.bits || t.Bool || t.Float {
		return false
	}
	if op.flag >= 0 {
		if f, isInt := b.coreType(a.outputs[op.flag].expr.Type()).(core.Int); !isInt || f.Float {
			return false
		}
	}
	// The address of the word may turn out not to be known, below; then all operands are lowered
	// again, by instructions, and no side effect may occur twice.
	if op.onBits() && (b.hasEffects(dst) || b.hasEffects(a.operand(op.src).expr)) {
		return false
	}
	var operand core.Expr = &core.Const{Val: word.Convert(big.NewInt(op.imm)), Typ: word}
	if op.src >= 0 {
		from, isInt := b.coreType(a.operand(op.src).expr.Type()).(core.Int)
		if !isInt || from.Float {
			return false
		}
		operand = b.once(to(b.force(b.value(a.operand(op.src).expr)), signed))
	}
	var flag core.Loc
	if op.flag >= 0 {
		flag = b.stable(b.asmPlace(a.outputs[op.flag].expr).loc())
	}
	// 2. The word, which the number of a bit selects, and the mask of the bit.
	p := b.asmPlace(dst)
	var bit core.Expr
	if op.onBits() {
		n := operand
		if p = b.wordAt(p, binary(core.Shr, n, core.NewConst(int64(bits.TrailingZeros(uint(op.bits))), core.Int32)), int64(op.bits/8)); !p.known() {
			return false
		}
		bit = b.once(convert(binary(core.And, n, core.NewConst(int64(op.bits-1), signed)), core.Int32))
		operand = convert(binary(core.Shl, core.NewConst(1, word), bit), word)
	}
	// 3. Read it, store the result, then the flag. What is tested only, in assembly that must not be moved, is read as what
	// is volatile.
	effect := wordEffects[op.name]
	p.volatile = p.volatile || effect == nil && a.volatile && a.memory
	old := b.once(convert(to(b.force(b.load(dst, p)), t), word))
	result := old
	if effect != nil {
		result = convert(effect(old, convert(operand, word)), word)
		if op.flag >= 0 {
			result = b.once(result)
		}
		b.assign(p.loc(), to(result, t))
	}
	if op.name == "test" {
		result = convert(binary(core.And, old, convert(operand, word)), word)
	}
	switch {
	case op.flag < 0:
	case op.onBits():
		b.assign(flag, to(binary(core.And, convert(binary(core.Shr, old, bit), word), core.NewConst(1, word)), flag.Type()))
	default:
		b.assign(flag, to(flags[op.cond](convert(result, signed), core.NewConst(0, signed)), flag.Type()))
	}
	return true
}

// wordAt returns the place i words, of size bytes, after p; it is not known if p has no address.
func (b *frame) wordAt(p place, i core.Expr, size int64) place {
	if c, ok := i.(*core.Const); ok && c.Val.Sign() == 0 {
		return p
	}
	addr := b.asmAddress(p)
	if addr == nil || p.bit != 0 {
		return place{}
	}
	p.v, p.kept, p.addr = nil, nil, &core.Index{X: addr, I: b.once(i), Size: size}
	return p
}
