package devirt

import (
	"slices"

	"c2bp/alias"
	"c2bp/frontend/core"
)

// This file makes variable arguments objects of the caller, so that analyses that know variables,
// memory and formals know the values of variable arguments, too:
//
//	proc sum(n int32)                      proc sum(n int32, \varargs ptr)
//	  local \varargs ... &
//	  variadic \varargs
//	  0: ap := &\varargs   -> 1              0: ap := \varargs               -> 1
//
//	0: r := sum(2; x, 5)   -> 1            0: havoc $r0 begin                -> 1
//	                                       1: *$r0, *($r0 + 8) := x, 5       -> 2
//	                                       2: r := sum(2, &$r0)              -> 3
//
// The object is as large as the arguments, so that reading more of them is undefined. It begins to
// live at each call: nothing of another call is in it.
//
// A procedure that runs start with keeps its variable arguments, as nothing in the program calls it
// with them; its formals are those of the C program.

// passExtra rewrites the procedures that read variable arguments, and the calls of them, which must
// be direct.
func (r *resolver) passExtra() {
	// 1. The procedures get a formal for the address.
	starts := alias.Starters(r.prog)
	taking := map[*core.Proc]bool{}
	for _, q := range r.prog.Procs {
		if q.Variadic != nil && !starts[q] && readsExtra(q) {
			taking[q] = true
			r.takeExtra(q)
		}
	}
	// 2. The calls pass it.
	if len(taking) == 0 {
		return
	}
	for _, q := range r.prog.Procs {
		r.procedure(q, func(n *core.Node) *expansion {
			if c, ok := n.Stmt.(*core.Call); ok && taking[c.Callee] {
				return r.giveExtra(n, c)
			}
			return nil
		})
	}
}

// readsExtra reports whether q takes the address of its variable arguments. One that does not is
// left as it is, so that its callers need no objects.
func readsExtra(q *core.Proc) (found bool) {
	for _, n := range q.Nodes {
		core.StmtExprs(n.Stmt, func(e core.Expr) {
			found = found || core.Mentions(e, func(v *core.Var) bool { return v == q.Variadic })
		})
	}
	return found
}

// takeExtra replaces the variable of q that holds its variable arguments by a last formal that
// points to them.
func (r *resolver) takeExtra(q *core.Proc) {
	old := q.Variadic
	v := &core.Var{Name: old.Name, Kind: core.Formal, Proc: q, Type: r.pointer(), Pos: old.Pos}
	// The address of the variable becomes the value of the formal.
	address := func(e core.Expr) core.Expr {
		if a, ok := e.(*core.AddrOf); ok && a.Var == old {
			return v.Ref()
		}
		return nil
	}
	for _, n := range q.Nodes {
		n.Stmt = core.ReplaceOperands(n.Stmt, func(e core.Expr) core.Expr { return core.Replace(e, address) })
	}
	q.Locals = slices.DeleteFunc(q.Locals, func(l *core.Var) bool { return l == old })
	q.Formals = append(q.Formals, v)
	q.Variadic = nil
}

// giveExtra returns the expansion of c, the call in node n, that passes the address of the variable
// arguments.
func (r *resolver) giveExtra(n *core.Node, c *core.Call) *expansion {
	before, list := r.storedExtra(c)
	d := *c
	d.Args = append(c.Args[:len(c.Args):len(c.Args)], list)
	d.Extra = nil
	x := &expansion{}
	x.arm(0, append(before, &d)...)
	for _, m := range x.nodes {
		m.Text = n.Text
	}
	return x
}

// storedExtra returns the statements that store the variable arguments of c, and the address of the
// object.
func (r *resolver) storedExtra(c *core.Call) ([]core.Stmt, core.Expr) {
	if c.By != nil { // nobody knows what it passes besides
		v := r.temp(r.pointer())
		return []core.Stmt{&core.Havoc{Locs: []core.Loc{v.Ref()}, Why: "variable arguments of a callback"}}, v.Ref()
	}
	// 1. Make an object whose lifetime begins here.
	v := r.temp(core.Agg{Name: "...", Size: alias.ExtraSlot * int64(max(1, len(c.Extra)))})
	v.Kind, v.AddrTaken = core.Local, true // the callee has its address
	address := &core.AddrOf{Var: v, Typ: r.pointer()}
	out := []core.Stmt{&core.Havoc{Locs: []core.Loc{v.Ref()}, Begin: true}}
	if len(c.Extra) == 0 { // nothing can be read past the object
		return out, slot(address, 1)
	}
	// 2. Store the arguments in their slots.
	stores := &core.Assign{}
	for i, e := range c.Extra {
		if e != nil {
			stores.Lhs = append(stores.Lhs, &core.Mem{Addr: slot(address, i), Typ: e.Type()})
			stores.Rhs = append(stores.Rhs, e)
		}
	}
	if len(stores.Lhs) > 0 {
		out = append(out, stores)
	}
	return out, address
}

// slot returns the address of variable argument i of those at list.
func slot(list core.Expr, i int) core.Expr {
	if i == 0 {
		return list
	}
	return &core.Offset{X: list, Off: alias.ExtraSlot * int64(i)}
}
