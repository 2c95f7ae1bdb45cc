package slic

import (
	"fmt"
	"math/big"
	"slices"

	"c2bp/alias"
	"c2bp/frontend/core"
	"c2bp/source"
)

// This file chooses the object that is watched. A rule for each object holds if it holds for the one that is
// watched, whichever that is: a run chooses at most one place, where it begins to exist and before any event,
//
//	a global variable           at the start of the program
//	a local variable            at its declaration; a formal at the begin of its procedure
//	memory that is allocated    at the allocation
//	memory from outside         at the start of the program: an arbitrary pointer from outside
//
// and the choice is one of the addresses that an event may be about, by the points-to sets. Of an object
// that has escaped it is any byte, since a pointer from outside may lead there. A pointer from outside
// alone would not do: it leads to no object of the program that has not escaped, and the rule would hold of
// these. Nor would a choice at an event, after earlier ones have been missed.
//
// The place ceases to exist when it is freed, at the next execution of its declaration, or at the return of
// its procedure. From then on nothing is watched: another object at the same address is another one.

// places is the addresses that events of one rule may be about.
type places struct {
	rule    *Rule
	outside bool
	targets map[any][]alias.Target // by *core.Var or *core.Alloc
	frees   bool                   // some are in memory that can be freed
	globals []alias.Target         // single addresses in global variables

	watch, base, taken, none *core.Var
	death                    *action
}

// begin returns the targets in v or at a site, none if there are none.
func (p *places) begin(of any) []alias.Target { return p.targets[of] }

// watches puts the choice and the end of watches into the program. args are the pointers to objects at the
// events of each rule.
func (in *instrumenter) watches() {
	var list []*places
	var result *alias.Result
	for _, r := range in.rules {
		if r.Object == nil {
			continue
		}
		if result == nil {
			result = alias.Analyze(in.prog)
		}
		list = append(list, in.places(r, result))
	}
	if list == nil {
		return
	}
	for _, q := range in.prog.Procs {
		if !q.HasBody() {
			continue
		}
		in.enter(q)
		if in.hasLives(list) {
			in.lives(list)
		}
	}
	in.enter(in.prog.Entry)
	in.globals(list)
}

// places finds the addresses that the events of r may be about.
func (in *instrumenter) places(r *Rule, result *alias.Result) *places {
	p := &places{rule: r, targets: map[any][]alias.Target{}}
	// 1. The variables. base is the start of the object that the watch is in.
	for _, g := range in.prog.Globals {
		switch g.Name {
		case r.global("watch"):
			p.watch = g
		case r.global("none"):
			p.none = g
		}
	}
	p.base = &core.Var{Name: r.global("base"), Type: in.prog.Pointer(), Kind: core.Global, Pos: r.Object.Name.Pos}
	p.taken = &core.Var{Name: r.global("taken"), Type: core.Int32, Kind: core.Global, Pos: r.Object.Name.Pos}
	in.prog.Globals = append(in.prog.Globals, p.base, p.taken)
	for _, a := range r.actions {
		if a.point == "death" {
			p.death = a
		}
	}
	// 2. The targets of the arguments.
	seen := map[string]bool{}
	add := func(t alias.Target) {
		var of any
		switch o := t.Object; {
		case o.Kind == alias.Outside:
			p.outside = true
			return
		case o.Kind == alias.Variable:
			of = o.Var
		case o.Kind == alias.Allocation:
			of = o.Site
			p.frees = p.frees || !o.Site.Stack
		default:
			return // a function
		}
		if s := fmt.Sprint(t); !seen[s] {
			seen[s] = true
			p.targets[of] = append(p.targets[of], t)
		}
	}
	for _, e := range in.objects[r] {
		for _, t := range result.PointsTo(e.ptr).Targets() {
			if e.within {
				t.Off, t.Stride, t.Count = 0, 1, 0
			}
			add(t)
		}
	}
	for _, g := range in.prog.Globals {
		for _, t := range p.targets[g] {
			if t.Stride == 0 {
				p.globals = append(p.globals, t)
			}
		}
	}
	// 3. Pointers from outside may lead to any byte of escaped objects.
	if p.outside {
		for _, o := range result.Objects() {
			if o.Escaped && (o.Kind == alias.Variable || o.Kind == alias.Allocation) {
				delete(p.targets, any(o.Var))
				if o.Kind == alias.Allocation {
					delete(p.targets, any(o.Site))
				}
				add(alias.Target{Object: o, Stride: 1})
			}
		}
	}
	return p
}

// node returns a node that leads to the next one of a list with n nodes before it.
func node(s core.Stmt, n int, pos source.Pos) *core.Node {
	return &core.Node{Stmt: s, Succ: []int{n + 1}, Pos: pos}
}

// line returns nodes that execute statements in order.
func line(pos source.Pos, list ...core.Stmt) (nodes []*core.Node) {
	for i, s := range list {
		nodes = append(nodes, node(s, i, pos))
	}
	return nodes
}

// either returns nodes that execute any of some lists, or nothing.
func either(pos source.Pos, lists ...[]*core.Node) []*core.Node {
	branch := &core.Node{Stmt: &core.Branch{}, Pos: pos, Free: true}
	nodes := []*core.Node{branch}
	n := 1
	for _, l := range lists {
		n += len(l)
	}
	// The last way is a skip, at index n.
	for _, l := range lists {
		base := len(nodes)
		branch.Succ = append(branch.Succ, base)
		for _, x := range l {
			for i, s := range x.Succ {
				if x.Succ[i] = base + s; s == len(l) {
					x.Succ[i] = n + 1
				}
			}
			nodes = append(nodes, x)
		}
	}
	branch.Succ = append(branch.Succ, n)
	return append(nodes, &core.Node{Stmt: &core.Skip{}, Succ: []int{n + 1}, Pos: pos})
}

// set returns an assignment.
func set(v *core.Var, e core.Expr) core.Stmt {
	return &core.Assign{Lhs: []core.Loc{v.Ref()}, Rhs: []core.Expr{e}}
}

// cond returns the comparison of two expressions as an assumption.
func cond(op core.BinaryOp, x, y core.Expr) core.Stmt {
	return &core.Assume{Cond: &core.Binary{Op: op, X: x, Y: y}}
}

// addressOf returns the address of v.
func (in *instrumenter) addressOf(v *core.Var) core.Expr {
	return &core.AddrOf{Var: v, Typ: in.prog.Pointer()}
}

// choose returns the nodes that choose the address at as the watch, in an object that starts at base; name
// is its name in traces.
func (in *instrumenter) choose(p *places, first []core.Stmt, base, at core.Expr, name string, pos source.Pos) []*core.Node {
	list := append([]core.Stmt{cond(core.Eq, p.taken.Ref(), core.NewConst(0, core.Int32))}, first...)
	list = append(list, &core.Assign{
		Lhs: []core.Loc{p.taken.Ref(), p.base.Ref(), p.watch.Ref()},
		Rhs: []core.Expr{core.NewConst(1, core.Int32), base, at},
	})
	if len(p.rule.Lives) > 0 {
		for _, g := range in.prog.Globals {
			if g.Name == p.rule.global("alive") {
				list = append(list, set(g, core.NewConst(1, core.Int32)))
			}
		}
	}
	nodes := line(pos, list...)
	n := nodes[len(first)+1]
	n.Text, n.First = fmt.Sprintf("%s: watch %s", p.rule.Name.Text, name), true
	return nodes
}

// pick returns nodes that may choose one of the targets, in an object that starts at base.
func (in *instrumenter) pick(p *places, targets []alias.Target, base core.Expr, pos source.Pos) []*core.Node {
	var ways [][]*core.Node
	for _, t := range targets {
		at := base
		if t.Off != 0 {
			at = &core.Offset{X: base, Off: t.Off}
		}
		var first []core.Stmt
		name := t.Object.Name
		if t.Stride != 0 {
			// Any element: k >= 0, and within the object as far as its size is known.
			k := in.temp(&core.Var{Type: core.Int64})
			count := t.Count
			if count == 0 && t.Object.Size > 0 {
				count = (t.Object.Size - t.Off + t.Stride - 1) / t.Stride
			}
			first = append(first, &core.Havoc{Locs: []core.Loc{k.Ref()}, Why: core.RuleInput}, cond(core.Ge, k.Ref(), core.NewConst(0, core.Int64)))
			if count > 0 {
				first = append(first, cond(core.Lt, k.Ref(), core.NewConst(count, core.Int64)))
			}
			at = &core.Index{X: at, I: k.Ref(), Size: t.Stride}
		}
		ways = append(ways, in.choose(p, first, base, at, name, pos))
	}
	if len(ways) == 0 {
		return nil
	}
	return either(pos, ways...)
}

// end returns nodes that end the watch, if it is in the object that starts at base.
func (in *instrumenter) end(p *places, base core.Expr, pos source.Pos) []*core.Node {
	dies := []*core.Node{node(cond(core.Eq, p.base.Ref(), base), 0, pos)}
	dies = chain(dies, in.body(p.death, nil, pos))
	dies = chain(dies, line(pos, set(p.base, in.addressOf(p.none))))
	lives := []*core.Node{node(cond(core.Ne, p.base.Ref(), base), 0, pos)}
	nodes := either(pos, dies, lives)
	// One of the two ways is taken.
	branch := nodes[0]
	branch.Free = false
	branch.Succ = branch.Succ[:2]
	nodes = nodes[:len(nodes)-1]
	for _, x := range nodes {
		for i, s := range x.Succ {
			if s == len(nodes)+1 {
				x.Succ[i] = len(nodes)
			}
		}
	}
	return nodes
}

// lives puts the begins and ends of objects into the present procedure.
func (in *instrumenter) lives(list []*places) {
	q := in.proc
	in.begin()
	e := newEdit()
	for _, p := range list {
		var here []*core.Var // that begin in q
		// 1. Formals, and locals that may be used before their declaration is executed, begin with the
		// procedure.
		for _, v := range slices.Concat(q.Formals, q.Locals) {
			if len(p.begin(v)) == 0 {
				continue
			}
			here = append(here, v)
			if v.Kind == core.Formal || usedBeforeBegin(q, v) {
				put(e.before, 0, in.pick(p, p.begin(v), in.addressOf(v), q.Pos), nil)
			}
		}
		var stack *core.Var // set if the watch is in memory that ends with this activation
		for i, n := range q.Nodes {
			switch s := n.Stmt.(type) {
			case *core.Havoc:
				// 2. A declaration ends the object of its last execution, and begins another one.
				for _, v := range begun(s) {
					if len(p.begin(v)) > 0 {
						in.add(e.before, i, n, in.end(p, in.addressOf(v), n.Pos))
						in.add(e.after, i, n, in.pick(p, p.begin(v), in.addressOf(v), n.Pos))
					}
				}
			case *core.Alloc:
				// 3. An allocation begins an object.
				if len(p.begin(s)) == 0 {
					continue
				}
				picked := in.pick(p, p.begin(s), s.Lhs, n.Pos)
				if s.Stack {
					if stack == nil {
						stack = in.temp(&core.Var{Type: in.prog.Pointer()})
						put(e.before, 0, line(q.Pos, set(stack, core.Null(in.prog.Pointer()))), nil)
					}
					// The watch is here if its base is the new object.
					picked = chain(picked, in.keepStack(p, stack, s.Lhs, n.Pos))
				}
				in.add(e.after, i, n, picked)
			case *core.Free:
				// 4. Free ends one.
				if p.frees {
					in.add(e.before, i, n, in.end(p, s.Ptr, n.Pos))
				}
			}
		}
		// 5. The return ends those of the procedure.
		for _, v := range here {
			in.atReturn(e, in.end(p, in.addressOf(v), q.Nodes[q.Exit()].Pos))
		}
		if stack != nil {
			in.atReturn(e, in.end(p, stack.Ref(), q.Nodes[q.Exit()].Pos))
		}
	}
	e.apply(q)
}

// hasLives reports whether an object may begin or end in the present procedure.
func (in *instrumenter) hasLives(list []*places) bool {
	return slices.ContainsFunc(list, func(p *places) bool {
		for _, v := range slices.Concat(in.proc.Formals, in.proc.Locals) {
			if len(p.begin(v)) > 0 {
				return true
			}
		}
		return slices.ContainsFunc(in.proc.Nodes, func(n *core.Node) bool {
			a, allocates := n.Stmt.(*core.Alloc)
			_, frees := n.Stmt.(*core.Free)
			return allocates && len(p.begin(a)) > 0 || frees && p.frees
		})
	})
}

// atReturn puts nodes before the return of the present procedure.
func (in *instrumenter) atReturn(e *edit, nodes []*core.Node) {
	put(e.before, in.proc.Exit(), nodes, nil)
}

// keepStack returns nodes that set stack to the new object at lhs if the watch is in it.
func (in *instrumenter) keepStack(p *places, stack *core.Var, lhs core.Expr, pos source.Pos) []*core.Node {
	return []*core.Node{
		{Stmt: &core.Branch{}, Succ: []int{1, 3}, Pos: pos},
		{Stmt: cond(core.Eq, p.base.Ref(), lhs), Succ: []int{2}, Pos: pos},
		{Stmt: set(stack, lhs), Succ: []int{4}, Pos: pos},
		{Stmt: cond(core.Ne, p.base.Ref(), lhs), Succ: []int{4}, Pos: pos},
	}
}

// add puts nodes at node i, n; they belong to the call of a model that n belongs to.
func (in *instrumenter) add(at map[int]*segment, i int, n *core.Node, nodes []*core.Node) {
	for _, x := range nodes {
		// A statement would begin the call anew.
		if x.Model = n.Model; x.Model != nil {
			x.First = false
		}
	}
	put(at, i, nodes, nil)
}

// begun returns the variables that begin to live at s.
func begun(s *core.Havoc) (list []*core.Var) {
	if !s.Begin {
		return nil
	}
	for _, l := range s.Locs {
		if v, ok := l.(*core.VarRef); ok {
			list = append(list, v.Var)
		}
	}
	return list
}

// usedBeforeBegin reports whether q may mention v before a node at which it begins to live.
func usedBeforeBegin(q *core.Proc, v *core.Var) bool {
	seen := make([]bool, len(q.Nodes))
	work := []int{0}
	for len(work) > 0 {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[i] {
			continue
		}
		seen[i] = true
		n := q.Nodes[i]
		if h, ok := n.Stmt.(*core.Havoc); ok && slices.Contains(begun(h), v) {
			continue
		}
		used := false
		core.StmtExprs(n.Stmt, func(e core.Expr) { used = used || core.Mentions(e, func(w *core.Var) bool { return w == v }) })
		if used {
			return true
		}
		work = append(work, n.Succ...)
	}
	return false
}

// globals puts the choice among the places that exist before the program starts at its start.
func (in *instrumenter) globals(list []*places) {
	in.begin()
	q := in.proc
	var first, nodes []*core.Node
	for _, p := range list {
		none := in.addressOf(p.none)
		init := line(p.base.Pos, set(p.base, none), set(p.taken, core.NewConst(0, core.Int32)))
		init[0].Text, init[1].Text = p.rule.Object.String()+";", p.rule.Object.String()+";"
		first = chain(first, init)
		// 1. Global variables.
		for _, g := range in.prog.Globals {
			nodes = chain(nodes, in.pick(p, p.begin(g), in.addressOf(g), q.Pos))
		}
		// 2. Memory from outside; null.
		var ways [][]*core.Node
		if p.outside {
			ways = append(ways, in.fromOutside(p, none))
		}
		if p.rule.Object.Nullable {
			ways = append(ways, in.choose(p, nil, none, core.Null(in.prog.Pointer()), "null", q.Pos))
		}
		if len(ways) > 0 {
			nodes = chain(nodes, either(q.Pos, ways...))
		}
	}
	// 3. Before anything else happens.
	e := newEdit()
	put(e.before, 0, first, nil)
	put(e.before, 0, nodes, nil)
	e.apply(q)
}

// mostErrno is the greatest number that a pointer holds as an error, as kernels do.
const mostErrno = 4095

// fromOutside returns the nodes that choose an arbitrary pointer from outside, which is neither null nor an
// error unless the rule is about these, too.
func (in *instrumenter) fromOutside(p *places, none core.Expr) []*core.Node {
	t := in.prog.Pointer()
	v := in.temp(&core.Var{Type: t})
	first := []core.Stmt{&core.Havoc{Locs: []core.Loc{v.Ref()}, Why: core.RuleInput}}
	if !p.rule.Object.Nullable {
		word := t.Word()
		least := &core.Const{Val: new(big.Int).Sub(word.Max(), big.NewInt(mostErrno-1)), Typ: word}
		first = append(first,
			cond(core.Ne, v.Ref(), core.Null(t)),
			cond(core.Lt, &core.ToInt{X: v.Ref(), To: word}, least))
	}
	// It is none of the global variables, which are chosen as what they are.
	for _, t := range p.globals {
		at := in.addressOf(t.Object.Var)
		if t.Off != 0 {
			at = &core.Offset{X: at, Off: t.Off}
		}
		first = append(first, cond(core.Ne, v.Ref(), at))
	}
	return in.choose(p, first, none, v.Ref(), "an object from outside", in.proc.Pos)
}
