package threads

import (
	"fmt"

	"c2bp/boolprog"
	"c2bp/checker/zom"
	"c2bp/verdict"
)

// This file shows runs.

// name returns the name of a thread: its number, and the procedure with which it began.
func (w *walk) name(thread int) string {
	return fmt.Sprintf("%d %s", thread, w.firsts[thread])
}

// note adds a move to the run, and the statement of its node, if it has one, with the state before it.
func (w *walk) note(mv Move, n *boolprog.Node, before *snapshot) {
	for p := len(w.firsts); p < len(w.s.Procs); p++ {
		w.firsts = append(w.firsts, w.prog.Procs[w.s.Procs[p].Frames[0].Proc].Name)
	}
	if k := len(w.t.Moves); k == 0 && mv.Thread != 0 || k > 0 && w.t.Moves[k-1].Thread != mv.Thread {
		w.t.Switches++
	}
	w.t.Moves = append(w.t.Moves, mv)
	if n.Stmt == nil {
		return
	}
	st := n.Step(w.graph.Procs[mv.Proc].Proc.Name, len(w.s.Procs[mv.Thread].Frames)-1)
	st.Process, st.State = w.name(mv.Thread), w.number+1
	st.Values, st.Heap = before.visible(w.graph.Procs[mv.Proc], len(w.prog.Globals)), before.objects
	if mv.Back {
		st.Origin = "return"
	}
	w.t.steps = append(w.t.steps, st)
}

// snapshot is what a thread sees.
type snapshot struct {
	values  []verdict.Value // of the globals, then of the locals
	objects []verdict.Object
	frame   zom.Frame
	depth   int
}

// snapshot returns the variables that a thread sees, and all objects.
func (w *walk) snapshot(thread int) (s snapshot) {
	for i := range w.prog.Globals {
		s.values = append(s.values, shown(&w.prog.Globals[i], w.s.Globals[i]))
	}
	if f := w.s.Top(thread); f != nil {
		s.frame, s.depth = *f, len(w.s.Procs[thread].Frames)
		s.values = append(s.values, w.locals(thread, s.depth-1)...)
	}
	for at := zom.Word(1); at <= zom.Word(w.s.News()); at++ {
		class := w.prog.Classes[w.s.Class(at)]
		o := verdict.Object{Name: objectName(at), Class: class.Name}
		for f := range class.Fields {
			o.Fields = append(o.Fields, shown(&class.Fields[f], w.s.Field(at, int32(f))))
		}
		s.objects = append(s.objects, o)
	}
	return s
}

// visible returns the values of s without globals that a local hides.
func (s *snapshot) visible(p *boolprog.ProcGraph, globals int) (list []verdict.Value) {
	for i, v := range s.values {
		if at, _ := p.Slot(v.Name); i >= globals || at.Global {
			list = append(list, v)
		}
	}
	return list
}

// objectName names the object at an address: A0 is the first that was made.
func objectName(at zom.Word) string { return fmt.Sprintf("A%d", at-1) }

// locals returns the parameters and locals of a frame.
func (w *walk) locals(thread, frame int) (list []verdict.Value) {
	p := w.s.Procs[thread].Frames[frame].Proc
	slots := w.s.Slots(thread, frame)
	for i := range w.graph.Procs[p].Vars {
		list = append(list, shown(&w.prog.Procs[p].Slots[i], slots[i]))
	}
	return list
}

// shown returns a variable with its value.
func shown(slot *zom.Slot, w zom.Word) verdict.Value {
	v := verdict.Value{Name: slot.Name, Val: fmt.Sprint(w)}
	switch {
	case w == zom.Undecided, slot.Kind == zom.Bool && w == zom.Unknown:
		v.Val = "*"
	case slot.Kind == zom.Ref && w == zom.Null:
		v.Val = "null"
	case slot.Kind == zom.Ref:
		v.Val = objectName(w)
	}
	return v
}

// effect adds to a step its effect: the direction of a branch, the variables that it has changed, the
// thread that it has begun.
func (w *walk) effect(st *verdict.Step, n *boolprog.Node, mv Move, before snapshot) {
	after := w.snapshot(mv.Thread)
	// 1. The direction of a branch.
	if n.Kind == boolprog.NodeBranch && st.Origin == "" && n.Succ[0] != n.Succ[1] {
		st.Origin = "branch-false"
		if w.prog.Procs[after.frame.Proc].Code[after.frame.PC].Node == int32(n.Succ[0]) {
			st.Origin = "branch-true"
		}
	}
	// 2. Variables. A value that the run chooses at the first read is no change.
	globals := len(w.prog.Globals)
	same := before.frame.Proc == after.frame.Proc && before.depth == after.depth
	for i, v := range after.values {
		switch {
		// Of a frame that was entered, the parameters.
		case i >= globals && after.depth > before.depth:
			if i-globals < w.prog.Procs[after.frame.Proc].Params {
				st.Changes = append(st.Changes, v)
			}
		case i >= globals && !same:
		case v != before.values[i] && (before.values[i].Val != "*" || writes(n, v.Name)):
			st.Changes = append(st.Changes, v)
		}
	}
	for i, o := range before.objects {
		for k, v := range after.objects[i].Fields {
			if v != o.Fields[k] && o.Fields[k].Val != "*" {
				st.Changes = append(st.Changes, verdict.Value{Name: o.Name + "." + v.Name, Val: v.Val})
			}
		}
	}
	// 3. A new thread.
	if n.Kind == boolprog.NodeStart {
		p := len(w.s.Procs) - 1
		name := fmt.Sprintf("%d %s", p, w.prog.Procs[w.s.Procs[p].Frames[0].Proc].Name)
		st.Changes = append(st.Changes, verdict.Value{Name: "new thread", Val: name})
	}
}

// writes reports whether a node assigns a variable.
func writes(n *boolprog.Node, name string) bool {
	var lhs []*boolprog.Ref
	switch {
	case n.Assign != nil:
		lhs = n.Assign.Lhs
	case n.Call != nil:
		lhs = n.Call.Lhs
	}
	for _, r := range lhs {
		if r.Name == name && r.Field == "" {
			return true
		}
	}
	return false
}

// processes returns where the threads are; failing is the one that makes the last step.
func (w *walk) processes(failing int) (list []verdict.Process) {
	for p := range w.s.Procs {
		q := verdict.Process{Name: w.name(p), Status: "can run"}
		frames := w.s.Procs[p].Frames
		switch {
		case p == failing:
			q.Status = "fails"
		case len(frames) == 0:
			q.Status = "has ended"
		}
		// The innermost frame first.
		for i := len(frames) - 1; i >= 0; i-- {
			g := w.graph.Procs[frames[i].Proc]
			n := g.Nodes[w.prog.Procs[frames[i].Proc].Code[frames[i].PC].Node]
			at := verdict.At{Proc: g.Proc.Name, Pos: g.Proc.Pos, Text: "end", Values: w.locals(p, i)}
			if n.Stmt != nil {
				st := n.Step(g.Proc.Name, i)
				at.Pos, at.Text = st.Pos, st.Text
			}
			q.Stack = append(q.Stack, at)
		}
		list = append(list, q)
	}
	return list
}
