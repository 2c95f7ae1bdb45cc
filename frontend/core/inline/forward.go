package inline

import (
	"slices"

	"c2bp/frontend/core"
)

// This file puts the values of temporaries in the place of their uses.
//
//	$1 := (uint64)p >= k              assume (uint64)p >= k
//	assume $1 != 0

// mostUses bounds the uses that a value is copied to, and mostParts the expressions that it is made of: each temporary
// may be used twice in the value of the next one, so that values would double along a chain of them.
const mostUses, mostParts = 3, 50

// Forward puts the values of p's temporaries in the place of their uses, where nothing changes them in between. A
// temporary that is not used any more is not set, either.
func Forward(p *core.Proc) {
	f := &forwarder{proc: p, sets: map[*core.Var][]int{}, uses: map[*core.Var][]int{}}
	f.collect()
	for i := range p.Nodes {
		if v, e := f.temporary(i); v != nil && f.reaches(i, v, e) {
			f.replace(i, v, e)
		}
	}
}

// forwarder changes one procedure.
type forwarder struct {
	proc *core.Proc
	sets map[*core.Var][]int // the nodes that set a variable by name
	uses map[*core.Var][]int // the nodes that read it, -1 for something else that mentions it
}

// collect finds the nodes that set and use each variable.
func (f *forwarder) collect() {
	use := func(i int, e core.Expr) {
		core.WalkVars(e, func(v *core.Var) {
			if !slices.Contains(f.uses[v], i) {
				f.uses[v] = append(f.uses[v], i)
			}
		})
	}
	if r := f.proc.Result; r != nil {
		f.uses[r] = []int{-1}
	}
	for i, n := range f.proc.Nodes {
		for _, v := range written(n.Stmt) {
			f.sets[v] = append(f.sets[v], i)
		}
		for _, e := range reads(n.Stmt) {
			use(i, e)
		}
		// What is known of calls of models is not to be changed.
		if n.Model == nil {
			continue
		}
		for _, e := range append(slices.Clone(n.Model.Args), n.Model.Result) {
			if e != nil {
				use(-1, e)
			}
		}
	}
}

// temporary returns the temporary that node i sets to e, if that is all that is ever done to it; else nil.
func (f *forwarder) temporary(i int) (*core.Var, core.Expr) {
	a, ok := f.proc.Nodes[i].Stmt.(*core.Assign)
	if !ok || len(a.Lhs) != 1 {
		return nil, nil
	}
	l, ok := a.Lhs[0].(*core.VarRef)
	if !ok || l.Var.Kind != core.Temp || l.Var.InMemory() || len(f.sets[l.Var]) != 1 {
		return nil, nil
	}
	users := f.uses[l.Var]
	if len(users) == 0 || len(users) > mostUses || slices.Contains(users, -1) || slices.Contains(users, i) {
		return nil, nil
	}
	if parts(a.Rhs[0]) > mostParts {
		return nil, nil
	}
	return l.Var, a.Rhs[0]
}

// parts counts the expressions that e is made of.
func parts(e core.Expr) (n int) {
	core.Walk(e, func(core.Expr) bool { n++; return true })
	return n
}

// reaches reports whether e has the value that node i gives to v at each use of v: all of them come after node i, and
// nothing that may change e comes in between.
func (f *forwarder) reaches(i int, v *core.Var, e core.Expr) bool {
	// 1. The nodes that come after node i, with e as it was, and with e perhaps changed.
	const same, changed = 0, 1
	type visit struct{ node, how int }
	seen := make([][2]bool, len(f.proc.Nodes))
	var work []visit
	push := func(n, how int) {
		for _, s := range f.proc.Nodes[n].Succ {
			if s != i && !seen[s][how] {
				seen[s][how] = true
				work = append(work, visit{s, how})
			}
		}
	}
	for push(i, same); len(work) > 0; {
		w := work[len(work)-1]
		work = work[:len(work)-1]
		if w.how == same && f.changes(f.proc.Nodes[w.node].Stmt, e) {
			w.how = changed
		}
		push(w.node, w.how)
	}
	// 2. At no use may it have changed, and none may come before.
	return !slices.ContainsFunc(f.uses[v], func(u int) bool { return seen[u][changed] || !seen[u][same] || f.early(u, i) })
}

// early reports whether a path leads from the entry to node u that does not go through node i.
func (f *forwarder) early(u, i int) bool {
	seen := make([]bool, len(f.proc.Nodes))
	for work := []int{0}; len(work) > 0; {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		if n == u {
			return true
		}
		if seen[n] || n == i {
			continue
		}
		seen[n] = true
		work = append(work, f.proc.Nodes[n].Succ...)
	}
	return false
}

// changes reports whether s may change the value of e.
func (f *forwarder) changes(s core.Stmt, e core.Expr) bool {
	_, calls := s.(*core.Call)
	if len(core.Loads(e)) > 0 && writesMemory(s) {
		return true
	}
	set := written(s)
	return core.Mentions(e, func(v *core.Var) bool { return slices.Contains(set, v) || calls && v.Kind == core.Global })
}

// replace puts e in the place of v, which node i sets.
func (f *forwarder) replace(i int, v *core.Var, e core.Expr) {
	for _, u := range f.uses[v] {
		n := f.proc.Nodes[u]
		n.Stmt = core.ReplaceOperands(n.Stmt, func(x core.Expr) core.Expr {
			return core.Replace(x, func(x core.Expr) core.Expr {
				if r, ok := x.(*core.VarRef); ok && r.Var == v {
					return e
				}
				return nil
			})
		})
	}
	// The variables of e are used there now.
	core.WalkVars(e, func(w *core.Var) {
		list := slices.DeleteFunc(f.uses[w], func(n int) bool { return n == i })
		for _, u := range f.uses[v] {
			if !slices.Contains(list, u) {
				list = append(list, u)
			}
		}
		f.uses[w] = list
	})
	delete(f.uses, v)
	f.proc.Nodes[i].Stmt = &core.Skip{}
}
