package alias

import "c2bp/frontend/core"

// This file makes the constraints of calls, and of the effects of externals on points-to sets.

// callSite is a Call with its operands as values. It is kept as long as callees may be found.
type callSite struct {
	stmt    *core.Call
	args    []value // the address of an aggregate
	extra   []value
	result  int32               // vertex of the value for a scalar destination, else -1
	dst     ref                 // a destination that is no scalar
	bound   map[*core.Proc]bool // callees of a call through a pointer
	outside bool                // the callee may be outside
}

// declaredRecord returns the struct or union that v is declared as, nil if it is none.
func declaredRecord(v *core.Var) *core.Record {
	if v.Declared == nil || v.Declared.Count != 1 {
		return nil
	}
	return v.Declared.Record
}

// call makes the constraints of n. Callees of a call through a pointer are bound when they are
// found.
func (s *solver) call(n *core.Call) {
	// 1. Evaluate the operands.
	c := &callSite{stmt: n, result: -1}
	for _, e := range n.Args {
		c.args = append(c.args, s.operand(e))
	}
	for _, e := range n.Extra {
		c.extra = append(c.extra, s.operand(e))
	}
	// 2. Make a vertex for the result.
	if n.Lhs != nil && isScalar(n.Lhs.Type()) {
		c.result = s.newVertex()
		s.assign(n.Lhs, in(c.result))
	} else if n.Lhs != nil {
		c.dst = s.placeOf(n.Lhs)
	}
	// 3. Bind the callee, or leave a rule that binds each one that the target may point to.
	if n.Callee != nil {
		s.bind(c, n.Callee)
		return
	}
	c.bound = map[*core.Proc]bool{}
	s.calls = append(s.calls, c)
	target := s.vertexOf(s.value(n.Target))
	s.rule(target, rule{kind: callRule, other: int32(len(s.calls) - 1)})
}

// operand returns the value of an argument, nothing for one that is not represented.
func (s *solver) operand(e core.Expr) value {
	if e == nil {
		return nothing
	}
	return s.value(e)
}

// placeOf returns the place of l.
func (s *solver) placeOf(l core.Loc) ref {
	if v, ok := l.(*core.VarRef); ok {
		return s.home(v.Var)
	}
	return s.accessed(l.(*core.Mem).Addr)
}

// bindTarget binds the callees that an address in object stands for, as the target of c: a
// procedure or, outside, all escaped procedures of suitable types and an unknown one. Procedures
// that escape later are bound when they do (escape).
func (s *solver) bindTarget(c *callSite, object int32) {
	switch o := s.objects[object]; o.Kind {
	case Function:
		s.bindOnce(c, o.Proc)
	// A pointer from outside may lead to any procedure that is known there.
	case Outside:
		if c.outside {
			return
		}
		c.outside = true
		s.external(c, nil)
		s.outsideCalls = append(s.outsideCalls, c)
		for _, p := range s.escapedProcs {
			if s.leadsTo(c.stmt, p) {
				s.bindOnce(c, p)
			}
		}
	}
}

// bindOnce binds p to c unless that was done already, or the number of arguments is wrong.
func (s *solver) bindOnce(c *callSite, p *core.Proc) {
	if !c.bound[p] && fits(c.stmt, p) {
		c.bound[p] = true
		s.bind(c, p)
	}
}

// fits reports whether c, a call through a pointer, may call p at all: the number of arguments must
// be right (C23 6.5.3.3); types are converted.
func fits(c *core.Call, p *core.Proc) bool {
	n := len(c.Args) + len(c.Extra)
	// A variadic procedure, one without a prototype, any other.
	switch {
	case p.Variadic != nil:
		return n >= len(p.Formals)
	case !p.HasBody() && !p.Fixed:
		return len(c.Args) >= len(p.Formals)
	}
	return n == len(p.Formals)
}

// leadsTo reports whether the target of c, a pointer from outside, may lead to p, which is known there: the types must
// agree, and it must be none that only the harness calls.
func (s *solver) leadsTo(c *core.Call, p *core.Proc) bool {
	return sameTypes(c, p) && !s.handed[p]
}

// sameTypes reports whether the types of p's parameters and result are those that c calls, as far
// as they are represented: signs are ignored, and pointers are distinguished only if one points to
// void or to a struct or union and the other one to another. Calling a function of another type is
// undefined (C23 6.5.3.3). Where the program has stored a pointer to such a function itself,
// arguments are converted, as compilers do; but a pointer from outside is not assumed to lead to
// such a function, unless the program converts its type itself.
//
//	ops->irq(n, dev)       int (*)(int, void *), from outside
//	int irq_a(int, void *)            may be called
//	int probe(struct pci *)           has another number of parameters
//	int irq_b(int, struct dev *)      has other types
func sameTypes(c *core.Call, p *core.Proc) bool {
	if p.Recast || c.By != nil || len(c.Extra) > 0 || p.Variadic != nil || len(c.Args) != len(p.Formals) {
		return true // it is for fits to say
	}
	// 1. Compare the parameters by their forms.
	for i, e := range c.Args {
		if e != nil && !sameType(p.Formals[i].Type, e.Type()) && !promoted(p.Formals[i].Type, e.Type()) {
			return false
		}
	}
	// 2. Compare the types that pointers point to.
	for i, q := range p.Pointees {
		if i < len(c.Pointees) && q.Excludes(c.Pointees[i]) {
			return false
		}
	}
	// 3. Compare the results.
	return c.RetType == nil || p.RetType == nil || sameType(p.RetType, c.RetType)
}

// promoted reports whether an argument of type u may be meant for a parameter of type t in a
// definition without a prototype: small integers are passed as int (C17 6.9.1p10).
func promoted(t, u core.Type) bool {
	x, small := t.(core.Int)
	y, isInt := u.(core.Int)
	return small && isInt && x.Bits < 32 && y.Bits == 32
}

// sameType reports whether values of the types t and u have the same form. The argument for an
// aggregate is its address; an array or a value that is not represented may be anything.
func sameType(t, u core.Type) bool {
	x, isInt := t.(core.Int)
	y, isInt2 := u.(core.Int)
	_, isPtr := t.(core.Ptr)
	_, isPtr2 := u.(core.Ptr)
	_, isVoid := t.(core.Void)
	_, isVoid2 := u.(core.Void)
	switch {
	case isInt && isInt2:
		return x.Bits == y.Bits
	case isInt && (isPtr2 || isVoid2), isInt2 && (isPtr || isVoid), isPtr && isVoid2, isPtr2 && isVoid:
		return false
	}
	return true
}

// bind lets the arguments of c flow to the formals of p, and the result of p back.
func (s *solver) bind(c *callSite, p *core.Proc) {
	if !p.HasBody() {
		s.external(c, p)
		return
	}
	// 1. Pass the arguments.
	args, exprs := c.all()
	for i, v := range p.Formals {
		if i < len(args) {
			s.pass(v, args[i], exprs[i])
		}
	}
	// 2. Store the variable arguments in their slots.
	if p.Variadic != nil {
		place := s.home(p.Variadic)
		for i := len(p.Formals); i < len(args); i++ {
			place.off = int64(i-len(p.Formals)) * ExtraSlot
			s.storeTo(place, 0, ExtraSlot*8, args[i])
		}
		if c.stmt.By != nil { // nobody knows what it passes besides
			s.arbitrary(p.Variadic)
		}
	}
	// 3. Return the result.
	s.deliver(c, p)
}

// ExtraSlot is the distance of two variable arguments of a call, in bytes.
const ExtraSlot = 8

// all returns the arguments of c, variable ones last, and their expressions.
func (c *callSite) all() ([]value, []core.Expr) {
	if len(c.extra) == 0 {
		return c.args, c.stmt.Args
	}
	args := append(c.args[:len(c.args):len(c.args)], c.extra...)
	exprs := append(c.stmt.Args[:len(c.stmt.Args):len(c.stmt.Args)], c.stmt.Extra...)
	return args, exprs
}

// pass lets argument a, whose expression is e, flow to formal v. The argument for an aggregate is
// the address of what is copied.
func (s *solver) pass(v *core.Var, a value, e core.Expr) {
	switch t := v.Type.(type) {
	case core.Agg:
		if e != nil {
			s.copy(s.home(v), s.place(a), extent(t.Size), declaredRecord(v))
		}
	case core.Int, core.Ptr:
		// An argument that is not represented is arbitrary.
		if e == nil {
			a = known(s.origin(originKey{node: v}))
		} else {
			a = s.adapt(a, e.Type(), t)
		}
		s.assign(v.Ref(), a)
	}
}

// adapt converts v from the type of an argument or result to the type that is expected.
func (s *solver) adapt(v value, from, to core.Type) value {
	// As conversions do: a widened piece, a number that becomes a pointer.
	if s.narrow(from) && !s.narrow(to) {
		v = s.move(v, move{mode: widen})
	}
	_, number := from.(core.Int)
	if _, pointer := to.(core.Ptr); number && pointer {
		v = s.move(v, move{mode: cast})
	}
	return v
}

// deliver lets the result of p flow to the destination of c. A scalar result goes through the
// vertex of the call, an aggregate is copied; a scalar destination of a result that is none gets an
// arbitrary value.
func (s *solver) deliver(c *callSite, p *core.Proc) {
	switch n := c.stmt; {
	case n.Lhs == nil:
	case c.result >= 0 && isScalar(p.RetType):
		s.flow(s.adapt(s.value(p.Result.Ref()), p.RetType, n.Lhs.Type()), c.result)
	case c.result >= 0:
		s.flow(known(s.origin(originKey{node: c.stmt})), c.result)
	case p.Result != nil && !isScalar(p.RetType):
		s.copy(c.dst, s.home(p.Result), extent(core.Bytes(p.RetType)), declaredRecord(p.Result))
	}
}

// external makes the constraints of a call c of a procedure without a body: p or, if that is nil,
// an unknown one. Its arguments escape; its result comes from outside. The effects of such calls
// are found later (effects.go).
func (s *solver) external(c *callSite, p *core.Proc) {
	// 1. The arguments escape: of an aggregate, its contents.
	for i, a := range c.args {
		if p != nil && i < len(p.Formals) {
			if t, ok := p.Formals[i].Type.(core.Agg); ok { // a copy of it escapes
				a = s.loadFrom(s.place(a), t, 0, s.origin(originKey{node: anywhere}))
			}
		}
		s.flow(a, s.escaped)
	}
	for _, a := range c.extra {
		s.flow(a, s.escaped)
	}
	// 2. The result comes from outside.
	switch n := c.stmt; {
	case n.Lhs == nil:
	case c.result >= 0:
		s.flow(known(s.origin(originKey{node: c.stmt})), c.result)
	default:
		s.storeTo(c.dst, 0, extent(core.Bytes(n.Lhs.Type())), known(s.origin(originKey{node: c.stmt})))
	}
	// 3. The procedure may call back, and may change everything if externals do.
	s.calledFrom(c)
	if s.prog.Extern == core.ExternAll {
		s.open()
	}
}

// open lets externals change everything, as [core.ExternAll] says.
func (s *solver) open() {
	if s.openWorld {
		return
	}
	s.openWorld = true
	s.havocRegion()
	// All globals may be read and written.
	for _, v := range s.prog.Globals {
		if !v.Literal {
			s.arbitrary(v)
		}
		s.expose(v)
	}
	for _, p := range s.escapedProcs {
		s.callBack(p)
	}
}

// expose makes the address of global v, or its value if it is outside of memory, known outside.
func (s *solver) expose(v *core.Var) {
	if v.InMemory() {
		s.insert(s.number(at(s.object(v), 0)), s.escaped)
	} else {
		s.edge(s.variable(v), s.escaped)
	}
}

// callBack makes the constraints of a call of p from outside.
func (s *solver) callBack(p *core.Proc) {
	// Its arguments come from outside, its result gets there.
	for _, v := range p.Formals {
		s.arbitrary(v)
	}
	if p.Variadic != nil {
		s.arbitrary(p.Variadic)
	}
	if p.Result != nil {
		s.flow(s.value(p.Result.Ref()), s.escaped)
	}
}

// escape makes object known outside: it may hold any address that is known there, and its contents
// become known. So everything that escaped objects lead to escapes.
func (s *solver) escape(object int32) {
	o := s.objects[object]
	if o.Escaped || o.Kind >= number {
		return
	}
	o.Escaped = true
	// 1. A procedure may be called from outside, and by all calls through pointers from there.
	if o.Kind == Function {
		s.escapedProcs = append(s.escapedProcs, o.Proc)
		for _, c := range s.outsideCalls {
			if s.leadsTo(c.stmt, o.Proc) {
				s.bindOnce(c, o.Proc)
			}
		}
		if s.openWorld {
			s.callBack(o.Proc)
		}
		return
	}
	// 2. Memory may be read and, unless it is a literal, written outside.
	if isLiteral(o) {
		return
	}
	s.lend(object, whole(o.bits()))
	s.leak(object)
}
