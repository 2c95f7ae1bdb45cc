package pushdown

import (
	"fmt"
	"slices"

	"c2bp/boolprog"
	"c2bp/checker/temporal"
	"c2bp/checker/zom"
	"c2bp/verdict"
)

// This file evaluates atoms on states that were observed in another program, such as the one in C that a Boolean
// program abstracts.

// Observation is a state as the variables of the Boolean program would have it. "*" is a value that is not known.
type Observation struct {
	Values []verdict.Value  // of variables in sight: the globals, then those of the procedure
	Heap   []verdict.Object // that references lead to
	Whole  bool             // all references are known, and so are all objects
}

// Observed returns the letter of a state that was observed where a step of a run is.
func (x *System) Observed(s temporal.Step, o Observation) (l temporal.Letter) {
	p, _ := x.node(s)
	h := &observed{a: x.atoms, proc: p, Observation: o}
	for i, at := range x.atoms.list {
		switch {
		// Control is where that of the step is.
		case at.rite == nil:
			l.Atoms |= s.Label.Atoms & (1 << i)
		case !o.Whole && !at.rite.Expr().IsFree():
			l.Unknown |= 1 << i
		default:
			h.unknown = false
			holds := at.rite.Holds(h)
			if h.unknown {
				l.Unknown |= 1 << i
			} else if holds {
				l.Atoms |= 1 << i
			}
		}
	}
	return l
}

// Mentioned returns the variables in sight at a step that atoms depend on, with the values that they have there, and
// the objects that they lead to. Of the Booleans of objects it has those that atoms mention.
func (x *System) Mentioned(s temporal.Step) (vars []verdict.Value, heap []verdict.Object) {
	p, _ := x.node(s)
	var names []string
	for i := range x.objects(s.Loc) {
		names = append(names, fmt.Sprintf("A%d", i))
	}
	st := x.show(s, names)
	for _, v := range st.Values {
		at, ok := p.Slot(v.Name)
		if ok && (at.Global && x.atoms.keepsGlobal(at.Index) || !at.Global && x.atoms.keepsSlot(p.Index, at.Index)) {
			vars = append(vars, v)
		}
	}
	for _, o := range st.Heap {
		o.Fields = slices.DeleteFunc(o.Fields, func(v verdict.Value) bool { return !x.atoms.keepsField(o.Class, v.Name) })
		heap = append(heap, o)
	}
	return vars, heap
}

// ShowObserved returns a step of a run for people, with an observation in the place of its state; l is its letter.
func (x *System) ShowObserved(s temporal.Step, o Observation, l temporal.Letter) verdict.Step {
	st := x.describe(s)
	st.Values, st.Heap, st.Atoms = o.Values, o.Heap, x.atoms.values(l)
	return st
}

// Steps returns all steps of a run as the checker of assertions has them, those inside of a statement of C
// included.
func (x *System) Steps(run []temporal.Step) (list []verdict.Step) {
	for i, s := range run {
		if s.Symbol >= firstCaller { // a return: control is nowhere
			list = append(list, verdict.Step{})
			continue
		}
		st := x.describe(s)
		if i+1 < len(run) {
			x.direct(&st, s, run[i+1])
		}
		list = append(list, st)
	}
	return list
}

// Goes reports whether control is in a procedure that runs, rather than where a run has ended.
func Goes(s temporal.Step) bool { return s.Symbol == runs || s.Symbol == runsLowest }

// Fails reports whether a run has ended at an assertion that fails.
func Fails(s temporal.Step) bool { return s.Symbol == failed }

// UsesNull reports whether a run has ended where null is dereferenced.
func UsesNull(s temporal.Step) bool { return s.Symbol == usedNull }

// Grows reports whether there are more symbols on the stack after the steps of a loop than before.
func (x *System) Grows(loop []temporal.Step) (bool, error) {
	last := loop[len(loop)-1]
	if last.Collapsed { // a whole call
		return last.Depth != loop[0].Depth, nil
	}
	moves, err := x.Moves(last.Loc, last.Symbol)
	if err != nil {
		return false, err
	}
	return last.Depth+len(moves.List[last.Move].Word)-1 != loop[0].Depth, nil
}

// AtEnd reports whether control is at the end of a procedure, after its last statement.
func (x *System) AtEnd(s temporal.Step) bool {
	_, n := x.node(s)
	return n.Stmt == nil
}

// observed is the heap of an observation: a rite.Heap that notes whether somebody asked for what is not known.
type observed struct {
	Observation
	a       *Atoms
	proc    *boolprog.ProcGraph
	unknown bool
}

// Objects returns the number of objects.
func (h *observed) Objects() int { return len(h.Heap) }

// value returns the value of a variable; "" where it cannot be seen.
func (h *observed) value(id int) string {
	v := h.a.vars[id]
	if !v.seen[h.proc.Index] {
		return ""
	}
	// Locals stand after globals, and hide them.
	at := v.slot[h.proc.Index]
	if at.Global {
		return h.known(h.Values, h.a.graph.Globals[at.Index].Name)
	}
	name := h.proc.Vars[at.Index].Name
	for i, v := range slices.Backward(h.Values) {
		if v.Name == name {
			return h.known(h.Values[i:], name)
		}
	}
	return h.known(nil, name)
}

// known returns the value with a name, and notes if it is not known.
func (h *observed) known(list []verdict.Value, name string) string {
	i := slices.IndexFunc(list, func(v verdict.Value) bool { return v.Name == name })
	if i < 0 || list[i].Val == "*" {
		h.unknown = true
		return ""
	}
	return list[i].Val
}

// object returns the number of an object with a name, -1 for null.
func (h *observed) object(name string) int {
	return slices.IndexFunc(h.Heap, func(o verdict.Object) bool { return o.Name == name })
}

// Variable returns the object to which a variable leads.
func (h *observed) Variable(id int) int { return h.object(h.value(id)) }

// fieldOf returns the value of a field of an object, if its class has the field with this kind.
func (h *observed) fieldOf(id, object int, kind zom.Kind) (val string, has bool) {
	o := &h.Heap[object]
	for _, c := range h.a.prog.Classes {
		for _, f := range c.Fields {
			if c.Name == o.Class && f.Name == h.a.fields[id-firstField] && f.Kind == kind {
				return h.known(o.Fields, f.Name), true
			}
		}
	}
	return "", false
}

// Field returns the object to which a field leads.
func (h *observed) Field(id, object int) (int, bool) {
	name, has := h.fieldOf(id, object, zom.Ref)
	return h.object(name), has
}

// Flag returns a Boolean.
func (h *observed) Flag(id, object int) (val, has bool) {
	if id < firstField {
		return h.value(id) == "1", true
	}
	text, has := h.fieldOf(id, object, zom.Bool)
	return text == "1", has
}
