package concretise

import (
	"slices"
	"strings"

	"c2bp/frontend/core"
	"c2bp/logic"
	"c2bp/refine/algebra"
	"c2bp/refine/cex"
	"c2bp/source"
)

// This file says where the open values of a path come from, in words: they are the results of functions
// without a body, the arguments of the entries, and what memory outside of the program holds.
//
//	d = find(3);             the result of find()
//	probe(dev, peer)         the argument dev of probe
//	if (d->peer)             d->peer

// origin is where an open value comes from.
type origin struct {
	noun   string
	pos    source.Pos
	callee *core.Proc // whose result it is, or nil
	call   string     // this function, as in C
	step   int        // at which the path meets it first
	// The struct of the driver that it is a member of, or that leads to it; nil if there is none. Then value is what the
	// path reads first.
	private *core.Record
	led     bool // it is in an object that such a struct leads to
	value   *logic.Term
	// Of a pointer to a struct that an element of a list in such a struct has: the address of that struct, by which the
	// path came to the element; nil of others.
	head    *logic.Term
	element *core.Mem // the pointer
}

// subject returns the origin as the subject of a sentence about a number or null.
//
//	find() returns null      d->peer is null
func (o *origin) subject() string {
	if o.callee != nil {
		return o.call + "() returns"
	}
	return o.noun + " is"
}

// origins collects the origins while the path is executed.
type origins struct {
	path    *cex.Path
	formals map[*logic.Term]*origin      // arguments that a function is given
	places  map[*logic.Term]*origin      // first reads of memory
	states  map[*logic.Term]*origin      // of numbers in structs of the driver: all reads of memory that such a read may be
	led     map[*logic.Term]*core.Record // pointers in structs of the driver, likewise
	stored  map[int]*logic.Term          // by step: where a function without a body stores its result
	lists   map[*logic.Term]listed       // by the pointer to its link: the elements of lists that the path came to
	backs   map[*logic.Term]*origin      // of pointers from elements to what has the list, likewise
}

func newOrigins(p *cex.Path) *origins {
	return &origins{path: p, formals: map[*logic.Term]*origin{}, places: map[*logic.Term]*origin{}, states: map[*logic.Term]*origin{}, led: map[*logic.Term]*core.Record{}, stored: map[int]*logic.Term{}, lists: map[*logic.Term]listed{}, backs: map[*logic.Term]*origin{}}
}

// see looks at step i before it is executed.
func (o *origins) see(x *cex.Execution, i int) {
	s := o.path.Steps[i]
	// 1. The arguments of an activation that begins.
	if i > 0 && o.path.Steps[i-1].Enter == s.Frame {
		for _, v := range s.Frame.Proc.Formals {
			if t := x.Values[cex.SlotOf(s.Frame, v)]; t != nil && o.formals[t] == nil && !v.InMemory() {
				o.formals[t] = argument(v, s.Frame, i)
			}
		}
	}
	// 2. The places in memory that the step reads.
	var within []func() // of places, the last one first: a pointer comes before what it leads to
	core.StmtExprs(s.Stmt(), func(e core.Expr) {
		core.Walk(e, func(e core.Expr) bool {
			m, ok := e.(*core.Mem)
			if !ok || !algebra.IsScalar(m.Typ) {
				return true
			}
			t := x.Eval(s.Frame, i, m)
			at := &origin{noun: core.CString(m), pos: o.placeOf(i), step: i, private: privateOwner(m), value: t}
			if o.places[t] == nil {
				o.places[t] = at
			}
			within = append(within, func() {
				addr := x.Eval(s.Frame, i, m.Addr)
				o.lead(at, t, addr)
				o.list(x, at, m, t, addr)
			})
			return true
		})
	})
	for _, note := range slices.Backward(within) {
		note()
	}
	// 3. The place of a result that is stored in memory.
	if c, ok := s.Stmt().(*core.Call); ok && s.Enter == nil {
		if m, ok := c.Lhs.(*core.Mem); ok {
			o.stored[i] = x.Eval(s.Frame, i, m.Addr)
		}
	}
}

// placeOf returns the place in the program of step i: that of a step before if it is in the text of a rule.
func (o *origins) placeOf(i int) source.Pos {
	for ; i >= 0; i-- {
		if pos := o.path.Steps[i].CoreNode().Pos; !strings.HasPrefix(pos.File, "<") {
			return pos
		}
	}
	return o.path.Steps[0].CoreNode().Pos
}

// lead notes the state of structs of the driver, and of the objects to which they lead: at is the origin of t, which is read at addr.
func (o *origins) lead(at *origin, t, addr *logic.Term) {
	// 1. What a pointer in such a struct leads to that the program has not stored there.
	if at.private == nil {
		for _, from := range atomsOf(addr) {
			if r := o.led[from]; r != nil {
				at.private, at.led = r, true
			}
		}
	} else {
		for _, to := range atomsOf(t) {
			if to.Op == logic.OpApp && !logic.HasMeaning(to.Name) && !inProgram(to.Args[0]) {
				o.led[to] = at.private
			}
		}
	}
	// 2. A number in it.
	if at.private != nil {
		o.state(t, at, map[*logic.Term]bool{})
	}
}

// state notes the origin at of the reads of memory that t, a read after writes to other places, may be; seen has the
// terms that were looked at.
func (o *origins) state(t *logic.Term, at *origin, seen map[*logic.Term]bool) {
	if seen[t] {
		return
	}
	seen[t] = true
	switch {
	case t.Op == logic.OpApp && !logic.HasMeaning(t.Name):
		if o.states[t] == nil {
			o.states[t] = at
		}
	case t.Op == logic.OpIte:
		o.state(t.Args[1], at, seen)
		o.state(t.Args[2], at, seen)
	default:
		for _, a := range t.Args {
			o.state(a, at, seen)
		}
	}
}

// privateOwner returns the struct of the driver of which m is a member; nil if it is none.
func privateOwner(m *core.Mem) *core.Record {
	if r, _ := core.Owner(m); r != nil && (r.Private || r.Local) {
		return r
	}
	return nil
}

// argument returns the origin of the argument v of activation f, which the path meets at a step.
func argument(v *core.Var, f *cex.Frame, step int) *origin {
	return &origin{noun: "the argument " + v.Name + " of " + f.Proc.CName, pos: v.Pos, step: step}
}

// open lists the values of a path that the environment decides, in the order in which the path meets
// them, each with its origin. Of memory these are the ones that formulas read.
func (o *origins) open(x *cex.Execution, formulas []*logic.Term) (list []*logic.Term, of map[*logic.Term]*origin) {
	of = map[*logic.Term]*origin{}
	// 1. Values of variables, which a step or the start leaves open.
	for key, t := range x.Inputs {
		if at := o.ofVariable(key, t); at != nil {
			of[t] = at
		}
	}
	// 2. Reads of memory that nothing of the program has written.
	for _, f := range mapReads(formulas) {
		if at := o.ofRead(x, f); at != nil {
			of[f] = at
		}
	}
	// 3. In order. One step may meet several.
	for t := range of {
		list = append(list, t)
	}
	slices.SortFunc(list, func(a, b *logic.Term) int {
		if d := of[a].step - of[b].step; d != 0 {
			return d
		}
		if d := strings.Compare(of[a].noun, of[b].noun); d != 0 {
			return d
		}
		return strings.Compare(a.String(), b.String())
	})
	return list, of
}

// ofVariable returns the origin of t, the value that a variable gets at a step; nil if the environment
// does not decide it.
func (o *origins) ofVariable(key cex.Input, t *logic.Term) *origin {
	if key.Step < 0 {
		// At the start: of an argument of the entry, or of a variable that is defined elsewhere.
		switch v := key.Var; {
		case v.Kind == core.Formal && key.Frame == o.path.Steps[0].Frame:
			return argument(v, key.Frame, -1)
		case v.Kind == core.Global && v.Foreign:
			return &origin{noun: v.Name, pos: v.Pos, step: -1}
		}
		return nil
	}
	s := o.path.Steps[key.Step]
	n := s.CoreNode()
	if c, ok := s.Stmt().(*core.Call); ok && c.Lhs != nil && algebra.Variable(c.Lhs) == key.Var {
		at := o.result(key.Step)
		// A harness that is made calls functions for the arguments of the driver's.
		if f := o.formals[t]; at != nil && f != nil && strings.HasPrefix(at.call, "c2bp_") {
			return f
		}
		return at
	}
	h, ok := s.Stmt().(*core.Havoc)
	switch {
	case !ok || h.Begin || !comesFromOutside(n) && !isInput(h.Why):
		return nil
	case o.formals[t] != nil:
		return o.formals[t]
	case n.Input != nil:
		return &origin{noun: "the result of " + n.Input.CName + "()", call: n.Input.CName, callee: n.Input, pos: n.Pos, step: key.Step}
	}
	return nil
}

// result returns the origin of the result of the call at step i, of a function without a body; nil if it
// is no such call.
func (o *origins) result(i int) *origin {
	s := o.path.Steps[i]
	c, ok := s.Stmt().(*core.Call)
	if !ok || s.Enter != nil || c.Callee == nil || c.Callee.HasBody() || c.Callee.Assembly || isBuiltin(c.Callee) {
		return nil
	}
	name := c.Callee.CName
	if c.Through != nil {
		name = core.CString(c.Through)
	}
	// A harness that is made calls functions of its own in the place of some.
	name = strings.TrimPrefix(name, "c2bp_external_")
	return &origin{noun: "the result of " + name + "()", call: name, callee: c.Callee, pos: s.CoreNode().Pos, step: i}
}

// ofRead returns the origin of f, a read of memory; nil if it is of memory that nothing from outside has
// set.
func (o *origins) ofRead(x *cex.Execution, f *logic.Term) *origin {
	at := o.places[f]
	step := cex.StepOpened(f)
	switch {
	case at == nil || !x.Translator.Open(f):
		return nil
	// The result of a function.
	case step > 0 && o.stored[step] == f.Args[0]:
		return o.result(step)
	// Variables and allocations of the program begin without contents.
	case step == 0 && inProgram(f.Args[0]):
		return nil
	}
	return at
}

// inProgram reports whether an address is in an object of the program.
func inProgram(a *logic.Term) bool {
	return a.IsAddress() || a.Op == logic.OpSum && slices.ContainsFunc(a.Args, (*logic.Term).IsAddress)
}
