package slic

import (
	"math/big"

	"c2bp/frontend/core"
)

// This file finds the events that do nothing to an object to which nothing else has happened. Objects that only such
// events may be about need not be watched, since their state is the initial one for good:
//
//	on x = create().exit { s = created; }
//	on destroy(x).entry  { if (s == created) s = destroyed; }      nothing, unless x was created
//	at end               { if (s == created) abort "left"; }       likewise
//
// So only what create returns is watched, and not whatever a pointer may lead to that destroy is given.
//
// This is sound: let all events of a run about an object be idle. By induction over the run its state is the initial
// one. An idle event about it leaves that as it is, and violates nothing; an event about another one, or about none, does
// so, too, which is asked of each action of the rule (always). An event that is not idle is about no object but
// those to which its argument may lead (places.go).

// idleness answers which actions of a rule are idle.
type idleness struct {
	rule    *Rule
	initial map[string]*big.Int // state in which an object begins: by the names of ghost variables
	always  bool                // no action does anything to objects that it is not about
}

// newIdleness finds the initial state of r, whose actions have been lowered.
func newIdleness(r *Rule) *idleness {
	d := &idleness{rule: r, initial: map[string]*big.Int{}}
	// 1. Where other variables than its state say what happens to an object, nothing is known: whether it has begun,
	// and how many functions that mean one event are being executed.
	if r.Object == nil || len(r.Lives) > 0 || len(r.nestings) > 0 {
		return d
	}
	// 2. The state at the start of the program.
	ghosts := map[string]bool{}
	for _, g := range r.Ghosts {
		ghosts[r.ghost(g.Name.Text)] = true
	}
	for _, a := range r.actions {
		if a.point != "init" {
			continue
		}
		for _, n := range a.proc.Nodes {
			s, ok := n.Stmt.(*core.Assign)
			if !ok {
				continue
			}
			for i, l := range s.Lhs {
				if v, ok := l.(*core.VarRef); ok && ghosts[v.Var.Name] {
					d.initial[v.Var.Name] = d.value(s.Rhs[i])
				}
			}
		}
	}
	// 3. What actions do to other objects than theirs.
	d.always = true
	for _, a := range r.actions {
		d.always = d.always && (a.point == "init" || d.idle(a, true))
	}
	return d
}

// isIdle reports whether a does nothing to an object in its initial state, and no action does anything to others.
func (d *idleness) isIdle(a *action) bool { return d.always && d.idle(a, false) }

// idle reports whether a leaves the initial state of the object that is watched as it is, and violates nothing; with
// apart, if none of its arguments is that object.
func (d *idleness) idle(a *action, apart bool) bool {
	// All nodes that control may come to, as long as the state is the initial one.
	nodes, seen := a.proc.Nodes, map[int]bool{}
	for work := []int{0}; len(work) > 0; {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[i] {
			continue
		}
		seen[i] = true
		switch s := nodes[i].Stmt.(type) {
		case *core.Skip, *core.Branch, *core.Return:
		case *core.Assume:
			if holds := d.condition(s.Cond, apart); holds != nil && holds.Sign() == 0 {
				continue
			}
		case *core.Assign:
			for k, l := range s.Lhs {
				if v, ok := l.(*core.VarRef); !ok || v.Var.Kind == core.Global && !d.keeps(v.Var, s.Rhs[k]) {
					return false
				}
			}
		case *core.Havoc:
			for _, l := range core.Destinations(s) {
				if v, ok := l.(*core.VarRef); !ok || v.Var.Kind == core.Global {
					return false
				}
			}
		default: // a call that stands for an abort
			return false
		}
		work = append(work, nodes[i].Succ...)
	}
	return true
}

// keeps reports whether v := e leaves the initial state as it is. At the end of an object nothing is watched any more.
func (d *idleness) keeps(v *core.Var, e core.Expr) bool {
	if v.Name == d.rule.global("watch") {
		return true
	}
	x := d.value(e)
	return x != nil && d.initial[v.Name] != nil && x.Cmp(d.initial[v.Name]) == 0
}

// condition returns the value of the condition e in the initial state, nil if it is not known. If apart is set, some
// object is watched, and it is none of those that e compares it with.
func (d *idleness) condition(e core.Expr, apart bool) *big.Int {
	b, ok := e.(*core.Binary)
	if ok && apart && (b.Op == core.Eq || b.Op == core.Ne) && (d.isWatch(b.X) || d.isWatch(b.Y)) {
		if b.Op == core.Ne {
			return big.NewInt(1)
		}
		return big.NewInt(0)
	}
	return d.value(e)
}

// isWatch reports whether e is the address of the object that is watched.
func (d *idleness) isWatch(e core.Expr) bool {
	v, ok := e.(*core.VarRef)
	return ok && v.Var.Kind == core.Global && v.Var.Name == d.rule.global("watch")
}

// value returns the value of e in the initial state, nil if it depends on anything else.
func (d *idleness) value(e core.Expr) *big.Int {
	if !d.isKnown(e) {
		return nil
	}
	return core.EvalMath(e, func(v *core.Var) *big.Int { return d.initial[v.Name] })
}

// isKnown reports whether e is about numbers in the initial state alone.
func (d *idleness) isKnown(e core.Expr) bool {
	switch x := e.(type) {
	case *core.Const:
		return true
	case *core.VarRef:
		return x.Var.Kind == core.Global && d.initial[x.Var.Name] != nil
	case *core.Unary, *core.Binary, *core.Conv:
		for _, c := range core.Children(e) {
			if !d.isKnown(c) {
				return false
			}
		}
		return true
	}
	return false
}
