package alias

import (
	"slices"

	"c2bp/frontend/core"
)

// This file makes visible what procedures without a body call because memory that they are given
// leads there. The front end has loops of calls for functions among the arguments; a function
// in a structure is only known when it is known what points where:
//
//	c.set = set; reg(&c);
//
//	0: reg(&c) -> 1        0: branch                   -> 1 4
//	                       1: reg(&c)                  -> 2      what it does before
//	                       2: havoc $r0                -> 3
//	                       3: set($r0)                 -> 0
//	                       4: skip                     -> 5
//	                       5: reg(&c)                  -> ...
//
// Followed is the memory of the program, through any number of pointers. What is stored outside,
// or was given earlier, the ledger says is not called. Each such call may let more functions be
// known, so that they are looked for until there are no more.

// callbacks are the procedures that each call of one without a body calls, besides those that
// the front end knows of.
type callbacks map[*core.Call][]*core.Proc

// analyzeCallbacks analyses p with the calls from outside that it leads to.
func analyzeCallbacks(p *core.Program, m mutation) (*Result, callbacks) {
	back := callbacks{}
	for {
		s := newSolver(p, m)
		s.back = back
		r := s.analyze()
		if p.Callbacks != core.CallbacksNow || p.CallsBack || m == neverBack || !r.addCallbacks(back) {
			return r, back
		}
	}
}

// addCallbacks adds to back what r's program calls from outside, and reports whether there is more
// than before.
func (r *Result) addCallbacks(back callbacks) (more bool) {
	for _, p := range r.prog.Procs {
		for _, n := range p.Nodes {
			c, ok := n.Stmt.(*core.Call)
			if !ok || n.Caller != nil || n.Model != nil || c.By != nil || !r.mayCallBack(c) {
				continue
			}
			for _, f := range r.ledTo(c) {
				if !slices.Contains(back[c], f) {
					back[c] = append(back[c], f)
					more = true
				}
			}
		}
	}
	return more
}

// mayCallBack reports whether c may be a call of a procedure without a body that calls back.
func (r *Result) mayCallBack(c *core.Call) bool {
	if c.Callee != nil {
		return callsBack(c.Callee)
	}
	list, unknown := r.targets(c)
	return unknown || slices.ContainsFunc(list, callsBack)
}

func callsBack(f *core.Proc) bool { return !f.HasBody() && !f.Quiet && !f.Assembly }

// ledTo are the procedures with bodies that c leads to, in the order of the program: in memory, and
// among its arguments but for those that other nodes call back.
func (r *Result) ledTo(c *core.Call) (list []*core.Proc) {
	w := &walker{r: r, seen: bitset{}, inside: true}
	for i, a := range slices.Concat(c.Args, c.Extra) {
		if a == nil {
			continue
		}
		if set := r.eval(a); slices.Contains(c.CalledBack, i) {
			w.data(set)
		} else {
			w.set(set)
		}
	}
	w.run()
	for _, p := range r.solver.escapedProcs { // what c is given is known outside
		if p.HasBody() && w.seen.has(int(r.solver.function[p])) {
			list = append(list, p)
		}
	}
	slices.SortFunc(list, func(p, q *core.Proc) int { return int(r.solver.function[p] - r.solver.function[q]) })
	return list
}

// data is set without the procedures in it.
func (w *walker) data(set setID) {
	for _, a := range w.r.solver.sets.lists[set] {
		if o := w.r.solver.addresses[a].object; w.r.solver.objects[o].Kind != Function && !w.r.solver.isOutside(w.r.solver.addresses[a]) {
			w.object(o)
		}
	}
}

// calledFrom lets what c passes to a procedure without a body, and anything else from outside,
// flow to the procedures that it calls back.
func (s *solver) calledFrom(c *callSite) {
	for _, f := range s.back[c.stmt] {
		s.callBack(f)
		for _, v := range f.Formals {
			if _, pointer := v.Type.(core.Ptr); !pointer {
				continue
			}
			for _, a := range slices.Concat(c.args, c.extra) {
				s.assign(v.Ref(), s.move(a, move{mode: mix}))
			}
		}
	}
}

// mostGiven bounds the values of each kind that a callback is passed as they were given.
const mostGiven = 4

// back adds to x, behind its node from, the loop in which d, a call of a procedure without a body,
// calls what back says of c, and returns the index of its last node.
func (r *resolver) back(x *expansion, from int, c, d *core.Call) int {
	list := r.callbacks[c]
	if d.Callee == nil || len(list) == 0 || !callsBack(d.Callee) {
		return from
	}
	loop := x.arm(from, &core.Branch{})
	x.nodes[loop].Free, x.nodes[loop].Caller = true, d.Callee
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

// passed adds nodes that choose what the procedure called by d passes for formal v, and returns
// that and the last node.
func (r *resolver) passed(x *expansion, from int, d *core.Call, v *core.Var) (core.Expr, int) {
	switch t := v.Type.(type) {
	case core.Agg:
		w := r.temp(t)
		at := &core.AddrOf{Var: w, Typ: r.pointer()}
		return at, x.arm(from, &core.Fill{Dst: at, Size: core.NewConst(t.Size, core.Uint64), Why: arbitraryArgument})
	case core.Int, core.Ptr:
		w := r.temp(t)
		given := givenLike(d, v)
		any := &core.Havoc{Locs: []core.Loc{w.Ref()}, Why: arbitraryArgument}
		if len(given) == 0 {
			any.Why = core.CallbackInput
			from = x.arm(from, any)
			x.nodes[from].Caller = d.Callee
			return w.Ref(), from
		}
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
		to = declaredRecord(e.Var)
	}
	return to != nil && v.To != nil && to != v.To
}

// givenLike are the arguments of d that may be passed as v: pointers, or numbers.
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
