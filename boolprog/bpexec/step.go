package bpexec

import (
	"fmt"

	"c2bp/boolprog"
)

// This file defines the steps of a procedure.

// State is a valuation of the variables visible in a procedure: bit i of Globals is global i of the
// Graph, bit i of Locals is local i of the ProcGraph.
type State struct{ Globals, Locals uint64 }

// Step is the outcome of a step: a node with a state. At the exit of a procedure with results, bit
// i of Results is result i; elsewhere Results is 0.
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

// slotOf returns the slot of a variable visible in p.
func slotOf(p *boolprog.ProcGraph, name string) boolprog.Slot {
	slot, ok := p.Slot(name)
	if !ok {
		panic(fmt.Sprintf("bpexec: no variable %q in %s", name, p.Proc.Name))
	}
	return slot
}

// setBit returns word with bit i set to value.
func setBit(word uint64, i int, value bool) uint64 {
	if value {
		return word | 1<<i
	}
	return word &^ (1 << i)
}

// Enforced reports whether the enforce clause of p can hold in s.
func Enforced(p *boolprog.ProcGraph, s State) bool {
	return p.Proc.Enforce == nil || evalIn(p, p.Proc.Enforce, s).Has(true)
}

// Successors returns the outcomes of one step from node inside p, except those that the enforce
// clause forbids. Calls have no successor here, see Enter and Return; an assertion continues only
// if it holds, see Failing.
func Successors(p *boolprog.ProcGraph, node int, s State) (steps []Step) {
	n := p.Nodes[node]
	// to adds an outcome unless the enforce clause forbids it.
	to := func(succ int, s State, results uint64) {
		if Enforced(p, s) {
			steps = append(steps, Step{n.Succ[succ], s, results})
		}
	}
	switch n.Kind {
	case boolprog.NodeSkip:
		// A skip, or a goto to any of its labels.
		for i := range n.Succ {
			to(i, s, 0)
		}
	case boolprog.NodeAssume, boolprog.NodeAssert:
		if evalIn(p, n.Cond, s).Has(true) {
			to(0, s, 0)
		}
	case boolprog.NodeBranch:
		// A condition with choices may go both ways.
		values := evalIn(p, n.Cond, s)
		if values.Has(true) {
			to(0, s, 0)
		}
		if values.Has(false) {
			to(1, s, 0)
		}
	case boolprog.NodeAssign:
		for _, t := range Assignments(p, n.Assign, s) {
			to(0, t, 0)
		}
	case boolprog.NodeDead:
		for _, t := range havoc(p, n.Dead.Vars, s) {
			to(0, t, 0)
		}
	case boolprog.NodeReturn:
		for _, results := range combinations(p, n.Values, s) {
			to(0, s, results)
		}
	// Calls and returns are the caller's work.
	case boolprog.NodeCall, boolprog.NodeExit:
	}
	return steps
}

// Failing reports whether node is an assertion that can fail in s.
func Failing(p *boolprog.ProcGraph, node int, s State) bool {
	n := p.Nodes[node]
	return n.Kind == boolprog.NodeAssert && evalIn(p, n.Cond, s).Has(false)
}

// Assignments returns the states in which a parallel assignment can end, without the enforce
// clause: one for every combination of values that the right sides can have and that the constrain
// clause allows.
func Assignments(p *boolprog.ProcGraph, a *boolprog.Assign, s State) (states []State) {
	for _, values := range combinations(p, a.Rhs, s) {
		after := s
		for i, r := range a.Lhs {
			after = Set(p, after, r.Name, values>>i&1 == 1)
		}
		if constrained(p, a.Constrain, s, after) {
			states = append(states, after)
		}
	}
	return states
}

// Enter returns the states in which the callee of the call at node can start, without its enforce
// clause: parameters as passed, other locals arbitrary.
func Enter(p *boolprog.ProcGraph, node int, s State) (states []State) {
	n := p.Nodes[node]
	for _, params := range combinations(p, n.Call.Args, s) {
		states = append(states, start(n.Callee, entry{s.Globals, params})...)
	}
	return states
}

// Return returns the state after the call at node, without the enforce clause, if the caller was in
// s and the callee ended with these globals and results.
func Return(p *boolprog.ProcGraph, node int, s State, globals, results uint64) State {
	s.Globals = globals
	for i, r := range p.Nodes[node].Call.Lhs {
		if r.Name != "_" {
			s = Set(p, s, r.Name, results>>i&1 == 1)
		}
	}
	return s
}

// evalIn returns the values that e can have in s.
func evalIn(p *boolprog.ProcGraph, e boolprog.Expr, s State) Values {
	v := evaluator{lookup: func(r *boolprog.Ref) bool { return Get(p, s, r.Name) }}
	return v.eval(e)
}

// combinations returns the combinations of values that exprs can have in s, in increasing order.
// Bit i is the value of expression i: each is chosen independently.
func combinations(p *boolprog.ProcGraph, exprs []boolprog.Expr, s State) []uint64 {
	// From the last expression to the first, so that the words are in increasing order.
	words := []uint64{0}
	for i := len(exprs) - 1; i >= 0; i-- {
		values := evalIn(p, exprs[i], s)
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

// constrained reports whether clause can hold between two states; primed variables have their
// values in after.
func constrained(p *boolprog.ProcGraph, clause boolprog.Expr, before, after State) bool {
	if clause == nil {
		return true
	}
	v := evaluator{lookup: func(r *boolprog.Ref) bool {
		if r.Next {
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
		// A variable that is named twice is arbitrary once.
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

// start returns the states in which p can start from an entry.
func start(p *boolprog.ProcGraph, e entry) (states []State) {
	// Parameters have the low bits; all combinations of locals follow.
	params, locals := len(p.Proc.Params), len(p.Proc.Locals)
	for bits := uint64(0); bits < 1<<locals; bits++ {
		states = append(states, State{e.globals, e.params | bits<<params})
	}
	return states
}
