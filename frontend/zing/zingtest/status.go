package zingtest

import "c2bp/frontend/zing"

// This file finds out which processes can run.

// status says whether a process can run.
type status int

const (
	runnable status = iota
	blocked
	blockedAtEnd // at a select with end
	completed
)

// joins are numbers of join statements.
type joins []int

// values returns the numbers as the alternatives of a choice.
func (list joins) values() []value {
	var out []value
	for _, i := range list {
		out = append(out, int64(i))
	}
	return out
}

// status returns the status of a process. It is blocked only at a select, or at a label directly
// before one, if no join statement can run; a failure of a condition lets it run.
func (m *machine) status(s *state, number int) status {
	stack := s.processes[number].stack
	if len(stack) == 0 {
		return completed
	}
	at := stack[len(stack)-1].at
	if at.label {
		at = at.next
	}
	if at.prolog == nil {
		return runnable
	}
	r := &run{machine: m, state: s, number: number}
	can, failure := r.canRun(at.prolog)
	switch {
	case failure != nil || len(can) > 0:
		return runnable
	case at.prolog.node.End:
		return blockedAtEnd
	}
	return blocked
}

// canRun returns the numbers of the join statements whose patterns all hold, or the failure of a
// pattern. It looks at a copy of the state.
func (r *run) canRun(sel *selection) (list joins, failure *Failure) {
	scratch := &run{machine: r.machine, state: r.state.clone(), number: r.number, blocks: r.blocks}
	failure = scratch.attempt(func() {
		for i, j := range sel.joins {
			if scratch.holds(j) {
				list = append(list, i)
			}
		}
	})
	return list, failure
}

// holds reports whether all patterns of a join statement hold.
func (r *run) holds(j *zing.Join) bool {
	for _, p := range j.Patterns {
		switch p := p.(type) {
		case *zing.WaitPattern:
			if !r.truth(p.Cond) {
				return false
			}
		case *zing.ReceivePattern:
			if len(r.object(p.Chan).elems) == 0 {
				return false
			}
		}
	}
	return true
}

// predicate runs a method that is called in a condition, from its call to its return, and returns its
// result.
func (r *run) predicate(c *zing.Call) value {
	callee := r.newFrame(c, false)
	// The method runs in place of the process that waits, whose stack comes back afterwards.
	p := r.process()
	waiting, atomicity, goesOn := p.stack, r.atomicity, r.goesOn
	p.stack = []*frame{callee}
	for len(p.stack) > 0 {
		r.block()
		if r.state.pending != nil {
			panic(&Failure{Kind: Internal, Pos: c.Pos(), Text: "choice in a condition"})
		}
	}
	result := p.returned.result
	p.stack, r.atomicity, r.goesOn = waiting, atomicity, goesOn
	return result
}
