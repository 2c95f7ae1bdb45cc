package slic

import (
	"math/big"
	"slices"

	"c2bp/alias"
	"c2bp/frontend/core"
	"c2bp/frontend/core/splice"
	"c2bp/source"
)

// This file puts the begins and ends of objects into procedures.

// lives puts the begins and ends of objects into the present procedure.
func (in *instrumenter) lives(list []*places) {
	q := in.proc
	in.begin()
	e := &splice.Edit{}
	for _, p := range list {
		here := map[*core.Var]*core.Var{} // by variable that begins in q: 1 if the watch is in it
		var begin []*core.Var
		// 1. Formals, and locals that may be used before their declaration is executed, begin with the
		// procedure.
		for _, v := range slices.Concat(q.Formals, q.Locals) {
			if len(p.begin(v)) == 0 {
				continue
			}
			here[v], begin = in.temp(&core.Var{Type: core.Int32}), append(begin, v)
			e.Before(0, splice.Line(q.Pos, set(here[v], core.NewConst(0, core.Int32))), nil)
			if v.Kind == core.Formal || usedBeforeBegin(q, v) {
				e.Before(0, in.pickHere(p, v, here[v], q.Pos), nil)
			}
		}
		var stack *core.Var // set if the watch is in memory that ends with this activation
		for i, n := range q.Nodes {
			switch s := n.Stmt.(type) {
			case *core.Havoc:
				// 2. A declaration ends the object of its last execution, and begins another one.
				for _, v := range begun(s) {
					if here[v] != nil {
						in.add(func(x []*core.Node) { e.Before(i, x, nil) }, n, in.endHere(p, here[v], n.Pos))
						in.add(func(x []*core.Node) { e.After(i, x) }, n, in.pickHere(p, v, here[v], n.Pos))
					}
				}
			case *core.Alloc:
				// 3. An allocation begins an object.
				if len(p.begin(s)) == 0 {
					continue
				}
				numbers, picked := in.allocated(p, s, s.Lhs, n.Pos)
				if s.Stack {
					if stack == nil {
						stack = in.temp(&core.Var{Type: in.prog.Pointer()})
						e.Before(0, splice.Line(q.Pos, set(stack, core.Null(in.prog.Pointer()))), nil)
					}
					// The watch is here if its base is the new object.
					picked = splice.Chain(picked, in.keepStack(p, stack, s.Lhs, n.Pos))
				}
				if len(numbers) > 0 {
					in.add(func(x []*core.Node) { e.Before(i, x, nil) }, n, numbers)
				}
				in.add(func(x []*core.Node) { e.After(i, x) }, n, picked)
			case *core.Free:
				// 4. Free ends one.
				if p.frees[s] {
					in.add(func(x []*core.Node) { e.Before(i, x, nil) }, n, in.freed(p, s.Ptr, n.Pos))
				}
			}
		}
		// 5. The return ends those of the procedure.
		for _, v := range begin {
			in.atReturn(e, in.endHere(p, here[v], q.Nodes[q.Exit()].Pos))
		}
		if stack != nil {
			in.atReturn(e, in.end(p, stack.Ref(), q.Nodes[q.Exit()].Pos))
		}
	}
	e.Apply(q)
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
			s, frees := n.Stmt.(*core.Free)
			return allocates && len(p.begin(a)) > 0 || frees && p.frees[s]
		})
	})
}

// atReturn puts nodes before the return of the present procedure.
func (in *instrumenter) atReturn(e *splice.Edit, nodes []*core.Node) {
	e.Before(in.proc.Exit(), nodes, nil)
}

// keepStack returns nodes that set stack to the new object at lhs if the watch is in it.
func (in *instrumenter) keepStack(p *places, stack *core.Var, lhs core.Expr, pos source.Pos) []*core.Node {
	return splice.If(pos, &core.Binary{Op: core.Eq, X: p.base.Ref(), Y: lhs}, splice.Line(pos, set(stack, lhs)))
}

// add calls put with nodes around node n; they belong to the call of a model that n belongs to.
func (in *instrumenter) add(put func([]*core.Node), n *core.Node, nodes []*core.Node) {
	for _, x := range nodes {
		// A statement would begin the call anew.
		if x.Model = n.Model; x.Model != nil {
			x.First = false
		}
	}
	put(nodes)
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

// globals puts the choice among the places that exist before the program starts at its start, after C's initialisers:
// places that these set and nothing else are constants, which is seen of nodes that no choice precedes.
func (in *instrumenter) globals(list []*places, constants *alias.Constants) {
	in.begin()
	q := in.proc
	var first, nodes []*core.Node
	for _, p := range list {
		none := in.addressOf(p.none)
		init := splice.Line(p.base.Pos, set(p.base, none), set(p.taken, core.NewConst(0, core.Int32)))
		init[0].Text, init[1].Text = p.rule.Object.String()+";", p.rule.Object.String()+";"
		first = splice.Chain(first, init)
		// 1. Global variables.
		for _, g := range in.prog.Globals {
			nodes = splice.Chain(nodes, in.pick(p, p.begin(g), in.addressOf(g), q.Pos))
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
			nodes = splice.Chain(nodes, splice.Either(q.Pos, ways...))
		}
	}
	// 3. Before anything else happens.
	e := &splice.Edit{}
	e.Before(0, first, nil)
	e.After(in.lastInitialiser(constants), nodes)
	e.Apply(q)
}

// lastInitialiser returns the last of the first nodes of the present procedure, the entry, that only initialise. Its
// first node is a skip that only its start leads to.
func (in *instrumenter) lastInitialiser(constants *alias.Constants) int {
	nodes := in.proc.Nodes
	ways := make([]int, len(nodes))
	for _, n := range nodes {
		for _, m := range n.Succ {
			ways[m]++
		}
	}
	last := 0
	for {
		next := nodes[last].Succ[0]
		n := nodes[next]
		ofRule := slices.ContainsFunc(core.Destinations(n.Stmt), func(l core.Loc) bool { return core.Mentions(l, in.isGhost) })
		if ways[next] != 1 || len(n.Succ) != 1 || !constants.Initial(n) || ofRule {
			return last
		}
		last = next
	}
}

// mostErrno is the greatest number that a pointer holds as an error, as kernels do.
const mostErrno = 4095

// fromOutside returns the nodes that choose an arbitrary pointer from outside, which is neither null nor an
// error unless the rule is about these, too.
func (in *instrumenter) fromOutside(p *places, none core.Expr) []*core.Node {
	t := in.prog.Pointer()
	v := in.temp(&core.Var{Type: t})
	first := []core.Stmt{&core.Havoc{Locs: []core.Loc{v.Ref()}, Why: core.RuleOutside}}
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
