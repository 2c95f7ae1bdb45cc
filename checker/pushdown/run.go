package pushdown

import (
	"fmt"
	"slices"

	"c2bp/boolprog"
	"c2bp/checker/temporal"
	"c2bp/checker/zom"
	"c2bp/source"
	"c2bp/verdict"
)

// This file shows runs to people.

// Trace returns the steps of a run that violates a formula. violated is the index of the step after which no
// continuation satisfies it; -1 if there is none.
func (x *System) Trace(r *temporal.Run) (t *verdict.Trace, violated int) {
	t, violated = &verdict.Trace{}, -1
	steps := slices.Concat(r.Stem, r.Loop)
	var shown []temporal.Step
	var names [][]string // of the objects at each shown step
	n := &namer{x: x}
	for i, s := range steps {
		n.at(x.objects(s.Loc))
		if i == len(r.Stem) && r.Loop != nil {
			t.Loop = len(shown) + 1
		}
		if !s.Label.Silent {
			shown = append(shown, s)
			names = append(names, n.now)
		}
		n.step(s)
		if r.Prefix == i+1 {
			violated = len(shown) - 1
		}
	}
	for i, s := range shown {
		st := x.show(s, names[i])
		if i+1 < len(shown) {
			x.direct(&st, s, shown[i+1])
		} else if t.Loop > 0 {
			x.direct(&st, s, shown[t.Loop-1])
		}
		t.Steps = append(t.Steps, st)
	}
	if violated >= 0 {
		MarkViolated(&t.Steps[violated])
	}
	return t, violated
}

// MarkViolated notes that no continuation after a step satisfies the formula.
func MarkViolated(st *verdict.Step) {
	if st.Note != "" {
		st.Note += "; "
	}
	st.Note += "from here on, whatever follows, the formula is violated"
}

// node returns the procedure and the node of a step.
func (x *System) node(s temporal.Step) (*boolprog.ProcGraph, *boolprog.Node) {
	x.load(x.s, s.Loc)
	top := x.s.Top(0)
	p := x.graph.Procs[top.Proc]
	return p, p.Nodes[x.prog.Procs[top.Proc].Code[top.PC].Node]
}

// objects returns the number of objects of a location.
func (x *System) objects(loc int) int {
	x.load(x.s, loc)
	return x.s.News()
}

// describe returns a step of a run without its state.
func (x *System) describe(s temporal.Step) verdict.Step {
	p, n := x.node(s)
	depth := s.Depth + len(x.s.Procs[0].Frames) - 1
	var st verdict.Step
	if n.Stmt != nil {
		st = n.Step(p.Proc.Name, depth)
	} else {
		st = verdict.Step{Proc: p.Proc.Name, Depth: depth, Pos: p.Proc.Pos, Text: "the end of " + p.Proc.Name}
		if statementOf(p.Nodes[p.Entry]) != "" {
			st.Pos = source.Pos{} // the one here is in the abstraction
		}
	}
	st.Collapsed = s.Collapsed
	switch {
	case s.Symbol == failed:
		st.Note = "the assertion fails: the run ends here"
	case s.Symbol == usedNull:
		st.Note = "null is dereferenced: the run ends here"
	case s.Symbol == exited, s.Move == temporal.Stays && n.Stmt == nil:
		st.Note = "the run ends here"
	case s.Move == temporal.Stays:
		st.Note = "the run stays here"
	}
	return st
}

// show returns a step of a run, with the names of its objects.
func (x *System) show(s temporal.Step, names []string) verdict.Step {
	st := x.describe(s)
	p, _ := x.node(s)
	st.Values, st.Heap = x.draw(p, names)
	st.Atoms = x.atoms.values(temporal.Letter{Atoms: s.Label.Atoms})
	return st
}

// direct notes which way a branch goes.
func (x *System) direct(st *verdict.Step, s, next temporal.Step) {
	_, n := x.node(s)
	if n.Kind != boolprog.NodeBranch || st.Origin != "" || n.Succ[0] == n.Succ[1] || next.Symbol == usedNull {
		return
	}
	q, to := x.node(next)
	st.Origin = "branch-false"
	if to == q.Nodes[n.Succ[0]] {
		st.Origin = "branch-true"
	}
}

// mostDrawn is the number of objects that a step shows.
const mostDrawn = 200

// draw returns the variables that x.s shows in a procedure, and the objects that they lead to, breadth first. A
// variable that nothing reads any more is "*".
func (x *System) draw(p *boolprog.ProcGraph, names []string) (vars []verdict.Value, heap []verdict.Object) {
	top, slots := topFrame(x.s)
	code := x.prog.Procs[top.Proc]
	var queue []zom.Word
	show := func(slot *zom.Slot, w zom.Word, live bool) verdict.Value {
		v := verdict.Value{Name: slot.Name, Val: "*"}
		switch {
		case !live, w == zom.Undecided, slot.Kind == zom.Bool && w == zom.Unknown:
		case slot.Kind == zom.Ref && w == zom.Null:
			v.Val = "null"
		case slot.Kind == zom.Ref:
			v.Val = names[w-1]
			if !slices.Contains(queue, w) && len(queue) < mostDrawn {
				queue = append(queue, w)
			}
		default:
			v.Val = fmt.Sprint(w)
		}
		return v
	}
	// 1. Variables: globals that are not hidden, then parameters and locals.
	for i := range x.prog.Globals {
		slot := &x.prog.Globals[i]
		if at, _ := p.Slot(slot.Name); at.Global {
			vars = append(vars, show(slot, x.s.Globals[i], code.Globals[top.PC].Has(i) || x.atoms.keepsGlobal(i)))
		}
	}
	for i := range p.Vars {
		vars = append(vars, show(&code.Slots[i], slots[i], code.Live[top.PC].Has(i) || x.atoms.keepsSlot(int(top.Proc), i)))
	}
	// 2. Objects in the order in which they are met; their fields may lead to more.
	for i := 0; i < len(queue); i++ {
		class := x.prog.Classes[x.s.Class(queue[i])]
		o := verdict.Object{Name: names[queue[i]-1], Class: class.Name}
		for f := range class.Fields {
			o.Fields = append(o.Fields, show(&class.Fields[f], x.s.Field(queue[i], int32(f)), true))
		}
		heap = append(heap, o)
	}
	return vars, heap
}

// Locations returns the number of locations that were met.
func (x *System) Locations() int { return len(x.locations) }
