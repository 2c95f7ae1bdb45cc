package harness

import (
	"context"
	"math/big"
	"strings"

	"c2bp/frontend/core"
	"c2bp/frontend/core/interp"
	"c2bp/source"
)

// This file defines the recorder: it executes a core program and records the values that come from
// outside.

// Input is a call of a function that the program does not define, with its result and its effects.
type Input struct {
	Func    *core.Proc
	Value   *big.Int               // the result as one of Type; nil if nobody used it
	Type    core.Int               // of Value
	Pos     source.Pos             // of the C statement that calls it
	Text    string                 // and its text
	stmt    int                    // calls by one execution of a C statement have the same number
	place   place                  // Value, if it is an address
	image   *image                 // the result, if it is a structure
	through string                 // the pointer in C through which Func is called, of which only the signature is known
	effects []effect               // what it stores
	freed   []int                  // the objects whose lives it ends, by number
	args    arguments              // what it was given
	ways    map[*interp.Object]way // to what it may call back, and pass
	back    *callback              // what it calls before it goes on; Value is not returned then
}

// Gap is a value that the run depends on and that no C function supplies.
type Gap struct {
	What string // "the value of the uninitialised variable x"
	Pos  source.Pos
}

func (g Gap) String() string { return g.What + " at " + g.Pos.String() }

// Recording has the values that a run got from outside.
type Recording struct {
	Program *core.Program
	Inputs  []Input // in the order of execution
	Gaps    []Gap   // each once, in the order in which the run met them
	// Replaced has the pointers that functions without a body replace, in the order in which the run reads them.
	Replaced []Replaced

	arguments map[*core.Var]*big.Int // of the entry function, by formal
	foreign   map[*core.Var]*big.Int // first values of variables that the program only declares
	images    map[*core.Var]*image   // first contents of those that have no value
	outside   []*lentObject          // memory that the program does not define
	contents  []content              // of it, in the order in which the run read them
	objects   []madeObject
	frees     map[string]bool // functions of the library that ended lives of objects
	assembly  []assembled
}

// Recorder executes a program like a machine of package interp, and records the run.
type Recorder struct {
	recording Recording
	choices   interp.Choices
	machine   *interp.Machine
	onAccess  func(interp.Access)

	entry   *core.Proc // what the run calls first in C
	now     *before    // the node under way
	stmts   []int      // by depth: the number of the C statement under way
	count   int        // C statements executed
	models  []*modelRun
	decided *decided // or nil
	memory  memory
	open    unset
	gaps    map[Gap]bool
	watcher watcher
}

// NewRecorder returns a recorder for a run of p, which must be valid, from its start. The choices
// decide as for [interp.New]; if they implement [interp.Externals], they decide that, too.
func NewRecorder(p *core.Program, choices interp.Choices, options interp.Options) *Recorder {
	r := &Recorder{
		recording: Recording{
			Program: p, arguments: map[*core.Var]*big.Int{}, foreign: map[*core.Var]*big.Int{},
			images: map[*core.Var]*image{},
		},
		choices: choices, onAccess: options.OnAccess,
		entry: EntryFunction(p), stmts: []int{0}, gaps: map[Gap]bool{},
		now:    &before{},
		memory: memory{origins: map[*interp.Object][]origin{}, made: map[*interp.Object]int{}},
		open:   unset{variables: map[frameVar]string{}, objects: map[*interp.Object]string{}},
	}
	options.OnAccess = r.access
	// The machine has its objects only now: their first contents are those of images.
	r.machine = interp.New(p, r, options)
	for _, o := range r.machine.Objects() {
		if o.External() {
			r.lend(o)
		} else if v := o.Var(); v != nil && v.Foreign {
			r.recording.images[v] = newImage(o.Size())
			r.memory.supply(o, 0, o.Size(), r.recording.images[v])
		}
	}
	// First values were asked for before there were objects: check addresses among them.
	for _, v := range p.Globals {
		if _, pointer := v.Type.(core.Ptr); pointer && r.recording.foreign[v] != nil {
			if _, ok := r.outside(r.recording.foreign[v]); !ok {
				r.gap("the address in "+v.Name, v.Pos)
			}
		}
	}
	return r
}

// Machine returns the recorder's machine, for inspection. It must be stepped by [Recorder.Step]
// only.
func (r *Recorder) Machine() *interp.Machine { return r.machine }

// Recording returns the record so far. It is complete when the run has ended.
func (r *Recorder) Recording() *Recording {
	if f := r.machine.Top(); f != nil {
		r.model(f, &core.Node{}, true) // what a model did that has just ended
	}
	return &r.recording
}

// Step is [interp.Machine.Step], recorded.
func (r *Recorder) Step() (interp.Event, error) {
	f := r.machine.Top()
	if f == nil || r.machine.Err() != nil {
		return r.machine.Step()
	}
	// 1. Number the C statement, in this frame.
	node, depth := f.Proc().Nodes[f.Node()], f.Depth()
	if node.First || len(r.stmts) <= depth {
		r.count++
		r.stmts = append(r.stmts[:min(depth, len(r.stmts))], r.count)
	}
	// 2. Look at the node before it is executed: models, operands, reads, callbacks.
	r.model(f, node, node.First)
	r.now = r.look(f, node)
	r.checkReads(f, node)
	if c, ok := node.Stmt.(*core.Call); ok && c.By != nil && r.now.callee == nil {
		r.calledBack(f, c, node)
	}
	// 3. Execute it, and record what came from outside.
	event, err := r.machine.Step()
	if err == nil {
		r.after(event, node)
	}
	r.recording.Replaced = append(r.recording.Replaced, r.watcher.after(r.machine)...)
	return event, err
}

// Run is [interp.Machine.Run], recorded.
func (r *Recorder) Run(ctx context.Context, max int) (interp.Event, error) {
	for {
		// The limits are checked before each step, the context now and then.
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

// gap records that the run depends on a value that nothing supplies.
func (r *Recorder) gap(what string, pos source.Pos) {
	g := Gap{what, pos}
	if !r.gaps[g] {
		r.gaps[g] = true
		r.recording.Gaps = append(r.recording.Gaps, g)
	}
}

// EntryFunction returns the C function in which runs of p start: p's entry or, if the front end
// made that, the last function of the program that it calls. The functions at the end of a program
// are called by the C library.
func EntryFunction(p *core.Program) *core.Proc {
	if p.Entry.CName != "" {
		return p.Entry
	}
	f := p.Entry
	for _, n := range p.Entry.Nodes {
		// The front end's own procedures, for the end of a program, do not count.
		if c, ok := n.Stmt.(*core.Call); ok && c.Callee != nil && !strings.HasPrefix(c.Callee.CName, "__c2bp_") {
			f = c.Callee
		}
	}
	return f
}
