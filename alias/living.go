package alias

import "c2bp/frontend/core"

// This file looks back from an allocation: does a pointer lead to an object that has not been freed since the pointer
// was set? An allocation site stands for all objects that it makes, and some of them are freed sooner or later.
// But the one that a local variable leads to is alive if it was alive when the variable was set, and nothing that may
// free it comes between:
//
//	p = malloc(4);  q = malloc(4);  free(p);      in a loop: p != q, although an object made at p was freed
//
// The walk goes from each use of a variable to the nodes before it. It ends where the variable gets a new object,
// or a pointer from outside, which leads to nothing that was freed or to nothing that the program has made
// ([core.Program].Unreused). Where it gets the value of another variable, that one is followed. At the entry of a
// procedure the walk goes on in each caller, with the argument for a formal. Nothing is known of what memory holds.

// lives is the part of the program that walks back need to know.
type lives struct {
	flow   *core.Flow
	at     map[*core.Alloc]core.Position
	before map[*core.Proc][][]int        // by node, the nodes before it
	ends   map[int32]map[*core.Free]bool // by object, what may free it
	ending map[int32]map[*core.Proc]bool // by object, the procedures in which it may be freed, or in one that they call
	known  map[pointerAt]bool
}

// pointerAt asks of a variable, before an allocation, whether it leads to a living one of the objects at a site.
type pointerAt struct {
	v      *core.Var
	object int32
	by     *core.Alloc
}

// isLivingAt reports whether x, before s, does not lead to one of the objects o that has been freed. False says
// nothing.
func (r *Result) isLivingAt(x core.Expr, o int32, s *core.Alloc) bool {
	ref, ok := x.(*core.VarRef)
	if !ok || ref.Var.InMemory() {
		return false
	}
	l := r.living()
	k := pointerAt{ref.Var, o, s}
	answer, known := l.known[k]
	if !known {
		at, found := l.at[s]
		w := &livingWalk{r: r, lives: l, object: o, seen: map[use]bool{}, leads: map[*core.Var]bool{}}
		answer = found && ref.Var.Proc == at.Proc && w.follow(ref.Var, at) && w.run()
		l.known[k] = answer
	}
	return answer
}

// living returns the lives, which are found when they are first needed.
func (r *Result) living() *lives {
	if r.lives == nil {
		r.lives = &lives{
			flow: core.NewFlow(r.prog), at: map[*core.Alloc]core.Position{}, before: map[*core.Proc][][]int{},
			ends: map[int32]map[*core.Free]bool{}, ending: map[int32]map[*core.Proc]bool{}, known: map[pointerAt]bool{},
		}
		for _, p := range r.prog.Procs {
			for i, n := range p.Nodes {
				if s, ok := n.Stmt.(*core.Alloc); ok {
					r.lives.at[s] = core.Position{Proc: p, Node: i}
				}
			}
		}
	}
	return r.lives
}

// nodesBefore returns the nodes of p before each of its nodes.
func (l *lives) nodesBefore(p *core.Proc) [][]int {
	list, known := l.before[p]
	if !known {
		list = make([][]int, len(p.Nodes))
		for i, n := range p.Nodes {
			for _, j := range n.Succ {
				list[j] = append(list[j], i)
			}
		}
		l.before[p] = list
	}
	return list
}

// findEnds finds the ends of object o: the statements that may free it, and the procedures in which one of them may be executed.
func (r *Result) findEnds(l *lives, o int32) {
	l.ends[o], l.ending[o] = map[*core.Free]bool{}, map[*core.Proc]bool{}
	var work []*core.Proc
	add := func(p *core.Proc) {
		if !l.ending[o][p] {
			l.ending[o][p] = true
			work = append(work, p)
		}
	}
	for _, at := range r.endsOf(o) {
		l.ends[o][at.Proc.Nodes[at.Node].Stmt.(*core.Free)] = true
		add(at.Proc)
	}
	for len(work) > 0 {
		p := work[len(work)-1]
		work = work[:len(work)-1]
		for _, c := range l.flow.Callers(p) {
			add(c.Proc)
		}
	}
}

// use is a variable, outside of memory, before a node.
type use struct {
	v *core.Var
	core.Position
}

// livingWalk is a walk back from one use of a pointer that may lead to an object.
type livingWalk struct {
	*lives
	r      *Result
	object int32
	seen   map[use]bool
	work   []use
	leads  map[*core.Var]bool // the variables that may lead to the object
}

// run walks until all uses have been looked at, and reports whether the pointers lead to living objects.
func (w *livingWalk) run() bool {
	if w.ends[w.object] == nil {
		w.r.findEnds(w.lives, w.object)
	}
	for len(w.work) > 0 {
		u := w.work[len(w.work)-1]
		w.work = w.work[:len(w.work)-1]
		// 1. At the entry the value is an argument.
		if u.Node == 0 && !w.atEntry(u.v, u.Proc) {
			return false
		}
		// 2. Otherwise it comes from the nodes before.
		for _, m := range w.nodesBefore(u.Proc)[u.Node] {
			if !w.over(u.v, core.Position{Proc: u.Proc, Node: m}) {
				return false
			}
		}
	}
	return true
}

// follow adds a use of v before a node, if v may lead to the object. It reports false if nothing is known of v.
func (w *livingWalk) follow(v *core.Var, at core.Position) bool {
	leads, known := w.leads[v]
	if !known {
		leads = w.mayLead(v.Ref())
		w.leads[v] = leads
	}
	if !leads {
		return true
	}
	if v.InMemory() || v.Kind == core.Global || !isPtr(v.Type) {
		return false
	}
	if u := (use{v, at}); !w.seen[u] {
		w.seen[u] = true
		w.work = append(w.work, u)
	}
	return true
}

// mayLead reports whether e may lead to the object.
func (w *livingWalk) mayLead(e core.Expr) bool {
	for n := range w.r.solver.sets.all(w.r.eval(e)) {
		if w.r.solver.addresses[n].object == w.object {
			return true
		}
	}
	return false
}

// value follows the pointer e, which is computed before a node.
func (w *livingWalk) value(e core.Expr, at core.Position) bool {
	if b, ok := core.Base(e).(*core.VarRef); ok {
		return w.follow(b.Var, at)
	}
	return !w.mayLead(e)
}

// over follows v, which is used after the node at, back over that node.
func (w *livingWalk) over(v *core.Var, at core.Position) bool {
	switch s := at.Proc.Nodes[at.Node].Stmt.(type) {
	case *core.Free:
		if w.ends[w.object][s] {
			return false
		}
	case *core.Assign:
		for i, l := range s.Lhs {
			if isVariable(l, v) {
				return w.value(s.Rhs[i], at)
			}
		}
	case *core.Alloc:
		if isVariable(s.Lhs, v) {
			return true
		}
	case *core.Havoc:
		for _, l := range s.Locs {
			if isVariable(l, v) {
				return s.Reads == nil && len(s.From) == 0
			}
		}
	case *core.Call:
		return w.overCall(v, s, at)
	}
	return w.follow(v, at)
}

// overCall follows v back over a call.
func (w *livingWalk) overCall(v *core.Var, s *core.Call, at core.Position) bool {
	// 1. The callees free none of the objects.
	callees := w.flow.Entered(s)
	for _, q := range callees {
		if w.ending[w.object][q] {
			return false
		}
	}
	// 2. A value that a callee returns is that of its result at its end. Functions without a body return no object that
	// was freed.
	if isVariable(s.Lhs, v) {
		for _, q := range callees {
			if q.Result == nil || !w.follow(q.Result, core.Position{Proc: q, Node: q.Exit()}) {
				return false
			}
		}
		return true
	}
	return w.follow(v, at)
}

// atEntry follows v, which is used at the entry of p: to the callers, if it is a formal.
func (w *livingWalk) atEntry(v *core.Var, p *core.Proc) bool {
	// A symbolic constant holds what a formal was at the entry.
	if init, ok := v.Init.(*core.VarRef); ok {
		v = init.Var
	} else if v.Init != nil {
		return false
	}
	if v.InMemory() || v.Kind == core.Global {
		return false
	}
	for i, f := range p.Formals {
		if f != v {
			continue
		}
		for _, at := range w.flow.Callers(p) {
			args := at.Proc.Nodes[at.Node].Stmt.(*core.Call).Args
			if i >= len(args) || args[i] == nil || !w.value(args[i], at) {
				return false
			}
		}
	}
	// No one has set any other variable: its value is not read.
	return true
}

// isVariable reports whether l is v, a variable outside of memory.
func isVariable(l core.Loc, v *core.Var) bool {
	r, ok := l.(*core.VarRef)
	return ok && r.Var == v
}
