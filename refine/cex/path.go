package cex

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"c2bp/frontend/core"
	"c2bp/verdict"
)

// This file reads a path through the core program off a trace of its abstraction: statements of the
// Boolean program carry the ids of the nodes that they abstract.

// Path is a finite run through the nodes of a core program, from the entry on. All calls of
// procedures with a body are entered.
type Path struct {
	Steps []Step
	Fails bool // the last step is an assertion that does not hold; else a node that must not be reached
	Stops bool // the last step is not made: the path is of interest for the state before it
}

// Step is the execution of one node.
type Step struct {
	Frame *Frame
	Node  int
	Enter *Frame // the activation that a call starts; nil for other nodes
	// Computed says that a run has made this step, which makes the result of a library function arbitrary, with the one that
	// C defines.
	Computed bool
}

// Frame is an activation of a procedure.
type Frame struct {
	ID     int // in order of activation; that of the entry is 0
	Proc   *core.Proc
	Caller *Frame // nil for the entry
	Call   int    // the step that started it
	Return int    // the step that is its return node, or -1

	calls string // the activations around it and it, from the entry on: /0/3/
}

// NewFrame returns an activation of p, called by caller at step call; the entry's has no caller.
func NewFrame(id int, p *core.Proc, caller *Frame, call int) *Frame {
	f := &Frame{ID: id, Proc: p, Caller: caller, Call: call, Return: -1, calls: "/"}
	if caller != nil {
		f.calls = caller.calls
	}
	f.calls += fmt.Sprintf("%d/", id)
	return f
}

// CoreNode returns the node of a step.
func (s Step) CoreNode() *core.Node { return s.Frame.Proc.Nodes[s.Node] }

// Stmt returns the statement of a step.
func (s Step) Stmt() core.Stmt { return s.CoreNode().Stmt }

// ID returns the stable id of the node of a step, such as main:17.
func (s Step) ID() string { return s.Frame.Proc.NodeID(s.Node) }

// pathReader assembles a path from the steps of a trace.
type pathReader struct {
	procs map[string]*core.Proc // by name
	path  *Path                 // as far as it was read
	frame *Frame                // the present activation
	last  map[*Frame]int        // step of the node that was executed last in each activation
	ids   int
}

// ReadPath returns the path of a trace all calls of which are expanded; fails says whether the last
// step is an assertion that fails. An error is a defect of the abstraction or the checker: the trace
// is not one of the program.
func ReadPath(prog *core.Program, trace []verdict.Step, fails bool) (*Path, error) {
	p, _, err := ReadRun(prog, trace, fails, func(int) bool { return false })
	return p, err
}

// ReadRun is ReadPath that tells for each step of the trace the step of the path that it is a part of, the last one
// before it if it is a part of none; -1 before the first. begins reports whether a step of the trace begins a statement
// of C: it may be the same one again.
func ReadRun(prog *core.Program, trace []verdict.Step, fails bool, begins func(i int) bool) (_ *Path, at []int, err error) {
	r := &pathReader{procs: map[string]*core.Proc{}, path: &Path{Fails: fails}, last: map[*Frame]int{}}
	for _, p := range prog.Procs {
		r.procs[p.Name] = p
	}
	r.enter(prog.Entry, nil, -1)
	for i, s := range trace {
		if err := r.step(s, begins(i)); err != nil {
			return nil, nil, err
		}
		// A call is a step of the caller, although it is in the callee by now.
		step := r.last[r.frame]
		if step < 0 {
			step = r.frame.Call
		}
		at = append(at, step)
	}
	if err := r.finish(); err != nil {
		return nil, nil, err
	}
	return r.path, at, nil
}

// enter starts an activation.
func (r *pathReader) enter(p *core.Proc, caller *Frame, call int) {
	r.frame = NewFrame(r.ids, p, caller, call)
	r.ids++
	r.last[r.frame] = -1
}

// step reads one statement of the Boolean program. Several of them may abstract one node, which is
// one step of the path; if it begins one, it is another step than the one before.
func (r *pathReader) step(s verdict.Step, begins bool) error {
	if s.Node == "" {
		return nil // added by the abstraction, such as the fall off the end of a procedure
	}
	// 1. Which node does it abstract?
	p, node, entry, err := r.parse(s.Node)
	if err != nil {
		return err
	}
	if s.Collapsed {
		return fmt.Errorf("the inside of a call at %s is not in the trace", s.Node)
	}
	// 2. Leave the activations that have returned.
	for depth := r.depth(); depth > s.Depth; depth-- {
		r.frame = r.frame.Caller
	}
	if entry {
		return nil
	}
	// 3. Check that the activation is the right one, and append a step unless the last one is of this
	// node already. A node that is its own successor may be visited again.
	if p != r.frame.Proc || s.Depth != r.depth() {
		return fmt.Errorf("the trace is at %s, depth %d, in an activation of %s at depth %d", s.Node, s.Depth, r.frame.Proc.Name, r.depth())
	}
	at := r.last[r.frame]
	again := begins && slices.Contains(p.Nodes[node].Succ, node)
	if at < 0 || r.path.Steps[at].Node != node || again {
		if err := r.visit(node); err != nil {
			return err
		}
	}
	// 4. A call enters its callee.
	if s.Origin == "call" {
		return r.call()
	}
	return nil
}

// visit appends a step at node, if control can go there from the step before it in its activation.
func (r *pathReader) visit(node int) error {
	f := r.frame
	if at := r.last[f]; at >= 0 {
		// The trace must follow the control flow of the program.
		from := r.path.Steps[at].CoreNode()
		follows := false
		for _, w := range from.Succ {
			follows = follows || w == node
		}
		if !follows {
			return fmt.Errorf("control does not go from %s to %s", r.path.Steps[at].ID(), f.Proc.NodeID(node))
		}
	}
	r.last[f] = len(r.path.Steps)
	if node == f.Proc.Exit() {
		f.Return = len(r.path.Steps)
	}
	r.path.Steps = append(r.path.Steps, Step{Frame: f, Node: node})
	return nil
}

// call enters the procedure that the last step calls, which must have a body.
func (r *pathReader) call() error {
	at := r.last[r.frame]
	c, ok := r.path.Steps[at].Stmt().(*core.Call)
	if !ok || !c.Callee.HasBody() {
		return fmt.Errorf("%s is no call of a procedure with a body", r.path.Steps[at].ID())
	}
	r.enter(c.Callee, r.frame, at)
	r.path.Steps[at].Enter = r.frame
	return nil
}

// depth returns the number of callers of the present activation.
func (r *pathReader) depth() int {
	d := 0
	for f := r.frame; f.Caller != nil; f = f.Caller {
		d++
	}
	return d
}

// parse reads a node id: "proc:17", or "proc:entry" for statements before node 0.
func (r *pathReader) parse(id string) (p *core.Proc, node int, entry bool, err error) {
	name, number, ok := cutLast(id, ":")
	if p = r.procs[name]; !ok || p == nil {
		return nil, 0, false, fmt.Errorf("no procedure of the program is at %q", id)
	}
	if number == "entry" {
		return p, 0, true, nil
	}
	node, err = strconv.Atoi(number)
	if err != nil || node < 0 || node >= len(p.Nodes) {
		return nil, 0, false, fmt.Errorf("%q is no node of the program", id)
	}
	return p, node, false, nil
}

// cutLast cuts s around the last instance of sep.
func cutLast(s, sep string) (before, after string, found bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

// finish checks the path as a whole: it is not empty, ends at an assertion if it is to fail there, and
// enters all calls but a last one.
func (r *pathReader) finish() error {
	steps := r.path.Steps
	if len(steps) == 0 {
		return fmt.Errorf("the trace is empty")
	}
	if _, ok := steps[len(steps)-1].Stmt().(*core.Assert); r.path.Fails && !ok {
		return fmt.Errorf("the trace ends at %s, which is no assertion", steps[len(steps)-1].ID())
	}
	// Calls of procedures with a body are entered, unless the trace ends there.
	for i, s := range steps {
		if c, ok := s.Stmt().(*core.Call); ok && c.Callee.HasBody() && s.Enter == nil && i < len(steps)-1 {
			return fmt.Errorf("the call at %s is not entered", s.ID())
		}
	}
	return nil
}

// Nesting returns the activations of f's procedure that f is in, the outermost first, and f.
func Nesting(f *Frame) (out []*Frame) {
	for g := f; g != nil; g = g.Caller {
		if g.Proc == f.Proc {
			out = append(out, g)
		}
	}
	slices.Reverse(out)
	return out
}

// Key returns a hash that identifies the sequence of nodes of a path. Paths with one key have the same
// conditions.
func (p *Path) Key() (id [sha256.Size]byte) {
	h := sha256.New()
	for _, s := range p.Steps {
		fmt.Fprintf(h, "%s ", s.ID())
	}
	fmt.Fprint(h, p.Fails)
	h.Sum(id[:0])
	return id
}
