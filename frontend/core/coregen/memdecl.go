package coregen

import (
	"fmt"

	"c2bp/frontend/core"
)

// This file declares the variables and procedures of programs with memory, and
// makes the nodes that initialise them.

// bind declares v to be of shape s.
func (w *world) bind(v *core.Var, s *shape) *binding {
	v.Type = s.typ
	b := &binding{shape: s}
	w.bindings[v] = b
	return b
}

// newGlobal declares a global variable.
func (g *generator) newGlobal(name string, s *shape) *binding {
	v := &core.Var{Name: name, Kind: core.Global}
	g.prog.Globals = append(g.prog.Globals, v)
	b := g.world.bind(v, s)
	// Half of the global pointers may be null, and none is to point into a frame.
	b.null, b.long = s.isPointer() && g.chance(2), true
	return b
}

// declareMemory declares globals; at least one of each type that pointers point to.
func (g *generator) declareMemory() {
	w := g.world
	// 1. Integers, one of them an int; a struct and a pointer, which are always there.
	for i := range 1 + g.rng.IntN(g.config.Globals) {
		t := g.intType()
		if i == 0 {
			t = core.Int32
		}
		g.newGlobal(fmt.Sprintf("g%d", i), intShape(t))
	}
	g.newGlobal("gs", w.node)
	g.newGlobal("gp", w.intp).null = false
	// 2. Others, each with a probability of 1/odds: a list, arrays of ints and of structs, a
	// pointer to procedures and a table of them, a pointer to a pointer, a text, a pointer to
	// bytes, another struct.
	optional := []struct {
		name  string
		odds  int
		shape func() *shape
	}{
		{"head", 2, func() *shape { return w.nodep }},
		{"ga", 1, func() *shape { return array(intShape(core.Int32), 2+g.rng.Int64N(3)) }},
		{"gt", 4, func() *shape { return array(w.node, 2) }},
		{"gf", 3, func() *shape { return w.procedurePointer(pick(g, w.sigs)) }},
		{"tab", 3, func() *shape { return array(w.procedurePointer(pick(g, w.sigs)), 2) }},
		{"gpp", 4, func() *shape { return w.intpp }},
		{"text", 4, func() *shape { return array(intShape(core.Uint8), 4) }},
		{"gb", 4, func() *shape { return w.bytep }},
		{"go", 3, func() *shape { return pick(g, w.structs) }},
	}
	for _, o := range optional {
		if g.chance(o.odds) {
			b := g.newGlobal(o.name, o.shape())
			b.null = b.null || o.name == "head"
		}
	}
	// 3. A variable that another program defines, and a string literal.
	if g.chance(4) { // a variable of another program
		g.newGlobal("foreign", pick(g, []*shape{intShape(core.Int32), w.nodep, w.node})).null = true
		v := g.prog.Globals[len(g.prog.Globals)-1]
		v.Foreign, v.AddrTaken = true, true
	}
	if g.chance(3) {
		v := &core.Var{Name: "literal", Kind: core.Global, AddrTaken: true, Literal: true}
		v.Type = core.Agg{Name: "char[4]", Size: 4}
		g.prog.Globals = append(g.prog.Globals, v)
		w.literal = v
	}
}

// declareMemoryProcs declares main, the other procedures and the externals.
func (g *generator) declareMemoryProcs() {
	w := g.world
	g.external = map[*core.Proc]bool{}
	main := g.newProc("main", &signature{})
	// main has no formals, or one, which its environment chooses.
	if g.chance(3) {
		s := &signature{result: intShape(core.Int32)}
		s.addFormal(g, w)
		main = g.newProc("main", s)
	}
	g.prog.Entry = main
	g.prog.Procs = append(g.prog.Procs, main)
	for i := range 1 + g.rng.IntN(g.config.Procs) {
		g.prog.Procs = append(g.prog.Procs, g.newProc(fmt.Sprintf("f%d", i), g.anySignature()))
	}
	for i, s := range w.sigs { // each has a procedure
		g.prog.Procs = append(g.prog.Procs, g.newProc(fmt.Sprintf("h%d", i), s))
	}
	if g.chance(5) {
		g.declareVariadic()
	}
	// Up to two external procedures, the second one assembly.
	for i := range g.rng.IntN(3) {
		p := g.newProc(fmt.Sprintf("ext%d", i), g.anySignature())
		p.Assembly = i == 1
		g.external[p] = true
		g.prog.Procs = append(g.prog.Procs, p)
	}
	// How much of memory calls of externals may change.
	g.prog.Extern = pick(g, []core.Extern{core.ExternArgs, core.ExternArgs, core.ExternArgs, core.ExternAll, core.ExternPure})
}

// anySignature returns a signature: one that pointers have, or a new one.
func (g *generator) anySignature() *signature {
	if g.chance(3) {
		return pick(g, g.world.sigs)
	}
	s := &signature{}
	for range g.rng.IntN(4) {
		s.addFormal(g, g.world)
	}
	switch g.rng.IntN(9) {
	case 0, 1, 2:
		s.result = intShape(g.intType())
	case 3:
		s.result = g.world.intp
	case 4, 5:
		s.result = g.world.nodep
	case 6, 7:
		s.result = g.world.node
	}
	return s
}

// newProc makes a procedure with the formals of s.
func (g *generator) newProc(name string, s *signature) *core.Proc {
	p := &core.Proc{Name: name, CName: name, RetType: core.Void{}}
	if s.result != nil {
		p.RetType = s.result.typ
	}
	for i, f := range s.formals {
		v := &core.Var{Name: fmt.Sprintf("x%d", i), Kind: core.Formal, Proc: p}
		g.world.bind(v, f).null = s.null[i] || name == "main"
		p.Formals = append(p.Formals, v)
	}
	g.world.sigOf[p] = s
	return p
}

// declareVariadic declares a procedure that reads an int and a pointer to int after its formal n,
// as many of them as n says:
//
//	void va(int n, ...) { if (n > 0) arg0 = va_arg(…, int); if (n > 1) *va_arg(…, int *) = n; }
func (g *generator) declareVariadic() {
	p := g.newProc("va", &signature{formals: []*shape{intShape(core.Int32)}, null: []bool{false}})
	p.Variadic = &core.Var{Name: "...", Kind: core.Local, Proc: p, Type: core.Agg{Name: "va_list"}}
	p.Locals = append(p.Locals, p.Variadic)
	g.prog.Procs = append(g.prog.Procs, p)
}

// newLocal declares a local variable of b's procedure.
func (b *builder) newLocal(name string, s *shape) *core.Var {
	v := &core.Var{Name: name, Kind: core.Local, Proc: b.proc}
	b.proc.Locals = append(b.proc.Locals, v)
	c := b.world.bind(v, s)
	c.null = s.isPointer() && b.chance(2)
	// A long pointer is not to point into this frame, so it can be stored in places that
	// outlive it.
	c.long = s.isPointer() && b.chance(3)
	return v
}

// newTemp declares a temporary.
func (b *builder) newTemp(s *shape) *core.Var {
	v := &core.Var{Name: fmt.Sprintf("$%d", b.temps), Kind: core.Temp, Proc: b.proc, Type: s.typ}
	b.temps++
	b.proc.Locals = append(b.proc.Locals, v)
	return v
}

// memoryBody gives p its locals and nodes.
func (g *generator) memoryBody(p *core.Proc) {
	b := &builder{generator: g, proc: p}
	w := g.world
	// 1. Declare locals and the result.
	// Every procedure has an int.
	b.newLocal("v", intShape(core.Int32))
	shapes := []*shape{
		intShape(core.Int32), intShape(g.intType()), w.intp, w.intp, w.nodep, w.nodep, w.node, w.bytep, w.intpp,
		array(intShape(core.Int32), 3), w.procedurePointer(pick(g, w.sigs)), intShape(core.Uint64), pick(g, w.structs),
	}
	for i := range 1 + g.rng.IntN(4) {
		b.newLocal(fmt.Sprintf("v%d", i), pick(g, shapes))
	}
	b.memoryResult()
	// 2. Initialise variables.
	if p == g.prog.Entry {
		b.setUpAll(g.prog.Globals)
	}
	b.setUpAll(p.Locals)
	if p.Variadic != nil {
		b.readExtra()
	}
	// 3. Make statements; most programs should use most of their procedures.
	b.block(g.config.Nesting)
	if b.calls == 0 && len(b.pending) > 0 && (p == g.prog.Entry || !g.chance(3)) {
		b.stmtCall()
		b.block(1)
	}
	b.finish()
}

// memoryResult picks or makes the variable that is returned.
func (b *builder) memoryResult() {
	s := b.world.sigOf[b.proc].result
	if s == nil {
		return
	}
	if s.isInt() {
		b.chooseResult()
		b.world.bind(b.proc.Result, s)
		return
	}
	b.proc.Result = b.newLocal(`\result`, s)
	c := b.world.bindings[b.proc.Result]
	// A result that is a pointer may be null, and is not to point to a local.
	c.null, c.long = s.isPointer(), s.isPointer()
}

// setUpAll initialises variables, each with values of those that are initialised already.
func (b *builder) setUpAll(list []*core.Var) {
	ready := b.unguarded()
	ready.vars = b.prog.Globals
	if len(list) > 0 && list[0].Kind == core.Global {
		ready.vars = nil
	}
	// A formal has its value from the caller.
	ready.vars = append(ready.vars[:len(ready.vars):len(ready.vars)], b.proc.Formals...)
	for _, v := range list {
		if v == b.world.literal {
			b.emit(&core.Data{Dst: &core.AddrOf{Var: v, Typ: b.world.ptr}, Bytes: []byte("ab\x01\x00")})
		}
		if c := b.world.bindings[v]; c != nil && !v.Foreign {
			b.setUp(ready, v, c)
			// From now on v can give its value, or its address, to others.
			ready.vars = append(ready.vars, v)
		}
	}
}

// setUp initialises v, mostly, with values from ready.
func (b *builder) setUp(ready scope, v *core.Var, c *binding) {
	b.first = true
	defer func() { b.first = false }()
	s := c.shape
	if v.Kind == core.Local && b.chance(3) {
		b.node(&core.Havoc{Locs: []core.Loc{v.Ref()}, Begin: true})
		b.first = true
	}
	// Integers and pointers are assigned, mostly; aggregates are filled.
	switch {
	case s.isInt():
		if !b.chance(4) {
			b.node(assign(v, b.constant(s.typ.(core.Int))))
		}
	case s.isPointer():
		if c.null && b.chance(12) {
			return // it points nowhere
		}
		e, guards := ready.pointer(want{shape: s, null: c.null, long: c.long})
		// With guards, the pointer would not be set on all paths: take one that needs none.
		if e == nil || guards != nil {
			e = b.fallback(s)
		}
		b.node(assign(v, e))
	default:
		b.setUpAggregate(ready, place{root: v, shape: s, direct: true, long: v.Kind == core.Global})
	}
}

// fallback returns a pointer of shape s that is always defined.
func (b *builder) fallback(s *shape) core.Expr {
	if s.sig != nil {
		return b.unguarded().procedure(s.sig)
	}
	// The globals gs, gp and g0 always exist.
	name := map[*shape]string{b.world.node: "gs", b.world.intp: "gp"}[s.elem]
	if name == "" {
		name = "g0"
	}
	for _, v := range b.prog.Globals {
		if v.Name == name {
			return &core.AddrOf{Var: v, Typ: b.world.ptr}
		}
	}
	panic("coregen: no global " + name)
}

// setUpAggregate fills p with zeros, mostly, or a text, and sets some of its pointers.
func (b *builder) setUpAggregate(ready scope, p place) {
	sc := ready
	a := sc.address(p)
	size := core.Bytes(p.shape.typ)
	if p.shape.elem != nil && p.shape.elem.typ == core.Type(core.Uint8) {
		b.node(&core.Data{Dst: a, Bytes: []byte{'a', byte(b.rng.IntN(4)), 1, 0}})
		return
	}
	if !b.chance(10) {
		b.node(&core.Fill{Dst: a, Size: core.NewConst(size, core.Uint64), Byte: core.NewConst(0, core.Uint8)})
	}
	// Set a few of its pointers.
	for range 3 {
		q, ok := sc.stepInto(p)
		if !ok {
			continue
		}
		if e, guards := sc.pointer(want{shape: q.shape, null: true, long: p.long}); e != nil && guards == nil {
			b.emit(&core.Assign{Lhs: []core.Loc{q.loc()}, Rhs: []core.Expr{e}})
		}
	}
}

// stepInto finds a pointer within the aggregate p.
func (s scope) stepInto(p place) (place, bool) {
	for p.shape.fields != nil || p.shape.count > 0 {
		p, _ = s.step(p)
	}
	return p, p.shape.isPointer()
}

// readExtra reads the arguments after the formal n: an int and a pointer to int.
func (b *builder) readExtra() {
	n := b.proc.Formals[0].Ref()
	ap, x := b.newTemp(b.world.bytep), b.world.bindings
	b.emit(assign(ap, &core.AddrOf{Var: b.proc.Variadic, Typ: b.world.ptr}))
	for i, s := range []*shape{intShape(core.Int32), b.world.intp} {
		v := b.newLocal(fmt.Sprintf("arg%d", i), s)
		x[v].null = false
		c := &core.Binary{Op: core.Gt, X: n, Y: core.NewConst(int64(i), core.Int32)}
		b.first = true
		b.guarded([]core.Expr{c}, func() {
			b.node(assign(v, &core.Mem{Addr: ap.Ref(), Typ: s.typ}))
			// Each argument takes 8 bytes of the argument list.
			b.emit(assign(ap, &core.Offset{X: ap.Ref(), Off: 8}))
			if s.isPointer() {
				b.emit(&core.Assign{Lhs: []core.Loc{&core.Mem{Addr: v.Ref(), Typ: core.Int32}}, Rhs: []core.Expr{n}})
			}
		})
		delete(x, v) // it is not always set
	}
}

// unguarded returns the places in the scope of b that need no guards.
func (b *builder) unguarded() scope { return b.scope(false) }

// scope returns the places in the scope of b.
func (b *builder) scope(guards bool) scope {
	s := scope{generator: b.generator, proc: b.proc, guards: guards}
	for _, list := range [][]*core.Var{b.prog.Globals, b.proc.Formals, b.proc.Locals} {
		for _, v := range list {
			if b.world.bindings[v] != nil {
				s.vars = append(s.vars, v)
			}
		}
	}
	if len(b.proc.Formals) > 0 && b.chance(2) { // so that arguments are used
		s.vars = b.proc.Formals
	}
	return s
}

// markTaken marks the variables whose addresses the program takes, as the front end does: copying a
// struct or passing it by value does not count.
func (g *generator) markTaken() {
	for _, p := range g.prog.Procs {
		for _, n := range p.Nodes {
			// Addresses of whole variables in copies and by-value arguments are only ways to the
			// contents.
			direct := map[core.Expr]bool{}
			switch s := n.Stmt.(type) {
			case *core.Copy:
				direct[s.Dst], direct[s.Src] = true, true
			case *core.Fill:
				direct[s.Dst] = true
			case *core.Data:
				direct[s.Dst] = true
			case *core.Call:
				for i, a := range s.Args {
					if s.Callee != nil {
						_, direct[a] = s.Callee.Formals[i].Type.(core.Agg)
					}
				}
			}
			core.StmtExprs(n.Stmt, func(e core.Expr) {
				// As the address of an access it is no taken address.
				if direct[e] {
					e = &core.Mem{Addr: e, Typ: core.Uint8}
				}
				markTakenIn(e)
			})
		}
	}
}

// markTakenIn marks the variables whose addresses e takes.
func markTakenIn(e core.Expr) {
	for _, v := range core.Addressed(e) {
		v.AddrTaken = true
	}
	core.Walk(e, func(e core.Expr) bool {
		if a, ok := e.(*core.AddrOf); ok {
			if _, scalar := core.Word(a.Var.Type); scalar {
				a.Var.AddrTaken = true
			}
		}
		return true
	})
}
