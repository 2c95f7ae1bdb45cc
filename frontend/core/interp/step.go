package interp

import (
	"fmt"
	"slices"

	"c2bp/frontend/core"
)

// This file executes nodes.

// Kind is the kind of a step.
type Kind int

const (
	Ran      Kind = iota // one node, within one frame; also a call of an external
	Entered              // a call: the callee's frame is on top now
	Left                 // a return: the caller is after its call now
	Finished             // the entry has returned; no frame is left
	Blocked              // an assumption that does not hold, or no successor to enter
	Failed               // an assertion that does not hold
)

// String returns k in one word.
func (k Kind) String() string {
	return [...]string{"ran", "entered", "left", "finished", "blocked", "failed"}[k]
}

// Final reports whether the run is over.
func (k Kind) Final() bool { return k >= Finished }

// Event describes a step: the node executed and the frame it was executed in.
type Event struct {
	Kind Kind
	Place
	Computed bool // it made arbitrary what a library function returns, and that has the value that C defines
}

// Step executes one node. After the end of the run it returns the same event, or
// the same error, again. Errors are *[UBError], *[ChoiceError] and *[LimitError].
// The frames of a run that ended otherwise than by Finished stay as they were.
func (m *Machine) Step() (Event, error) {
	// 1. A run that has ended stays as it is.
	if m.err != nil {
		return Event{}, m.err
	}
	if m.last.Kind.Final() {
		return m.last, nil
	}
	// 2. Execute the node of the top frame.
	f := m.Top()
	e := Event{Place: f.place()}
	var err error
	m.computed = false
	e.Kind, err = m.execute(f)
	e.Computed = m.computed
	m.steps++
	if m.err == nil {
		m.err = err
	}
	// 3. Check the limit on memory.
	if m.err == nil && m.full() {
		m.err = outOfMemory
	}
	if m.err != nil {
		return Event{}, m.err
	}
	m.last = e
	return e, nil
}

// execute runs the node of f and moves on. Errors of Choices are in m.err.
func (m *Machine) execute(f *Frame) (Kind, error) {
	n := &f.routine.nodes[f.node]
	switch s := n.stmt.(type) {
	case *core.Skip:
	case *core.Branch:
		return m.branch(f, n)
	// Kinds beside an error have no meaning: Step drops them.
	case *core.Assume:
		// The Branch before may have evaluated the condition already.
		if f.passed == f.node+1 && m.options.OnAccess == nil {
			break
		}
		if x, err := f.run(f.node, n.cond); x == 0 || err != nil {
			return Blocked, err
		}
	case *core.Assert:
		if x, err := f.run(f.node, n.cond); x == 0 || err != nil {
			return Failed, err
		}
	case *core.Assign:
		if err := m.assign(f, n); err != nil {
			return Ran, err
		}
	case *core.Havoc:
		if err := m.havoc(f, s); err != nil {
			return Ran, err
		}
	case *core.Copy, *core.Fill, *core.Data, *core.Alloc, *core.Free:
		if err := m.memoryNode(f, s); err != nil {
			return Ran, err
		}
	case *core.Call:
		// The frame stays at the call until the callee returns (leave); externals return at once.
		return m.call(f, s)
	case *core.Return:
		return m.leave(f)
	default:
		panic(fmt.Sprintf("interp: unknown statement %T", s))
	}
	f.node, f.passed = n.next, 0
	return Ran, nil
}

// branch enters a successor. Of the Assume nodes among them only those whose condition holds can be
// entered, so that a run follows the conditions of the C program instead of guessing them.
func (m *Machine) branch(f *Frame, n *instruction) (Kind, error) {
	// 1. Collect the successors that can be entered. Of a condition and its negation only one is
	// evaluated.
	node := f.proc.Nodes[f.node]
	open := m.open[:0]
	for i, s := range node.Succ {
		// Only an Assume can keep the run out; any other successor is open.
		if next := &f.routine.nodes[s]; next.cond != nil && !next.asserts {
			// The second Assume is the negation of the first: it holds iff the first does not.
			// Observers of accesses want to see it evaluated.
			if i == 1 && n.either && m.options.OnAccess == nil {
				if len(open) == 1 {
					break
				}
			} else if x, err := f.run(s, next.cond); err != nil {
				return Ran, err
			} else if x == 0 {
				continue
			}
		}
		open = append(open, s)
	}
	m.open = open
	if len(open) == 0 {
		return Blocked, nil
	}
	// 2. Let Choices pick one, unless C defines which one it is.
	if call := node.Model; call != nil && call.Computed != "" {
		open = m.chosen(f, call, open)
	}
	next := m.choices.Branch(f.place(), open)
	// A replay that wants to enter a successor that is not open has left its path.
	if !slices.Contains(open, next) {
		return Blocked, nil
	}
	// The condition of next was found to hold in this state: it is not evaluated again.
	f.node, f.passed = next, next+1
	return Ran, nil
}

// assign executes an Assign.
func (m *Machine) assign(f *Frame, n *instruction) error {
	// 1. The common case, one register, needs no place.
	if len(n.lhs) == 1 && n.lhs[0].op == opRegister {
		x, err := f.run(f.node, n.rhs[0])
		if err == nil {
			f.values[n.lhs[0].slot] = x
		}
		return err
	}
	// 2. Evaluate all places and values, then store them.
	// Few assignments have more than four sides: the arrays save allocations.
	var few [4]int64
	var fewPlaces [4]place
	values, places := few[:0], fewPlaces[:0]
	for i, e := range n.rhs {
		p, err := f.located(n.lhs[i])
		if err != nil {
			return err
		}
		x, err := f.run(f.node, e)
		if err != nil {
			return err
		}
		values, places = append(values, x), append(places, p)
	}
	// Where places overlap, the last one wins.
	for i, p := range places {
		p.set(m, values[i])
	}
	return nil
}

// havoc executes s: its locations in order, then, with Region, all that has an address.
func (m *Machine) havoc(f *Frame, s *core.Havoc) error {
	for i := range s.Locs {
		if err := m.havocLoc(f, i, s); err != nil {
			return err
		}
	}
	if s.Region {
		m.havocRegion(f, false)
		m.havocMemory(f)
	}
	return nil
}

// havocLoc makes location i of s arbitrary: a scalar by a request now, anything else by forgetting
// its bytes, which are asked for when they are read.
func (m *Machine) havocLoc(f *Frame, i int, s *core.Havoc) error {
	l := s.Locs[i]
	if _, scalar := core.Word(l.Type()); !scalar {
		return m.havocBlock(f, i, s)
	}
	// A scalar: ask for its value.
	p, err := f.location(l)
	if err != nil {
		return err
	}
	// A variable whose life begins holds a value that nobody has set, and that points nowhere; but
	// if the program reads it although nothing sets it (Unset), the value comes from outside.
	r := Request{Why: Havocked, Owner: f.depth, Indeterminate: s.Begin && (s.Unset == nil || s.Unset[i] == nil)}
	switch l := l.(type) {
	case *core.VarRef:
		r.Var = l.Var
		if l.Var.Kind == core.Global {
			r.Owner = -1
		}
	case *core.Mem:
		r.Owner = p.object.depth
	}
	if s.Reads != nil { // the stored value may be read, even an address that is not known outside
		v := f.evaluation(f.node)
		v.quiet = true
		x := v.value(m.codeOf(f.routine, s.Reads))
		r.old, r.hasOld = x, v.ub == Defined
	}
	if call := f.proc.Nodes[f.node].Model; call != nil && call.Computed != "" {
		return m.computePlace(f, call, p, l.Type(), r)
	}
	m.choosePlace(p, l.Type(), r)
	return nil
}

// havocBlock makes the bytes of location i of s, which is no scalar, arbitrary.
func (m *Machine) havocBlock(f *Frame, i int, s *core.Havoc) error {
	var b block
	l := s.Locs[i]
	switch l := l.(type) {
	case *core.VarRef:
		o := f.object(l.Var)
		b = block{object: o, size: o.Size()}
	case *core.Mem:
		var err error
		if b, err = f.target(l.Addr, core.Bytes(l.Typ)); err != nil {
			return err
		}
	}
	m.blur(f, b, indeterminate, l, nil)
	if s.Unset != nil {
		m.unset(b.object, s.Unset[i])
	}
	return nil
}

// havocRegion gives arbitrary values to all address-taken scalar variables; with
// globals, to the other global ones, too.
func (m *Machine) havocRegion(f *Frame, globals bool) {
	for _, g := range m.prog.Globals {
		if globals || g.AddrTaken {
			m.choose(f, g, Request{Why: RegionHavocked, Var: g, Owner: -1})
		}
	}
	for _, live := range m.stack {
		for _, list := range [][]*core.Var{live.proc.Formals, live.proc.Locals} {
			for _, v := range list {
				// Variables of the same name in several activations are several variables.
				if v.AddrTaken {
					m.choose(live, v, Request{Why: RegionHavocked, Var: v, Owner: live.depth})
				}
			}
		}
	}
}

// havocMemory makes the contents of all other objects arbitrary that pointers may
// point to. What does that knows all these objects.
func (m *Machine) havocMemory(f *Frame) {
	m.reach(nil, m.among((*Object).pointedTo))
	for _, o := range m.objects {
		// havocRegion has asked for the scalars; string literals never change.
		if o.pointedTo() && m.body(o).live && !o.scalar() && !o.literal() {
			m.blur(f, block{object: o, size: o.Size()}, outside, nil, nil)
		}
	}
}

// scalar reports whether o is a variable of integer or pointer type.
func (o *Object) scalar() bool {
	if o.v == nil {
		return false
	}
	_, ok := core.Word(o.v.Type)
	return ok
}
