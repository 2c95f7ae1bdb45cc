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
	// OnAccess, if not nil, is told of every read and write of memory by the program,
	// in order; not of those of predicates.
	OnAccess func(Access)

	mutation mutation
}

// mutation breaks one rule, so that tests can see that they would notice.
type mutation int

const (
	keepCarry     mutation = iota + 1 // unsigned addition does not wrap
	regionTopOnly                     // a region havoc spares the frames below the top
	sequential                        // a parallel assignment stores each value at once
	spareGlobals                      // externals change no globals whose addresses are not taken
	unscaled                          // an index counts bytes
)

// Machine is a program in execution.
type Machine struct {
	memory
	prog    *core.Program
	choices Choices
	options Options

	usage
	slots         map[*core.Var]slot
	ghosts        map[*core.Proc][]*core.Var
	frames        map[*core.Proc]frameSize
	functions     map[*core.Proc]*Object
	globals       []int64   // by slot, if not in memory
	globalObjects []*Object // by slot, if in memory
	known         []*Object // see Request.Targets
	stack         []*Frame
	extern        *core.Proc // the procedure without a body that is being called
	open          []int      // scratch for branch
	steps         int
	last          Event // the final event, once there is one
	err           error // or the final error
}

// frameSize is how many variables the frames of a procedure have.
type frameSize struct{ values, objects int }

// New returns a machine about to execute node 0 of the entry of p, which must be
// valid. The initial values have been asked for; if one of them was wrong, the
// first Step says so.
func New(p *core.Program, choices Choices, options Options) *Machine {
	if options.MaxFrames == 0 {
		options.MaxFrames = 10000
	}
	m := &Machine{
		memory: memory{layout: layout64}, usage: *usageOf(p),
		prog: p, choices: choices, options: options,
		slots:         map[*core.Var]slot{},
		ghosts:        map[*core.Proc][]*core.Var{},
		frames:        map[*core.Proc]frameSize{},
		functions:     map[*core.Proc]*Object{},
		globals:       make([]int64, len(p.Globals)),
		globalObjects: make([]*Object, len(p.Globals)),
	}
	if m.narrow {
		m.layout = layout32
	}
	m.layOut()
	m.err = m.createStatic()
	if m.err != nil {
		return m
	}
	f, err := m.push(p.Entry)
	if err != nil {
		m.err = err
		return m
	}
	for _, g := range p.Globals {
		m.choose(f, g, Request{Why: InitGlobal, Var: g, Owner: -1})
	}
	for _, v := range p.Entry.Formals {
		m.choose(f, v, Request{Why: InitFormal, Var: v})
	}
	m.enter(f)
	return m
}

// layOut gives every variable its slot.
func (m *Machine) layOut() {
	for i, g := range m.prog.Globals {
		m.slots[g] = slot{index: i, memory: g.InMemory()}
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
	if _, ok := m.slots[v]; ok { // a ghost may be among the locals as well
		return
	}
	size := m.frames[p]
	if v.InMemory() {
		m.slots[v] = slot{index: size.objects, memory: true}
		size.objects++
	} else {
		m.slots[v] = slot{index: size.values}
		size.values++
	}
	m.frames[p] = size
}

// unknownSize is the size of variables of which the program does not know it.
const unknownSize = 256

// newVariable makes the object that v is in a frame at depth.
func (m *Machine) newVariable(v *core.Var, depth int) (*Object, error) {
	from := indeterminate
	if depth < 0 || depth == 0 && v.Kind == core.Formal {
		from = outside
	}
	size := core.Bytes(v.Type)
	if _, scalar := core.Word(v.Type); size == 0 && !scalar {
		size = unknownSize
	}
	return m.newObject(&Object{v: v, depth: depth}, size, from)
}

// createStatic makes the objects that live as long as the run.
func (m *Machine) createStatic() error {
	m.next = m.first
	if m.pointers {
		o, err := m.newObject(&Object{depth: -1, known: true}, externalSize, outside)
		if err != nil {
			return err
		}
		m.known = append(m.known, o)
		for _, p := range m.prog.Procs {
			if m.functions[p], err = m.newObject(&Object{proc: p, depth: -1}, 0, outside); err != nil {
				return err
			}
		}
	}
	for i, g := range m.prog.Globals {
		if !g.InMemory() {
			continue
		}
		var err error
		if m.globalObjects[i], err = m.newVariable(g, -1); err != nil {
			return err
		}
	}
	return nil
}

// push adds a frame for p with all values 0 and all memory arbitrary.
func (m *Machine) push(p *core.Proc) (*Frame, error) {
	size := m.frames[p]
	f := &Frame{machine: m, depth: len(m.stack), proc: p, values: make([]int64, size.values)}
	m.stack = append(m.stack, f)
	if size.objects == 0 {
		return f, nil
	}
	f.objects = make([]*Object, 0, size.objects)
	for _, list := range [][]*core.Var{p.Formals, p.Locals} {
		for _, v := range list {
			if !v.InMemory() {
				continue
			}
			o, err := m.newVariable(v, f.depth)
			if err != nil {
				return nil, err
			}
			f.objects = append(f.objects, o)
		}
	}
	return f, nil
}

// enter completes a frame whose formals are set.
func (m *Machine) enter(f *Frame) {
	for _, v := range f.proc.Locals {
		m.choose(f, v, Request{Why: InitLocal, Var: v, Owner: f.depth, Indeterminate: true})
	}
	state := f.State()
	for _, v := range m.ghosts[f.proc] {
		t, _ := core.Word(v.Type)
		*f.variable(v).cell = fromBig(t.Convert(core.EvalIn(v.Init, state)))
	}
}

// choose lets Choices decide on the value of a variable that f can see, if it is a
// scalar.
func (m *Machine) choose(f *Frame, v *core.Var, r Request) {
	if _, ok := core.Word(v.Type); ok {
		m.choosePlace(f.variable(v), v.Type, r)
	}
}

// choosePlace lets Choices decide on the value of a location of type t, on behalf of
// the top frame.
func (m *Machine) choosePlace(p place, t core.Type, r Request) {
	r.Type, r.Pointer = p.span.typ, pointerType(t)
	r.Object, r.Addr = p.object, p.span.addr
	if r.Why == Havocked || r.Why == RegionHavocked {
		r.Old = p.old(m)
	}
	p.set(m, m.ask(r))
}

// ask makes a request of Choices and checks the answer.
func (m *Machine) ask(r Request) int64 {
	r.machine = m
	r.Place = Place{Proc: m.prog.Entry, Node: m.prog.Entry.Exit()}
	if f := m.Top(); f != nil {
		r.Place = f.place()
	}
	v := m.choices.Value(r)
	ok := v != nil && r.Type.Contains(v)
	if ok && r.Var != nil && r.Var.Logical {
		ok = core.Bool.Contains(v)
	}
	if !ok || m.pointers && r.Hides(v) {
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

// Global is the value of a global as in [Frame.Value]. It can be asked for also when
// no frame is left.
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
