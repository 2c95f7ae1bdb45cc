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
		direct := r.calledDirectly(p)
		for _, n := range p.Nodes {
			c, ok := n.Stmt.(*core.Call)
			if !ok || n.Caller != nil || n.Model != nil || c.By != nil || !r.mayCallBack(c) {
				continue
			}
			for _, f := range r.ledTo(c) {
				if !slices.Contains(back[c], f) && !(r.isArgument(c, f) && direct[c.Callee][f]) {
					back[c] = append(back[c], f)
					more = true
				}
			}
		}
	}
	return more
}

// calledDirectly are the procedures that nodes of p call for procedures without a body already.
func (r *Result) calledDirectly(p *core.Proc) map[*core.Proc]map[*core.Proc]bool {
	out := map[*core.Proc]map[*core.Proc]bool{}
	for _, n := range p.Nodes {
		c, ok := n.Stmt.(*core.Call)
		if !ok || c.By == nil {
			continue
		}
		if out[c.By] == nil {
			out[c.By] = map[*core.Proc]bool{}
		}
		list := []*core.Proc{c.Callee}
		if c.Callee == nil {
			list, _ = r.targets(c)
		}
		for _, f := range list {
			out[c.By][f] = true
		}
	}
	return out
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

// ledTo are the procedures with bodies that the memory which c passes leads to, and those among
// its arguments, in the order of the program.
func (r *Result) ledTo(c *core.Call) (list []*core.Proc) {
	w := &walker{r: r, seen: bitset{}, inside: true}
	for _, a := range slices.Concat(c.Args, c.Extra) {
		if a != nil {
			w.set(r.eval(a))
		}
	}
	w.run()
	for i, o := range r.solver.objects {
		if o.Kind == Function && o.Proc.HasBody() && w.seen.has(i) {
			list = append(list, o.Proc)
		}
	}
	return list
}

// isArgument reports whether an argument of c may be f.
func (r *Result) isArgument(c *core.Call, f *core.Proc) bool {
	return slices.ContainsFunc(slices.Concat(c.Args, c.Extra), func(a core.Expr) bool {
		return a != nil && slices.ContainsFunc(r.solver.sets.lists[r.eval(a)], func(n int32) bool {
			return r.solver.objects[r.solver.addresses[n].object].Proc == f && r.solver.objects[r.solver.addresses[n].object].Kind == Function
		})
	})
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
		why := core.CallbackInput
		if len(given) > 0 {
			why = arbitraryArgument
		}
		from = x.arm(from, &core.Havoc{Locs: []core.Loc{w.Ref()}, Why: why})
		x.nodes[from].Caller = d.Callee
		if len(given) == 0 {
			return w.Ref(), from
		}
		choice := x.arm(from, &core.Branch{})
		x.nodes[choice].Caller = d.Callee
		end := x.arm(choice, &core.Skip{})
		join := x.arm(end, &core.Skip{})
		for _, e := range given {
			n := x.arm(choice, &core.Assign{Lhs: []core.Loc{w.Ref()}, Rhs: []core.Expr{converted(e, t)}})
			x.nodes[n].Free = true
			x.nodes[n].Succ = []int{join}
		}
		return w.Ref(), join
	}
	return nil, from
}

const arbitraryArgument = "an arbitrary argument"

// isNull reports whether e is a null pointer.
func isNull(e core.Expr) bool {
	p, ok := e.(*core.ToPtr)
	if !ok {
		return false
	}
	c, ok := p.X.(*core.Const)
	return ok && c.Val.Sign() == 0
}

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
			if _, function := e.(*core.FuncAddr); !number && !function && !isNull(e) && !otherRecord(e, v) {
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
