package slic

import (
	"slices"

	"c2bp/frontend/core"
	"c2bp/frontend/core/splice"
	"c2bp/source"
)

// This file finds the events in a procedure.

// args returns the arguments of a for a call with these, and the result.
func (a *action) args(given []core.Expr, result core.Expr) (list []core.Expr) {
	for _, i := range a.params {
		list = append(list, given[i])
	}
	if a.result {
		list = append(list, result)
	}
	return list
}

// around returns the nodes of a list of actions for a call, before it and after it. given are its arguments, and result is
// its result, nil if that is not known: no action reads it then. Arguments that the call may change are
// kept.
func (in *instrumenter) around(actions []*action, given []core.Expr, result core.Expr, kept func(core.Expr) bool, pos source.Pos) (before, after []*core.Node) {
	given = slices.Clone(given)
	// 1. Keep the values that actions after the call read.
	for _, a := range actions {
		for _, i := range a.params {
			if a.exit && !kept(given[i]) {
				var n *core.Node
				given[i], n = in.saved(given[i], pos)
				before = splice.Chain(before, []*core.Node{n})
			}
		}
	}
	// 2. The actions, in the order of the rules.
	for _, a := range actions {
		if a.exit {
			after = splice.Chain(after, in.body(a, a.args(given, result), pos))
		} else {
			before = splice.Chain(before, in.body(a, a.args(given, result), pos))
		}
	}
	return before, after
}

// keeps reports whether e has the same value after a call that stores its result in lhs: it reads no
// memory, no global, and not lhs.
func keeps(e core.Expr, lhs core.Loc) bool {
	same := true
	core.Walk(e, func(e core.Expr) bool {
		switch e := e.(type) {
		case *core.Mem:
			same = false
		case *core.VarRef:
			v, isVar := lhs.(*core.VarRef)
			same = same && e.Var.Kind != core.Global && !e.Var.InMemory() && !(isVar && v.Var == e.Var)
		}
		return same
	})
	return same
}

// wantsResult reports whether an action after a call of f reads the result.
func (in *instrumenter) wantsResult(f *core.Proc) bool {
	return slices.ContainsFunc(in.calls[f.Name], func(a *action) bool { return a.result })
}

// outside puts actions around the calls of functions without a body.
func (in *instrumenter) outside() {
	e := &splice.Edit{}
	for i, n := range in.proc.Nodes {
		c, ok := n.Stmt.(*core.Call)
		// What a function does before it calls back, Caller says, is no call of its own.
		if !ok || c.Callee == nil || c.Callee.HasBody() || n.Caller != nil || len(in.calls[c.Callee.Name]) == 0 {
			continue
		}
		f := c.Callee
		// 1. The result, as the function returns it.
		var result core.Expr
		var deliver []*core.Node
		if in.wantsResult(f) {
			result = in.result(c, &deliver, n.Pos)
		}
		lhs := c.Lhs
		before, after := in.around(in.calls[f.Name], slices.Concat(c.Args, c.Extra), result, func(e core.Expr) bool { return keeps(e, lhs) }, n.Pos)
		// 2. Before the call, and before the calls that it makes of functions that it is given.
		start, from := in.callStart(i, c)
		for _, d := range deliver[:max(0, len(deliver)-1)] {
			before = splice.Chain(before, []*core.Node{d})
		}
		e.Before(start, before, from)
		e.After(i, after)
		if len(deliver) > 0 {
			e.After(i, deliver[len(deliver)-1:])
		}
	}
	e.Apply(in.proc)
}

// result returns the value that c returns. If it is stored elsewhere than in a variable of the procedure, it
// is stored in a temporary first; the last node of deliver then is an assignment for after the call, and those
// before it keep the values that the address of the destination is computed from, for before the call.
func (in *instrumenter) result(c *core.Call, deliver *[]*core.Node, pos source.Pos) core.Expr {
	v, isVar := c.Lhs.(*core.VarRef)
	if isVar && c.ResultConv == nil && v.Var.Kind != core.Global && !v.Var.InMemory() {
		return v
	}
	t := in.temp(&core.Var{Type: c.Callee.RetType})
	if lhs := c.Lhs; lhs != nil {
		// The address of the destination is taken before the call.
		if m, ok := lhs.(*core.Mem); ok {
			lhs = m.At(in.savedAddress(m.Addr, deliver, pos))
		}
		var value core.Expr = t.Ref()
		if c.ResultConv != nil {
			value = &core.Conv{X: value, To: *c.ResultConv}
		}
		*deliver = append(*deliver, &core.Node{Stmt: &core.Assign{Lhs: []core.Loc{lhs}, Rhs: []core.Expr{value}}, Succ: []int{1}, Pos: pos})
	}
	c.Lhs, c.ResultConv = t.Ref(), nil
	return t.Ref()
}

// savedAddress returns an expression that has the value of the address e, also after a call that stores its
// result there. Nodes that keep the pointers and indices that the call may change are appended to nodes. The
// members and elements that e is the address of stay in the expression: by them it is known which type of object
// the place is in.
func (in *instrumenter) savedAddress(e core.Expr, nodes *[]*core.Node, pos source.Pos) core.Expr {
	// 1. Nothing changes it.
	if keeps(e, nil) {
		return e
	}
	// 2. A member or an element: it is where the object is, and its index says.
	switch x := e.(type) {
	case *core.Offset:
		y := *x
		y.X = in.savedAddress(x.X, nodes, pos)
		return &y
	case *core.Index:
		y := *x
		y.X, y.I = in.savedAddress(x.X, nodes, pos), in.savedAddress(x.I, nodes, pos)
		return &y
	}
	// 3. Any other value.
	t, n := in.saved(e, pos)
	*nodes = append(*nodes, n)
	return t
}

// callStart returns the node where the call at node i begins: itself, or the first loop in which the callee
// calls back a function that it is given. from tells the edges into that loop.
//
//	start: branch -> 1 4;  1: call f, Caller f;  2: …;  3: call *p, By f -> start;  4: skip;  i: call f
func (in *instrumenter) callStart(i int, c *core.Call) (start int, from func(int) bool) {
	start = i
	loops := map[int]bool{} // nodes that lead back
	for j := i - 1; j >= 0 && len(loops) < len(c.CalledBack); j-- {
		if b, ok := in.proc.Nodes[j].Stmt.(*core.Call); ok && b.By == c.Callee {
			start = in.proc.Nodes[j].Succ[0]
			loops[j] = true
		}
	}
	if start == i {
		return i, nil
	}
	return start, func(j int) bool { return !loops[j] }
}

// models puts actions around the nodes of models.
func (in *instrumenter) models() {
	// 1. A skip after each model, through which the edges out of its nodes lead.
	in.modelEnds()
	// 2. The actions.
	e := &splice.Edit{}
	in.eachModel(func(m *core.ModelCall, first, last int) {
		var result core.Expr
		if m.Result != nil && in.wantsResult(m.Func) {
			result = m.Result
		}
		before, after := in.around(in.calls[m.Func.Name], m.Args, result, func(x core.Expr) bool { return keeps(x, m.Result) }, in.proc.Nodes[first].Pos)
		e.Before(first, before, func(j int) bool { return j < first || j >= last })
		e.After(last, after)
	})
	e.Apply(in.proc)
}

// modelEnds puts a node after the nodes of each model, which all edges out of them lead to. These edges have one target,
// which need not be the next node: a model at the end of a loop leads back to its head, one at the end of a branch
// past the other branch.
func (in *instrumenter) modelEnds() {
	// 1. Where the edges out of each model lead, by the index of its last node.
	nodes := in.proc.Nodes
	ends := map[int]*core.Node{}
	begin := map[int]int{}
	in.eachModel(func(_ *core.ModelCall, first, last int) {
		ends[last-1] = &core.Node{Stmt: &core.Skip{}, Pos: nodes[first].Pos}
		begin[last-1] = first
	})
	if len(ends) == 0 {
		return
	}
	// 2. New indices: a node moves by the number of skips before it.
	place := make([]int, len(nodes))
	n := 0
	for i := range nodes {
		place[i] = n
		n++
		if ends[i] != nil {
			n++
		}
	}
	// 3. The list.
	list := make([]*core.Node, 0, n)
	for i, x := range nodes {
		for k, t := range x.Succ {
			x.Succ[k] = place[t]
		}
		list = append(list, x)
		end := ends[i]
		if end == nil {
			continue
		}
		list = append(list, end)
		for j := begin[i]; j <= i; j++ {
			for k, t := range nodes[j].Succ {
				if t >= place[begin[i]] && t <= place[i] {
					continue
				}
				if end.Succ != nil && end.Succ[0] != t {
					panic("slic: the body of a model leads to two places")
				}
				end.Succ, nodes[j].Succ[k] = []int{t}, place[i]+1
			}
		}
		if end.Succ == nil { // no call comes back
			end.Succ = []int{place[i] + 2}
		}
	}
	in.proc.Nodes = list
}

// eachModel calls do with each call of a model at which something is done, and its nodes from first up to,
// not including, last.
func (in *instrumenter) eachModel(do func(m *core.ModelCall, first, last int)) {
	nodes := in.proc.Nodes
	for i := 0; i < len(nodes); {
		m := nodes[i].Model
		first := i
		for i++; m != nil && i < len(nodes) && nodes[i].Model == m; i++ {
		}
		// The body of a procedure that stands for the function has the events at its ends.
		if m != nil && len(in.calls[m.Func.Name]) > 0 && in.proc != m.Func {
			do(m, first, i)
		}
	}
}

// labels puts actions at labels.
func (in *instrumenter) labels() {
	e := &splice.Edit{}
	for i, n := range in.proc.Nodes {
		for _, r := range in.rules {
			for _, a := range r.actions {
				if a.label != "" && slices.Contains(n.Labels, a.label) {
					e.Before(i, in.body(a, nil, n.Pos), nil)
				}
			}
		}
	}
	e.Apply(in.proc)
}

// atEnd returns the actions at the end of the program.
func (in *instrumenter) atEnd(pos source.Pos) (list []*core.Node) { return in.atPoint("end", pos) }

// atPoint returns the actions at a point of the program.
func (in *instrumenter) atPoint(point string, pos source.Pos) (list []*core.Node) {
	for _, r := range in.rules {
		for _, a := range r.actions {
			if a.point == point {
				list = splice.Chain(list, in.body(a, nil, pos))
			}
		}
	}
	return list
}

// ends puts the actions of the end of the program before calls of functions that end it.
func (in *instrumenter) ends() {
	e := &splice.Edit{}
	for i, n := range in.proc.Nodes {
		if c, ok := n.Stmt.(*core.Call); ok && c.Callee != nil && !c.Callee.HasBody() {
			switch c.Callee.CName {
			case "exit", "_exit", "_Exit", "quick_exit":
				e.Before(i, in.atEnd(n.Pos), nil)
			}
		}
	}
	e.Apply(in.proc)
}

// inside puts actions into a procedure with a body: at its first node and before its return.
func (in *instrumenter) inside() {
	q := in.proc
	if len(in.calls[q.Name]) == 0 {
		return
	}
	var given []core.Expr
	for _, v := range q.Formals {
		switch v.Type.(type) {
		case core.Int, core.Ptr:
			given = append(given, v.Ref())
		default:
			given = append(given, nil)
		}
	}
	// Formals that change have their values on entry in temporaries.
	changed := map[*core.Var]bool{}
	for _, n := range q.Nodes {
		for _, l := range core.Destinations(n.Stmt) {
			if v, ok := l.(*core.VarRef); ok {
				changed[v.Var] = true
			}
		}
	}
	kept := func(e core.Expr) bool {
		v := e.(*core.VarRef).Var
		return !v.InMemory() && !changed[v]
	}
	var result core.Expr
	if q.Result != nil {
		result = q.Result.Ref()
	}
	before, after := in.around(in.calls[q.Name], given, result, kept, q.Pos)
	in.begin()
	e := &splice.Edit{}
	e.Before(0, before, nil)
	e.Before(q.Exit(), after, nil)
	e.Apply(q)
}

// start puts the initial values of the rules' state at the start of the program.
func (in *instrumenter) start() {
	in.begin()
	var init []*core.Node
	for _, r := range in.rules {
		for _, a := range r.actions {
			if a.point == "init" {
				init = splice.Chain(init, in.body(a, nil, in.prog.Entry.Pos))
			}
		}
	}
	e := &splice.Edit{}
	e.Before(0, init, nil)
	e.Apply(in.proc)
}

// finish puts the actions of the end of the program before the return of the entry.
func (in *instrumenter) finish() {
	in.begin()
	e := &splice.Edit{}
	e.Before(in.proc.Exit(), in.atEnd(in.proc.Nodes[in.proc.Exit()].Pos), nil)
	e.Apply(in.proc)
}
