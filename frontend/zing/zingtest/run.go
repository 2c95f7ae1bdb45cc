package zingtest

import (
	"c2bp/frontend/zing"
)

// This file executes one step of a process.

// machine is a program that runs under options.
type machine struct {
	*graph
	options Options
	events  []Event // of the last step
}

// run is a step of a process in progress. It changes the state, and panics with a *Failure when the
// path ends.
type run struct {
	*machine
	state  *state
	number int // of the process; -1 in the initialisers
	env    *frame

	atomicity int  // in how many regions the process is
	goesOn    bool // the step goes on after this block even outside all regions
	blocks    int  // that were executed in this step
	chosen    value
	picked    int // the join statement that a select takes
	depth     int // of objects that are made for the fields of objects
}

// process returns the process that runs.
func (r *run) process() *process { return r.state.processes[r.number] }

// frame returns the frame of the method that runs.
func (r *run) frame() *frame {
	if r.env != nil {
		return r.env
	}
	stack := r.process().stack
	return stack[len(stack)-1]
}

// step executes a step of a process of a state, or the rest of it after a choice has been made.
// It returns the state after it, or the failure in which it ended.
func (m *machine) step(s *state, number int, chosen value) (after *state, failure *Failure) {
	r := &run{machine: m, state: s.clone(), number: number, chosen: chosen}
	r.state.pending = nil
	m.events = nil
	failure = r.attempt(r.blocksOfStep)
	return r.state, failure
}

// attempt calls do and returns the failure in which it ended, or nil.
func (r *run) attempt(do func()) (failure *Failure) {
	defer func() {
		if p := recover(); p != nil {
			f, is := p.(*Failure)
			if !is {
				panic(p)
			}
			failure = f
		}
	}()
	do()
	return nil
}

// blocksOfStep executes blocks until another process may run or a choice is pending.
func (r *run) blocksOfStep() {
	for {
		r.block()
		if r.state.pending != nil {
			r.state.chooser = r.number
			return
		}
		if r.atomicity == 0 && !r.goesOn {
			return
		}
	}
}

// block executes the block at which the top frame stands.
func (r *run) block() {
	f := r.frame()
	b := f.at
	r.count(b.pos)
	r.goesOn = true
	if !r.options.Cooperative && !b.glued && !b.returns || b.yields {
		r.goesOn = false
	}
	r.atomicity = f.savedA + b.level
	next := b.next
	if b.do != nil {
		next = b.do(r)
	}
	if next != nil {
		f.moveTo(next)
	}
}

// count counts blocks and iterations of coalesced loops, and fails when they are too many.
func (r *run) count(at zing.Node) {
	if r.blocks++; r.blocks > r.options.Blocks {
		panic(&Failure{Kind: InfiniteLoop, Pos: at.Pos()})
	}
}

// pop ends the method that runs. The caller continues in the same step; without one, the process has
// ended.
func (r *run) pop() {
	p := r.process()
	p.returned = r.frame()
	p.stack = p.stack[:len(p.stack)-1]
	r.atomicity = p.returned.savedA
	if len(p.stack) == 0 {
		r.goesOn = false
	}
}

// raiseTo returns the first test of a list of handlers. Without a list it pops frames until one has
// handlers installed, moves that frame there, and returns nil.
func (r *run) raiseTo(list *handlers) *block {
	if list != nil {
		return list.entry
	}
	at := r.frame().at.pos.Pos()
	for {
		r.pop()
		if len(r.process().stack) == 0 {
			panic(&Failure{Kind: Unhandled, Pos: at, Text: r.process().exception})
		}
		if f := r.frame(); f.handlers != nil {
			r.atomicity, r.goesOn = f.savedA, true
			f.moveTo(f.handlers.entry)
			return nil
		}
	}
}

// newFrame evaluates the object and the arguments of a call and makes a frame for it. A method that
// is run by a new process may have null as its object, until it is used.
func (r *run) newFrame(c *zing.Call, async bool) *frame {
	f := &frame{method: c.Method}
	switch c.Kind {
	case zing.InstanceCall:
		f.this = r.eval(c.Receiver)
		if f.this != nil || !async {
			r.objectOf(f.this, c.Method.Owner, c)
		}
	case zing.VirtualCall:
		f.this = r.eval(c.Receiver)
		f.method = r.objectOf(f.this, c.Method.Owner, c).of.Implementation(c.Method)
	}
	for i, p := range f.method.Params {
		v := initial(p.Type)
		if !p.Out {
			v = r.eval(c.Args[i].X)
		}
		f.params = append(f.params, v)
	}
	if f.method.Result.Kind != zing.KindVoid {
		f.result = initial(f.method.Result)
	}
	for _, l := range f.method.Locals {
		f.locals = append(f.locals, initial(l.Type))
	}
	f.at = r.entry[f.method.Index]
	return f
}

// setResult evaluates the value of a return, if it has one.
func (r *run) setResult(x zing.Expr) {
	if x != nil {
		r.frame().result = r.eval(x)
	}
}

// copyResults copies out parameters from left to right, then the result.
func (r *run) copyResults(s *zing.CallStmt) {
	callee := r.process().returned
	for i, a := range s.Call.Args {
		if a.Out {
			*r.place(a.X) = callee.params[i]
		}
	}
	if s.Lhs != nil {
		v := callee.result
		if s.Convert {
			v = r.convert(v, callee.method.Result, s.Lhs.TypeOf(), s)
		}
		*r.place(s.Lhs) = v
	}
	r.process().returned = nil
}
