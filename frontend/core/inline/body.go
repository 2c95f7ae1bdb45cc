package inline

import (
	"fmt"

	"c2bp/frontend/core"
)

// This file copies a body.

// Check reports why calls of p cannot be replaced by its body; nil if they can. It does not look at
// recursion through other procedures.
func Check(p *core.Proc) error {
	switch {
	case !p.HasBody():
		return fmt.Errorf("%s has no body", p.Name)
	case p.Variadic != nil:
		return fmt.Errorf("%s reads its variable arguments", p.Name)
	}
	// A struct is copied by a Copy, which needs a size.
	if p.Result != nil && unsized(p.Result.Type) {
		return fmt.Errorf("%s returns an object of unknown size", p.Name)
	}
	for _, f := range p.Formals {
		if unsized(f.Type) {
			return fmt.Errorf("%s is given an object of unknown size", p.Name)
		}
	}
	// Statements that cannot be copied: objects that end with the activation, and recursion.
	for _, n := range p.Nodes {
		switch s := n.Stmt.(type) {
		case *core.Alloc:
			if s.Stack {
				return fmt.Errorf("%s has an object whose life ends with it", p.Name)
			}
		case *core.Call:
			if s.Callee == p {
				return fmt.Errorf("%s calls itself", p.Name)
			}
		}
	}
	return nil
}

// unsized reports whether t is an aggregate of unknown size. Opaque types are not meant: their
// values are not copied but made arbitrary.
func unsized(t core.Type) bool {
	_, isAgg := t.(core.Agg)
	return isAgg && core.Bytes(t) == 0
}

// Body returns the nodes that replace a call of p with these arguments; successors count from the
// first of them, and len(nodes) is the node after the call. There may be none. The arguments have
// the types of the formals (see [core.Call]) and dst, unless it is nil, that of the result. For
// each variable that it needs it calls fresh, which declares one like the one given; that is the
// procedure's, but for the type where it stands for another value. Check(p) must be nil.
func Body(p *core.Proc, args []core.Expr, dst core.Loc, fresh func(like *core.Var) *core.Var) []*core.Node {
	return (&copier{proc: p, args: args, dst: dst, fresh: fresh}).body()
}

// copier makes one copy of a body.
type copier struct {
	proc        *core.Proc
	args        []core.Expr
	dst         core.Loc
	fresh       func(*core.Var) *core.Var
	keepChoices bool // see graph.keepChoices

	values  map[*core.Var]core.Expr // replacements of formals
	vars    map[*core.Var]*core.Var // replacements of other variables
	result  core.Loc                // replacement of the result; nil if that is a variable
	merged  *core.Var               // the local that is replaced by the destination, too
	made    map[*core.Var]bool      // see newObjects
	prefix  []core.Stmt             // statements before the copy
	suffix  []core.Stmt             // statements after the copy
	assigns map[*core.Var]bool      // variables that the body writes by name
}

// body makes the copy.
func (c *copier) body() []*core.Node {
	// 1. Bring the procedure into a simpler form.
	c.separateResult()
	c.dropResult()
	// 2. Collect the variables that the body writes.
	c.values, c.vars = map[*core.Var]core.Expr{}, map[*core.Var]*core.Var{}
	c.assigns, c.made = map[*core.Var]bool{}, newObjects(c.proc)
	for _, n := range c.proc.Nodes {
		for _, v := range written(n.Stmt) {
			c.assigns[v] = true
		}
	}
	// 3. Decide the replacements of the result, the formals and the locals, in this order: an
	// argument must not change when the destination is written.
	c.placeResult()
	c.placeArguments()
	c.placeLocals()
	return c.copy()
}

// separateResult gives the procedure a result variable of its own if it returns a formal, as strcpy
// does: the argument could take the place of the formal, and the destination that of the result,
// but not both of one variable. c.proc becomes a copy.
func (c *copier) separateResult() {
	f := c.proc.Result
	if f == nil || f.Kind != core.Formal {
		return
	}
	if _, scalar := core.Word(f.Type); !scalar {
		return
	}
	p := *c.proc
	p.Result = &core.Var{Name: `\result`, Type: f.Type, Kind: core.Local, Proc: c.proc, Pos: p.Pos}
	// The new node takes the index of the return, so that the edges to it lead to the assignment.
	exit := p.Exit()
	set := &core.Node{Stmt: &core.Assign{Lhs: []core.Loc{p.Result.Ref()}, Rhs: []core.Expr{f.Ref()}}, Succ: []int{exit + 1}}
	p.Nodes = append(append([]*core.Node(nil), p.Nodes[:exit]...), set, p.Nodes[exit])
	c.proc = &p
}

// dropResult leaves out the assignments to the result if the caller does not use it. They become
// skips, so that the other nodes keep their indices. c.proc becomes a copy.
func (c *copier) dropResult() {
	r := c.proc.Result
	if r == nil || c.dst != nil || r.InMemory() {
		return
	}
	p := *c.proc
	p.Nodes = nil
	for _, n := range c.proc.Nodes {
		// The body reads the result: keep it.
		if uses(n.Stmt, r) {
			return
		}
		if a, ok := n.Stmt.(*core.Assign); ok && len(a.Lhs) == 1 {
			if v, isVar := a.Lhs[0].(*core.VarRef); isVar && v.Var == r {
				m := *n
				m.Stmt = &core.Skip{}
				n = &m
			}
		}
		p.Nodes = append(p.Nodes, n)
	}
	c.proc = &p
}

// variable returns the caller's variable in the place of v, a variable of the body. The first time
// that v is met, it is declared.
func (c *copier) variable(v *core.Var) *core.Var {
	if v.Kind == core.Global {
		return v
	}
	w := c.vars[v]
	if w == nil {
		w = c.fresh(v)
		c.vars[v] = w
	}
	return w
}

// placeResult decides the replacement of the result: the destination of the call or, if it may not
// be written early, a variable that is stored there at the end.
//
//	x = abs(x);      int abs(int n) { int r = n; if (n < 0) r = -n; return r; }
//
// Here r is not x, since the argument mentions x; but \result is, since nothing happens after it is
// set.
func (c *copier) placeResult() {
	r := c.proc.Result
	if r == nil || c.dst == nil {
		return
	}
	// 1. A result that is no scalar is made arbitrary, or copied, at the end.
	if _, isOpaque := r.Type.(core.Opaque); isOpaque {
		c.suffix = append(c.suffix, &core.Havoc{Locs: []core.Loc{c.dst}})
		return
	}
	if _, scalar := core.Word(r.Type); !scalar {
		// The destination of an aggregate is always a Mem, see core.Call.
		m := c.dst.(*core.Mem)
		c.suffix = append(c.suffix, &core.Copy{Dst: c.fixed(m.Addr, c.changedAnywhere), Src: address(c.variable(r), m.Addr),
			Size: sizeOf(r.Type, m.Addr)})
		return
	}
	// 2. The address of the destination is evaluated before the call.
	if m, ok := c.dst.(*core.Mem); ok {
		before := func(n *core.Node) bool { return c.changes(n.Stmt, m.Addr) }
		c.dst = m.At(c.fixed(m.Addr, before))
	}
	// 3. A destination that nobody reads before, or that is set last, takes the place of the
	// result.
	switch last := c.resultIsLast(); {
	// With an address it must be a variable of its own; where the body reads or returns it unset,
	// it is arbitrary, and not the old value of the destination.
	case r.AddrTaken || usedUnset(c.proc.Nodes, r, true):
	case c.nobodyKnows(c.dst):
		c.result = c.dst
		if last {
			c.merge()
		}
		return
	case last:
		c.result = c.dst
		return
	}
	c.suffix = append(c.suffix, &core.Assign{Lhs: []core.Loc{c.dst}, Rhs: []core.Expr{c.variable(r).Ref()}})
}

// fixed returns e, evaluated by the caller before the call, such that no node that satisfies
// changed affects it: e itself if there is no such node, else a variable that holds its value.
func (c *copier) fixed(e core.Expr, changed func(*core.Node) bool) core.Expr {
	for _, n := range c.proc.Nodes {
		if changed(n) {
			return c.saved(e)
		}
	}
	return e
}

// saved returns a new variable that is set to e before the body.
func (c *copier) saved(e core.Expr) core.Expr {
	t := c.fresh(&core.Var{Name: "value", Type: e.Type(), Kind: core.Temp, Proc: c.proc, Pos: c.proc.Pos})
	c.prefix = append(c.prefix, &core.Assign{Lhs: []core.Loc{t.Ref()}, Rhs: []core.Expr{e}})
	return t.Ref()
}

// changedAnywhere reports whether n may change the address of the destination.
func (c *copier) changedAnywhere(n *core.Node) bool { return c.changes(n.Stmt, c.dst.(*core.Mem).Addr) }

// changes reports whether s, of the body, may change the value of the caller's expression e. Since
// a write of the result may be one of the destination, placeResult comes before placeArguments.
func (c *copier) changes(s core.Stmt, e core.Expr) bool {
	// 1. Memory that e reads: any write to memory that was there before, or to a destination in
	// memory.
	if len(core.Loads(e)) > 0 && (c.writesOld(s) || c.writesResult(s) && inMemory(c.dst)) {
		return true
	}
	// 2. Variables that e mentions: written by name, by a call if global, or as the destination.
	_, calls := s.(*core.Call)
	return core.Mentions(e, func(v *core.Var) bool {
		if v.Kind == core.Global && calls {
			return true
		}
		for _, w := range written(s) {
			if w == v {
				return true
			}
		}
		d, isVar := c.result.(*core.VarRef)
		return isVar && d.Var == v && c.writesResult(s)
	})
}

// writesOld reports whether s may change memory that was there before the call.
func (c *copier) writesOld(s core.Stmt) bool { return writesMemory(s) && !writesOnly(s, c.made) }

// inMemory reports whether l lives in memory.
func inMemory(l core.Loc) bool {
	v, ok := l.(*core.VarRef)
	return !ok || v.Var.InMemory()
}

// writesResult reports whether s writes a variable that the destination stands for: then the copy
// of s writes the destination.
func (c *copier) writesResult(s core.Stmt) bool {
	for _, w := range written(s) {
		if c.isResult(w) {
			return true
		}
	}
	return false
}

// resultIsLast reports whether nothing happens after the result is set, and nothing reads it: so
// the destination may be written there, even if the body reads it before.
func (c *copier) resultIsLast() bool {
	r, nodes := c.proc.Result, c.proc.Nodes
	for i, n := range nodes {
		if uses(n.Stmt, r) {
			return false
		}
		sets := false
		for _, v := range written(n.Stmt) {
			sets = sets || v == r
		}
		if !sets {
			continue
		}
		// All nodes after the assignment must do nothing.
		for j, reached := range reachableFrom(nodes, i) {
			if reached && j < len(nodes) && !isQuiet(nodes[j].Stmt) {
				return false
			}
		}
	}
	return true
}

// isQuiet reports whether s does nothing.
func isQuiet(s core.Stmt) bool {
	switch s.(type) {
	case *core.Skip, *core.Return:
		return true
	}
	return false
}

// nobodyKnows reports whether l is a variable that neither an argument nor the body reads,
// so that it may be written at any time.
func (c *copier) nobodyKnows(l core.Loc) bool {
	d, isVar := l.(*core.VarRef)
	if !isVar || d.Var.InMemory() {
		return false
	}
	for _, a := range c.args {
		if a != nil && core.Mentions(a, func(v *core.Var) bool { return v == d.Var }) {
			return false
		}
	}
	if d.Var.Kind != core.Global {
		return true
	}
	for _, n := range c.proc.Nodes {
		if _, calls := n.Stmt.(*core.Call); calls || uses(n.Stmt, d.Var) || c.assigns[d.Var] {
			return false
		}
	}
	return true
}

// merge finds a local variable that is returned, and that the destination may stand for from the
// start:
//
//	c = dup(s);     q = malloc(8); memcpy(q, s, 8); return q;
//
// Here q becomes c, and the assignment of q to the result is left out. The destination must be one
// that nobody knows, since q is set early, and the result must be set last, since q is not read
// after that.
func (c *copier) merge() {
	for _, n := range c.proc.Nodes {
		if v := c.returned(n.Stmt); v != nil && !usedUnset(c.proc.Nodes, v, false) {
			c.merged = v
			return
		}
	}
}

// returned returns the local variable v if s is \result := v, else nil. A Logical variable does not
// count: the destination may hold other values than 0 and 1.
func (c *copier) returned(s core.Stmt) *core.Var {
	a, ok := s.(*core.Assign)
	if !ok || len(a.Lhs) != 1 {
		return nil
	}
	l, isVar := a.Lhs[0].(*core.VarRef)
	r, reads := a.Rhs[0].(*core.VarRef)
	if !isVar || !reads || l.Var != c.proc.Result || r.Var.InMemory() || r.Var.Logical || r.Var.Kind != core.Local && r.Var.Kind != core.Temp {
		return nil
	}
	return r.Var
}

// placeArguments decides the replacements of the formals: the argument itself, if it has the same
// value wherever the body reads the formal, or else a variable.
//
//	put(p, q->n)     void put(struct s *a, int v) { a->n = v; log(v); }
//
// Here p takes the place of a. But q->n must be kept in a variable: if q is p, log(q->n) would be
// given the new value.
func (c *copier) placeArguments() {
	for i, f := range c.proc.Formals {
		a := c.args[i]
		if _, scalar := core.Word(f.Type); !scalar {
			c.placeAggregate(f, a)
			continue
		}
		// A formal that the body changes, or that has an address, is a variable in any case.
		if !f.InMemory() && !c.assigns[f] && !c.changedBeforeUse(f, a) {
			c.values[f] = a
			continue
		}
		v := c.variable(f)
		c.begin(v)
		c.prefix = append(c.prefix, &core.Assign{Lhs: []core.Loc{v.Ref()}, Rhs: []core.Expr{a}})
	}
}

// placeAggregate copies an argument that is no scalar: a is the address of a struct, or nil for an
// opaque formal, whose contents stay arbitrary.
func (c *copier) placeAggregate(f *core.Var, a core.Expr) {
	v := c.variable(f)
	c.begin(v)
	if _, isAgg := f.Type.(core.Agg); isAgg && core.Bytes(f.Type) > 0 {
		c.prefix = append(c.prefix, &core.Copy{Dst: address(v, a), Src: a, Size: sizeOf(f.Type, a)})
	}
}

// address returns the address of v, of the type of pointer that p is.
func address(v *core.Var, p core.Expr) core.Expr {
	return &core.AddrOf{Var: v, Typ: p.Type().(core.Ptr)}
}

// sizeOf returns the size of t as a number as wide as the pointer p.
func sizeOf(t core.Type, p core.Expr) core.Expr {
	return core.NewConst(core.Bytes(t), p.Type().(core.Ptr).Word())
}

// begin starts the life of a variable that lives in memory, so that its contents of the last time
// that the body was executed do not remain. For other variables it does nothing.
func (c *copier) begin(v *core.Var) {
	if _, isOpaque := v.Type.(core.Opaque); isOpaque && !v.AddrTaken || !v.InMemory() {
		return
	}
	c.prefix = append(c.prefix, &core.Havoc{Locs: []core.Loc{v.Ref()}, Begin: true})
}

// changedBeforeUse reports whether a cannot be evaluated where the body reads f: the body may
// change its value before, or may not evaluate it although that may be undefined.
func (c *copier) changedBeforeUse(f *core.Var, a core.Expr) bool {
	// 1. Find the nodes that read f.
	var users []int
	for i, n := range c.proc.Nodes {
		if uses(n.Stmt, f) {
			users = append(users, i)
		}
	}
	// 2. An argument that may be undefined must be evaluated in any case, which conditions do not.
	if !isSimple(a) && c.usedInCondition(f) {
		return true
	}
	for i, n := range c.proc.Nodes {
		// 3. No node that changes a may reach one of them.
		if len(users) == 0 || !c.changes(n.Stmt, a) {
			continue
		}
		// The node itself counts only if it is in a loop: it evaluates a before it writes.
		after := reachableFrom(c.proc.Nodes, i)
		for _, u := range users {
			if after[u] {
				return true
			}
		}
	}
	return false
}

// isSimple reports whether the value of e is always defined.
func isSimple(e core.Expr) bool {
	for {
		switch x := e.(type) {
		case *core.Const, *core.AddrOf, *core.FuncAddr:
			return true
		case *core.VarRef:
			return true
		case *core.Conv:
			e = x.X
		case *core.ToPtr:
			e = x.X
		default:
			return false
		}
	}
}

// usedInCondition reports whether f occurs below &&, || or ?:.
func (c *copier) usedInCondition(f *core.Var) (found bool) {
	for _, n := range c.proc.Nodes {
		for _, e := range reads(n.Stmt) {
			// The left side counts, too, though it is always evaluated.
			core.Walk(e, func(e core.Expr) bool {
				b, isBinary := e.(*core.Binary)
				_, isCond := e.(*core.Cond)
				if isCond || isBinary && b.Op.IsLogical() {
					found = found || core.Mentions(e, func(v *core.Var) bool { return v == f })
				}
				return !found
			})
		}
	}
	return found
}

// placeLocals makes the local variables arbitrary that may be read before they are set: the copy
// may be executed many times, and nothing else ends the lives of its variables.
func (c *copier) placeLocals() {
	for _, v := range c.proc.Locals {
		if c.isResult(v) || !c.mentioned(v) {
			continue
		}
		switch {
		case v.InMemory():
			c.begin(c.variable(v))
		case usedUnset(c.proc.Nodes, v, v == c.proc.Result && c.dst != nil):
			c.prefix = append(c.prefix, &core.Havoc{Locs: []core.Loc{c.variable(v).Ref()}, Begin: true})
		}
	}
}

// mentioned reports whether the body, or the call, uses v.
func (c *copier) mentioned(v *core.Var) bool {
	for _, n := range c.proc.Nodes {
		if uses(n.Stmt, v) {
			return true
		}
		for _, w := range written(n.Stmt) {
			if w == v {
				return true
			}
		}
	}
	return v == c.proc.Result && c.dst != nil
}

// copy copies the nodes, with the prefix and the suffix around them. The return is not copied:
// edges to it lead to the suffix, or to the end.
func (c *copier) copy() []*core.Node {
	g := &graph{keepChoices: c.keepChoices}
	for _, s := range c.prefix {
		g.append(s)
	}
	base, exit := len(g.nodes), c.proc.Exit()
	tail := base + exit
	for _, n := range c.proc.Nodes[:exit] {
		m := &core.Node{Stmt: c.stmt(n.Stmt), Pos: n.Pos, Text: n.Text, Origin: n.Origin, First: n.First, Free: n.Free, Ends: n.Ends}
		for _, s := range n.Succ {
			m.Succ = append(m.Succ, base+s) // base+exit is the suffix, or the end
		}
		g.nodes = append(g.nodes, m)
	}
	for i, s := range c.suffix {
		g.nodes = append(g.nodes, &core.Node{Stmt: s, Succ: []int{tail + i + 1}})
	}
	return g.tidy(c.own())
}

// own returns the set of variables that only the copy uses and that are not in memory: setting one
// that the copy does not read has no effect.
func (c *copier) own() map[*core.Var]bool {
	own := map[*core.Var]bool{}
	for _, v := range c.vars {
		own[v] = !v.InMemory()
	}
	return own
}
