package interp

import (
	"fmt"
	"slices"

	"c2bp/frontend/core"
)

// Kind says what a step did.
type Kind int

const (
	Ran      Kind = iota // one node, within one frame; also a call of an external
	Entered              // a call: the callee's frame is on top now
	Left                 // a return: the caller stands behind its call now
	Finished             // the entry has returned; no frame is left
	Blocked              // an assumption that does not hold, or no successor to enter
	Failed               // an assertion that does not hold
)

func (k Kind) String() string {
	return [...]string{"ran", "entered", "left", "finished", "blocked", "failed"}[k]
}

// Final reports whether the run is over.
func (k Kind) Final() bool { return k >= Finished }

// Event describes a step: the node executed and the frame it was executed in.
type Event struct {
	Kind Kind
	Place
}

// Step executes one node. After the end of the run it returns the same event, or
// the same error, again. Errors are *[UBError], *[ChoiceError] and *[LimitError].
// The frames of a run that ended otherwise than by Finished stay as they were.
func (m *Machine) Step() (Event, error) {
	if m.err != nil {
		return Event{}, m.err
	}
	if m.last.Kind.Final() {
		return m.last, nil
	}
	f := m.Top()
	e := Event{Place: f.place()}
	e.Kind, m.err = m.execute(f)
	m.steps++
	if m.err != nil {
		return Event{}, m.err
	}
	m.last = e
	return e, nil
}

// execute runs the node of f and moves on. Errors of Choices are left in m.err.
func (m *Machine) execute(f *Frame) (Kind, error) {
	n := f.proc.Nodes[f.node]
	switch s := n.Stmt.(type) {
	case *core.Skip:
	case *core.Branch:
		return m.branch(f, n)
	case *core.Assume:
		if ok, err := f.holds(f.node, s.Cond); !ok {
			return Blocked, err
		}
	case *core.Assert:
		if ok, err := f.holds(f.node, s.Cond); !ok {
			return Failed, err
		}
	case *core.Assign:
		if err := m.assign(f, s); err != nil {
			return Ran, err
		}
	case *core.Havoc:
		m.havoc(f, s)
	case *core.Call:
		return m.call(f, s)
	case *core.Return:
		return m.leave(f), nil
	default:
		panic(fmt.Sprintf("interp: unknown statement %T", s))
	}
	f.node = n.Succ[0]
	return Ran, m.err
}

// branch enters a successor. Of the Assume nodes among them only those whose
// condition holds can be entered, so that a run follows the conditions of the C
// program instead of guessing them.
func (m *Machine) branch(f *Frame, n *core.Node) (Kind, error) {
	open := m.open[:0]
	for _, s := range n.Succ {
		if a, ok := f.proc.Nodes[s].Stmt.(*core.Assume); ok {
			ok, err := f.holds(s, a.Cond)
			if err != nil {
				return Ran, err
			}
			if !ok {
				continue
			}
		}
		open = append(open, s)
	}
	m.open = open
	if len(open) == 0 {
		return Blocked, nil
	}
	next := m.choices.Branch(f.place(), open)
	if !slices.Contains(open, next) {
		return Blocked, nil
	}
	f.node = next
	return Ran, nil
}

func (m *Machine) assign(f *Frame, s *core.Assign) error {
	var few [4]int64
	values := few[:0]
	for i, e := range s.Rhs {
		x, _, err := f.eval(f.node, e)
		if err != nil {
			return err
		}
		values = append(values, x)
		if m.options.mutation == sequential {
			*f.location(s.Lhs[i]) = x
		}
	}
	for i, l := range s.Lhs {
		*f.location(l) = values[i]
	}
	return nil
}

// location is where l is stored.
func (f *Frame) location(l core.Loc) *int64 { return f.cell(l.(*core.VarRef).Var) }

func (m *Machine) havoc(f *Frame, s *core.Havoc) {
	for _, l := range s.Locs {
		v := l.(*core.VarRef).Var
		owner := f.depth
		if v.Kind == core.Global {
			owner = -1
		}
		m.choose(f, f.cell(v), Request{Why: Havocked, Var: v, Owner: owner})
	}
	if s.Region {
		m.havocRegion(f)
	}
}

// havocRegion gives arbitrary values to all address-taken variables.
func (m *Machine) havocRegion(f *Frame) {
	for i, g := range m.prog.Globals {
		if g.AddrTaken {
			m.choose(f, &m.globals[i], Request{Why: RegionHavocked, Var: g, Owner: -1})
		}
	}
	for _, live := range m.stack {
		if m.options.mutation == regionTopOnly && live != f {
			continue
		}
		for _, list := range [][]*core.Var{live.proc.Formals, live.proc.Locals} {
			for _, v := range list {
				if v.AddrTaken {
					m.choose(f, live.cell(v), Request{Why: RegionHavocked, Var: v, Owner: live.depth})
				}
			}
		}
	}
}

func (m *Machine) call(f *Frame, s *core.Call) (Kind, error) {
	args := make([]int64, len(s.Args))
	for i, e := range s.Args {
		if e == nil {
			continue
		}
		x, _, err := f.eval(f.node, e)
		if err != nil {
			return Ran, err
		}
		args[i] = x
	}
	if !s.Callee.HasBody() {
		m.havocRegion(f)
		if t, ok := s.Callee.RetType.(core.Int); ok && s.Lhs != nil {
			m.store(f, s, m.ask(f, Request{Why: ExternalResult, Owner: -1, Type: t}))
		}
		f.node = f.proc.Nodes[f.node].Succ[0]
		return Ran, m.err
	}
	if len(m.stack) >= m.options.MaxFrames {
		return Ran, &LimitError{What: "frames", Limit: m.options.MaxFrames}
	}
	callee := m.push(s.Callee)
	copy(callee.values, args) // formals have the first slots
	m.enter(callee)
	return Entered, m.err
}

// store puts a returned value into the destination of the call s, made in f.
func (m *Machine) store(f *Frame, s *core.Call, value int64) {
	if s.ResultConv != nil {
		value = convert(*s.ResultConv, value)
	}
	*f.location(s.Lhs) = value
}

// leave pops f and lets its caller go on.
func (m *Machine) leave(f *Frame) Kind {
	m.stack = m.stack[:len(m.stack)-1]
	caller := m.Top()
	if caller == nil {
		return Finished
	}
	n := caller.proc.Nodes[caller.node]
	s := n.Stmt.(*core.Call)
	if _, ok := f.proc.RetType.(core.Int); ok && s.Lhs != nil {
		m.store(caller, s, *f.cell(f.proc.Result))
	}
	caller.node = n.Succ[0]
	return Left
}
