package zingcheck

import (
	"fmt"
	"slices"
	"strings"

	"c2bp/checker/interleave"
	"c2bp/checker/lowerzing"
	"c2bp/checker/zom"
	"c2bp/verdict"
)

// This file makes the trace of a failing run.

// tracer makes a run again and notes its steps.
type tracer struct {
	viewer
	r       *interleave.Replay // nil if there is a state only
	machine *zom.Machine
	names   []string // of the processes
	steps   []verdict.Step
	out     []string // what the present transition has printed
}

// mostSteps is the number of steps of a transition that are shown. One that does not end has a million.
const mostSteps = 100

// newTracer returns a tracer that is at the initial state.
func newTracer(low *lowerzing.Lowered, model interleave.Model, opts interleave.Options) *tracer {
	r, _ := interleave.NewReplay(model, opts)
	t := &tracer{viewer: viewer{low: low, s: r.State}, r: r, machine: r.Machine}
	t.processes()
	return t
}

// trace returns the trace of a failure, which was confirmed.
func (t *tracer) trace(f *interleave.Failure) *verdict.Trace {
	for i, mv := range f.Moves {
		t.move(mv, i+2)
	}
	t.renumber()
	out := &verdict.Trace{Steps: t.steps}
	// After a step that fails, the frames of a predicate may still be there: it shows where they are.
	for p := range t.s.Procs {
		q := t.process(p)
		if f.Kind == interleave.Step && (p == f.Process || f.Process < 0) {
			q.Status = "fails"
		}
		out.Processes = append(out.Processes, q)
	}
	if n := len(out.Steps); n > 0 {
		out.Steps[n-1].Heap = t.objects()
		out.Steps[n-1].Values = values(t.globals())
	}
	return out
}

// processes names the processes that are new.
func (t *tracer) processes() {
	for p := len(t.names); p < len(t.s.Procs); p++ {
		first := t.s.Procs[p].Frames[0].Proc
		t.names = append(t.names, fmt.Sprintf("%d %s", p, t.low.Prog.Procs[first].Name))
	}
}

// move makes a move, which leads to a state of a number.
func (t *tracer) move(mv interleave.Move, state int) {
	before := t.all(mv.Process)
	from := len(t.steps)
	t.out = nil
	m := t.machine
	m.Printed = t.print
	// 1. A step for each node that is visited.
	m.Visited = func(proc, node int32) {
		if len(t.steps)-from == mostSteps {
			return
		}
		n := t.low.Nodes[node]
		t.steps = append(t.steps, verdict.Step{
			Proc: t.low.Prog.Procs[proc].Name, Pos: n.Pos, Text: n.Text, Stmt: n.Text, Process: t.names[mv.Process],
			Depth: len(t.s.Procs[mv.Process].Frames) - 1, State: state,
		})
	}
	o := t.r.Move(mv)
	events := eventNames(m.Record.Events)
	m.Visited, m.Printed = nil, nil
	if len(t.steps) == from {
		return
	}
	t.steps = append(t.steps[:from], withoutEnds(t.steps[from:])...)
	// 2. What has become of them.
	last := &t.steps[len(t.steps)-1]
	if mv.Pick >= 0 {
		t.steps[from].Origin = fmt.Sprintf("alternative %d", mv.Pick+1)
	}
	if t.s.Pending != 0 {
		last.Origin = fmt.Sprintf("choice of %d", m.Alternatives(t.s))
	}
	if o != zom.Stepped {
		return
	}
	last.Changes = changed(before, t.all(mv.Process))
	last.Output, last.Events = t.out, events
	known := len(t.names)
	t.processes()
	for p := known; p < len(t.names); p++ {
		last.Changes = append(last.Changes, verdict.Value{Name: "new process", Val: t.names[p] + t.arguments(p)})
	}
}

// arguments returns the arguments of a new process: (n = 1, next = null)
func (t *tracer) arguments(p int) string {
	f := t.s.Procs[p].Frames[0]
	proc := t.low.Prog.Procs[f.Proc]
	var list []string
	for i := range proc.Params {
		list = append(list, proc.Slots[i].Name+" = "+t.word(&proc.Slots[i], t.s.Slots(p, 0)[i]))
	}
	return "(" + strings.Join(list, ", ") + ")"
}

// withoutEnds returns the steps of a transition without those that only reach the end of a block, unless there
// are no others.
func withoutEnds(steps []verdict.Step) []verdict.Step {
	isEnd := func(s verdict.Step) bool { return s.Text == "}" }
	if !slices.ContainsFunc(steps, func(s verdict.Step) bool { return !isEnd(s) }) {
		return steps
	}
	return slices.DeleteFunc(steps, isEnd)
}

// places returns where the processes are, and names those that were not named before.
func (t *tracer) places() (list []verdict.Process) {
	for p := len(t.names); p < len(t.s.Procs); p++ {
		name := fmt.Sprint(p)
		if f := t.s.Procs[p].Frames; len(f) > 0 {
			name += " " + t.low.Prog.Procs[f[0].Proc].Name
		}
		t.names = append(t.names, name)
	}
	for p := range t.s.Procs {
		list = append(list, t.process(p))
	}
	return list
}

// process returns where a process is: the innermost frames of its stack.
func (t *tracer) process(p int) verdict.Process {
	status := [...]string{zom.Completed: "has ended", zom.Waiting: "waits", zom.WaitingAtEnd: "waits at an end state", zom.Runnable: "can run"}
	st := zom.Runnable
	if t.s.Pending == 0 {
		st = t.machine.Status(t.s, p)
	}
	name := fmt.Sprintf("%d", p)
	if p < len(t.names) {
		name = t.names[p]
	}
	out := verdict.Process{Name: name, Status: status[st]}
	frames := t.s.Procs[p].Frames
	for i := len(frames) - 1; i >= max(0, len(frames)-mostFrames); i-- {
		proc := t.low.Prog.Procs[frames[i].Proc]
		b := proc.Blocks[frames[i].PC]
		// A process at a label waits at the select after it.
		if i == len(frames)-1 && b.Wait >= 0 {
			b = proc.Blocks[b.Wait]
		}
		n := t.low.Nodes[b.Node]
		out.Stack = append(out.Stack, verdict.At{Proc: proc.Name, Pos: n.Pos, Text: n.Text, Values: values(t.frame(p, i))})
	}
	return out
}

// objects returns the heap.
func (t *tracer) objects() (list []verdict.Object) {
	for a := zom.Word(1); a <= zom.Word(t.s.News()); a++ {
		class := t.low.Prog.Classes[t.s.Class(a)]
		o := verdict.Object{Name: t.object(a), Class: class.Name}
		for j := range class.Fields {
			o.Fields = append(o.Fields, verdict.Value{Name: class.Fields[j].Name, Val: t.word(&class.Fields[j], t.s.Field(a, int32(j)))})
		}
		if class.Form != zom.Fixed {
			o.Fields = append(o.Fields, verdict.Value{Name: "elements", Val: t.elements(class, t.s.Elements(a))})
		}
		list = append(list, o)
	}
	return list
}

// print notes the text of a trace statement, in which {0} stands for the first argument, and so on. Arguments
// without such a place come last.
func (t *tracer) print(text int32, words []zom.Word) {
	line := t.low.Prog.Texts[text]
	for i, slots := range t.low.Prints[t.machine.Record.Node] {
		var parts []string
		for j := range slots {
			part := t.word(&slots[j], words[j])
			if slots[j].Name != "" {
				part = slots[j].Name + " = " + part
			}
			parts = append(parts, part)
		}
		words = words[len(slots):]
		value, place := strings.Join(parts, ", "), fmt.Sprintf("{%d}", i)
		if strings.Contains(line, place) {
			line = strings.ReplaceAll(line, place, value)
		} else {
			line += " " + value
		}
	}
	t.out = append(t.out, line)
}
