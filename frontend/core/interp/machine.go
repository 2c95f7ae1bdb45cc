package interp

import (
	"context"
	"math/big"

	"c2bp/frontend/core"
)

// Options adjusts a machine.
type Options struct {
	// Ghosts are symbolic constants: a frame of a ghost's procedure holds in it
	// the value of Ghost.Init on entry (after the formals are set), evaluated
	// mathematically and converted to the ghost's type.
	Ghosts []*core.Var
	// MaxFrames bounds the stack; 0 is 10,000.
	MaxFrames int

	mutation mutation
}

// mutation breaks one rule, so that tests can see that they would notice.
type mutation int

const (
	keepCarry     mutation = iota + 1 // unsigned addition does not wrap
	regionTopOnly                     // a region havoc spares the frames below the top
	sequential                        // a parallel assignment stores each value at once
)

// Machine is a program in execution.
type Machine struct {
	prog    *core.Program
	choices Choices
	options Options

	slots   map[*core.Var]int // index into globals, or into Frame.values
	ghosts  map[*core.Proc][]*core.Var
	sizes   map[*core.Proc]int
	globals []int64
	stack   []*Frame
	open    []int // scratch for branch
	steps   int
	last    Event // the final event, once there is one
	err     error // or the final error
}

// New returns a machine about to execute node 0 of the entry of p, which must be
// valid. The initial values have been asked for; if one of them was wrong, the
// first Step says so.
func New(p *core.Program, choices Choices, options Options) *Machine {
	if options.MaxFrames == 0 {
		options.MaxFrames = 10000
	}
	m := &Machine{
		prog: p, choices: choices, options: options,
		slots:   map[*core.Var]int{},
		ghosts:  map[*core.Proc][]*core.Var{},
		sizes:   map[*core.Proc]int{},
		globals: make([]int64, len(p.Globals)),
	}
	m.layOut()
	f := m.push(p.Entry)
	for _, g := range p.Globals {
		m.choose(f, &m.globals[m.slots[g]], Request{Why: InitGlobal, Var: g, Owner: -1})
	}
	for _, v := range p.Entry.Formals {
		m.choose(f, f.cell(v), Request{Why: InitFormal, Var: v})
	}
	m.enter(f)
	return m
}

// layOut gives every variable its slot.
func (m *Machine) layOut() {
	for i, g := range m.prog.Globals {
		m.slots[g] = i
	}
	for _, p := range m.prog.Procs {
		for _, v := range p.Formals {
			m.addSlot(p, v)
		}
		for _, v := range p.Locals {
			m.addSlot(p, v)
		}
	}
	for _, v := range m.options.Ghosts {
		m.addSlot(v.Proc, v)
		m.ghosts[v.Proc] = append(m.ghosts[v.Proc], v)
	}
}

func (m *Machine) addSlot(p *core.Proc, v *core.Var) {
	if _, ok := m.slots[v]; !ok { // a ghost may be among the locals as well
		m.slots[v] = m.sizes[p]
		m.sizes[p]++
	}
}

// push adds a frame for p with all values 0.
func (m *Machine) push(p *core.Proc) *Frame {
	f := &Frame{machine: m, depth: len(m.stack), proc: p, values: make([]int64, m.sizes[p])}
	m.stack = append(m.stack, f)
	return f
}

// enter completes a frame whose formals are set.
func (m *Machine) enter(f *Frame) {
	for _, v := range f.proc.Locals {
		m.choose(f, f.cell(v), Request{Why: InitLocal, Var: v, Owner: f.depth})
	}
	for _, v := range m.ghosts[f.proc] {
		*f.cell(v) = fromBig(v.Type.(core.Int).Convert(core.EvalMath(v.Init, f.Value)))
	}
}

// choose lets Choices decide on the value of a variable, on behalf of f.
func (m *Machine) choose(f *Frame, cell *int64, r Request) {
	t, ok := r.Var.Type.(core.Int)
	if !ok {
		return
	}
	r.Type = t
	if r.Why == Havocked || r.Why == RegionHavocked {
		r.Old = toBig(t, *cell)
	}
	*cell = m.ask(f, r)
}

// ask makes a request of Choices and checks the answer.
func (m *Machine) ask(f *Frame, r Request) int64 {
	r.Place = f.place()
	v := m.choices.Value(r)
	ok := v != nil && r.Type.Contains(v)
	if ok && r.Var != nil && r.Var.Logical {
		ok = core.Bool.Contains(v)
	}
	if !ok {
		if m.err == nil {
			m.err = &ChoiceError{Request: r, Value: v}
		}
		return 0
	}
	return fromBig(v)
}

func (f *Frame) place() Place { return Place{Proc: f.proc, Node: f.node, Depth: f.depth} }

// Frames is the stack, the entry's frame first; the machine's own slice. It is
// empty once the entry has returned.
func (m *Machine) Frames() []*Frame { return m.stack }

// Top is the running frame, or nil once the entry has returned.
func (m *Machine) Top() *Frame {
	if len(m.stack) == 0 {
		return nil
	}
	return m.stack[len(m.stack)-1]
}

// Steps is the number of nodes executed.
func (m *Machine) Steps() int { return m.steps }

// Global is the value of a global, nil if it is opaque. It can be asked for also
// when no frame is left.
func (m *Machine) Global(g *core.Var) *big.Int {
	t, ok := g.Type.(core.Int)
	if !ok {
		return nil
	}
	return toBig(t, m.globals[m.slots[g]])
}

// Run makes steps until the program ends, an error occurs, or max steps have
// been made altogether (a *[LimitError]; 0 is no limit).
func (m *Machine) Run(ctx context.Context, max int) (Event, error) {
	for {
		if max > 0 && m.steps >= max && !m.last.Kind.Final() {
			return Event{}, &LimitError{What: "steps", Limit: max}
		}
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
