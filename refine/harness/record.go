package harness

import (
	"context"
	"math/big"

	"c2bp/frontend/core"
	"c2bp/frontend/core/interp"
	"c2bp/source"
)

// This file defines the recorder: it runs a core program and notes what came from
// outside.

// Input is a call of a function without a body in the run, and what it returned.
type Input struct {
	Func  *core.Proc
	Value *big.Int   // as one of Type; nil if nobody used it
	Type  core.Int   // of Value
	Addr  bool       // Value is an address in memory that the program does not define
	Pos   source.Pos // of the C statement that calls it
	Text  string     // and its text
	stmt  int        // calls by one execution of a C statement have the same number
}

// Gap is something that the run depends on and that no C function supplies.
type Gap struct {
	What string // "the value of the uninitialised variable x"
	Pos  source.Pos
}

func (g Gap) String() string { return g.What + " at " + g.Pos.String() }

// Recording is what a run got from outside.
type Recording struct {
	Program *core.Program
	Inputs  []Input // in the order of execution
	Gaps    []Gap   // each once, in the order in which the run met them

	arguments map[*core.Var]*big.Int // of the entry function, by formal
	foreign   map[*core.Var]*big.Int // first values of variables that the program only declares
	images    map[*interp.Object][]imageByte
	outside   *interp.Object // memory that the program does not define, once it was seen
}

// imageByte is a byte of memory that the program does not define.
type imageByte struct {
	known bool
	value byte
}

// Recorder runs a program like a machine of package interp and records.
type Recorder struct {
	recording Recording
	choices   interp.Choices
	machine   *interp.Machine
	onAccess  func(interp.Access)

	entry  *core.Proc // what the run calls first in C
	callee *core.Proc // of the external call under way
	given  bool       // whether the node has delivered its input
	result *core.Call // of which the Return under way returns
	stmts  []int      // by depth: the number of the C statement under way
	count  int        // C statements executed
	open   unset
	gaps   map[Gap]bool
}

// NewRecorder returns a recorder for a run of p, which must be valid, from its start.
// Choices decide as they do for [interp.New], and if they implement [interp.Externals]
// they are asked for that, too.
func NewRecorder(p *core.Program, choices interp.Choices, options interp.Options) *Recorder {
	r := &Recorder{
		recording: Recording{
			Program: p, arguments: map[*core.Var]*big.Int{}, foreign: map[*core.Var]*big.Int{},
			images: map[*interp.Object][]imageByte{},
		},
		choices: choices, onAccess: options.OnAccess,
		entry: EntryFunction(p), stmts: []int{0}, gaps: map[Gap]bool{},
		open: unset{variables: map[frameVar]string{}, objects: map[*interp.Object]string{}},
	}
	options.OnAccess = r.access
	r.machine = interp.New(p, r, options)
	return r
}

// Machine is the machine that the recorder runs, for looking at. It must be stepped by
// [Recorder.Step] alone.
func (r *Recorder) Machine() *interp.Machine { return r.machine }

// Recording is what was recorded so far.
func (r *Recorder) Recording() *Recording { return &r.recording }

// Step is [interp.Machine.Step], recorded.
func (r *Recorder) Step() (interp.Event, error) {
	f := r.machine.Top()
	if f == nil {
		return r.machine.Step()
	}
	node, depth := f.Proc().Nodes[f.Node()], f.Depth()
	if node.First || len(r.stmts) <= depth {
		r.count++
		r.stmts = append(r.stmts[:min(depth, len(r.stmts))], r.count)
	}
	r.before(f, node)
	event, err := r.machine.Step()
	if err == nil {
		r.after(event, node)
	}
	return event, err
}

// Run is [interp.Machine.Run], recorded.
func (r *Recorder) Run(ctx context.Context, max int) (interp.Event, error) {
	for {
		steps := r.machine.Steps()
		if max > 0 && steps >= max {
			return interp.Event{}, &interp.LimitError{What: "steps", Limit: max}
		}
		if steps%4096 == 0 {
			if err := ctx.Err(); err != nil {
				return interp.Event{}, err
			}
		}
		if e, err := r.Step(); err != nil || e.Kind.Final() {
			return e, err
		}
	}
}

// before prepares for the execution of node in f.
func (r *Recorder) before(f *interp.Frame, node *core.Node) {
	r.callee, r.given, r.result = nil, false, nil
	switch s := node.Stmt.(type) {
	case *core.Call:
		r.callee = r.calleeOf(f, s)
	case *core.Return:
		if f.Depth() > 0 {
			caller := r.machine.Frames()[f.Depth()-1]
			r.result, _ = caller.Proc().Nodes[caller.Node()].Stmt.(*core.Call)
		}
	}
	r.checkReads(f, node)
}

// calleeOf is the procedure without a body that c calls, or nil.
func (r *Recorder) calleeOf(f *interp.Frame, c *core.Call) *core.Proc {
	p := c.Callee
	if p == nil {
		a, err := f.Eval(c.Target)
		if err != nil {
			return nil
		}
		if o := r.machine.Object(a.Uint64()); o != nil {
			p = o.Proc()
		}
	}
	if p == nil || p.HasBody() {
		return nil
	}
	return p
}

// after notes what the execution of node, which ended in e, got from outside.
func (r *Recorder) after(e interp.Event, node *core.Node) {
	at := e.Place
	switch node.Stmt.(type) {
	case *core.Skip, *core.Fill:
		if node.Input != nil {
			r.input(at, node.Input, nil, interp.Request{})
		}
	case *core.Havoc:
		if node.Input != nil && !r.given { // of a type that has no values
			r.input(at, node.Input, nil, interp.Request{})
		}
	case *core.Call:
		if r.callee != nil && !r.given {
			r.input(at, r.callee, nil, interp.Request{})
		}
	}
	r.settle(e, node)
}

// input notes a call of f and what it returned.
func (r *Recorder) input(at interp.Place, f *core.Proc, v *big.Int, q interp.Request) {
	r.given = true
	node := at.Proc.Nodes[at.Node]
	if supplied(f) {
		if v != nil {
			r.gap("what "+f.CName+" returns", node.Pos)
		}
		return
	}
	in := Input{Func: f, Value: v, Type: q.Type, Pos: node.Pos, Text: node.Text}
	if at.Depth < len(r.stmts) {
		in.stmt = r.stmts[at.Depth]
	}
	if v != nil && (q.Pointer || q.Type.Bits >= pointerBits(r.recording.Program)) {
		in.Addr = r.address(f, v, node)
	}
	r.recording.Inputs = append(r.recording.Inputs, in)
}

// pointerBits is the width of addresses in p.
func pointerBits(p *core.Program) int {
	if p.PtrBits == 0 {
		return 64
	}
	return p.PtrBits
}

// address reports whether v is an address in memory outside of the program. An address in
// an object of the program cannot be told to a C function.
func (r *Recorder) address(f *core.Proc, v *big.Int, node *core.Node) bool {
	if !v.IsUint64() || v.Sign() == 0 || r.machine == nil {
		return false
	}
	o := r.machine.Object(v.Uint64())
	if o == nil {
		return false
	}
	if o.External() {
		r.recording.outside = o
		return true
	}
	r.gap("the address that "+f.CName+" returns", node.Pos)
	return false
}

// gap notes that the run depends on what nobody supplies.
func (r *Recorder) gap(what string, pos source.Pos) {
	g := Gap{what, pos}
	if !r.gaps[g] {
		r.gaps[g] = true
		r.recording.Gaps = append(r.recording.Gaps, g)
	}
}

// EntryFunction is the C function that runs of p start with: p's entry, or the one that a
// procedure made by the front end calls last.
func EntryFunction(p *core.Program) *core.Proc {
	if p.Entry.CName != "" {
		return p.Entry
	}
	f := p.Entry
	for _, n := range p.Entry.Nodes {
		if c, ok := n.Stmt.(*core.Call); ok && c.Callee != nil {
			f = c.Callee
		}
	}
	return f
}
