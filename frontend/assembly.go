package frontend

import (
	"slices"
	"strconv"
	"strings"

	"modernc.org/cc/v4"

	"c2bp/frontend/core"
	"c2bp/source"
)

// This file lowers assembly statements. Their templates are not read but for the names in them:
//
//	asm volatile ("");                          nothing
//	asm ("" : "+r" (x), "=r" (y) : "1" (z));    y := z
//	asm ("…" : "=r" (x) : "r" (y));             havoc x from y
//	asm volatile ("…" : : "r" (p) : "memory");  ?assembly(p)
//	                                            havoc of the outputs
//
// ?assembly is a procedure without a body. What it may change is what its arguments lead to and
// all whose address is known outside of the program; not a local or static variable whose
// address has gone nowhere. It is called if the statement says that it changes memory that is no
// operand, or has a pointer among its inputs; operands in memory are known outside afterwards.
// With --assume asm=clobber-all everything that has an address becomes arbitrary in its place.
//
// An output is made of all inputs, and of what outputs held that are inputs, too ("+r"). If all
// that the instructions do is read a port, a clock or a register of the machine, the outputs come
// from outside of the program: they are inputs of its runs. All others are computed by
// instructions that are not followed.

// assembly is an assembly statement.
type assembly struct {
	template        string
	outputs, inputs []asmOperand
	memory          bool // it changes memory that is no operand
}

// asmOperand is an operand, e.g. "=r" (x).
type asmOperand struct {
	name       string // [name], or ""
	constraint string
	expr       cc.ExpressionNode
}

// both reports whether an output is an input, too.
func (o asmOperand) both() bool { return strings.Contains(o.constraint, "+") }

// inMemory reports whether the instructions get the operand's address.
func (o asmOperand) inMemory() bool {
	kinds := strings.Trim(o.constraint, "=+&%*#!?,0123456789 ")
	return strings.ContainsAny(kinds, "moV<>") && strings.Trim(kinds, "moV<>,=+&%*#!? ") == ""
}

// tied is the number of the output in whose place the input o is, -1 if there is none.
func (a *assembly) tied(o asmOperand) int {
	text := strings.Trim(o.constraint, "%& ")
	if n, err := strconv.Atoi(text); err == nil && n >= 0 && n < len(a.outputs) {
		return n
	}
	if name, found := strings.CutPrefix(text, "["); found {
		for n, x := range a.outputs {
			if x.name != "" && x.name == strings.TrimSuffix(name, "]") {
				return n
			}
		}
	}
	return -1
}

// assemblyOf is what s says.
func (l *linker) assemblyOf(s *cc.AsmStatement) *assembly {
	a := &assembly{template: textOfString(s.Asm.Token3.SrcStr())}
	if s.Asm.AsmArgList == nil { // without operands
		a.memory = true
	}
	for section, list := 0, s.Asm.AsmArgList; list != nil; section, list = section+1, list.AsmArgList {
		for x := list.AsmExpressionList; x != nil; x = x.AsmExpressionList {
			o := asmOperand{constraint: l.asmConstraint(x.AssignmentExpression)}
			if x.AsmIndex != nil {
				if id, ok := x.AsmIndex.ExpressionList.(*cc.PrimaryExpression); ok {
					o.name = id.Token.SrcStr()
				}
			}
			if list := asmOperands(x.AssignmentExpression); len(list) > 0 {
				o.expr = list[0]
			}
			switch {
			case section == 0 && o.expr != nil:
				a.outputs = append(a.outputs, o)
			case section == 1 && o.expr != nil:
				a.inputs = append(a.inputs, o)
			case section == 2:
				a.memory = a.memory || strings.Contains(o.constraint, "memory")
			}
		}
	}
	return a
}

// textOfString is the characters of a string literal, but for escape sequences other than
// white space: of a template only names matter, and whether it is empty.
func textOfString(literal string) string {
	var text strings.Builder
	for i := 0; i < len(literal); i++ {
		switch c := literal[i]; {
		case c == '"':
			text.WriteByte(' ')
		case c == '\\':
			i++
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

// fromOutside reports whether the outputs of a come from outside of the program.
func (a *assembly) fromOutside() bool {
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

// asm lowers an assembly statement.
func (b *functionLowerer) asm(s *cc.AsmStatement) {
	b.step(at(s.Position()), b.textOf(s), func() {
		if a := b.assemblyOf(s); a.empty() {
			b.emptyAssembly(a)
		} else {
			b.instructions(a, at(s.Position()))
		}
		b.asmGoto(s)
	})
}

// emptyAssembly lowers a statement without instructions: an input that is in the place of an
// output is stored there, other outputs are arbitrary.
func (b *functionLowerer) emptyAssembly(a *assembly) {
	havoc := &core.Havoc{Why: core.AssemblyOutput}
	var places []place
	for _, o := range a.outputs {
		places = append(places, b.asmPlace(o.expr))
	}
	inputs := map[int]core.Expr{}
	for _, o := range a.inputs {
		n := a.tied(o)
		if n < 0 || !places[n].known() || !isScalarType(places[n].typ) {
			b.effect(o.expr)
			continue
		}
		if v := b.value(o.expr); isScalarType(v.typ) {
			inputs[n] = to(b.force(v), places[n].typ)
		}
	}
	var locs []core.Loc
	var from []core.Expr
	for n, o := range a.outputs {
		v, tied := inputs[n]
		switch p := places[n]; {
		case o.both():
		case tied:
			locs, from = append(locs, p.loc()), append(from, v)
		default:
			b.asmStore(p, havoc)
		}
	}
	if len(locs) > 0 {
		b.emit(&core.Assign{Lhs: locs, Rhs: from})
	}
	b.asmHavoc(havoc)
}

// instructions over-approximates a statement with instructions.
func (b *functionLowerer) instructions(a *assembly, pos source.Pos) {
	havoc := &core.Havoc{Why: core.AssemblyOutput}
	if a.fromOutside() {
		havoc.Why = core.AssemblyInput
	}
	memory := a.memory
	var known []core.Expr // addresses and pointers that the instructions get
	for _, o := range a.outputs {
		p := b.asmPlace(o.expr)
		if o.both() {
			havoc.From = append(havoc.From, b.sourcesAt(o.expr, p)...)
		}
		if addr := b.asmAddress(p); o.inMemory() && addr != nil {
			known = append(known, addr)
		}
		b.asmStore(p, havoc)
	}
	for _, o := range a.inputs {
		if o.inMemory() {
			p := b.asmPlace(o.expr)
			if addr := b.asmAddress(p); addr != nil {
				known = append(known, addr)
			}
			memory = memory || !p.known()
			havoc.From = append(havoc.From, b.sourcesAt(o.expr, p)...)
			continue
		}
		x, isPointer := b.asmInput(o.expr, havoc)
		if memory = memory || isPointer; x != nil {
			known = append(known, x)
		}
	}
	for _, o := range b.namedObjects(a) {
		known, memory = append(known, b.addressOf(o.v)), true
	}
	functions := b.namedFunctions(a)
	memory = memory || len(functions) > 0
	what := "its outputs become arbitrary"
	switch {
	case memory && b.opts.Assume.ClobberAll:
		b.stableAll(havoc)
		b.emit(&core.Havoc{Region: true, Why: core.AssemblyOutput})
		what = "its outputs and everything that pointers may point to become arbitrary"
	case memory:
		b.stableAll(havoc)
		b.emit(&core.Call{Callee: b.assemblyProc(), Extra: known})
		what = "its outputs and all whose address is known outside of the program become arbitrary"
	case len(known) > 0:
		from := make([]core.Source, len(known))
		for i, e := range known {
			from[i] = core.Source{Value: e, Outside: true}
		}
		b.emit(&core.Havoc{From: from, Why: core.AssemblyOutput})
	}
	for _, f := range functions { // any number of times
		before := &core.Call{Callee: b.assemblyProc(), Extra: known}
		b.callback(&function{name: "assembly", proc: b.assemblyProc()}, before, &core.FuncAddr{Proc: f.proc, Typ: b.pointer()}, f.typ, known)
		what += ", it may call " + f.name
	}
	b.asmHavoc(havoc)
	b.note(source.Warning, pos, "assembly: %s", what)
	b.ledger.add("asm at %s:%d havocked: %s, and nothing else", pos.File, pos.Line, what)
}

// stableAll pins the places of the outputs down before memory changes.
func (b *functionLowerer) stableAll(havoc *core.Havoc) {
	for i, l := range havoc.Locs {
		havoc.Locs[i] = b.stable(l)
	}
}

func (b *functionLowerer) asmHavoc(havoc *core.Havoc) {
	if len(havoc.Locs) > 0 {
		b.emit(havoc)
	}
}

// assemblyProc is the procedure that changes what assembly may change in memory.
func (l *linker) assemblyProc() *core.Proc {
	if l.assembly == nil {
		l.assembly = &core.Proc{Name: "?assembly", CName: "?assembly", RetType: core.Void{}, Assembly: true}
	}
	return l.assembly
}

// instruction is one of a template, without labels.
type instruction struct{ name, operands string }

// code lists the instructions of a template; a line of comment is one named #.
func (a *assembly) code() (list []instruction) {
	for _, line := range strings.FieldsFunc(a.template, func(c rune) bool { return c == '\n' || c == ';' }) {
		for { // labels
			label, rest, found := strings.Cut(line, ":")
			if !found || len(strings.Fields(label)) != 1 || strings.ContainsAny(label, "%(") {
				break
			}
			line = rest
		}
		name, operands, _ := strings.Cut(strings.TrimSpace(strings.ReplaceAll(line, "\t", " ")), " ")
		switch {
		case strings.HasPrefix(name, "#"):
			list = append(list, instruction{"#", name[1:] + " " + operands})
		case name != "":
			list = append(list, instruction{name, operands})
		}
	}
	return list
}

// machineEffect says where what an instruction stores comes from.
type machineEffect int

const (
	computes     machineEffect = iota // from its operands, or nobody knows
	readsOutside                      // from outside of the program
	moves                             // from what the instructions before have read; or it stores nothing
)

// machine has the instructions of x86 that read what is no memory of the program: ports, clocks,
// flags, registers that say what machine it is.
var machine = map[string]machineEffect{
	"in": readsOutside, "inb": readsOutside, "inw": readsOutside, "inl": readsOutside,
	"rdtsc": readsOutside, "rdtscp": readsOutside, "rdpmc": readsOutside, "rdmsr": readsOutside, "rdpid": readsOutside,
	"rdrand": readsOutside, "rdseed": readsOutside, "cpuid": readsOutside, "xgetbv": readsOutside,
	"pushf": readsOutside, "pushfl": readsOutside, "pushfq": readsOutside,
	"pop": moves, "popl": moves, "popq": moves, "nop": moves, "lfence": moves, "mfence": moves, "pause": moves, "#": moves,
}

// names lists the identifiers among the operands of instructions, registers excepted: in
//
//	again: lock; incl counter(%%rip); jmp again
//
// that is counter and again. The name of an instruction is none, although the function around it
// often has the same.
func (a *assembly) names() (list []string) {
	for _, x := range a.code() {
		for i := 0; i < len(x.operands); {
			start := i
			for i < len(x.operands) && isIdentByte(x.operands[i]) {
				i++
			}
			if i == start {
				i++
				continue
			}
			if start == 0 || x.operands[start-1] != '%' {
				list = append(list, strings.TrimLeft(x.operands[start:i], "$"))
			}
		}
	}
	return list
}

// namedObjects lists the variables at file scope that the template names.
func (l *linker) namedObjects(a *assembly) (list []*object) {
	words := map[string]bool{}
	for _, w := range a.names() {
		words[w] = true
	}
	for _, o := range l.ordered {
		if words[o.name] && !slices.Contains(list, o) {
			list = append(list, o)
		}
	}
	return list
}

// namedFunctions lists the functions of the program that the template names.
func (l *linker) namedFunctions(a *assembly) (list []*function) {
	for _, w := range a.names() {
		for _, f := range l.order {
			if f.name == w && f.def != nil && !slices.Contains(list, f) {
				list = append(list, f)
			}
		}
	}
	return list
}

// takenByAssembly marks what s has the address of: operands in memory, and what the template
// names.
func (l *linker) takenByAssembly(s *cc.AsmStatement) {
	a := l.assemblyOf(s)
	if a.empty() {
		return
	}
	for _, list := range [][]asmOperand{a.outputs, a.inputs} {
		for _, o := range list {
			if o.inMemory() {
				l.markTaken(withoutCasts(o.expr))
			}
		}
	}
	for _, o := range l.namedObjects(a) {
		o.v.AddrTaken = true
		l.named[o.v] = true
	}
	for _, f := range l.namedFunctions(a) {
		f.called, f.addrTaken = true, true
	}
}

// withoutCasts is an operand without casts, which do not matter.
func withoutCasts(n cc.ExpressionNode) cc.ExpressionNode {
	for {
		n = strip(n)
		c, ok := n.(*cc.CastExpression)
		if !ok {
			return n
		}
		n = c.CastExpression
	}
}

// asmPlace is the place of an operand.
func (b *functionLowerer) asmPlace(n cc.ExpressionNode) place { return b.lvalue(withoutCasts(n)) }

// asmAddress is the address of the place of an operand in memory, nil if it has none.
func (b *functionLowerer) asmAddress(p place) core.Expr {
	switch {
	case !p.known():
		return nil
	case p.addr != nil:
		return p.addr
	case p.v != nil && p.v.AddrTaken:
		return b.addressOf(p.v)
	}
	return nil
}

// sourcesAt is what the place p, which n denotes, may hold.
func (b *functionLowerer) sourcesAt(n cc.ExpressionNode, p place) []core.Source {
	switch {
	case !p.known():
		return nil
	case p.addr != nil && p.ctype != nil:
		return []core.Source{{At: p.addr, Size: b.sizeExpr(p.ctype)}}
	}
	if x, ok := b.source(b.load(n, p)); ok {
		return []core.Source{x}
	}
	return nil
}

// asmStore makes the place of an output arbitrary.
func (b *functionLowerer) asmStore(p place, havoc *core.Havoc) {
	switch {
	case !p.known():
		b.emit(&core.Havoc{Region: true, Why: core.AssemblyOutput})
	case isScalarType(p.typ) || p.addr == nil:
		key := core.ExprString(p.loc())
		for _, l := range havoc.Locs {
			if core.ExprString(l) == key {
				return
			}
		}
		havoc.Locs = append(havoc.Locs, p.loc())
	default:
		b.emit(&core.Fill{Dst: p.addr, Size: b.sizeExpr(p.ctype), Why: core.AssemblyOutput})
	}
}

// asmInput evaluates an input. x is its value if that may be an address; isPointer is set if it
// is written as a pointer, or as one that is made a number.
func (b *functionLowerer) asmInput(n cc.ExpressionNode, havoc *core.Havoc) (x core.Expr, isPointer bool) {
	for e := strip(n); ; {
		if t := e.Type(); t != nil && t.Kind() == cc.Ptr {
			isPointer = true
		}
		c, ok := e.(*cc.CastExpression)
		if !ok {
			break
		}
		e = strip(c.CastExpression)
	}
	if !b.mayCarry(n) {
		b.effect(n)
		return nil, isPointer
	}
	from, ok := b.source(b.value(n))
	if !ok {
		return nil, isPointer
	}
	havoc.From = append(havoc.From, from)
	if from.Value != nil && isPointer {
		return from.Value, true
	}
	return from.At, isPointer // the place of what is not followed
}

// asmGoto lowers the jumps of asm goto: to any of its labels, or none.
func (b *functionLowerer) asmGoto(s *cc.AsmStatement) {
	jumps := false
	for q := s.Asm.AsmQualifierList; q != nil; q = q.AsmQualifierList {
		jumps = jumps || q.AsmQualifier.Case == cc.AsmQualifierGoto
	}
	if !jumps {
		return
	}
	b.refuseJump(at(s.Position()), "asm goto")
	br := b.branch()
	br.Input = b.assemblyProc()
	jump, on := b.assemblyOf(s).ways()
	for section, l := 0, s.Asm.AsmArgList; l != nil; section, l = section+1, l.AsmArgList {
		if section < 3 {
			continue // outputs, inputs, what it changes
		}
		for x := l.AsmExpressionList; x != nil; x = x.AsmExpressionList {
			id, ok := x.AssignmentExpression.(*cc.PrimaryExpression)
			if !ok || id.Case != cc.PrimaryExpressionIdent {
				b.error(at(x.Position()), "asm goto: expected the name of a label")
				continue
			}
			t := b.findLabel(id.LexicalScope(), id.Token.SrcStr())
			if t == nil {
				b.error(at(id.Position()), "undefined label: %s", id.Token.SrcStr())
				continue
			}
			b.arm(br)
			b.way(jump)
			b.enter(id.LexicalScope(), id.Token.Seq(), t.stmt)
			b.jump(t.l)
		}
	}
	b.arm(br)
	b.way(on)
}

// way begins a way of asm goto. That it can be taken may be certain.
func (b *functionLowerer) way(certain bool) {
	b.emit(&core.Skip{}).Free = certain
}

// ways says which ways of asm goto the program can take for all that is known of it: if its
// instructions do nothing, it goes on behind the statement; if something about them goes into
// a section, others may replace them by a jump while the program runs, and a jump by nothing.
func (a *assembly) ways() (jump, on bool) {
	section, jumps := false, false
	for _, x := range a.code() {
		switch {
		case strings.HasPrefix(x.name, ".pushsection"), strings.HasPrefix(x.name, ".section"):
			section = true
		case x.name == "jmp":
			jumps = true
		case strings.HasPrefix(x.name, "."), machine[x.name] == moves:
		default:
			return false, false
		}
	}
	return section || jumps, section || !jumps
}

// asmOperands are the expressions of an operand, which cc parses as a call: "=r"(x).
func asmOperands(e cc.ExpressionNode) []cc.ExpressionNode {
	c, ok := e.(*cc.PostfixExpression)
	if !ok || c.Case != cc.PostfixExpressionCall {
		return nil
	}
	return arguments(c)
}

// asmConstraint is the string of an operand or clobber.
func (l *linker) asmConstraint(e cc.ExpressionNode) string {
	if c, ok := e.(*cc.PostfixExpression); ok && c.Case == cc.PostfixExpressionCall {
		e = c.PostfixExpression
	}
	text, _, ok := l.stringBytes(e)
	if !ok {
		return "memory"
	}
	return strings.TrimRight(string(text), "\x00")
}
