package abstract

import (
	"fmt"
	"math/big"
	"slices"

	"c2bp/abstract/refs"
	"c2bp/frontend/core"
	"c2bp/frontend/core/interp"
	"c2bp/verdict"
)

// This file views a state of a run of the core program as the Boolean program has it: by the relation of package
// abstract/refs.

// Viewer views the states of one run. Objects keep their names.
type Viewer struct {
	result *Result
	names  map[uint64]string // by address
}

// Viewer returns a viewer for a run that has not begun.
func (r *Result) Viewer() *Viewer { return &Viewer{r, map[uint64]string{}} }

// View is a state: the values of predicates and references in sight, of the globals first, and the objects that
// these lead to, breadth first. A value is "*" if it is not known: a predicate that C does not define there, or a
// pointer that leads to no object that is kept.
type View struct {
	Values []verdict.Value
	Heap   []verdict.Object
	Whole  bool // all references are known, in variables and in objects
}

// drawing is a view as it grows.
type drawing struct {
	*Viewer
	View
	m     *interp.Machine
	frame *interp.Frame
	todo  []drawnObject
}

// drawnObject is an object that a reference leads to.
type drawnObject struct {
	name  string
	at    *big.Int
	class *refs.Class
}

// View returns the state in which a machine is. Temporaries of the front end are left out unless temps is set.
func (v *Viewer) View(m *interp.Machine, temps bool) View {
	a := v.result.abstraction
	f := m.Top()
	p := &drawing{Viewer: v, View: View{Whole: true}, m: m, frame: f}
	// 1. Predicates. Symbolic constants are no variables of the run.
	for _, q := range a.set.inScope(f.Proc()) {
		val := "*"
		if !core.Mentions(q.Expr, func(w *core.Var) bool { return w.Kind == core.Ghost }) {
			val = p.truth(q.Expr)
		}
		p.Values = append(p.Values, verdict.Value{Name: q.Var(), Val: val})
	}
	if a.heap == nil {
		return p.View
	}
	// 2. References in variables.
	result := []*core.Var{f.Proc().Result}
	if result[0] == nil || slices.Contains(f.Proc().Locals, result[0]) || slices.Contains(f.Proc().Formals, result[0]) {
		result = nil
	}
	for _, w := range slices.Concat(a.prog.Globals, f.Proc().Formals, f.Proc().Locals, result) {
		if temps || w.Kind != core.Temp {
			p.variable(w)
		}
	}
	// 3. Objects.
	for i := 0; i < len(p.todo); i++ {
		p.object(p.todo[i])
	}
	return p.View
}

// truth is the text of a condition.
func (p *drawing) truth(e core.Expr) string {
	x, err := p.frame.Eval(e)
	if err != nil {
		return "*"
	}
	return fmt.Sprint(x.Sign() & 1)
}

// variable adds the references that a variable is.
func (p *drawing) variable(v *core.Var) {
	h := p.result.abstraction.heap
	for _, c := range h.plan.Var(v) {
		p.Values = append(p.Values, verdict.Value{Name: h.refName(v, c), Val: p.reference(v.Ref(), c, h.plan.Var(v))})
	}
	for _, x := range h.plan.Spots(v) {
		p.Values = append(p.Values, verdict.Value{Name: objectName(x), Val: p.reference(x.Address, x.Class, nil)})
	}
}

// object adds an object. Of those that lie in others, or others in them, it is not known to which they lead.
func (p *drawing) object(d drawnObject) {
	h := p.result.abstraction.heap
	at := &core.ToPtr{X: &core.Const{Val: d.at, Typ: core.Uint64}, Typ: h.pointer}
	o := verdict.Object{Name: d.name, Class: d.class.Name}
	for _, q := range h.preds[d.class] {
		o.Fields = append(o.Fields, verdict.Value{Name: q.Var(), Val: p.truth(q.of(at))})
	}
	for _, x := range d.class.Fields {
		var among []*refs.Class
		for _, y := range d.class.At(x.Off) {
			among = append(among, y.Class)
		}
		o.Fields = append(o.Fields, verdict.Value{Name: x.Name, Val: p.reference(x.At(at, d.class), x.Class, among)})
	}
	if len(d.class.Inner)+len(d.class.Outer) > 0 {
		p.Whole = false
	}
	p.Heap = append(p.Heap, o)
}

// reference is the text of a pointer as far as it leads to objects of a class among several: null, the name of an
// object of the class, or "*" if it leads to none, or to one that the program does not define.
func (p *drawing) reference(pointer core.Expr, class *refs.Class, among []*refs.Class) string {
	v, err := p.frame.Eval(pointer)
	if err == nil && v.Sign() == 0 {
		return "null"
	}
	unknown := func() string {
		p.Whole = false
		return "*"
	}
	if err != nil {
		return unknown()
	}
	o := p.m.Object(v.Uint64())
	if o == nil || !p.m.Live(o) || o.External() || o.Proc() != nil {
		return unknown()
	}
	list := p.result.abstraction.heap.plan.Holds(o.Var(), o.Alloc(), int64(v.Uint64()-o.Start()))
	switch {
	case len(list) == 1 && list[0] == class:
		return p.name(v, class)
	case len(list) == 1 && slices.Contains(among, list[0]):
		return "null"
	}
	return unknown()
}

// name returns the name of the object of a class at an address, which is to be drawn.
func (p *drawing) name(v *big.Int, class *refs.Class) string {
	n, ok := p.names[v.Uint64()]
	if !ok {
		n = fmt.Sprintf("A%d", len(p.names))
		p.names[v.Uint64()] = n
	}
	if !slices.ContainsFunc(p.todo, func(d drawnObject) bool { return d.name == n }) {
		p.todo = append(p.todo, drawnObject{n, v, class})
	}
	return n
}
