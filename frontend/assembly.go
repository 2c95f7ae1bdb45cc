package frontend

import (
	"fmt"
	"iter"
	"slices"

	"modernc.org/cc/v4"

	"c2bp/frontend/ccfix"
	"c2bp/frontend/core"
	"c2bp/frontend/ctree"
	"c2bp/source"
)

// This file lowers assembly statements. Of their templates only names are read, and a few
// instructions:
//
//	asm volatile ("");                          nothing
//	asm ("" : "+r" (x), "=r" (y) : "1" (z));    y := z
//	asm ("…" : "=r" (x) : "r" (y));             havoc x from y
//	asm ("movl %1, %0" : "=r" (x) : "m" (y));   x := y
//	asm ("lock; incl %0" : "+m" (x));           x := x + 1, see asmbits.go
//	asm ("xchgl %0, %1" : "+r" (x), "+m" (y));  x, y := y, x, see asmexchange.go
//	asm ("bsfl %1, %0" : "=r" (n) : "r" (x));   n := the number of the lowest one of x, see asmscan.go
//	asm volatile ("…" : : "r" (p) : "memory");  ?assembly(p)
//	                                            havoc of the outputs
//	asm goto ("testb %0, %P1(%%rip); jnz %l2" : : "i" (8), "i" (&x) : : set);
//	                                            if (x & 8) goto set, see asmgoto.go
//
// ?assembly is a procedure without a body. It may change the objects to which its arguments lead and
// all objects whose address is known outside of the program, but not a local or static variable
// whose address does not escape. It is called if the statement says that it changes memory that is no
// operand, or has a pointer among its inputs; the addresses of operands in memory escape. It is not
// called if the instructions do nothing, or if the statement is not volatile and has outputs:
// compilers drop such a statement if its outputs are not used.
// With --assume asm=clobber-all everything that has an address becomes arbitrary instead.
//
// An output is computed from all inputs, and from the old values of outputs that are inputs, too
// ("+r"). If the instructions only read a port, a clock or a register of the machine, or memory of the processor that is
// found by a segment register and is not that of a variable of the program, or only call a function that the program does
// not define, the outputs come from outside of the program: they are inputs of its runs. All other outputs are computed by
// instructions that are not followed.

// asm lowers an assembly statement. The forms are tried from the exact ones to the
// over-approximation; the jumps of asm goto come after the effects.
func (b *functionLowerer) asm(s *cc.AsmStatement) {
	b.step(ccfix.At(s.Position()), b.TextOf(s), func() {
		a := b.assemblyOf(s)
		if b.testAssembly(a, ccfix.At(s.Position())) {
			return
		}
		switch {
		// Only the constraints have a meaning: empty statements tie inputs to outputs, or stop
		// optimisations.
		case a.empty():
			b.emptyAssembly(a)
		case !b.moveAssembly(a) && !b.wordAssembly(a) && !b.exchangeAssembly(a) && !b.scanAssembly(a):
			b.instructions(a, ccfix.At(s.Position()))
		}
		if a.jumps {
			b.asmGoto(a, ccfix.At(s.Position()))
		}
	})
}

// emptyAssembly lowers a statement without instructions: an input that is in the place of an
// output is stored there, other outputs are arbitrary.
func (b *functionLowerer) emptyAssembly(a *assembly) {
	// 1. The values of inputs that are tied to outputs of the same width; others only carry addresses.
	havoc := &asmStores{Havoc: core.Havoc{Why: core.AssemblyOutput}}
	var places []place
	// All places come before all values, as the text has outputs before inputs.
	for _, o := range a.outputs {
		places = append(places, b.asmPlace(o.expr))
	}
	inputs := map[int]core.Expr{}
	for _, o := range a.inputs {
		n := a.tied(o)
		if n < 0 {
			b.effect(o.expr)
			continue
		}
		v := b.value(o.expr)
		if places[n].known() && sameRegister(v.typ, places[n].typ) {
			inputs[n] = to(b.force(v), places[n].typ)
		} else if x, ok := b.source(v); ok {
			havoc.From = append(havoc.From, x)
		}
	}
	// 2. The stores, all at once. An output that is its own input ("+r") keeps its value.
	var locs []core.Loc
	var from []core.Expr
	for n, o := range a.outputs {
		v, tied := inputs[n]
		switch p := places[n]; {
		case o.both():
		case tied:
			locs, from = append(locs, p.loc()), append(from, v)
		// asm ("" : "=r" (x)): whatever the register held.
		default:
			b.asmStore(p, havoc)
		}
	}
	if len(locs) > 0 {
		b.emit(&core.Assign{Lhs: locs, Rhs: from})
	}
	b.asmHavoc(havoc)
}

// moveAssembly lowers a statement that only copies an operand to another of the same width, to an
// assignment, and reports whether it is one. A volatile place is read and written as in C, so a
// value read from a device comes from outside. It emits nothing if it returns false. The sign of
// the types does not matter, since all bits are copied.
func (b *functionLowerer) moveAssembly(a *assembly) bool {
	// 1. Is it a move between operands of that width? Pointers count as numbers of their width.
	d, s, bits, ok := a.move()
	if !ok || b.opts.Assume.ClobberAll {
		return false
	}
	dst, src := a.operand(d), a.operand(s)
	t, u := b.coreType(withoutCasts(dst.expr).Type()), b.coreType(src.expr.Type())
	if w, ok := core.Word(t); !ok || w.Bits != bits || w.Bool || !sameRegister(t, u) {
		return false
	}
	// 2. An assignment, with the source first.
	v := b.force(b.value(src.expr))
	p := b.asmPlace(dst.expr)
	b.assign(p.loc(), to(v, t))
	return true
}

// sameRegister reports whether a value of type s in a register is one of type t: both have the same
// width. Pointers count as unsigned words of their width.
func sameRegister(s, t core.Type) bool {
	v, ok1 := core.Word(s)
	w, ok2 := core.Word(t)
	return ok1 && ok2 && v.Bits == w.Bits && v.Bool == w.Bool
}

// instructions over-approximates a statement with instructions. The sets that are passed on are:
// known, which ?assembly gets as its arguments; havoc.From, on which the outputs depend; given, the
// functions that may be called.
func (b *functionLowerer) instructions(a *assembly, pos source.Pos) {
	havoc := &asmStores{Havoc: core.Havoc{Why: core.AssemblyOutput}}
	if a.fromOutside() {
		havoc.Why = core.AssemblyInput
	}
	memory := a.memory
	var known []core.Expr      // addresses and pointers that the instructions get
	var given []asmCallee      // functions that they get
	var of *core.Var           // the variable of which a processor's own value is read
	var passedOn []core.Source // what is read of it otherwise
	// 1. Outputs: they become arbitrary.
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
	// 2. Inputs: outputs depend on them, and pointers among them lead to memory that may change.
	for _, o := range a.inputs {
		if o.inMemory() {
			p := b.asmPlace(o.expr)
			addr := b.asmAddress(p)
			if addr != nil {
				known = append(known, addr)
			}
			memory = memory || !p.known()
			// A processor's own value of a variable is not the one that the program knows.
			if v := foreignVariable(addr); v != nil && a.readsSegment() {
				of = v
				passedOn = append(passedOn, b.sourcesAt(o.expr, p)...)
				continue
			}
			havoc.From = append(havoc.From, b.sourcesAt(o.expr, p)...)
			continue
		}
		if _, _, literal := b.StringBytes(withoutCasts(o.expr)); literal {
			continue // a string literal does not change
		}
		x, isPointer := b.asmInput(o.expr, havoc)
		// The instructions can write through a pointer that they get, unless compilers may drop
		// them: then they only compute.
		if memory = memory || isPointer && !a.pure(); x != nil {
			known = append(known, x)
			if t := ctree.GivenFunction(withoutCasts(o.expr).Type()); t != nil && x.Type() == core.Type(b.pointer()) {
				given = append(given, asmCallee{b.pinned(x, readsMemory), t, b.TextOf(o.expr)})
			}
		}
	}
	// 3. Variables and functions that the template names.
	objects, functions := b.namedBy(a, b.fn.tu)
	for _, o := range objects {
		known, memory = append(known, b.addressOf(o.v)), true
	}
	for _, f := range functions {
		given, memory = append(given, asmCallee{&core.FuncAddr{Proc: f.proc, Typ: b.pointer()}, f.typ, f.name}), true
	}
	memory = memory && !a.inert()
	if b.computedOutside(a, havoc.From, given) {
		havoc.Why = core.AssemblyInput
		if of != nil {
			b.processor.reads = append(b.processor.reads, processorRead{of, &havoc.Havoc})
		}
	}
	havoc.From = append(havoc.From, passedOn...)
	// 4. Memory changes, once before and then between calls of the functions that are given.
	if memory {
		// The outputs are stored after the memory changes, at the places that the operands denoted
		// before.
		b.stableAll(havoc)
		for i, x := range known {
			known[i] = b.pinned(x, readsMemory)
		}
	}
	what := "its outputs become arbitrary"
	switch {
	case memory && b.opts.Assume.ClobberAll:
		b.emit(&core.Havoc{Region: true, Why: core.AssemblyOutput})
		what = "its outputs and everything that pointers may point to become arbitrary"
	case memory:
		b.emit(&core.Call{Callee: b.assemblyProc(), Extra: known, Elsewhere: !b.isGiven(pos.File)})
		what = "its outputs and all whose address is known outside of the program become arbitrary"
	// Nothing changes in memory, but the addresses are known outside from now on.
	case len(known) > 0:
		from := make([]core.Source, len(known))
		for i, e := range known {
			from[i] = core.Source{Value: e, Outside: true}
		}
		gives := &core.Havoc{From: from, Why: core.AssemblyOutput}
		if of != nil {
			b.processor.gives = append(b.processor.gives, gives)
		}
		b.emit(gives)
	}
	for _, g := range given {
		before := &core.Call{Callee: b.assemblyProc(), Extra: known}
		b.callback(&function{name: "assembly", proc: b.assemblyProc()}, before, g.address, g.typ)
		what += ", it may call " + g.name
	}
	// 5. The outputs are stored, and the over-approximation is reported.
	b.asmHavoc(havoc)
	if a.inert() && len(a.outputs) == 0 && len(given) == 0 {
		return
	}
	b.note(source.Warning, pos, "assembly: %s", what)
	b.ledger.add("asm at %s:%d havocked: %s, and nothing else", pos.File, pos.Line, what)
}

// computedOutside reports whether the outputs of a, made from some values, are results of a function outside of the program,
// or what the processor has of a variable, unless the program may have stored that.
func (b *functionLowerer) computedOutside(a *assembly, from []core.Source, given []asmCallee) bool {
	if f := a.calls(); f != "" {
		return len(given) == 0 && !b.inFileAssembly(f)
	}
	return a.readsSegment() && !slices.ContainsFunc(from, func(x core.Source) bool { return !isForeign(x) })
}

// isForeign reports whether x is the address of a variable that the program does not define.
func isForeign(x core.Source) bool { return foreignVariable(x.Value) != nil }

// foreignVariable returns the variable that the program does not define, if e is its address or that of a part of it; nil
// otherwise.
func foreignVariable(e core.Expr) *core.Var {
	for {
		switch k := e.(type) {
		case *core.ToInt:
			e = k.X
		case *core.ToPtr:
			e = k.X
		case *core.Index:
			e = k.X
		case *core.Offset:
			e = k.X
		case *core.AddrOf:
			if k.Var.Foreign {
				return k.Var
			}
			return nil
		default:
			return nil
		}
	}
}

// processorVariables lists the reads, by assembly, of variables of which each processor has its own, found by a segment register.
type processorVariables struct {
	reads []processorRead
	gives []*core.Havoc // the statements that give away the addresses of these, for the same assembly
}

// processorRead is a statement that reads a variable of the processor.
type processorRead struct {
	v  *core.Var
	by *core.Havoc
}

// storedReads takes back that variables of the processor are read as inputs, where something else in nodes
// mentions the variable: then the value that is read may be one that the program has stored.
func (l *program) storedReads(nodes iter.Seq[*core.Node]) {
	if len(l.processor.reads) == 0 {
		return
	}
	// 1. What is known to store nothing.
	reads := map[core.Stmt]bool{}
	for _, h := range l.processor.gives {
		reads[h] = true
	}
	for _, r := range l.processor.reads {
		reads[r.by] = true
	}
	// 2. The variables that others mention.
	mentioned := map[*core.Var]bool{}
	for n := range nodes {
		if reads[n.Stmt] {
			continue
		}
		for _, e := range expressions(n.Stmt) {
			core.Walk(e, func(e core.Expr) bool {
				switch e := e.(type) {
				case *core.VarRef:
					mentioned[e.Var] = true
				case *core.AddrOf:
					mentioned[e.Var] = true
				}
				return true
			})
		}
	}
	for _, r := range l.processor.reads {
		if mentioned[r.v] {
			r.by.Why = core.AssemblyOutput
		}
	}
}

// asmCallee is a function that instructions may call.
type asmCallee struct {
	// The pointer to it, which no later write changes; name is its text in messages.
	address core.Expr
	typ     *cc.FunctionType
	name    string
}

// asmStores holds the places that become arbitrary: those of scalars in Havoc, others in fills. Their
// new values depend on Havoc.From.
type asmStores struct {
	core.Havoc
	fills []*core.Fill
}

// stableAll makes the addresses of the outputs independent of changes of memory.
func (b *frame) stableAll(havoc *asmStores) {
	for i, l := range havoc.Locs {
		havoc.Locs[i] = b.stable(l)
	}
	for _, f := range havoc.fills {
		f.Dst = b.pinned(f.Dst, readsMemory)
	}
}

// asmHavoc emits the stores of havoc.
func (b *frame) asmHavoc(havoc *asmStores) {
	if len(havoc.fills) > 0 && len(havoc.From) > 0 {
		b.emit(&core.Havoc{From: havoc.From, Why: havoc.Why})
	}
	for _, s := range havoc.fills {
		b.emit(s)
	}
	if len(havoc.Locs) > 0 {
		b.emit(&havoc.Havoc)
	}
}

// assemblyProc returns ?assembly, the procedure that stands for the writes of assembly to memory.
// It is made at its first use. There is one for the whole program, so an address that one statement
// gets is known to all others.
func (l *program) assemblyProc() *core.Proc {
	if l.assembly == nil {
		l.assembly = &core.Proc{Name: "?assembly", CName: "?assembly", RetType: core.Void{}, Assembly: true}
	}
	return l.assembly
}

// namedBy returns the variables at file scope and the functions with a body that the template of a
// statement in tu names. The template is read word by word, so a name in a comment counts, too:
// more may change than does.
func (l *program) namedBy(a *assembly, tu *translationUnit) (objects []*object, functions []*function) {
	for _, w := range a.names() {
		// A static of the file comes before an external one.
		o := l.objects[fmt.Sprintf("%d:%s", tu.index, w)]
		if o == nil {
			o = l.objects[w]
		}
		if o != nil && !slices.Contains(objects, o) {
			objects = append(objects, o)
		}
		// A function with a body that goes by this name, or by this assembler name.
		f := l.byKey[l.functionKey(tu, w)]
		if f == nil { // asm ("w") may be the name of a function
			if i := slices.IndexFunc(l.order, func(f *function) bool { return f.alias == w }); i >= 0 {
				f = l.order[i]
			}
		}
		if f == nil {
			continue
		}
		if f = l.resolveAlias(f); f.def != nil && !slices.Contains(functions, f) {
			functions = append(functions, f)
		}
	}
	return objects, functions
}

// takenByAssembly marks the objects whose address s in tu takes: operands in memory, and the variables
// and functions that the template names.
func (l *program) takenByAssembly(tu *translationUnit, s *cc.AsmStatement) {
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
	objects, functions := l.namedBy(a, tu)
	l.takeNamed(objects, functions)
}

// withoutCasts returns an operand without casts.
func withoutCasts(n cc.ExpressionNode) cc.ExpressionNode {
	for {
		n = ctree.Strip(n)
		c, ok := n.(*cc.CastExpression)
		if !ok {
			return n
		}
		n = c.CastExpression
	}
}

// asmPlace returns the place of an operand.
func (b *functionLowerer) asmPlace(n cc.ExpressionNode) place { return b.lvalue(withoutCasts(n)) }

// asmAddress returns the address of the place of an operand in memory, nil if it has none. A
// variable without AddrTaken, as in a register operand, has none.
func (l *sources) asmAddress(p place) core.Expr {
	switch {
	case !p.known():
		return nil
	case p.addr != nil:
		return p.addr
	case p.v != nil && p.v.AddrTaken:
		return l.addressOf(p.v)
	}
	return nil
}

// sourcesAt returns the value in the place p, which n denotes, as something that may carry addresses.
func (b *frame) sourcesAt(n cc.ExpressionNode, p place) []core.Source {
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

// asmStore makes the place of an output arbitrary. It collects only; asmHavoc emits the stores. A
// place that is not known makes all memory arbitrary at once.
func (b *frame) asmStore(p place, havoc *asmStores) {
	switch {
	case !p.known():
		b.emit(&core.Havoc{Region: true, Why: core.AssemblyOutput})
	case isScalarType(p.typ) || p.addr == nil:
		// The same place twice is one location of the Havoc.
		key := core.ExprString(p.loc())
		for _, l := range havoc.Locs {
			if core.ExprString(l) == key {
				return
			}
		}
		havoc.Locs = append(havoc.Locs, p.loc())
	default:
		havoc.fills = append(havoc.fills, &core.Fill{Dst: p.addr, Size: b.sizeExpr(p.ctype), Why: core.AssemblyOutput})
	}
}

// asmInput evaluates an input. x is its value if that may be an address, or the address of a value
// that is not represented; isPointer is set if it is a pointer, or one that is cast to a number.
// (unsigned long)p is a pointer, too: kernels pass addresses as numbers.
func (b *functionLowerer) asmInput(n cc.ExpressionNode, havoc *asmStores) (x core.Expr, isPointer bool) {
	// Look through casts: is one of the values on the way a pointer or a function?
	for e := ctree.Strip(n); ; {
		if t := e.Type(); t != nil && (t.Kind() == cc.Ptr || t.Kind() == cc.Function) {
			isPointer = true
		}
		c, ok := e.(*cc.CastExpression)
		if !ok {
			break
		}
		e = ctree.Strip(c.CastExpression)
	}
	// Its value is needed only if an address may be in it.
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
	return from.At, isPointer
}
