package refine

import (
	"fmt"

	"c2bp/alias"
	"c2bp/frontend/core"
	"c2bp/frontend/core/interp"
	"c2bp/logic"
	"c2bp/wp"
)

// This file executes a path symbolically, forwards. What variables hold becomes terms
// over what is open: the values at the start, and inputs. Each assumption becomes a
// formula, a condition, over these: the path is feasible in the integer model of the
// run iff they hold together.
//
// Memory is not kept as terms. A read of memory is an application of a map, and carrying
// it back through the writes before it, the last first, makes a case distinction of it
// over those that may be to the same place (wp, read over write).

// world is what all executions of one program share.
type world struct {
	prog    *core.Program
	alias   *alias.Result
	aliases wp.Aliases
	regions *alias.Regions // those of aliases
	bits    int            // of pointers

	effects  map[effect]bool             // affected
	counts   map[*core.Proc]map[int]bool // counted
	without  Devices
	mutation mutation
}

// isRead reports whether the program reads or writes as e does: a guess that does not occur in
// it may be a place of several regions.
func (w *world) isRead(e core.Expr) bool {
	for _, l := range core.Loads(e) {
		if !w.regions.Know(l) {
			return false
		}
	}
	return true
}

// runs is the options of runs of the program: memory outside is as the alias analysis takes it.
func (w *world) runs() interp.Options {
	if w.prog.Environment == core.EnvironmentAny {
		return interp.Options{}
	}
	return interp.Options{Typed: true, Types: w.alias}
}

// effect is the question whether a call may change a place: a variable, or one in memory.
type effect struct {
	call *core.Call
	v    *core.Var
	mem  *core.Mem
}

// affected reports whether a call may change l. The same is asked of each path.
func (w *world) affected(c *core.Call, l core.Loc) bool {
	key := effect{call: c}
	switch l := l.(type) {
	case *core.VarRef:
		key.v = l.Var
	case *core.Mem:
		key.mem = l
	}
	yes, known := w.effects[key]
	if !known {
		yes = w.alias.Affected(c, l)
		w.effects[key] = yes
	}
	return yes
}

// condition is what a step requires: an assumption, or that an assertion fails or holds.
type condition struct {
	step int
	expr core.Expr // in the step's activation
	neg  bool      // expr must be zero
	term *logic.Term
}

// execution is the state of a symbolic execution.
type execution struct {
	*world
	t      *logic.Table
	base   *wp.Translator
	values map[place]*logic.Term
	memory *history
	conds  []condition
	freed  []*logic.Term // addresses of objects that were freed
	inputs map[input]*logic.Term
	watch  bool                    // places are wanted
	places []*logic.Term           // addresses and sizes of the memory that is read and written
	bases  []*logic.Term           // pointers that others are computed from
	owners map[*logic.Term][]owned // of these: what lies at addresses

	related []relation                  // pointers that are in one object
	mates   map[*logic.Term]*logic.Term // of pointers from outside: another one in the same object

	changes []change // of values, oldest first
	marks   []int    // by step, less the first: how many there were before it
	first   int      // the first step
}

// change is what a place held before it changed; nil if nobody had asked.
type change struct {
	place
	old *logic.Term
}

// set gives a place another value.
func (x *execution) set(at place, v *logic.Term) {
	x.changes = append(x.changes, change{at, x.values[at]})
	x.values[at] = v
}

// back undoes what happened to variables outside of memory at step i and behind it.
func (x *execution) back(i int) {
	mark := x.marks[i-x.first]
	for len(x.changes) > mark {
		c := x.changes[len(x.changes)-1]
		x.changes = x.changes[:len(x.changes)-1]
		x.values[c.place] = c.old
	}
}

// place is a variable outside of memory in one activation; frame is nil for globals.
type place struct {
	frame *Frame
	v     *core.Var
}

// input is a value that is open: of variable v at a step, or at the start if step is -1.
type input struct {
	step  int
	frame *Frame // nil for a global
	v     *core.Var
}

// execute executes the steps from … to-1 of a path, from an arbitrary state.
func (w *world) execute(t *logic.Table, p *Path, from, to int) *execution {
	x := w.start(t, from)
	x.run(p, to)
	return x
}

// executeWatched executes a whole path, and collects places.
func (w *world) executeWatched(t *logic.Table, p *Path) *execution {
	x := w.start(t, 0)
	x.watch = true
	x.run(p, len(p.Steps))
	return x
}

// start is an execution in front of its first step.
func (w *world) start(t *logic.Table, first int) *execution {
	x := &execution{
		world: w, t: t, base: wp.New(t, w.aliases, w.bits),
		values: map[place]*logic.Term{}, inputs: map[input]*logic.Term{}, first: first,
	}
	x.memory = newHistory(x.base)
	return x
}

// run executes the steps in front of to.
func (x *execution) run(p *Path, to int) {
	for i := x.first; i < to; i++ {
		x.marks = append(x.marks, len(x.changes))
		if x.watch {
			x.collect(p.Steps[i], i)
		}
		x.step(p, i)
	}
}

// in is a translator for expressions of an activation, at a step.
func (x *execution) in(f *Frame, step int) *wp.Translator {
	suffix, calls := "", ""
	if f != nil {
		suffix, calls = fmt.Sprintf("@%d", f.ID), f.calls
	}
	tr := x.base.In(calls, suffix, fmt.Sprintf("#%d", step))
	return tr.With(func(v *core.Var) *logic.Term {
		if v.InMemory() {
			return tr.Stored(v)
		}
		return x.value(f, v)
	})
}

// frozen is as in, for what a statement reads later on: its variables keep the values that
// they have now.
func (x *execution) frozen(f *Frame, step int, s core.Stmt) *wp.Translator {
	now := x.in(f, step)
	held := map[*core.Var]*logic.Term{}
	core.StmtExprs(s, func(e core.Expr) {
		core.WalkVars(e, func(v *core.Var) {
			if !v.InMemory() && isScalar(v.Type) {
				held[v] = x.value(f, v)
			}
		})
	})
	return now.With(func(v *core.Var) *logic.Term {
		if t := held[v]; t != nil {
			return t
		}
		return now.Env(v)
	})
}

// value is what a variable outside of memory holds. The symbolic constant of one is what
// it held at the start, which is to be the entry of f.
func (x *execution) value(f *Frame, v *core.Var) *logic.Term {
	if v.Kind == core.Ghost {
		if r, ok := v.Init.(*core.VarRef); ok && !r.Var.InMemory() {
			return x.open(-1, placeOf(f, r.Var).frame, r.Var)
		}
	}
	at := placeOf(f, v)
	if x.values[at] == nil {
		x.values[at] = x.open(-1, at.frame, v)
	}
	return x.values[at]
}

func placeOf(f *Frame, v *core.Var) place {
	if v.Kind == core.Global {
		f = nil
	}
	return place{f, v}
}

// open is an arbitrary value.
func (x *execution) open(step int, f *Frame, v *core.Var) *logic.Term {
	key := input{step, f, v}
	if s := x.inputs[key]; s != nil {
		return s
	}
	suffix := ""
	if f != nil {
		suffix = fmt.Sprintf("@%d", f.ID)
	}
	if step >= 0 {
		suffix += fmt.Sprintf("#%d", step)
	}
	s := wp.Sym(x.t, v, suffix)
	if v.Logical {
		s = x.t.Sym(v.Name+suffix, x.t.Int(0).Val, x.t.Int(1).Val)
	}
	x.inputs[key] = s
	return s
}

func (x *execution) eval(f *Frame, step int, e core.Expr) *logic.Term {
	return x.memory.atStart(x.in(f, step).Value(e))
}

// require adds a condition.
func (x *execution) require(f *Frame, step int, e core.Expr, neg bool) {
	c := x.in(f, step).Cond(e)
	if neg {
		c = x.t.Not(c)
	}
	x.conds = append(x.conds, condition{step, e, neg, x.memory.atStart(c)})
}

// step executes step i.
func (x *execution) step(p *Path, i int) {
	s := p.Steps[i]
	f := s.Frame
	switch st := s.stmt().(type) {
	case *core.Assume:
		x.require(f, i, st.Cond, false)
	case *core.Assert:
		x.require(f, i, st.Cond, p.Fails && i == len(p.Steps)-1)
	case *core.Assign:
		x.assign(f, i, st)
	case *core.Havoc:
		x.havoc(f, i, st)
	case *core.Copy, *core.Fill, *core.Data:
		x.memory.add(x.frozen(f, i, st).Pre(st))
	case *core.Alloc:
		x.store(f, i, st.Lhs, x.in(f, i).Allocated(st, x.freed...))
	case *core.Free:
		if a := x.eval(f, i, st.Ptr); a.IsAddress() {
			x.freed = append(x.freed, a)
		}
	case *core.Call:
		if s.Enter != nil {
			x.enter(s.Enter, i, st)
		} else if !st.Callee.HasBody() {
			x.external(f, i, st)
		}
	case *core.Return:
		if f.Caller != nil {
			x.leave(p, f, i)
		}
	}
}

// store assigns v, or an arbitrary value if it is nil, to l; v is about the state at the
// start.
func (x *execution) store(f *Frame, step int, l core.Loc, v *logic.Term) {
	if r, ok := l.(*core.VarRef); ok && !r.Var.InMemory() {
		at := placeOf(f, r.Var)
		if v == nil {
			v = x.open(step, at.frame, r.Var)
		}
		x.set(at, v)
		return
	}
	x.memory.add(x.in(f, step).Store(l, v))
}

// assign evaluates the right sides and then stores.
func (x *execution) assign(f *Frame, step int, s *core.Assign) {
	inMemory := &core.Assign{}
	now := x.in(f, step)
	var values []*logic.Term
	for i, l := range s.Lhs {
		if r, ok := l.(*core.VarRef); ok && !r.Var.InMemory() {
			values = append(values, x.memory.atStart(now.Value(s.Rhs[i])))
			continue
		}
		values = append(values, nil)
		inMemory.Lhs = append(inMemory.Lhs, l)
		inMemory.Rhs = append(inMemory.Rhs, s.Rhs[i])
	}
	if len(inMemory.Lhs) > 0 {
		x.memory.add(now.Pre(inMemory))
	}
	for i, l := range s.Lhs {
		if values[i] != nil {
			x.set(placeOf(f, l.(*core.VarRef).Var), values[i])
		}
	}
}

func (x *execution) havoc(f *Frame, step int, s *core.Havoc) {
	if s.Region {
		x.memory.add(x.in(f, step).Pre(&core.Havoc{Region: true}))
	}
	for _, l := range s.Locs {
		x.store(f, step, l, nil)
	}
}

// terms lists the formulas of conditions.
func terms(conds []condition) []*logic.Term {
	out := make([]*logic.Term, len(conds))
	for i, c := range conds {
		out[i] = c.term
	}
	return out
}
