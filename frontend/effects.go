package frontend

import (
	"modernc.org/cc/v4"

	"c2bp/frontend/ccfix"
	"c2bp/frontend/core"
	"c2bp/frontend/ctree"
)

// This file computes the side effects of expressions and functions: MOD and REF sets. Values that
// are computed early must not change until they are used, and effects whose order C leaves open must
// be reported: the order here is left to right.

// The sets are may-sets: whatever the evaluation may do in some execution is in them, so an answer
// "no conflict" is certain. In
//
//	*p = g + f(&x);     with int f(int *q) { return h(q); }
//
// g is in reads, *p sets writesMemory, and f is in callees until its own effects are added. &x adds
// nothing: taking the address of x does not read it.
//
// effects holds the variables that an evaluation may read and write, and whether it may read or write
// memory through pointers: any variable whose address is taken, and all allocated memory.
type effects struct {
	// Variables that the text accesses by their names, as a whole or in part.
	reads, writes map[*core.Var]bool
	// Accesses through pointers. They may concern allocated memory and every variable with
	// AddrTaken.
	readsMemory  bool
	writesMemory bool
	external     bool // may also change any global
	// Functions with a body that may be called; their effects are not in the sets above.
	callees []*function
}

// newEffects returns no effects.
func newEffects() *effects {
	return &effects{reads: map[*core.Var]bool{}, writes: map[*core.Var]bool{}}
}

// mayWrite reports whether the evaluation may change v.
func (e *effects) mayWrite(v *core.Var) bool {
	return e.writes[v] || e.writesMemory && v.AddrTaken
}

// mayRead reports whether the evaluation may read v.
func (e *effects) mayRead(v *core.Var) bool {
	return e.reads[v] || e.readsMemory && v.AddrTaken
}

// disturb reports whether the evaluation may change the value of x.
func (e *effects) disturb(x core.Expr) (found bool) {
	core.Walk(x, func(x core.Expr) bool {
		var v *core.Var
		switch x := x.(type) {
		case *core.VarRef:
			v = x.Var
		// An address such as &a[i] names its variable: then only that one can be hit.
		case *core.Mem:
			// An address that is not in a known variable may be in any memory.
			if v = objectOf(x.Addr); v == nil {
				found = found || e.writesMemory || e.writesObject()
			}
		}
		if v != nil {
			found = found || e.mayWrite(v) || e.external && v.Kind == core.Global
		}
		return !found
	})
	return found
}

// writesObject reports whether a variable is written that lives in memory.
func (e *effects) writesObject() bool {
	for v := range e.writes {
		if v.InMemory() {
			return true
		}
	}
	return false
}

// objectOf returns the variable in which an address lies by its form, or nil.
func objectOf(addr core.Expr) *core.Var {
	for {
		switch a := addr.(type) {
		case *core.AddrOf:
			return a.Var
		case *core.Offset:
			addr = a.X
		case *core.Index:
			addr = a.X
		default:
			return nil
		}
	}
}

// conflicts reports whether the order of the two evaluations matters. The relation is symmetric: C
// leaves open which of the two is evaluated first, so a write of either side matters to the other.
func (e *effects) conflicts(o *effects) bool { return e.disturbs(o) || o.disturbs(e) }

// disturbs reports whether e may write a place that o may read or write.
func (e *effects) disturbs(o *effects) bool {
	// 1. Memory against memory.
	if e.writesMemory && (o.readsMemory || o.writesMemory) {
		return true
	}
	// 2. Written variables against all accesses.
	for v := range e.writes {
		if o.mayRead(v) || o.mayWrite(v) {
			return true
		}
	}
	// 3. Memory and external code against variables.
	for v := range o.reads {
		if e.writesMemory && v.AddrTaken || e.external && v.Kind == core.Global {
			return true
		}
	}
	for v := range o.writes {
		if e.external && v.Kind == core.Global {
			return true
		}
	}
	return false
}

// add puts the effects f of a called function into e and reports whether e has grown. Locals of the
// callee are left out. No caller can name them; accesses of them through pointers are in
// readsMemory and writesMemory. f is not changed, and its callees are not taken over: summarise
// adds the effects of every function to those of its callers.
func (e *effects) add(f *effects) bool {
	// Sets only grow: their size tells whether they have changed.
	n := len(e.reads) + len(e.writes)
	for v := range f.reads {
		if v.Kind == core.Global {
			e.reads[v] = true
		}
	}
	for v := range f.writes {
		if v.Kind == core.Global {
			e.writes[v] = true
		}
	}
	flags := func() [3]bool { return [3]bool{e.readsMemory, e.writesMemory, e.external} }
	before := flags()
	e.readsMemory = e.readsMemory || f.readsMemory
	e.writesMemory = e.writesMemory || f.writesMemory
	e.external = e.external || f.external
	return len(e.reads)+len(e.writes) > n || flags() != before
}

// hasEffects reports whether evaluating n does more than compute a value. A call counts as an
// effect, that of a pure function too, because it is a node of the program. The answer depends on
// the text only and is kept in memo: nested operands are asked again and again.
func (b *frame) hasEffects(n cc.Node) bool {
	if ctree.IsNil(n) {
		return false
	}
	if known, ok := b.memo[n]; ok {
		return known
	}
	has := false
	// 1. Effects of the node itself.
	switch e := n.(type) {
	case *cc.AssignmentExpression:
		has = e.Case != cc.AssignmentExpressionCond
	case *cc.PostfixExpression:
		has = e.Case == cc.PostfixExpressionCall && ctree.CalleeName(e) != ctree.CompatibleName || e.Case == cc.PostfixExpressionInc || e.Case == cc.PostfixExpressionDec
	case *cc.UnaryExpression:
		has = e.Case == cc.UnaryExpressionInc || e.Case == cc.UnaryExpressionDec
	// ({ … }) consists of statements, which are nodes whatever is in them.
	case *cc.PrimaryExpression:
		has = e.Case == cc.PrimaryExpressionStmt
	}
	// 2. Those of its operands, if they are evaluated.
	if !has && evaluated(n) {
		for _, c := range ctree.Children(n) {
			has = has || b.hasEffects(c)
		}
	}
	b.memo[n] = has
	return has
}

// evaluated reports whether the operands of n are evaluated. sizeof and _Alignof only ask for a
// type, so in sizeof(i++) nothing is written. Neither are types in casts and declarations looked
// at.
func evaluated(n cc.Node) bool {
	switch e := n.(type) {
	case *cc.UnaryExpression:
		switch e.Case {
		case cc.UnaryExpressionSizeofExpr, cc.UnaryExpressionSizeofType, cc.UnaryExpressionAlignofExpr, cc.UnaryExpressionAlignofType:
			return false
		}
	case *cc.TypeName, *cc.DeclarationSpecifiers:
		return false
	}
	return true
}

// effectsOf returns the effects of evaluating n. It needs the summaries of the callees, so it may
// not be called before summarise has ended.
func (b *functionLowerer) effectsOf(n cc.Node) *effects {
	e := b.directEffects(n)
	for _, f := range e.callees {
		e.add(f.effects)
	}
	return e
}

// directEffects returns the effects of n without those of the functions that it calls, which are in
// callees.
func (b *functionLowerer) directEffects(n cc.Node) *effects {
	c := effectCollector{b, newEffects()}
	c.node(n)
	return c.effects
}

// effectCollector collects the effects of a text.
type effectCollector struct {
	*functionLowerer
	*effects
}

// node collects the effects of executing or evaluating n. Lists are followed in a loop.
func (c effectCollector) node(n cc.Node) {
	ctree.Walk(n, func(n cc.Node) bool {
		switch e := n.(type) {
		case *cc.Declaration:
			c.cleaning(e)
		case *cc.AsmStatement:
			// Instructions may reach any memory through the pointers among their operands.
			c.readsMemory, c.writesMemory = true, true
			c.assembly(e)
			return false
		case cc.ExpressionNode:
			return c.expression(e)
		}
		return evaluated(n)
	})
}

// expression collects the effects of evaluating n. If it returns true, those of the operands are
// still to be collected.
func (c effectCollector) expression(n cc.ExpressionNode) bool {
	switch e := n.(type) {
	case *cc.AssignmentExpression:
		// x = e, x op= e. The old value of x is only read by the latter.
		if e.Case == cc.AssignmentExpressionCond {
			return true
		}
		c.write(e.UnaryExpression)
		if e.Case != cc.AssignmentExpressionAssign {
			c.node(e.UnaryExpression)
		} else {
			c.address(e.UnaryExpression)
		}
		c.node(e.AssignmentExpression)
		return false
	case *cc.UnaryExpression:
		switch e.Case {
		case cc.UnaryExpressionInc, cc.UnaryExpressionDec:
			c.write(e.UnaryExpression)
		case cc.UnaryExpressionAddrof:
			// &x does not read x.
			c.address(e.CastExpression)
			return false
		case cc.UnaryExpressionDeref:
			c.read(e)
		}
	case *cc.PostfixExpression:
		switch e.Case {
		case cc.PostfixExpressionInc, cc.PostfixExpressionDec:
			c.write(e.PostfixExpression)
		case cc.PostfixExpressionSelect, cc.PostfixExpressionPSelect, cc.PostfixExpressionIndex:
			// A member or element: only that part is read, and the address is computed.
			c.read(e)
			c.address(e)
			return false
		case cc.PostfixExpressionCall:
			c.call(e)
		}
	case *cc.PrimaryExpression:
		if v := c.variable(e); v != nil {
			c.reads[v] = true
		}
	}
	return evaluated(n)
}

// variable returns the variable that n names, or nil. Functions and enumerators are no variables,
// and neither is a declarator that has none in vars.
func (c effectCollector) variable(n cc.ExpressionNode) *core.Var {
	id, ok := n.(*cc.PrimaryExpression)
	if !ok || id.Case != cc.PrimaryExpressionIdent {
		return nil
	}
	d, ok := id.ResolvedTo().(*cc.Declarator)
	if !ok {
		return nil
	}
	return c.vars[d]
}

// read notes that the value of the lvalue n, other than a variable, is read.
func (c effectCollector) read(n cc.ExpressionNode) {
	switch v := c.base(n); {
	case v != nil:
		c.reads[v] = true
	default:
		c.readsMemory = true
	}
}

// write notes that the lvalue n is assigned to.
func (c effectCollector) write(n cc.ExpressionNode) {
	switch v := c.base(n); {
	case v != nil:
		c.writes[v] = true
	default:
		c.writesMemory = true
	}
}

// base returns the variable that the lvalue n denotes, all or a part of it; nil if n goes through a
// pointer. For example it is s for s.f, a for a[i].f and x for *&x, but nil for p->f, *p and p[i].
func (c effectCollector) base(n cc.ExpressionNode) *core.Var {
	part := false
	for n = ctree.Strip(n); ; n = ctree.Strip(n) {
		if v := c.variable(n); v != nil {
			// The variable of an array of variable length only holds its address.
			if _, isPtr := v.Type.(core.Ptr); isPtr && part { // an array of variable length
				return nil
			}
			return v
		}
		// Not a variable: go out to the object in which n is a part, if n says which.
		part = true
		if n = outer(n); n == nil {
			return nil
		}
	}
}

// outer returns the lvalue of which the lvalue n is a part by its form, or nil. Parts lie within
// their object whatever the index is: an access outside of it is undefined.
func outer(n cc.ExpressionNode) cc.ExpressionNode {
	switch e := n.(type) {
	case *cc.PostfixExpression:
		switch e.Case {
		case cc.PostfixExpressionSelect:
			return ctree.Strip(e.PostfixExpression)
		case cc.PostfixExpressionPSelect:
			// (&s)->f is s.f, and a->f is a[0].f for an array a.
			if a, ok := ctree.Strip(e.PostfixExpression).(*cc.UnaryExpression); ok && a.Case == cc.UnaryExpressionAddrof {
				return ctree.Strip(a.CastExpression)
			}
			return ccfix.Decayed(e.PostfixExpression)
		case cc.PostfixExpressionIndex:
			return ccfix.Decayed(e.PostfixExpression)
		}
	case *cc.UnaryExpression:
		// *&x is x, and *a is a[0].
		if e.Case == cc.UnaryExpressionDeref {
			if a, ok := ctree.Strip(e.CastExpression).(*cc.UnaryExpression); ok && a.Case == cc.UnaryExpressionAddrof {
				return ctree.Strip(a.CastExpression)
			}
			return ccfix.Decayed(e.CastExpression)
		}
	}
	return nil
}

// address collects the effects of computing the address of the lvalue n, which does not read it.
// Only the indices and the pointer from which the address starts are evaluated: &p->a[i] reads p
// and i, and &s.a[i] reads i.
func (c effectCollector) address(n cc.ExpressionNode) {
	// 1. Go out to the whole object; the indices on the way are evaluated.
	for n = ctree.Strip(n); ; {
		if e, ok := n.(*cc.PostfixExpression); ok && e.Case == cc.PostfixExpressionIndex {
			if x := outer(n); x != nil && x == ctree.Strip(e.PostfixExpression) {
				c.node(e.ExpressionList)
			}
		}
		next := outer(n)
		if next == nil {
			break
		}
		n = next
	}
	// 2. A variable is not read; the pointer to an object is.
	switch e := n.(type) {
	case *cc.PrimaryExpression:
		if e.Case == cc.PrimaryExpressionIdent {
			return
		}
	case *cc.UnaryExpression:
		if e.Case == cc.UnaryExpressionDeref {
			c.node(e.CastExpression)
			return
		}
	case *cc.PostfixExpression:
		switch e.Case {
		// p->f: outer knows no object around it, so p is a pointer that is read.
		case cc.PostfixExpressionPSelect:
			c.node(e.PostfixExpression)
			return
		case cc.PostfixExpressionIndex:
			c.node(e.PostfixExpression)
			c.node(e.ExpressionList)
			return
		}
	}
	c.node(n)
}

// assembly notes the operands of an assembly statement as read and written. An operand that is only
// an input counts as written, too: the letters of constraints are not looked at here. Functions
// that the template names are among the callees.
func (c effectCollector) assembly(s *cc.AsmStatement) {
	_, functions := c.namedBy(c.assemblyOf(s), c.fn.tu)
	c.callees = append(c.callees, functions...)
	// Outputs, inputs and clobbers alike: the last have no operands.
	for l := s.Asm.AsmArgList; l != nil; l = l.AsmArgList {
		for x := l.AsmExpressionList; x != nil; x = x.AsmExpressionList {
			for _, a := range asmOperands(x.AssignmentExpression) {
				c.node(a)
				c.write(a)
				c.external = c.external || ctree.GivenFunction(withoutCasts(a).Type()) != nil // which it may call
			}
		}
	}
}

// cleaning notes the effects of the functions that are called for the variables of d. A cleanup
// runs where control leaves the block, so a statement expression with such a variable has the
// effects of the call.
func (c effectCollector) cleaning(d *cc.Declaration) {
	for _, id := range initDeclarators(d) {
		switch x := c.cleanups[id.Declarator]; {
		case x == nil:
		case x.f.def != nil:
			c.callees = append(c.callees, x.f)
		default:
			c.readsMemory, c.writesMemory, c.external = true, true, c.opts.Extern == core.ExternAll
		}
	}
}

// call notes the effects of a call without those of its operands, by the kind of the callee. A call
// without effects, as of a function that only computes, adds nothing.
func (c effectCollector) call(call *cc.PostfixExpression) {
	f := c.calleeOf(call)
	switch {
	case f == nil: // through a pointer
		c.readsMemory, c.writesMemory, c.external = true, true, c.opts.Extern == core.ExternAll
		c.anyCallee(c.effects)
	case f.def != nil:
		c.callees = append(c.callees, f)
	case isStoring(f.name):
		// va_start and va_arg assign to their argument.
		for _, a := range ctree.Arguments(call) {
			c.write(a)
		}
		c.readsMemory, c.writesMemory = true, true
	case c.modelOf(f, ctree.Arguments(call)) != nil:
		// A library function with a model: its file says which effects it has.
		if f.model.writes {
			c.readsMemory, c.writesMemory = true, true
		}
		// The built-in models set errno; those of a file given by the user say it in their C text.
		if f.model.file == "" {
			c.errnoEffects()
		}
		if f.model.calls {
			c.external = c.opts.Extern == core.ExternAll
			c.anyCallee(c.effects)
		}
	case kindOf(f.name) == library:
		c.errnoEffects()
	case primitives[f.name] != nil:
		// malloc, memcpy and the like.
		if primitives[f.name].writes {
			c.readsMemory, c.writesMemory = true, true
		}
	// __builtin_add_overflow and the like store the result through their last argument.
	case kindOf(f.name) == overflowing:
		c.writesMemory = true
	case c.kindOfCall(f, call) == notIntrinsic, kindOf(f.name) == installing:
		// An external function may change all memory that has an address, and call back.
		c.readsMemory, c.writesMemory, c.external = true, true, c.opts.Extern == core.ExternAll
		for _, a := range ctree.Arguments(call) {
			if ctree.GivenFunction(a.Type()) != nil { // it may be called back
				c.anyCallee(c.effects)
			}
		}
	}
}

// anyCallee adds every function whose address is taken to the callees of e. A call through a
// pointer can lead to no other function of the program, whatever its type is: functions are called
// through pointers of other types, too.
func (l *program) anyCallee(e *effects) {
	for _, g := range l.order {
		if g.addrTaken && g.def != nil {
			e.callees = append(e.callees, g)
		}
	}
}

// summarise computes the effects of every function, calls included: the least fixpoint over the
// call graph. Callees come before callers where possible, so few rounds are needed. The sets only
// grow and the variables are finitely many, so the loop ends. For
//
//	void f(void) { g++; h(); }      f: reads g, writes g k
//	void h(void) { k = 1; f(); }    h: reads g, writes g k
//
// the first round adds each to the other, and the second finds nothing new.
func (l *program) summarise(bodies []*functionLowerer) {
	// 1. The effects of the bodies themselves.
	for _, b := range bodies {
		b.fn.effects = b.directEffects(b.fn.def.CompoundStatement)
		b.fn.effects.callees = distinct(b.fn.effects.callees)
	}
	// 2. Add those of the callees until nothing changes.
	order := bottomUp(l.defined)
	for changed := true; changed; {
		changed = false
		for _, f := range order {
			for _, g := range f.effects.callees {
				changed = f.effects.add(g.effects) || changed
			}
		}
	}
}

// distinct returns list without repetitions, each function where it is first.
func distinct(list []*function) (out []*function) {
	seen := map[*function]bool{}
	for _, f := range list {
		if !seen[f] {
			seen[f] = true
			out = append(out, f)
		}
	}
	return out
}

// bottomUp returns the functions reachable from list so that callees precede their callers, cycles
// aside: the postorder of a depth-first search, with a stack of its own.
func bottomUp(list []*function) (order []*function) {
	// An explicit stack, since chains of calls may be long.
	type frame struct {
		f    *function
		next int // callee to visit next
	}
	seen := map[*function]bool{}
	for _, root := range list {
		if seen[root] {
			continue
		}
		seen[root] = true
		for stack := []frame{{root, 0}}; len(stack) > 0; {
			top := &stack[len(stack)-1]
			// All callees are in the order: so is the function.
			if top.next == len(top.f.effects.callees) {
				order = append(order, top.f)
				stack = stack[:len(stack)-1]
				continue
			}
			g := top.f.effects.callees[top.next]
			top.next++
			if !seen[g] {
				seen[g] = true
				stack = append(stack, frame{g, 0})
			}
		}
	}
	return order
}
