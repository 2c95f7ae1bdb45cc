package frontend

import (
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"c2bp/frontend/ccfix"
	"c2bp/frontend/core"
	"c2bp/source"
)

// This file lowers the jumps of asm goto. In general they are a choice between all labels and the next statement. Of one that
// only tests a byte in memory, the test is the condition. Linux asks for features of the processor so; code of alternatives may
// replace the test by a jump to the same label.
//
//	asm goto ("jmp 6f; .pushsection .aux; 6: testb %0, %P1(%%rip); jnz %l2; jmp %l3; .popsection"
//	          : : "i" (8), "i" (&byte) : : yes, no);
//	                                     if (byte & 8) goto yes; else goto no;

// asmGoto lowers the jumps of asm goto: a branch to each of its labels and to the next statement.
func (b *functionLowerer) asmGoto(a *assembly, pos source.Pos) {
	b.refuseJump(pos, "asm goto")
	br := b.branch()
	br.Input = b.assemblyProc()
	// One arm for each label, and one for the next statement.
	jump, on := a.ways()
	for i := range a.labels {
		b.asmArm(br, a, i, func() { b.way(jump) })
	}
	b.asmArm(br, a, len(a.labels), func() { b.way(on) })
}

// asmArm lowers an arm of the branch br of asm goto to its label i, or to the next statement if there is none. first emits
// the first statement of the arm.
func (b *functionLowerer) asmArm(br *core.Node, a *assembly, i int, first func()) {
	if i == len(a.labels) {
		b.arm(br)
		first()
		return
	}
	e := a.labels[i]
	id, ok := e.(*cc.PrimaryExpression)
	if !ok || id.Case != cc.PrimaryExpressionIdent {
		b.error(ccfix.At(e.Position()), "asm goto: expected the name of a label")
		return
	}
	t := b.findLabel(id.LexicalScope(), id.Token.SrcStr())
	if t == nil {
		b.error(ccfix.At(id.Position()), "undefined label: %s", id.Token.SrcStr())
		return
	}
	b.arm(br)
	first()
	b.enter(id.LexicalScope(), id.Token.Seq(), t.stmt)
	b.jump(t.l)
}

// way begins an arm of the branch of asm goto; certain says that executions certainly can take it.
func (b *frame) way(certain bool) {
	b.emit(&core.Skip{}).Free = certain
}

// AssemblyTest is an assembly statement, asm goto, that tests bits of a byte in memory and does nothing else. Operands and
// labels are numbered from 0.
type AssemblyTest struct {
	Byte, Mask int // the operands with the address of the byte and with the bits
	Some, None int // the labels to which it jumps if some of the bits are set, and if none is; their number for the next statement
}

// AssemblyByteTest reports whether asm goto is such a test: then Load lowers it as one if its operands are a pointer to
// characters and an integer. The template is spelt as string literals.
func AssemblyByteTest(template string, outputs, inputs []AssemblyOperand, labels []string) (test AssemblyTest, ok bool) {
	a := newAssembly(template, outputs, inputs)
	a.jumps = true
	return a.test(labels)
}

// TextC returns the test in C; expr has the operands.
func (t AssemblyTest) TextC(expr, labels []string) string {
	to := func(i int) string {
		if i == len(labels) {
			return "break"
		}
		return "goto " + labels[i]
	}
	// What is tested has the address of a byte, whatever the type.
	return fmt.Sprintf(" if (*(unsigned char *) (%s) & (unsigned char) (%s)) %s; %s;", expr[t.Byte], expr[t.Mask], to(t.Some), to(t.None))
}

// test returns the test of a, whose labels have names; ok is false if a is more or less.
func (a *assembly) test(names []string) (t AssemblyTest, ok bool) {
	if !a.jumps || len(a.outputs) > 0 {
		return t, false
	}
	lines := a.lines()
	// 1. The section of each line: 0 for the code in place, and a number for each time that another is pushed.
	section, open := make([]int, len(lines)), []int{0}
	for i, x := range lines {
		switch x.name {
		case ".pushsection":
			open = append(open, i+1)
		case ".popsection":
			if len(open) == 1 {
				return t, false
			}
			open = open[:len(open)-1]
		case ".previous", ".section", ".text", ".subsection":
			return t, false
		}
		section[i] = open[len(open)-1]
	}
	if len(open) > 1 {
		return t, false
	}
	// 2. Where a jump leads: to a label of the statement, or to a line with a label that comes later.
	label := func(to string) int {
		name, found := strings.CutPrefix(strings.TrimSpace(to), "%l")
		if !found {
			return -1
		}
		if inner, found := strings.CutPrefix(name, "["); found {
			return slices.Index(names, strings.TrimSuffix(inner, "]"))
		}
		// %l2: labels are numbered after the operands.
		for i := range names {
			if name == fmt.Sprint(len(a.inputs)+i) {
				return i
			}
		}
		return -1
	}
	later := func(to string, from int) int {
		name, found := strings.CutSuffix(strings.TrimSpace(to), "f")
		for i := from + 1; found && i < len(lines); i++ {
			if slices.Contains(lines[i].labels, name) {
				return i
			}
		}
		return -1
	}
	// 3. Follow the code from its start to a label or to its end.
	tested := false
	t = AssemblyTest{Byte: -1, Mask: -1, Some: -1, None: -1}
	for i := 0; ; i++ {
		// At the end in place is the next statement. No other section may end.
		if i == len(lines) {
			t.None = len(names)
			return t, tested && t.Some >= 0 && section[i-1] == 0
		}
		x := lines[i]
		switch {
		case x.name == ".pushsection":
			// What follows goes elsewhere, to the line that ends this section.
			outer := 0
			if i > 0 {
				outer = section[i-1]
			}
			for i++; section[i] != outer; i++ {
			}
		case x.name == ".popsection":
			return t, false
		case x.name == "", x.name == "#", x.name == "nop":
		case x.name == "testb" && !tested:
			first, second, two := strings.Cut(x.operands, ",")
			second, direct := strings.CutSuffix(strings.ReplaceAll(second, " ", ""), "(%%rip)")
			t.Mask, t.Byte = a.operandNamed(first), a.operandNamed(strings.Replace(second, "%P", "%", 1))
			if !two || !direct || t.Mask < 0 || t.Byte < 0 || !a.immediate(t.Mask) || !a.immediate(t.Byte) {
				return t, false
			}
			tested = true
		case (x.name == "jnz" || x.name == "jne") && tested && t.Some < 0:
			if t.Some = label(x.operands); t.Some < 0 {
				return t, false
			}
		case x.name == "jmp" && label(x.operands) >= 0:
			t.None = label(x.operands)
			return t, tested && t.Some >= 0
		case x.name == "jmp" && later(x.operands, i) >= 0:
			i = later(x.operands, i) - 1
		default:
			return t, false
		}
	}
}

// immediate reports whether operand i of the template is a constant.
func (a *assembly) immediate(i int) bool { return a.operand(i).constraint == "i" }

// testAssembly lowers asm goto that is such a test, and reports whether it is one. It emits nothing if it returns false.
func (b *functionLowerer) testAssembly(a *assembly, pos source.Pos) bool {
	// 1. The labels, by name, and the operands: the address of a character, and a number.
	var names []string
	for _, e := range a.labels {
		id, ok := e.(*cc.PrimaryExpression)
		if !ok || id.Case != cc.PrimaryExpressionIdent {
			return false
		}
		names = append(names, id.Token.SrcStr())
	}
	t, ok := a.test(names)
	if !ok || b.opts.Assume.ClobberAll {
		return false
	}
	at, mask := a.operand(t.Byte).expr, a.operand(t.Mask).expr
	to, isPointer := at.Type().Undecay().(*cc.PointerType)
	bits, isInt := b.coreType(mask.Type()).(core.Int)
	if !isPointer || !isInt || bits.Float || b.hasEffects(at) || b.hasEffects(mask) || isVolatileType(to.Elem()) {
		return false
	}
	character, isInt := b.coreType(to.Elem()).(core.Int)
	if !isInt || character.Bits != 8 || character.Bool {
		return false
	}
	// 2. The byte, and those of its bits that the mask has.
	b.refuseJump(pos, "asm goto")
	word := core.Int{Bits: 8}
	addr := b.once(b.force(b.value(at)))
	p := place{addr: addr, typ: character, ctype: to.Elem()}
	old := convert(b.once(b.force(b.load(at, p))), word)
	some := b.once(binary(core.And, old, convert(b.force(b.value(mask)), word)))
	zero := core.NewConst(0, word)
	// 3. The jumps.
	br := b.branch()
	b.asmArm(br, a, t.Some, func() { b.emit(&core.Assume{Cond: binary(core.Ne, some, zero)}) })
	b.asmArm(br, a, t.None, func() { b.emit(&core.Assume{Cond: binary(core.Eq, some, zero)}) })
	return true
}
