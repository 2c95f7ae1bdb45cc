package cex

import (
	"slices"

	"c2bp/frontend/core"
	"c2bp/internal/graph"
	"c2bp/refine/algebra"
)

// This file finds the conditions of a path that its end depends on (path slicing, Jhala–Majumdar 2005):
//
//	for (i = 0; i < n; i++) sum(i);      the path leaves the loop after one round
//	if (mode & 4) fast = 1;              it does not take this branch
//	if (on) lock(&l);                    it takes this one
//	if (on) lock(&l);                    and this one, and fails here
//
// Wherever control goes in the loop and at mode, it comes to the branches on on, and what it does before matters to none of
// them: the path may be as impossible as it likes there, another way through leads to the same failure. Of the four only
// the conditions on on are worth refining. A path is gone back from its end, with the places that matter: those that
// conditions and values read that were found to matter later. Between a branch and the node at which its ways meet again
// ([slicing.decides]), it matters if the path does something that matters there, or if another way might. A call that writes
// to no such place does not.
//
// This says what to refine, and proves nothing: so a place in memory is known by the member or the region that it
// is, and what procedures without a body write is left out of account.

// Irrelevant returns the steps of conditions that the end of the path does not depend on.
func (facts *Facts) Irrelevant(p *Path) map[int]bool {
	last := len(p.Steps) - 1
	x := &slicing{Facts: facts, path: p, live: map[place]bool{}, next: map[*Frame]int{p.Steps[last].Frame: last}}
	out := map[int]bool{}
	x.add(core.Condition(p.Steps[last].Stmt()))
	for i := last - 1; i >= 0; i-- {
		s := p.Steps[i]
		f := s.Frame
		// 1. An activation that writes nothing that matters is left out, with the conditions of its branches.
		if f.Return == i && f.Caller != nil {
			if !x.matters(f) {
				for ; i > f.Call; i-- {
					if _, ok := x.branch(i); ok {
						out[i] = true
					}
				}
				continue
			}
			x.leave(f)
		}
		// 2. What leads into an activation that matters, matters.
		if s.Enter != nil {
			x.enter(s)
			x.next[f] = i
			continue
		}
		// 3. A statement that writes to a place that matters.
		e := core.Condition(s.Stmt())
		if e == nil {
			if x.take(s.Stmt()) {
				x.next[f] = i
			}
			continue
		}
		b, ok := x.branch(i)
		switch {
		// 4. A condition by itself: control does not go on without it.
		case !ok:
			if x.reads(e) {
				x.add(e)
			}
		// 5. That of a branch.
		case x.decides(i, b):
			x.add(e)
			x.next[f] = i
		default:
			out[i] = true
		}
	}
	return out
}

// slicing is the state of a slice, at some step.
type slicing struct {
	*Facts
	path *Path
	live map[place]bool // the places that matter
	next map[*Frame]int // the step of an activation that matters next, none if none does before it ends
}

// place identifies a variable outside of memory, a member of a struct, or a region of memory: one of the three.
// Structs as a whole are one place, without any of them.
type place struct {
	v      *core.Var
	of     *core.Record
	member int64 // of of
	region int
}

// placeOf returns the place that l is, or one that it may be.
func (facts *Facts) placeOf(l core.Loc) place {
	switch l := l.(type) {
	case *core.VarRef:
		if !l.Var.InMemory() {
			return place{v: l.Var}
		}
	case *core.Mem:
		if o, ok := l.Addr.(*core.Offset); ok && o.Of != nil {
			return place{of: o.Of, member: o.Member}
		}
	}
	if !algebra.IsScalar(l.Type()) || !facts.Regions.Know(l) {
		return place{}
	}
	return place{region: facts.Aliases.Region(l) + 1}
}

// add makes the places that e reads matter.
func (x *slicing) add(e core.Expr) {
	if e == nil {
		return
	}
	core.Walk(e, func(e core.Expr) bool {
		if l, ok := e.(core.Loc); ok {
			x.live[x.placeOf(l)] = true
		}
		return true
	})
}

// reads reports whether e reads a place that matters.
func (x *slicing) reads(e core.Expr) bool {
	found := false
	core.Walk(e, func(e core.Expr) bool {
		l, ok := e.(core.Loc)
		found = found || ok && x.live[x.placeOf(l)]
		return !found
	})
	return found
}

// branch returns the branch of which step i is the condition, if it is one of a branch.
func (x *slicing) branch(i int) (node int, ok bool) {
	if i == 0 {
		return 0, false
	}
	before, at := x.path.Steps[i-1], x.path.Steps[i]
	_, isBranch := before.Stmt().(*core.Branch)
	return before.Node, isBranch && before.Frame == at.Frame
}

// decides reports whether it matters which way control takes at a branch, of which step i is the condition: the path does
// something that matters before it comes to the node at which all ways meet, or another way may write to a place that matters.
// In a loop they meet at its end at the latest, so that a round in which nothing matters does not, whatever later rounds do.
//
//	while (get()) {
//		if (on) handle(d);         aside, unless handle may write l
//		if (done) unlock(&l);      matters, in the round in which the path fails
//	}
func (x *slicing) decides(i, branch int) bool {
	f := x.path.Steps[i].Frame
	meet, within := x.meeting(f.Proc, branch)
	next, ok := x.next[f]
	before := ok && !slices.ContainsFunc(x.path.Steps[i:next+1], func(s Step) bool { return s.Frame == f && s.Node == meet })
	return before || x.any(within)
}

// any reports whether one of some places matters.
func (x *slicing) any(written map[place]bool) bool {
	for at := range written {
		if x.live[at] {
			return true
		}
	}
	return false
}

// matters reports whether an activation writes a place that matters, or returns one.
func (x *slicing) matters(f *Frame) bool {
	c := x.path.Steps[f.Call].Stmt().(*core.Call)
	return c.Lhs != nil && (!algebra.IsScalar(c.Lhs.Type()) || x.live[x.placeOf(c.Lhs)]) || x.any(x.writtenBy(f.Proc))
}

// leave goes back into an activation that has returned.
func (x *slicing) leave(f *Frame) {
	if c := x.path.Steps[f.Call].Stmt().(*core.Call); c.Lhs != nil && f.Proc.Result != nil && x.live[x.placeOf(c.Lhs)] {
		x.assigned(c.Lhs)
		x.live[place{v: f.Proc.Result}] = true
	}
}

// enter goes back from the start of an activation to its call.
func (x *slicing) enter(s Step) {
	c := s.Stmt().(*core.Call)
	for i, v := range s.Enter.Proc.Formals {
		if i < len(c.Args) && x.live[place{v: v}] {
			x.add(c.Args[i])
		}
	}
	// What the activation had of its own did not exist before.
	for at := range x.live {
		if at.v != nil && at.v.Proc == s.Enter.Proc && s.Enter.Proc != s.Frame.Proc {
			delete(x.live, at)
		}
	}
}

// assigned notes that l is assigned to: a variable outside of memory does not matter before, and the address of a place
// in memory does.
func (x *slicing) assigned(l core.Loc) {
	if v, ok := l.(*core.VarRef); ok && !v.Var.InMemory() {
		delete(x.live, place{v: v.Var})
		return
	}
	if m, ok := l.(*core.Mem); ok {
		x.add(m.Addr)
	}
}

// take goes back over a statement that writes to a place that matters; it reports whether it does.
func (x *slicing) take(s core.Stmt) (taken bool) {
	list := core.Destinations(s)
	matter := make([]bool, len(list))
	for i, l := range list {
		matter[i] = x.live[x.placeOf(l)]
		taken = taken || matter[i]
	}
	for i, l := range list {
		if matter[i] {
			x.assigned(l)
		}
	}
	// What an assignment reads, it reads before.
	if a, ok := s.(*core.Assign); ok {
		for i, e := range a.Rhs {
			if matter[i] {
				x.add(e)
			}
		}
	}
	return taken
}

// sliced has answers about procedures.
type sliced struct {
	written map[*core.Proc]map[place]bool
	meet    map[*core.Proc][]int // immediate postdominators
	within  map[branching]map[place]bool
}

// branching is a branch of a procedure.
type branching struct {
	proc *core.Proc
	node int
}

// writtenBy returns the variables outside of p, and the places in memory, that p or a procedure which it calls writes.
func (facts *Facts) writtenBy(p *core.Proc) map[place]bool {
	if out, ok := facts.sliced.written[p]; ok {
		return out // of a recursive procedure, what was found so far
	}
	out := map[place]bool{}
	facts.sliced.written[p] = out
	for _, n := range p.Nodes {
		facts.addWritten(n.Stmt, func(at place) {
			if at.v == nil || at.v.Proc != p {
				out[at] = true
			}
		})
	}
	return out
}

// addWritten calls add with the places that a statement writes.
func (facts *Facts) addWritten(s core.Stmt, add func(place)) {
	for _, l := range core.Destinations(s) {
		add(facts.placeOf(l))
	}
	if c, ok := s.(*core.Call); ok && c.Callee != nil && c.Callee.HasBody() {
		for at := range facts.writtenBy(c.Callee) {
			add(at)
		}
	}
}

// meeting returns the node of p at which all ways from a branch meet, none if there is no such node, and the places that p
// writes on these ways before. A failure is an end of p.
func (facts *Facts) meeting(p *core.Proc, branch int) (node int, within map[place]bool) {
	meet, ok := facts.sliced.meet[p]
	if !ok {
		meet = postdominators(p)
		facts.sliced.meet[p] = meet
	}
	k := branching{p, branch}
	within, ok = facts.sliced.within[k]
	if !ok {
		within = map[place]bool{}
		for n := range reach(p.Nodes[branch].Succ, successors(p), meet[branch]) {
			if n != meet[branch] {
				facts.addWritten(p.Nodes[n].Stmt, func(at place) { within[at] = true })
			}
		}
		facts.sliced.within[k] = within
	}
	return meet[branch], within
}

// postdominators returns for each node of p the first one that all ways from there to an end or a failure pass, graph.None if
// there is none.
func postdominators(p *core.Proc) []int {
	// 1. A node after all ends.
	end := len(p.Nodes)
	succ := func(n int) []int {
		switch {
		case n == end:
			return nil
		case len(p.Nodes[n].Succ) == 0 || isFailure(p.Nodes[n].Stmt):
			return []int{end}
		}
		return p.Nodes[n].Succ
	}
	// 2. Dominators of the reversed graph.
	before := make([][]int, end+1)
	for n := range end {
		for _, m := range succ(n) {
			before[m] = append(before[m], n)
		}
	}
	out := graph.Dominators(end+1, end, func(n int) []int { return before[n] }, succ)
	for n, m := range out {
		if m == end {
			out[n] = graph.None
		}
	}
	return out[:end]
}

// isFailure reports whether s fails whenever it is executed.
func isFailure(s core.Stmt) bool {
	a, ok := s.(*core.Assert)
	if !ok {
		return false
	}
	k, ok := a.Cond.(*core.Const)
	return ok && k.Val.Sign() == 0
}

// successors returns the nodes after each node of p.
func successors(p *core.Proc) func(int) []int { return func(n int) []int { return p.Nodes[n].Succ } }

// reach returns the nodes from which steps lead to others, those included, without leading on from one of them.
func reach(from []int, steps func(int) []int, last int) map[int]bool {
	out := map[int]bool{}
	work := slices.Clone(from)
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		if out[n] {
			continue
		}
		out[n] = true
		if n != last {
			work = append(work, steps(n)...)
		}
	}
	return out
}
