package frontend

import (
	"slices"
	"strconv"
	"strings"

	"modernc.org/cc/v4"

	"c2bp/frontend/ccfix"
	"c2bp/frontend/ctree"
)

// This file parses assembly statements: operands, and the names of instructions and operands in the
// templates.

// assembly is an assembly statement.
type assembly struct {
	// The text after textOfString, with escapes resolved and operands as %0, %[name].
	template        string
	outputs, inputs []asmOperand
	labels          []cc.ExpressionNode // of asm goto
	jumps           bool                // it is asm goto
	memory          bool                // it changes memory that is no operand
	volatile        bool                // it may do more than compute outputs
}

// asmOperand is an operand, e.g. "=r" (x).
type asmOperand struct {
	name       string // [name], or ""
	constraint string
	expr       cc.ExpressionNode
}

// both reports whether an output is an input, too.
func (o asmOperand) both() bool { return strings.Contains(o.constraint, "+") }

// inMemory reports whether the instructions get the operand's address. "m" and "=m" are in memory;
// "rm" may be in a register, so the answer is false.
func (o asmOperand) inMemory() bool {
	kinds := strings.Trim(o.constraint, "=+&%*#!?,0123456789 ")
	return strings.ContainsAny(kinds, "moV<>") && strings.Trim(kinds, "moV<>,=+&%*#!? ") == ""
}

// tied returns the number of the output in whose place the input o is, -1 if there is none. In asm
// ("" : "=r" (y) : "0" (x)) the input x is in the register of output 0.
func (a *assembly) tied(o asmOperand) int {
	text := strings.Trim(o.constraint, "%& ")
	if n, err := strconv.Atoi(text); err == nil && n >= 0 && n < len(a.outputs) {
		return n
	}
	// By name: "[x]".
	if name, found := strings.CutPrefix(text, "["); found {
		for n, x := range a.outputs {
			if x.name != "" && x.name == strings.TrimSuffix(name, "]") {
				return n
			}
		}
	}
	return -1
}

// assemblyOf returns the parsed form of s. An operand or clobber that is not understood counts as one
// that changes memory.
func (l *sources) assemblyOf(s *cc.AsmStatement) *assembly {
	// 1. Qualifiers. A basic asm statement has no operands: it may change memory.
	a := &assembly{template: textOfString(s.Asm.Token3.SrcStr())}
	for q := s.Asm.AsmQualifierList; q != nil; q = q.AsmQualifierList {
		a.jumps = a.jumps || q.AsmQualifier.Case == cc.AsmQualifierGoto
		a.volatile = a.volatile || q.AsmQualifier.Case == cc.AsmQualifierVolatile
	}
	if s.Asm.AsmArgList == nil { // without operands
		a.memory = true
	}
	// 2. The sections: outputs, inputs, clobbers, labels.
	for section, list := 0, s.Asm.AsmArgList; list != nil; section, list = section+1, list.AsmArgList {
		for x := list.AsmExpressionList; x != nil; x = x.AsmExpressionList {
			o := asmOperand{}
			text, known := l.asmConstraint(x.AssignmentExpression)
			o.constraint = text
			if x.AsmIndex != nil {
				if id, ok := x.AsmIndex.ExpressionList.(*cc.PrimaryExpression); ok {
					o.name = id.Token.SrcStr()
				}
			}
			if list := asmOperands(x.AssignmentExpression); len(list) > 0 {
				for _, e := range list[:len(list)-1] { // of a comma operator
					a.inputs = append(a.inputs, asmOperand{expr: e})
				}
				o.expr = list[len(list)-1]
			}
			switch {
			// The names of labels are expressions to cc.
			case section == 3:
				a.labels = append(a.labels, x.AssignmentExpression)
			// A clobber that is not understood may be "memory".
			case section == 2:
				a.memory = a.memory || !known || strings.Contains(o.constraint, "memory")
			case o.expr == nil:
			case section == 0:
				a.outputs = append(a.outputs, o)
				a.memory = a.memory || !known
			case section == 1:
				a.inputs = append(a.inputs, o)
				a.memory = a.memory || !known
			}
		}
	}
	return a
}

// asmConstraint returns the string of an operand or clobber, if it is known.
func (l *sources) asmConstraint(e cc.ExpressionNode) (string, bool) {
	if c, ok := e.(*cc.PostfixExpression); ok && c.Case == cc.PostfixExpressionCall {
		e = c.PostfixExpression
	}
	text, _, ok := l.StringBytes(e)
	return strings.TrimRight(string(text), "\x00"), ok
}

// asmOperands returns the expressions of an operand, which cc parses as a call: "=r"(x).
func asmOperands(e cc.ExpressionNode) []cc.ExpressionNode {
	c, ok := e.(*cc.PostfixExpression)
	if !ok || c.Case != cc.PostfixExpressionCall {
		return nil
	}
	return ctree.Arguments(c)
}

// textOfString returns the characters of string literals; an escape sequence other than white space
// becomes ?, since only names matter in a template, and whether it is empty.
func textOfString(literal string) string {
	var text strings.Builder
	for i := 0; i < len(literal); i++ {
		switch c := literal[i]; {
		case c == '"':
			text.WriteByte(' ')
		case c == '\\':
			i++
			// White space stays white space.
			switch {
			case i < len(literal) && literal[i] == 'n':
				text.WriteByte('\n')
			case i < len(literal) && strings.IndexByte("tvfr", literal[i]) >= 0:
				text.WriteByte(' ')
			default:
				text.WriteByte('?') // some character
			}
		default:
			text.WriteByte(c)
		}
	}
	return text.String()
}

// empty reports whether a has no instructions.
func (a *assembly) empty() bool { return strings.TrimSpace(a.template) == "" }

// instruction is one of a template, without labels.
type instruction struct{ name, operands string }

// code returns the instructions of a template; a line of comment is one named #.
//
//	1: lock; incl %0      "lock", "incl %0"
//	# a barrier           "#"
func (a *assembly) code() (list []instruction) {
	for _, line := range a.lines() {
		if line.name != "" {
			list = append(list, line.instruction)
		}
	}
	return list
}

// codeLine is an instruction, or none, and the labels before it.
type codeLine struct {
	labels []string
	instruction
}

// lines returns the instructions of a template with their labels.
func (a *assembly) lines() (list []codeLine) {
	for _, line := range strings.FieldsFunc(a.template, func(c rune) bool { return c == '\n' || c == ';' }) {
		var labels []string
		for {
			label, rest, found := strings.Cut(line, ":")
			if !found || len(strings.Fields(label)) != 1 || strings.ContainsAny(label, "%(") {
				break
			}
			labels, line = append(labels, strings.TrimSpace(label)), rest
		}
		// The name, and the rest of the line.
		name, operands, _ := strings.Cut(strings.TrimSpace(strings.ReplaceAll(line, "\t", " ")), " ")
		if strings.HasPrefix(name, "#") {
			name, operands = "#", name[1:]+" "+operands
		}
		list = append(list, codeLine{labels, instruction{name, operands}})
	}
	return list
}

// machineEffect says where the value comes from that an instruction stores.
type machineEffect int

const (
	computes     machineEffect = iota // from its operands, or it is not known
	readsOutside                      // from outside of the program
	moves                             // from the results of the instructions before; or it stores nothing
)

// machine has the instructions of x86 that read something else than memory of the program: ports,
// clocks, flags, registers that describe the machine.
var machine = map[string]machineEffect{
	"in": readsOutside, "inb": readsOutside, "inw": readsOutside, "inl": readsOutside,
	"rdtsc": readsOutside, "rdtscp": readsOutside, "rdpmc": readsOutside, "rdmsr": readsOutside, "rdpid": readsOutside,
	"rdrand": readsOutside, "rdseed": readsOutside, "cpuid": readsOutside, "xgetbv": readsOutside,
	"pushf": readsOutside, "pushfl": readsOutside, "pushfq": readsOutside,
	"pop": moves, "popl": moves, "popq": moves, "nop": moves, "lfence": moves, "mfence": moves, "pause": moves, "#": moves,
}

// readsSegment reports whether a only copies a word of the memory of the processor or thread, which is found by a segment
// register, to a register:
//
//	movq %%gs:%P1, %0        the address is a number to the compiler
//	movq %%gs:%1, %0         operand 1 is a variable, of which each processor has its own
func (a *assembly) readsSegment() bool {
	code := a.code()
	if len(code) != 1 || code[0].name != "mov" && moveBits[code[0].name] == 0 || a.jumps || len(a.outputs) != 1 || a.outputs[0].both() {
		return false
	}
	from, to, _ := strings.Cut(code[0].operands, ",")
	where, found := strings.CutPrefix(strings.TrimSpace(from), "%%gs:")
	if !found {
		where, found = strings.CutPrefix(strings.TrimSpace(from), "%%fs:")
	}
	// No other operand is in memory.
	variable := a.operandNamed(where)
	return found && a.operandNamed(to) == 0 && !slices.ContainsFunc(a.inputs, func(o asmOperand) bool {
		return o.inMemory() && (variable < 0 || a.operand(variable) != o) || a.tied(o) >= 0
	})
}

// calls returns the name of the function that a calls, as far as it is known, if a does nothing else: __get_user_ for
// call __get_user_%c2. It is "" otherwise, also if other instructions may take the place of the call: then what they compute is
// not known.
func (a *assembly) calls() string {
	code := slices.DeleteFunc(a.code(), func(x instruction) bool { return x.name == "#" })
	if len(code) != 1 || code[0].name != "call" || a.jumps {
		return ""
	}
	to := strings.TrimSpace(code[0].operands)
	return to[:len(to)-len(strings.TrimLeftFunc(to, func(c rune) bool { return c < 0x80 && ccfix.IsIdentByte(byte(c)) }))]
}

// fromOutside reports whether the outputs of a come from outside of the program. One instruction
// that is not in the table makes the answer false.
func (a *assembly) fromOutside() bool {
	// 1. Every instruction must be known, and one of them must read from outside.
	reads := false
	for _, i := range a.code() {
		kind := machine[i.name]
		if kind == computes {
			return false
		}
		reads = reads || kind == readsOutside
	}
	if !reads {
		return false
	}
	// An output that is an input, and an input in memory, are values of the program.
	for _, o := range a.outputs {
		if o.both() {
			return false
		}
	}
	for _, o := range a.inputs {
		if o.inMemory() || a.tied(o) >= 0 {
			return false
		}
	}
	return true
}

// moveBits maps the instructions that copy one operand to another to the number of bits copied.
var moveBits = map[string]int{"movb": 8, "movw": 16, "movl": 32, "movq": 64}

// move reports whether a only copies bits bits of the operand src to the operand dst: movl %1, %0.
// Operands are numbered as in the template. dst may be an input in memory, as for the registers of a
// device.
func (a *assembly) move() (dst, src, bits int, ok bool) {
	code := a.code()
	if len(code) != 1 || moveBits[code[0].name] == 0 || a.jumps || len(a.outputs) > 1 || len(a.outputs)+len(a.inputs) != 2 {
		return 0, 0, 0, false
	}
	// The source must be an input, and no output be tied to it.
	from, to, _ := strings.Cut(code[0].operands, ",")
	src, dst = a.operandNamed(from), a.operandNamed(to)
	if src < len(a.outputs) || dst < 0 || src == dst || a.tied(a.operand(src)) >= 0 {
		return 0, 0, 0, false
	}
	return dst, src, moveBits[code[0].name], dst < len(a.outputs) || a.operand(dst).inMemory()
}

// operand returns operand number i of the template.
func (a *assembly) operand(i int) asmOperand {
	if i < len(a.outputs) {
		return a.outputs[i]
	}
	return a.inputs[i-len(a.outputs)]
}

// AssemblyOperand is an operand of an assembly statement, without its expression.
type AssemblyOperand struct{ Name, Constraint string }

// AssemblyMove reports whether an assembly statement, not asm goto, only copies bits bits of operand
// src to operand dst: if both have that width, Load lowers it to an assignment. The template is
// spelt as string literals; operands are numbered as in it, outputs first.
func AssemblyMove(template string, outputs, inputs []AssemblyOperand) (dst, src, bits int, ok bool) {
	return newAssembly(template, outputs, inputs).move()
}

// newAssembly returns a statement without expressions; the template is spelt as string literals.
func newAssembly(template string, outputs, inputs []AssemblyOperand) *assembly {
	a := &assembly{template: textOfString(template)}
	for _, o := range outputs {
		a.outputs = append(a.outputs, asmOperand{name: o.Name, constraint: o.Constraint})
	}
	for _, o := range inputs {
		a.inputs = append(a.inputs, asmOperand{name: o.Name, constraint: o.Constraint})
	}
	return a
}

// operandNamed returns the number of the operand text, which is %1 or %k1 or %[name], outputs first;
// -1 if it is none.
func (a *assembly) operandNamed(text string) int {
	rest, ok := strings.CutPrefix(strings.TrimSpace(text), "%")
	if !ok {
		return -1
	}
	if rest != "" && strings.IndexByte("bwkq", rest[0]) >= 0 { // as a register of that width
		rest = rest[1:]
	}
	// %[name]
	if name, ok := strings.CutPrefix(rest, "["); ok {
		name, ok = strings.CutSuffix(name, "]")
		return slices.IndexFunc(append(a.outputs[:len(a.outputs):len(a.outputs)], a.inputs...), func(o asmOperand) bool { return ok && o.name == name && name != "" })
	}
	// %1
	n, err := strconv.Atoi(rest)
	if err != nil || n < 0 || n >= len(a.outputs)+len(a.inputs) {
		return -1
	}
	return n
}

// pure reports whether a only computes its outputs, so that compilers drop it if they are not used:
// it has outputs and is not volatile.
func (a *assembly) pure() bool { return len(a.outputs) > 0 && !a.volatile && !a.jumps && !a.memory }

// inert reports whether the instructions of a change no memory of the program: they do nothing or, in
// asm goto, jump. Data that they put into sections is for other programs.
//
//	asm volatile ("" ::: "memory")           is empty, see empty
//	asm volatile ("mfence" ::: "memory")     inert
//	.pushsection __jump_table; .quad 1b; .popsection     inert
func (a *assembly) inert() bool {
	outer := []bool{} // whether code goes where it is executed, outside of each .pushsection
	executed, prefix := true, false
	for _, x := range a.code() {
		prefix = x.isPrefix()
		switch {
		case x.name == ".pushsection":
			// What follows goes elsewhere.
			outer = append(outer, executed)
			executed = false
		case x.name == ".popsection" && len(outer) > 0:
			executed = outer[len(outer)-1]
			outer = outer[:len(outer)-1]
		case !executed:
			// It may switch back to code that is executed.
			if x.name == ".previous" || x.name == ".section" || x.name == ".text" || x.name == ".subsection" {
				return false
			}
		case x.name == "nop", x.name == "pause", x.name == "lfence", x.name == "mfence", x.name == "sfence", x.name == "#":
		case x.name == "jmp" && a.jumps:
		case prefix, x.addsNothing():
		default:
			return false
		}
	}
	return executed && !prefix && len(outer) == 0
}

// isPrefix reports whether x is a prefix of the next instruction, written apart: lock; incl %0.
func (x instruction) isPrefix() bool {
	return (x.name == "lock" || x.name == "rep") && x.operands == ""
}

// addsNothing reports whether x adds 0 to a word of the stack. "lock; addl $0,0(%%esp)" is how a
// barrier is spelt for old processors, and "rep nop" is pause.
func (x instruction) addsNothing() bool {
	if x.name == "lock" || x.name == "rep" {
		x.name, x.operands, _ = strings.Cut(strings.TrimSpace(x.operands), " ")
	}
	if x.name == "nop" {
		return true
	}
	// The destination must be on the stack.
	from, to, _ := strings.Cut(strings.ReplaceAll(x.operands, " ", ""), ",")
	switch strings.ReplaceAll(strings.TrimLeft(to, "-0123456789"), "%%", "%") {
	case "(%esp)", "(%rsp)":
	default:
		return false
	}
	switch x.name {
	case "addb", "addw", "addl", "addq", "orb", "orw", "orl", "orq":
		return from == "$0" || from == "$0x0"
	}
	return false
}

// ways reports which ways out of asm goto are certainly possible: that to a label, and that to the
// next statement. Instructions that do nothing lead to the next statement; if they put something
// into a section, they may be replaced by a jump while the program runs (a static key of Linux),
// and a jump by nothing. If an instruction is not known, neither way is certain.
func (a *assembly) ways() (jump, on bool) {
	section, jumps := false, false
	for _, x := range a.code() {
		switch {
		case strings.HasPrefix(x.name, ".pushsection"), strings.HasPrefix(x.name, ".section"):
			section = true
		case x.name == "jmp":
			// An instruction that jumps.
			jumps = true
		case strings.HasPrefix(x.name, "."), machine[x.name] == moves:
		default:
			return false, false
		}
	}
	return section || jumps, section || !jumps
}

// names returns the identifiers among the operands of instructions, registers excepted: in
//
//	again: lock; incl counter(%%rip); jmp again
//
// counter and again. Names of instructions are left out: functions around them often have the same.
func (a *assembly) names() (list []string) {
	for _, x := range a.code() {
		for i := 0; i < len(x.operands); {
			start := i
			for i < len(x.operands) && ccfix.IsIdentByte(x.operands[i]) {
				i++
			}
			if i == start {
				i++
				continue
			}
			// %eax is a register, $x the address of x.
			if start == 0 || x.operands[start-1] != '%' {
				list = append(list, strings.TrimLeft(x.operands[start:i], "$"))
			}
		}
	}
	return list
}
