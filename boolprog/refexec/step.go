package refexec

import "c2bp/boolprog"

// This file defines the steps of a program.

// outcome is how a step ends.
type outcome int

const (
	goesOn outcome = iota
	ends           // silently: at the end of main, or what is assumed does not hold
	fails          // an assertion
	isNull         // a null was dereferenced at the node of the top frame
)

// step executes the node of the top frame.
func (r *run) step() (result outcome) {
	defer r.catch(&result)
	f := r.state.top()
	n := f.proc.Nodes[f.node]
	switch n.Kind {
	case boolprog.NodeSkip:
		return r.to(n.Succ[r.tape.choose(len(n.Succ))])
	case boolprog.NodeAssume:
		if !r.holds(n.Cond) {
			return ends
		}
	case boolprog.NodeAssert:
		if !r.holds(n.Cond) {
			return fails
		}
	case boolprog.NodeBranch:
		if !r.holds(n.Cond) {
			return r.to(n.Succ[1])
		}
	case boolprog.NodeAssign:
		if !r.assign(n.Assign) {
			return ends
		}
	case boolprog.NodeDead:
		for _, v := range n.Dead.Vars {
			*r.state.variable(v.Name) = r.choice()
		}
	case boolprog.NodeCall:
		if r.broken == basesBeforeCall {
			f.results = r.bases(n.Call.Lhs) // which is unused below the top
		}
		r.enter(n.Callee, r.evalAll(n.Call.Args))
		return goesOn
	case boolprog.NodeReturn:
		f.results = r.results(f.proc.Proc, n)
	case boolprog.NodeExit:
		return r.leave()
	}
	return r.to(n.Succ[0])
}

// condition evaluates a clause that the top frame must satisfy.
func (r *run) condition(clause boolprog.Expr) (result outcome) {
	defer r.catch(&result)
	if !r.holds(clause) {
		return ends
	}
	return goesOn
}

// catch makes a null dereference an outcome.
func (r *run) catch(result *outcome) {
	switch p := recover(); {
	case p == nil:
	case p == any(nullDereference{}):
		*result = isNull
	default:
		panic(p)
	}
}

func (r *run) to(node int) outcome {
	r.state.top().node = node
	return goesOn
}

// place is the place that a target means; nil for "_", which discards.
func (r *run) place(target *boolprog.Ref) *value {
	switch {
	case target.Name == "_":
		return nil
	case target.Field != "":
		return field(*r.state.variable(target.Name), target.Field)
	}
	return r.state.variable(target.Name)
}

func (r *run) places(targets []*boolprog.Ref) (places []*value) {
	for _, t := range targets {
		places = append(places, r.place(t))
	}
	return places
}

// write stores values from left to right.
func write(places []*value, values []value) {
	for i, p := range places {
		if p != nil {
			*p = values[i]
		}
	}
}

// assign reads everything, then writes; it reports whether the constrain clause holds.
func (r *run) assign(a *boolprog.Assign) bool {
	if r.broken != correct && r.brokenAssign(a) {
		return true
	}
	values := r.evalAll(a.Rhs)
	places := r.places(a.Lhs)
	r.after = map[string]value{}
	for i, t := range a.Lhs {
		if t.Field == "" {
			r.after[t.Name] = values[i]
		}
	}
	if r.broken == constrainLate {
		write(places, values)
	}
	if a.Constrain != nil && !r.holds(a.Constrain) {
		return false
	}
	write(places, values)
	return true
}

// enter calls a procedure.
func (r *run) enter(p *boolprog.ProcGraph, params []value) {
	f := &frame{proc: p, node: p.Entry, vars: params}
	for _, v := range p.Proc.Locals {
		f.vars = append(f.vars, r.arbitrary(v.Type(), localsZero))
	}
	r.state.frames = append(r.state.frames, f)
}

// results are the values that a return returns. At the end of a procedure, where there
// is no statement, they are arbitrary.
func (r *run) results(p *boolprog.Proc, n *boolprog.Node) []value {
	if n.Stmt != nil {
		return r.evalAll(n.Values)
	}
	var results []value
	for i := range p.Results {
		results = append(results, r.arbitrary(p.Result(i), resultsZero))
	}
	return results
}

// leave returns from the exit of a procedure to the caller, if there is one.
func (r *run) leave() outcome {
	callee := r.state.top()
	if len(r.state.frames) == 1 {
		return ends
	}
	r.state.frames = r.state.frames[:len(r.state.frames)-1]
	n := r.state.top().proc.Nodes[r.state.top().node]
	places := r.places(n.Call.Lhs)
	if r.broken == basesBeforeCall {
		places = r.earlyPlaces(n.Call.Lhs)
	}
	write(places, callee.results)
	return r.to(n.Succ[0])
}
