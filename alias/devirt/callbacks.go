package devirt

import (
	"slices"

	"c2bp/alias"
	"c2bp/frontend/core"
)

// This file adds the calls that a procedure without a body makes because memory that it is given leads
// to procedures of the program (see [alias.Callbacks]): a loop before the call.
//
//	c.set = set; reg(&c);
//
//	0: reg(&c) -> 1        0: branch                   -> 1 4
//	                       1: reg(&c)                  -> 2      what it does before
//	                       2: havoc $r0                -> 3
//	                       3: set($r0)                 -> 0
//	                       4: skip                     -> 5
//	                       5: reg(&c)                  -> ...

// mostGiven bounds the number of arguments of a call that it may pass to a callback as they are.
const mostGiven = 4

// callBack adds to x, after its node from, the loop in which d, the call of a procedure without a body
// that stands for c, calls the procedures that c calls back. It returns the index of the last node.
func (r *resolver) callBack(x *expansion, from int, c, d *core.Call) int {
	list := r.callbacks[c]
	if d.Callee == nil || len(list) == 0 || !alias.CallsBack(d.Callee) {
		return from
	}
	// 1. A branch that is left, or executes one of the callbacks.
	loop := x.arm(from, &core.Branch{})
	x.nodes[loop].Free, x.nodes[loop].Caller = true, d.Callee
	// 2. Before each callback, the procedure may have any of its effects.
	for _, f := range list {
		end := x.arm(loop, &core.Call{Callee: d.Callee, Args: d.Args, Extra: d.Extra, Through: d.Through})
		x.nodes[end].Caller = d.Callee
		call := &core.Call{Callee: f, RetType: f.RetType, By: d.Callee}
		for _, v := range f.Formals {
			var a core.Expr
			a, end = r.passed(x, end, d, v)
			call.Args = append(call.Args, a)
		}
		end = x.arm(end, call)
		x.nodes[end].Succ = []int{loop}
	}
	return x.arm(loop, &core.Skip{})
}

// passed adds nodes that choose an argument for formal v of a procedure that the callee of d calls,
// and returns the argument and the last node.
func (r *resolver) passed(x *expansion, from int, d *core.Call, v *core.Var) (core.Expr, int) {
	switch t := v.Type.(type) {
	// An arbitrary aggregate, by its address.
	case core.Agg:
		w := r.temp(t)
		at := &core.AddrOf{Var: w, Typ: r.pointer()}
		return at, x.arm(from, &core.Fill{Dst: at, Size: core.NewConst(t.Size, core.Uint64), Why: arbitraryArgument})
	case core.Int, core.Ptr:
		w := r.temp(t)
		given := givenLike(d, v)
		any := &core.Havoc{Locs: []core.Loc{w.Ref()}, Why: arbitraryArgument}
		// No argument fits: an arbitrary value.
		if len(given) == 0 {
			any.Why = core.CallbackInput
			from = x.arm(from, any)
			x.nodes[from].Caller = d.Callee
			return w.Ref(), from
		}
		// One of the arguments of d, or an arbitrary value.
		choice := x.arm(from, &core.Branch{})
		x.nodes[choice].Caller = d.Callee
		join := -1
		arm := func(s core.Stmt) *core.Node {
			n := x.arm(choice, s)
			if join < 0 {
				join = x.arm(n, &core.Skip{})
			}
			x.nodes[n].Succ = []int{join}
			return x.nodes[n]
		}
		for _, e := range given {
			arm(&core.Assign{Lhs: []core.Loc{w.Ref()}, Rhs: []core.Expr{converted(e, t)}}).Free = true
		}
		arm(any).Caller = d.Callee
		return w.Ref(), join
	}
	return nil, from
}

const arbitraryArgument = "an arbitrary argument"

// otherRecord reports whether e is declared to point to another struct or union than v.
func otherRecord(e core.Expr, v *core.Var) bool {
	var to *core.Record
	switch e := e.(type) {
	case *core.VarRef:
		to = e.Var.To
	case *core.AddrOf:
		if d := e.Var.Declared; d != nil && d.Count == 1 {
			to = d.Record
		}
	}
	return to != nil && v.To != nil && to != v.To
}

// givenLike returns the arguments of d that may be passed as v: pointers, or numbers.
func givenLike(d *core.Call, v *core.Var) (list []core.Expr) {
	t := v.Type
	i, number := t.(core.Int)
	if number && i.Float {
		return nil
	}
	for _, e := range slices.Concat(d.Args, d.Extra) {
		if e == nil || len(list) == mostGiven {
			continue
		}
		switch u := e.Type().(type) {
		// A pointer to data that is not declared to point to another struct.
		case core.Ptr:
			if _, function := e.(*core.FuncAddr); !number && !function && !core.IsNull(e) && !otherRecord(e, v) {
				list = append(list, e)
			}
		case core.Int:
			if number && !u.Float {
				list = append(list, e)
			}
		}
	}
	return list
}
