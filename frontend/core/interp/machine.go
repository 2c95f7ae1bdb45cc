package interp

import (
	"context"
	"math/big"

	"c2bp/frontend/core"
)

// This file defines the machine, and starts runs.

// Options adjusts a machine.
type Options struct {
	// Ghosts are symbolic constants: a frame of a ghost's procedure holds in it
	// the value of Ghost.Init on entry (after the formals are set), evaluated
	// mathematically and converted to the ghost's type.
	Ghosts []*core.Var
	// MaxFrames bounds the stack; 0 is 10,000.
	MaxFrames int
	// OnAccess, if not nil, is told of every read and write of memory by the program,
	// in order; not of those of predicates.
	OnAccess func(Access)
	// OnCompare, if not nil, is told of each comparison by the program of two numbers or
	// addresses. Of the condition of a Branch and its negation, and of the Assume that is
	// entered, only one may be told of.
	OnCompare func(Comparison)
	// Renamed notes where the run depends on the numbers of addresses; see Machine.Numeric.
	Renamed bool
	// Merge makes string literals with the same contents one object, as compilers do
	// (C17 6.4.5p7); otherwise each is one of its own.
	Merge bool

	// Typed ends runs in which objects outside of the program overlap in ways that their types
	// do not allow.
	Typed bool
	// Types, if not nil, knows which objects overlap all the same, since the program says so.
	Types Types

	tiny bool // of tests: great objects begin at one byte, and their pages are small
}

// Machine is a program in execution.
type Machine struct {
	memory
	choices Choices
	options Options

	*Prepared
	numbers Numbers // choices, if it is one of these
	request Request // scratch for ask
	// Objects and registers that live as long as the run. Both slices of globals have an element
	// for each global; only one of the two is used.
	functions     []*Object // by number
	globals       []int64   // by slot, if not in memory
	globalObjects []*Object // by slot, if in memory
	foreign       []*Object // those of variables that the program does not define, by address
	known         []*Object // see Request.Targets
	stack         []*Frame
	// The rest belongs to the step that is executed, or to the end of the run.
	extern   *core.Proc // the procedure without a body that is being called
	computed bool       // the last step computed what a library function returns
	open     []int      // scratch for branch
	met      met        // scratch for reach
	steps    int
	last     Event // the final event, once there is one
	err      error // or the final error

	numeric int // see Numeric

	stays map[*Object]core.Ranges // the places of members that are forced to stay, as accesses have shown them
}

// New returns a machine about to execute node 0 of the entry of p, which must be
// valid. The initial values have been asked for; if one of them was wrong, the
// first Step says so.
func New(p *core.Program, choices Choices, options Options) *Machine {
	return prepare(p, options.Ghosts).New(choices, options)
}

// New is like the function [New], without Options.Ghosts.
func (p *Prepared) New(choices Choices, options Options) *Machine {
	if options.MaxFrames == 0 {
		options.MaxFrames = 10000
	}
	// 1. Take the objects that live as long as the run, and make the frame of the entry.
	m := p.static(options).Copy(choices)
	m.options = options
	if m.err != nil { // there is a frame in any case
		m.stack = append(m.stack, &Frame{machine: m, proc: p.prog.Entry, routine: m.routine(p.prog.Entry)})
		return m
	}
	f, err := m.push(p.prog.Entry)
	if err != nil {
		m.err = err
		return m
	}
	// 2. Ask for the initial values of globals and formals.
	// The frame of the entry is on the stack already, so that requests have a place.
	for _, g := range p.prog.Globals {
		m.choose(f, g, Request{Why: InitGlobal, Var: g, Owner: -1})
	}
	for _, v := range p.prog.Entry.Formals {
		m.choose(f, v, Request{Why: InitFormal, Var: v})
	}
	m.enter(f)
	return m
}

// unknownSize is the size of variables whose size the program does not know.
const unknownSize = 256

// newVariable makes the object of v in a frame at depth, -1 for a global. Globals and the entry's
// formals come from outside of the program; everything else is indeterminate until it is set.
func (m *Machine) newVariable(v *core.Var, depth int) (*Object, error) {
	from := indeterminate
	if depth < 0 || depth == 0 && v.Kind == core.Formal {
		from = outside
	}
	size := core.Bytes(v.Type)
	// An incomplete or opaque type has no size. A scalar always has one.
	if _, scalar := core.Word(v.Type); size == 0 && !scalar {
		size = unknownSize
	}
	return m.newObject(&Object{v: v, depth: depth}, size, from)
}

// static returns a machine with the objects that live as long as a run, or with the error of making them. It makes them
// once, for all runs with options that agree about them.
func (p *Prepared) static(options Options) *Machine {
	options = Options{Merge: options.Merge, tiny: options.tiny}
	for _, m := range p.statics {
		if m.options.Merge == options.Merge && m.options.tiny == options.tiny {
			return m
		}
	}
	m := &Machine{
		memory: memory{layout: layout64, epoch: &epoch{}}, Prepared: p, options: options,
		globals:       make([]int64, len(p.prog.Globals)),
		globalObjects: make([]*Object, len(p.prog.Globals)),
	}
	if m.narrow {
		m.layout = layout32
	}
	m.err = m.createStatic()
	p.statics = append(p.statics, m)
	return m
}

// createStatic makes the objects that live as long as the run: the external object, one for each
// procedure, the globals in memory. A program without pointers cannot tell that the first two
// exist, so it has none.
func (m *Machine) createStatic() error {
	m.next = m.first
	if m.pointers {
		o, err := m.newObject(&Object{depth: -1}, externalSize, outside)
		if err != nil {
			return err
		}
		// It is the first object of a run and the first known one, for isOutside and Targets.
		m.know(o)
		m.functions = make([]*Object, len(m.prog.Procs))
		for i, p := range m.prog.Procs {
			if m.functions[i], err = m.newObject(&Object{proc: p, depth: -1}, 0, outside); err != nil {
				return err
			}
		}
	}
	// Globals in memory. With Merge, literals with the same contents are one object.
	literals := map[string]*Object{} // by contents
	for i, g := range m.prog.Globals {
		if !g.InMemory() {
			continue
		}
		if o := literals[string(g.Text)]; o != nil && m.options.Merge && g.Merged && g.Text != nil {
			m.globalObjects[i] = o
			continue
		}
		var err error
		if m.globalObjects[i], err = m.newVariable(g, -1); err != nil {
			return err
		}
		if g.Merged && g.Text != nil {
			literals[string(g.Text)] = m.globalObjects[i]
		}
		if g.Foreign {
			m.foreign = append(m.foreign, m.globalObjects[i])
		}
	}
	return nil
}

// push adds a frame for p with all values 0 and all memory arbitrary.
func (m *Machine) push(p *core.Proc) (*Frame, error) {
	r := m.routine(p)
	f := &Frame{machine: m, depth: len(m.stack), proc: p, routine: r}
	if r.values > 0 {
		f.values = make([]int64, r.values)
	}
	m.stack = append(m.stack, f)
	if r.objects == 0 {
		return f, nil
	}
	f.objects = make([]*Object, r.objects)
	// The object of a formal gets its contents from the argument, that of a local when it is first
	// read.
	for i, v := range r.memory {
		var err error
		if f.objects[i], err = m.newVariable(v, f.depth); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// enter completes a frame whose formals are set: it asks for the values of scalar locals, and
// computes ghosts. The contents of other locals are asked for when they are read.
func (m *Machine) enter(f *Frame) {
	for _, v := range f.routine.locals {
		r := Request{Why: InitLocal, Var: v.v, Owner: f.depth, Indeterminate: true}
		if v.memory {
			m.choosePlace(f.variable(v.v), v.v.Type, r)
			continue
		}
		r.Type, r.Pointer = v.typ, v.pointer
		f.values[v.index] = m.ask(&r)
	}
	if len(f.routine.ghosts) == 0 {
		return
	}
	// Ghosts hold values on entry: 'x of a formal x is evaluated now, and never again.
	state := f.State()
	for _, v := range f.routine.ghosts {
		t, _ := core.Word(v.Type)
		*f.variable(v).cell = fromBig(t.Convert(core.EvalIn(v.Init, state)))
	}
}

// place returns the present place of f.
func (f *Frame) place() Place { return Place{Proc: f.proc, Node: f.node, Depth: f.depth} }

// Frames returns the stack, the entry's frame first; the machine's own slice. It is
// empty once the entry has returned.
func (m *Machine) Frames() []*Frame { return m.stack }

// Top returns the running frame, or nil once the entry has returned. After any other end of a run
// it is the frame that the run ended in.
func (m *Machine) Top() *Frame {
	if len(m.stack) == 0 {
		return nil
	}
	return m.stack[len(m.stack)-1]
}

// Err returns the error that ended the run, nil if there is none: the result of Step. A run may end
// so before its first step; then there is nothing in memory, and nothing can be evaluated.
func (m *Machine) Err() error { return m.err }

// Steps returns the number of nodes executed.
func (m *Machine) Steps() int { return m.steps }

// Global returns the value of a global as [Frame.Value] does, also when no frame is left.
func (m *Machine) Global(g *core.Var) *big.Int {
	t, ok := core.Word(g.Type)
	if !ok {
		return nil
	}
	s := m.slots[g]
	if s.memory {
		return m.valueIn(m.globalObjects[s.index], g)
	}
	return toBig(t, m.globals[s.index])
}

// Run makes steps until the program ends, an error occurs, or max steps have
// been made altogether (a *[LimitError]; 0 is no limit).
func (m *Machine) Run(ctx context.Context, max int) (Event, error) {
	for {
		if max > 0 && m.steps >= max && !m.last.Kind.Final() {
			return Event{}, &LimitError{What: "steps", Limit: max}
		}
		// Looking at the context takes longer than a step.
		if m.steps%4096 == 0 {
			if err := ctx.Err(); err != nil {
				return Event{}, err
			}
		}
		e, err := m.Step()
		if err != nil || e.Kind.Final() {
			return e, err
		}
	}
}
