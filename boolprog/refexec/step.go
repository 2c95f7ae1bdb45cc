package refexec

import "c2bp/boolprog"

// This file executes the steps of a program.

// outcome is the outcome of a step.
type outcome int

const (
	goesOn outcome = iota
	ends           // silently: at the end of main, or where an assumption does not hold
	fails          // an assertion fails
	isNull         // a null was dereferenced at the node of the top frame
)

// step executes the node of the top frame. It makes one choice after the other by the tape.
func (r *run) step() (result outcome) {
	defer r.catch(&result)
	f := r.state.top()
	n := f.proc.Nodes[f.node]
	// Statements that do not return here continue at their only successor.
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
	// Control goes to a successor of its own.
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
		for _, f := range n.Dead.Fields {
			r.anyField(f)
		}
	// The callee returns to the node after the call.
	case boolprog.NodeCall:
		r.enter(n.Callee, r.evalAll(n.Call.Args))
		return goesOn
	case boolprog.NodeReturn:
		f.results = r.results(f.proc.Proc, n)
	case boolprog.NodeExit:
		return r.leave()
	}
	return r.to(n.Succ[0])
}

// condition evaluates an enforce clause in the top frame.
func (r *run) condition(clause boolprog.Expr) (result outcome) {
	defer r.catch(&result)
	if !r.holds(clause) {
		return ends
	}
	return goesOn
}

// catch is deferred: it turns a nullDereference into an outcome.
func (r *run) catch(result *outcome) {
	switch p := recover(); {
	case p == nil:
	case p == any(nullDereference{}):
		*result = isNull
	default:
		panic(p)
	}
}

// to moves control in the top frame.
func (r *run) to(node int) outcome {
	r.state.top().node = node
	return goesOn
}

// place returns the place that a target denotes; nil for "_", which discards.
func (r *run) place(target *boolprog.Ref) *value {
	switch {
	case target.Name == "_":
		return nil
	case target.Field != "":
		return field(*r.state.variable(target.Name), target.Field)
	}
	return r.state.variable(target.Name)
}

// places returns the places of targets, which reads the x of each x.f.
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

// assign reads everything, then writes. It reports whether the constrain clause holds.
func (r *run) assign(a *boolprog.Assign) bool {
	// 1. Read the right sides, and then the x of the targets x.f. A field that becomes arbitrary is chosen
	// when it is read.
	values := make([]value, len(a.Rhs))
	for i, e := range a.Rhs {
		if a.Lhs[i].Field != "" {
			values[i] = r.initial(e)
		} else {
			values[i] = r.eval(e)
		}
	}
	places := r.places(a.Lhs)
	// 2. Check the constrain clause with the new values of variables.
	r.after = map[string]value{}
	for i, t := range a.Lhs {
		if t.Field == "" {
			r.after[t.Name] = values[i]
		}
	}
	if a.Constrain != nil && !r.holds(a.Constrain) {
		return false
	}
	// 3. Write.
	write(places, values)
	return true
}

// enter pushes a frame: parameters as passed, locals arbitrary.
func (r *run) enter(p *boolprog.ProcGraph, params []value) {
	f := &frame{proc: p, node: p.Entry, vars: params}
	for _, v := range p.Proc.Locals {
		f.vars = append(f.vars, r.arbitrary(v.Type()))
	}
	r.state.frames = append(r.state.frames, f)
}

// results returns the values that a return returns. At the end of a procedure, where there is no
// statement, they are arbitrary.
func (r *run) results(p *boolprog.Proc, n *boolprog.Node) []value {
	// An explicit return.
	if n.Stmt != nil {
		return r.evalAll(n.Values)
	}
	var results []value
	for i := range p.Results {
		results = append(results, r.arbitrary(p.Result(i)))
	}
	return results
}

// leave returns from the exit of a procedure to the caller, or ends the run of main.
func (r *run) leave() outcome {
	// Results are written in the frame of the caller.
	callee := r.state.top()
	if len(r.state.frames) == 1 {
		return ends
	}
	r.state.frames = r.state.frames[:len(r.state.frames)-1]
	n := r.state.top().proc.Nodes[r.state.top().node]
	write(r.places(n.Call.Lhs), callee.results)
	return r.to(n.Succ[0])
}
