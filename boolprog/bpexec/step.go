package bpexec

import (
	"fmt"

	"c2bp/boolprog"
)

// This file defines the steps of a procedure.

// State is a valuation of the variables visible in a procedure: bit i of Globals is
// global i of the Graph, bit i of Locals is local i of the ProcGraph.
type State struct{ Globals, Locals uint64 }

// Step is a place that a step leads to. Results holds the values returned, bit i
// result i, if the place is the exit of a procedure with results; else it is 0.
type Step struct {
	Node    int
	State   State
	Results uint64
}

// Get returns the value of a variable visible in p.
func Get(p *boolprog.ProcGraph, s State, name string) bool {
	slot := slotOf(p, name)
	if slot.Global {
		return s.Globals>>slot.Index&1 == 1
	}
	return s.Locals>>slot.Index&1 == 1
}

// Set returns s with a variable visible in p changed.
func Set(p *boolprog.ProcGraph, s State, name string, value bool) State {
	slot := slotOf(p, name)
	if slot.Global {
		s.Globals = setBit(s.Globals, slot.Index, value)
	} else {
		s.Locals = setBit(s.Locals, slot.Index, value)
	}
	return s
}

func slotOf(p *boolprog.ProcGraph, name string) boolprog.Slot {
	slot, ok := p.Slot(name)
	if !ok {
		panic(fmt.Sprintf("bpexec: no variable %q in %s", name, p.Proc.Name))
	}
	return slot
}

func setBit(word uint64, i int, value bool) uint64 {
	if value {
		return word | 1<<i
	}
	return word &^ (1 << i)
}

// mutation is a rule broken on purpose, so that tests can show that they notice.
type mutation int

const (
	correct            mutation = iota
	chooseFalse                 // choose yields 0 where it should yield *
	sequentialAssign            // assignments see the targets written before them
	constrainOld                // primed variables have their old values
	noEnforceAfterCall          // enforce does not filter the states behind calls
	localsZero                  // locals start 0
	globalsRestored             // callees do not change globals
	summaryOnce                 // only the first way to return is told to callers
)

// machine is the semantics, perhaps with a broken rule.
type machine struct{ broken mutation }

// Enforced reports whether the enforce clause of p lets s pass.
func Enforced(p *boolprog.ProcGraph, s State) bool { return machine{}.enforced(p, s) }

// Successors returns the places that one step from node can lead to inside p; a
// step that enforce forbids is none. Calls have no successor here, see Enter and
// Return; an assertion leads on only when it holds, see Failing.
func Successors(p *boolprog.ProcGraph, node int, s State) []Step {
	return machine{}.successors(p, node, s)
}

// Failing reports whether node is an assertion that can fail in s.
func Failing(p *boolprog.ProcGraph, node int, s State) bool {
	n := p.Nodes[node]
	return n.Kind == boolprog.NodeAssert && machine{}.eval(p, n.Cond, s).Has(false)
}

// Assignments returns the states in which a parallel assignment can end, enforce
// left aside: one for every combination of values that the right-hand sides can
// have and that the constrain clause allows.
func Assignments(p *boolprog.ProcGraph, a *boolprog.Assign, s State) []State {
	return machine{}.assignments(p, a, s)
}

// Enter returns the states in which the callee of the call at node can start, its
// enforce clause left aside: parameters as passed, other locals arbitrary.
func Enter(p *boolprog.ProcGraph, node int, s State) []State {
	return machine{}.enter(p, node, s)
}

// Return returns the state behind the call at node, enforce left aside, when the
// caller was in s and the callee ended with these globals and results.
func Return(p *boolprog.ProcGraph, node int, s State, globals, results uint64) State {
	s.Globals = globals
	for i, r := range p.Nodes[node].Call.Lhs {
		if r.Name != "_" {
			s = Set(p, s, r.Name, results>>i&1 == 1)
		}
	}
	return s
}

func (m machine) eval(p *boolprog.ProcGraph, e boolprog.Expr, s State) Values {
	v := evaluator{broken: m.broken, lookup: func(r *boolprog.Ref) bool { return Get(p, s, r.Name) }}
	return v.eval(e)
}

func (m machine) enforced(p *boolprog.ProcGraph, s State) bool {
	return p.Proc.Enforce == nil || m.eval(p, p.Proc.Enforce, s).Has(true)
}

func (m machine) successors(p *boolprog.ProcGraph, node int, s State) (steps []Step) {
	n := p.Nodes[node]
	to := func(succ int, s State, results uint64) {
		if m.enforced(p, s) {
			steps = append(steps, Step{n.Succ[succ], s, results})
		}
	}
	switch n.Kind {
	case boolprog.NodeSkip:
		for i := range n.Succ {
			to(i, s, 0)
		}
	case boolprog.NodeAssume, boolprog.NodeAssert:
		if m.eval(p, n.Cond, s).Has(true) {
			to(0, s, 0)
		}
	case boolprog.NodeBranch:
		values := m.eval(p, n.Cond, s)
		if values.Has(true) {
			to(0, s, 0)
		}
		if values.Has(false) {
			to(1, s, 0)
		}
	case boolprog.NodeAssign:
		for _, t := range m.assignments(p, n.Assign, s) {
			to(0, t, 0)
		}
	case boolprog.NodeDead:
		for _, t := range havoc(p, n.Dead.Vars, s) {
			to(0, t, 0)
		}
	case boolprog.NodeReturn:
		for _, results := range m.combinations(p, n.Values, s) {
			to(0, s, results)
		}
	case boolprog.NodeCall, boolprog.NodeExit:
	}
	return steps
}

// combinations returns the values that exprs can have together in s, bit i the
// value of expression i, in increasing order.
func (m machine) combinations(p *boolprog.ProcGraph, exprs []boolprog.Expr, s State) []uint64 {
	words := []uint64{0}
	for i := len(exprs) - 1; i >= 0; i-- {
		values := m.eval(p, exprs[i], s)
		var next []uint64
		for _, w := range words {
			for _, v := range []bool{false, true} {
				if values.Has(v) {
					next = append(next, setBit(w, i, v))
				}
			}
		}
		words = next
	}
	return words
}

func (m machine) assignments(p *boolprog.ProcGraph, a *boolprog.Assign, s State) (states []State) {
	if m.broken == sequentialAssign && len(a.Lhs) > 1 && a.Constrain == nil {
		states = []State{s}
		for i := range a.Lhs {
			var next []State
			for _, t := range states {
				next = append(next, m.assignments(p, &boolprog.Assign{Lhs: a.Lhs[i : i+1], Rhs: a.Rhs[i : i+1]}, t)...)
			}
			states = next
		}
		return states
	}
	for _, values := range m.combinations(p, a.Rhs, s) {
		after := s
		for i, r := range a.Lhs {
			after = Set(p, after, r.Name, values>>i&1 == 1)
		}
		if m.constrained(p, a.Constrain, s, after) {
			states = append(states, after)
		}
	}
	return states
}

// constrained reports whether clause can hold between two states.
func (m machine) constrained(p *boolprog.ProcGraph, clause boolprog.Expr, before, after State) bool {
	if clause == nil {
		return true
	}
	v := evaluator{broken: m.broken, lookup: func(r *boolprog.Ref) bool {
		if r.Next && m.broken != constrainOld {
			return Get(p, after, r.Name)
		}
		return Get(p, before, r.Name)
	}}
	return v.eval(clause).Has(true)
}

// havoc returns the states that differ from s in vars at most.
func havoc(p *boolprog.ProcGraph, vars []*boolprog.Ref, s State) []State {
	states := []State{s}
	seen := map[string]bool{}
	for _, r := range vars {
		if seen[r.Name] {
			continue
		}
		seen[r.Name] = true
		var next []State
		for _, t := range states {
			next = append(next, Set(p, t, r.Name, false), Set(p, t, r.Name, true))
		}
		states = next
	}
	return states
}

func (m machine) enter(p *boolprog.ProcGraph, node int, s State) (states []State) {
	n := p.Nodes[node]
	for _, params := range m.combinations(p, n.Call.Args, s) {
		states = append(states, m.start(n.Callee, entry{s.Globals, params})...)
	}
	return states
}

// start returns the states in which p can start from an entry.
func (m machine) start(p *boolprog.ProcGraph, e entry) (states []State) {
	params, locals := len(p.Proc.Params), len(p.Proc.Locals)
	if m.broken == localsZero {
		locals = 0
	}
	for bits := uint64(0); bits < 1<<locals; bits++ {
		states = append(states, State{e.globals, e.params | bits<<params})
	}
	return states
}
