package refexec

import "c2bp/boolprog"

// mutation is a rule broken on purpose, so that tests can show that they notice.
type mutation int

const (
	correct            mutation = iota
	oneTape                     // every choice is 0
	chooseZero                  // choose yields 0 where it should yield *
	lazyOperators               // an operand that does not matter is not evaluated
	nullIsSilent                // a null dereference ends the run silently
	nullIsFailure               // a null dereference in an assertion is its failure
	sequentialAssign            // an assignment writes each target before it reads for the next
	lateBases                   // the x of a target x.f is read when that is written
	rightToLeft                 // an assignment writes from right to left
	constrainOld                // primed variables have their old values
	constrainLate               // what is not primed is read after the assignment, too
	basesBeforeCall             // the x of a target x.f of a call is read before the call
	fieldsZero                  // classes do not say what fields start with
	globalsZero                 // globals, and the parameters of main, start 0
	localsZero                  // locals start 0
	resultsZero                 // where there is no return, results are 0
	noEnforceAfterCall          // enforce does not filter the states behind calls
	assertStops                 // nothing comes behind an assertion with choices in it
	printReads                  // a print evaluates its arguments
	aliasesLost                 // two references to one object look like two objects
	topOnly                     // states that differ below the top frame are one
	mutations                   // their number
)

// brokenStep is r.step, or what a mutation makes of it.
func (x *explorer) brokenStep(r *run) outcome {
	f := r.state.top()
	n := f.proc.Nodes[f.node]
	if x.opts.broken == printReads && r.print(n) == isNull {
		return isNull
	}
	result := r.step()
	x.lax = x.opts.broken == noEnforceAfterCall && n.Kind == boolprog.NodeExit
	switch {
	case r.broken == nullIsSilent && result == isNull:
		return ends
	case r.broken == nullIsFailure && result == isNull && n.Kind == boolprog.NodeAssert:
		return fails
	case r.broken == assertStops && result == goesOn && n.Kind == boolprog.NodeAssert && r.tape.played > 0:
		return ends
	}
	return result
}

// print evaluates the arguments if n is a print.
func (r *run) print(n *boolprog.Node) (result outcome) {
	defer r.catch(&result)
	if n.Stmt != nil {
		if op, ok := n.Stmt.Op.(*boolprog.Print); ok {
			r.evalAll(op.Args)
		}
	}
	return goesOn
}

// brokenAssign assigns with a broken rule, if a mutation is about assignments like a.
func (r *run) brokenAssign(a *boolprog.Assign) bool {
	switch {
	case a.Constrain != nil:
		return false
	case r.broken == sequentialAssign:
		for i := range a.Lhs {
			values := r.evalAll(a.Rhs[i : i+1])
			write(r.places(a.Lhs[i:i+1]), values)
		}
	case r.broken == lateBases:
		for i, v := range r.evalAll(a.Rhs) {
			write(r.places(a.Lhs[i:i+1]), []value{v})
		}
	case r.broken == rightToLeft:
		values, places := r.evalAll(a.Rhs), r.places(a.Lhs)
		for i := len(places) - 1; i >= 0; i-- {
			*places[i] = values[i]
		}
	default:
		return false
	}
	return true
}

// bases are the x of the targets x.f.
func (r *run) bases(targets []*boolprog.Ref) (bases []value) {
	for _, t := range targets {
		if t.Field != "" {
			bases = append(bases, *r.state.variable(t.Name))
		}
	}
	return bases
}

// earlyPlaces takes the bases that the caller has kept instead of results.
func (r *run) earlyPlaces(targets []*boolprog.Ref) (places []*value) {
	bases := r.state.top().results
	for _, t := range targets {
		if t.Field == "" {
			places = append(places, r.place(t))
			continue
		}
		places = append(places, field(bases[0], t.Field))
		bases = bases[1:]
	}
	return places
}
