package extents

import (
	"slices"
	"strings"

	"c2bp/alias"
	"c2bp/alias/devirt"
	"c2bp/frontend/checks"
	"c2bp/frontend/core"
	"c2bp/frontend/core/splice"
)

// This file asserts that no local variable is accessed by a pointer after the end of its block or function (C11
// 6.2.4p2). One variable is watched, of one activation, as in Check:
//
//	int *f(void) { int x; return &x; }      maybe, if state is none: watch, state := &x, alive
//	                                        at the return, if it is x of this activation: state := ended
//	*f() = 1;                               assert state != ended || p != watch
//
// An access gets an assertion if its pointer may lead to a variable that ends, and if control may come there from the
// end. What is watched is a variable, not an address: where another variable that lives may lie in the place of the one that
// is watched, the watch ends.

// ended is the state of the watch after the end of the variable.
const ended = 3

// CheckLocals makes it a property of p that local variables are not accessed after their end, if s has
// [checks.Lifetime]. It comes before reads of constants are replaced, as Check does.
func CheckLocals(p *core.Program, s checks.Set) error {
	if !s.Has(checks.Lifetime) || p.Extern == core.ExternAll {
		return nil // package heap refuses it
	}
	devirt.Calls(p)
	in := &scopes{instrumenter: &instrumenter{Ghosts: splice.Ghosts{Prog: p, Prefix: "scope$"}, ledger: ledger{p}, result: alias.Analyze(p), loose: map[*alias.Object]bool{}, locals: map[*core.Var]bool{}, mine: map[*core.Proc]*core.Var{}}}
	in.asserts, in.allModels = in.assertLive, true
	in.findLoose()
	in.findEnds()
	in.watch, in.state, in.end = in.Global("watch", p.Pointer()), in.Global("state", core.Int32), in.Global("end", p.Pointer())
	// 1. Find the variables that are to be watched.
	for _, q := range p.Procs {
		for _, n := range q.Nodes {
			for _, a := range in.accesses(n, false) {
				in.assertLive(q, n, a)
			}
		}
	}
	// Others have the addresses of those that are given away.
	for _, o := range in.result.Objects() {
		in.outside = in.outside || o.Kind == alias.Variable && o.Var.Kind != core.Global && o.Escaped && len(in.over[o.Var]) > 0
	}
	if len(in.locals) == 0 {
		ghosts := []*core.Var{in.watch, in.state, in.end}
		p.Globals = slices.DeleteFunc(p.Globals, func(v *core.Var) bool { return slices.Contains(ghosts, v) })
		if in.outside {
			in.ledger.add(usedOutside)
		}
		return nil
	}
	// 2. Assert, and follow the lives of these variables.
	for _, q := range p.Procs {
		if q.HasBody() {
			in.lives(q)
		}
	}
	// 3. At the start, none is watched.
	first := &core.Assign{Lhs: []core.Loc{in.state.Ref(), in.watch.Ref(), in.end.Ref()}, Rhs: []core.Expr{number(none), core.Null(p.Pointer()), core.Null(p.Pointer())}}
	in.SetInside(first, in.choices)
	nodes := splice.Line(p.Entry.Pos, first)
	nodes[0].Text, nodes[0].First = "no variable is watched", true
	var e splice.Edit
	e.Before(0, nodes, func(from int) bool { return from < 0 })
	e.Apply(p.Entry)
	in.ledger.add(notAgain)
	if in.outside {
		in.ledger.add(usedOutside)
	}
	return core.Validate(p)
}

// scopes puts the checks of local variables into one program.
type scopes struct {
	*instrumenter
	over map[*core.Var]map[*core.Node]bool // for each variable, what control may reach after its end
}

// block returns the path of the block that v lives in; "" for the activation. A compound literal has a block of its own
// with no nodes: it lives as long as the block around it.
func block(v *core.Var) string {
	path := v.Block
	for path != "" && !slices.ContainsFunc(v.Proc.Nodes, func(n *core.Node) bool { return strings.HasPrefix(n.Block, path) }) {
		path = path[:strings.LastIndexByte(strings.TrimSuffix(path, "/"), '/')+1]
	}
	if strings.Count(path, "/") <= 2 {
		return ""
	}
	return path
}

// findEnds finds the ends of local variables that have an address.
func (in *scopes) findEnds() {
	in.over = map[*core.Var]map[*core.Node]bool{}
	flow := core.NewFlow(in.Prog)
	calls := map[*core.Proc][]core.Position{}
	for _, q := range in.Prog.Procs {
		for i, n := range q.Nodes {
			if c, ok := n.Stmt.(*core.Call); ok { // all are direct
				calls[c.Callee] = append(calls[c.Callee], core.Position{Proc: q, Node: i})
			}
		}
	}
	returned := map[*core.Proc]map[*core.Node]bool{}
	for _, q := range in.Prog.Procs {
		for _, v := range slices.Concat(q.Formals, q.Locals) {
			if !v.AddrTaken {
				continue
			}
			// 1. The end of its block.
			if path := block(v); path != "" {
				var from []core.Position
				for i, n := range q.Nodes {
					if strings.HasPrefix(n.Block, path) && slices.ContainsFunc(n.Succ, func(s int) bool { return !strings.HasPrefix(q.Nodes[s].Block, path) }) {
						from = append(from, core.Position{Proc: q, Node: i})
					}
				}
				in.over[v] = flow.After(from)
				continue
			}
			// 2. The end of its activation.
			if returned[q] == nil {
				returned[q] = flow.After(calls[q])
			}
			in.over[v] = returned[q]
		}
	}
}

// assertLive returns the nodes that assert that the object which a, of node n, accesses lives.
func (in *scopes) assertLive(_ *core.Proc, n *core.Node, a access) []*core.Node {
	base, _ := distanceOf(a.addr)
	if _, isName := base.(*core.AddrOf); isName || a.move {
		return nil
	}
	var offs []int64
	within := false
	for _, t := range in.result.PointsTo(base).Targets() {
		v := t.Object.Var
		if t.Object.Kind != alias.Variable || v.Kind == core.Global || core.Bytes(v.Type) == 0 || !in.over[v][n] {
			continue
		}
		in.locals[v] = true
		switch {
		case t.Stride != 0 || in.loose[t.Object] || t.Off < 0 || t.Off > core.Bytes(v.Type):
			within = true
		case !slices.Contains(offs, t.Off):
			offs = append(offs, t.Off)
		}
	}
	var elsewhere core.Expr
	switch {
	case within:
		elsewhere = is(core.LOr, is(core.Lt, in.value64(base), in.value64(in.watch.Ref())), is(core.Ge, in.value64(base), in.value64(in.end.Ref())))
	case len(offs) == 0:
		return nil
	default:
		slices.Sort(offs)
		var list []core.Expr
		for _, off := range offs {
			list = append(list, is(core.Ne, base, in.Inside(in.watch, off).Ref()))
		}
		elsewhere = all(list)
	}
	cond := is(core.LOr, in.stateIs(core.Ne, ended), elsewhere)
	if a.size != nil {
		cond = is(core.LOr, is(core.Eq, a.size, core.NewConst(0, a.size.Type().(core.Int))), cond)
	}
	return splice.Line(n.Pos, &core.Assert{Cond: cond, Check: &core.Check{Name: checks.UseAfterEnd, Pos: n.Pos, Text: a.text}})
}

// lives puts the begins and ends of the variables of q that are watched, and the assertions, into q.
func (in *scopes) lives(q *core.Proc) {
	var own []*core.Var
	for _, v := range slices.Concat(q.Formals, q.Locals) {
		if in.locals[v] {
			own = append(own, v)
		}
	}
	var e splice.Edit
	if len(own) == 0 {
		in.insert(q, &e)
		e.Apply(q)
		return
	}
	pos := q.Pos
	mine := in.Temp(q, core.Int32) // the number of the variable that is watched, of this activation; 0 if none is
	begin := splice.Line(pos, set(mine, 0))
	for k, v := range own {
		at := &core.AddrOf{Var: v, Typ: in.Prog.Pointer()}
		size := core.NewConst(core.Bytes(v.Type), core.Int64)
		// 1. It begins. If it lies where the one that is watched was, that is watched no more.
		past := &core.Offset{X: at, Off: core.Bytes(v.Type)}
		taken := splice.If(pos, is(core.Lt, in.value64(at), in.value64(in.end.Ref())),
			splice.If(pos, is(core.Lt, in.value64(in.watch.Ref()), in.value64(past)), splice.Line(pos, set(in.state, over))))
		begin = splice.Chain(begin, splice.If(pos, in.stateIs(core.Eq, ended), taken))
		a := &core.Assign{Lhs: []core.Loc{in.state.Ref(), in.watch.Ref(), in.end.Ref()}, Rhs: []core.Expr{number(alive), at, past}}
		in.choices = append(in.choices, splice.Choice{Assign: a, Start: at, Size: size})
		chosen := splice.Line(pos, &core.Assume{Cond: in.stateIs(core.Eq, none)}, a, set(mine, int64(k+1)))
		chosen[1].Text = v.Name + ": this variable is watched"
		begin = splice.Chain(begin, splice.Either(pos, chosen))
		// 2. It ends with its block, and begins again with it, before anything is accessed there.
		path := block(v)
		if path == "" {
			continue
		}
		inside := func(i int) bool { return strings.HasPrefix(q.Nodes[i].Block, path) }
		from := make([]bool, len(q.Nodes)) // on the other side of the border comes control to this node
		for j, m := range q.Nodes {
			for _, i := range m.Succ {
				from[i] = from[i] || inside(i) != inside(j)
			}
		}
		for i, n := range q.Nodes {
			if !from[i] {
				continue
			}
			was, becomes := int64(alive), int64(ended)
			if inside(i) {
				was, becomes = ended, alive
			}
			turn := splice.If(n.Pos, in.stateIs(core.Eq, was), splice.Line(n.Pos, set(in.state, becomes)))
			e.Before(i, splice.Of(n, splice.If(n.Pos, is(core.Eq, mine.Ref(), number(int64(k+1))), turn)), nil)
		}
	}
	// 3. What is accessed lives. All variables end with the activation.
	in.insert(q, &e)
	r := q.Exit()
	done := splice.If(q.Nodes[r].Pos, is(core.Ne, mine.Ref(), number(0)), splice.Line(q.Nodes[r].Pos, set(in.state, ended)))
	e.Before(r, splice.Of(q.Nodes[r], done), nil)
	e.Apply(q)
	var s splice.Edit
	s.Before(0, begin, func(from int) bool { return from < 0 })
	s.Apply(q)
}
