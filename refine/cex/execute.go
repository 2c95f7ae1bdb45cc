package cex

import (
	"context"
	"fmt"
	"slices"

	"c2bp/alias"
	"c2bp/frontend/core"
	"c2bp/frontend/core/interp"
	"c2bp/logic"
	"c2bp/refine/algebra"
	"c2bp/refine/technique"
	"c2bp/wp"
	"c2bp/wp/memory"
)

// This file executes a path symbolically, forwards. The values of variables become terms over open
// values: those at the start, and inputs. Each assumption becomes a formula over these, a condition.
// In the integer model of runs, a path is feasible iff its conditions are satisfiable together.
//
// Memory is not kept as terms. A read of memory is an application of a map; carrying it back through
// the writes before it, the last first, makes a case distinction over those writes that may be to the
// same place (package wp: read over write).

// Facts are shared by all executions of one program.
type Facts struct {
	Prog    *core.Program
	Alias   *alias.Result
	Aliases wp.Aliases
	Regions *alias.Regions // of Aliases
	Bits    int            // of pointers

	effects map[effect]bool             // answers of affected
	exits   map[*core.Proc]map[int]bool // answers of loopExits
	sliced  sliced
	Without technique.Set
	// Still restricts executions to those in which procedures without a body, assembly excepted, change no memory
	// and no globals.
	Still bool
}

// NewFacts returns the facts about prog, of which result is the alias analysis. The techniques in
// leaveOut have no effect on executions.
func NewFacts(prog *core.Program, result *alias.Result, leaveOut technique.Set) *Facts {
	return &Facts{
		Prog: prog, Alias: result, Aliases: memory.New(prog, result, nil), Regions: result.Regions(nil), Bits: prog.Pointer().Bits,
		effects: map[effect]bool{}, exits: map[*core.Proc]map[int]bool{}, Without: leaveOut,
		sliced: sliced{map[*core.Proc]map[place]bool{}, map[*core.Proc][]int{}, map[branching]map[place]bool{}},
	}
}

// IsRead reports whether the program itself reads or writes all places in memory that e reads. A
// candidate that does not occur in the program may be a place of several regions.
func (facts *Facts) IsRead(e core.Expr) bool {
	for _, l := range core.Loads(e) {
		if !facts.Regions.Know(l) {
			return false
		}
	}
	return true
}

// RunOptions returns the options of runs of the program: memory from outside is typed as the alias
// analysis takes it, unless the environment may be anything.
func (facts *Facts) RunOptions() interp.Options {
	if facts.Prog.Environment == core.EnvironmentAny {
		return interp.Options{}
	}
	return interp.Options{Typed: true, Types: facts.Alias}
}

// effect is the question whether a call may change a place: a variable, or one in memory.
type effect struct {
	call *core.Call
	v    *core.Var
	mem  *core.Mem
}

// affected reports whether a call may change l. Answers are kept: each path asks the same.
func (facts *Facts) affected(c *core.Call, l core.Loc) bool {
	key := effect{call: c}
	switch l := l.(type) {
	case *core.VarRef:
		key.v = l.Var
	case *core.Mem:
		key.mem = l
	}
	yes, known := facts.effects[key]
	if !known {
		yes = facts.Alias.Affected(c, l)
		facts.effects[key] = yes
	}
	return yes
}

// Condition is a requirement of a step: that an assumption or assertion holds, or that an assertion
// fails.
type Condition struct {
	Step int
	Expr core.Expr // in the step's activation
	Neg  bool      // Expr must be zero
	Term *logic.Term
	Late bool // it counts only if the path is feasible without such conditions: others say more of the program
}

// Execution is the state of a symbolic execution.
type Execution struct {
	*Facts
	Table      *logic.Table
	Translator *wp.Translator
	Values     map[Slot]*logic.Term  // of variables outside of memory that were read or written, now
	Memory     *history              // writes to memory
	Conds      []Condition           // so far, over the start and inputs
	freed      []*logic.Term         // addresses of objects that were freed
	Inputs     map[Input]*logic.Term // open values that were asked for

	followed  map[*logic.Term]bool // values of which a condition says that they are not null
	movedBack map[*logic.Term]bool // values of which a condition says that they are in no object of the first page
	tested    map[*logic.Term]bool // values that are compared with error numbers

	// About new objects (fresh.go):
	inputs   map[*logic.Term]Input        // Inputs, by value
	made     map[*logic.Term]newObject    // objects that the path has made, by address
	frees    []int                        // steps that free something
	declared map[*logic.Term][]core.Range // by value: the objects that it leads to, by the types of the pointers that it is kept in

	// Of an execution that collects addresses and pointers (accessed.go):
	collecting bool
	bare       bool                    // conditions get no facts about objects
	Accessed   []*logic.Term           // addresses and sizes of the memory that is read and written
	Bases      []*logic.Term           // pointers that others are computed from
	Owners     map[*logic.Term][]owned // objects of which a part is accessed, by address
	Related    []relation              // pairs of pointers into one object
	Moved      []Move                  // pointers to elements of arrays, with those that they are computed from
	Aligned    []aligned               // addresses of scalars that are multiples of numbers
	Released   []*logic.Term           // addresses that are freed
	Defined    []*logic.Term           // formulas that shifts and divisions are defined
	Touched    []*logic.Term           // those of Accessed and Bases that lead to memory, and not to a function
	Made       map[int]*logic.Term     // addresses of allocated objects, by step
	secret     []*logic.Term           // those of new objects of which the path has told nobody (secret.go)

	changes []change // of Values, oldest first
	marks   []int    // by step, counted from first: the number of changes before it
	first   int      // the first step
}

// change is the value of a variable before it changed; nil if nobody had asked for it.
type change struct {
	Slot
	old *logic.Term
}

// set gives a variable another value, and remembers the old one for Back.
func (x *Execution) set(at Slot, v *logic.Term) {
	x.changes = append(x.changes, change{at, x.Values[at]})
	x.Values[at] = v
	x.declare(at.Var, v)
}

// Back undoes the changes to variables outside of memory of step i and of all steps after it.
func (x *Execution) Back(i int) {
	mark := x.marks[i-x.first]
	for len(x.changes) > mark {
		c := x.changes[len(x.changes)-1]
		x.changes = x.changes[:len(x.changes)-1]
		x.Values[c.Slot] = c.old
	}
}

// Slot is a variable outside of memory in one activation; Frame is nil for globals.
type Slot struct {
	Frame *Frame
	Var   *core.Var
}

// Input is an open value: that of variable Var after a step, or at the start if Step is -1.
type Input struct {
	Step  int
	Frame *Frame // nil for a global
	Var   *core.Var
}

// Execute executes the steps from … to-1 of a path, from an arbitrary state.
func (facts *Facts) Execute(t *logic.Table, p *Path, from, to int) *Execution {
	x := facts.start(t, from)
	x.run(p, to)
	return x
}

// ExecuteWatched executes a whole path, and collects the addresses, sizes and pointers that it uses
// (accessed.go). A path of many rounds takes long: at the end of ctx the execution ends where it is, and says
// nothing of the path.
func (facts *Facts) ExecuteWatched(ctx context.Context, t *logic.Table, p *Path) *Execution {
	return facts.ExecuteObserved(ctx, t, p, func(*Execution, int) {})
}

// ExecuteObserved is ExecuteWatched that calls before with each step before it is executed.
func (facts *Facts) ExecuteObserved(ctx context.Context, t *logic.Table, p *Path, before func(x *Execution, step int)) *Execution {
	return facts.start(t, 0).watch(ctx, p, before)
}

// ExecuteBare is ExecuteWatched without the facts about objects that conditions may get (fresh.go). These decide
// which paths are feasible. They do not add to the values on which a run along the path depends, as they hold
// whatever those are; and the conditions of a run of thousands of steps have thousands of them each.
func (facts *Facts) ExecuteBare(ctx context.Context, t *logic.Table, p *Path) *Execution {
	x := facts.start(t, 0)
	x.bare = true
	return x.watch(ctx, p, func(*Execution, int) {})
}

// watch executes a whole path, or as much of it as there is time for, as ExecuteObserved does.
func (x *Execution) watch(ctx context.Context, p *Path, before func(x *Execution, step int)) *Execution {
	x.collecting = true
	for i := range p.Steps {
		if ctx.Err() != nil {
			break
		}
		before(x, i)
		x.run(p, i+1)
	}
	return x
}

// start returns an execution before its first step.
func (facts *Facts) start(t *logic.Table, first int) *Execution {
	x := &Execution{
		Facts: facts, Table: t, Translator: wp.New(t, facts.Aliases, facts.Bits),
		Values: map[Slot]*logic.Term{}, Inputs: map[Input]*logic.Term{}, inputs: map[*logic.Term]Input{}, first: first,
		followed: map[*logic.Term]bool{}, movedBack: map[*logic.Term]bool{}, tested: map[*logic.Term]bool{},
	}
	x.Memory = newHistory(x.Translator)
	return x
}

// run executes the steps before step to.
func (x *Execution) run(p *Path, to int) {
	for i := x.first + len(x.marks); i < to; i++ {
		if x.collecting {
			x.collect(p.Steps[i], i)
		}
		x.Step(p, i)
	}
}

// In returns a translator for expressions of activation f at a step.
func (x *Execution) In(f *Frame, step int) *wp.Translator {
	// Local variables are told apart by activation, inputs by step.
	suffix, calls := "", ""
	if f != nil {
		suffix, calls = fmt.Sprintf("@%d", f.ID), f.calls
	}
	tr := x.Translator.In(calls, suffix, fmt.Sprintf("#%d", step))
	return tr.With(func(v *core.Var) *logic.Term {
		if v.InMemory() {
			return tr.Stored(v)
		}
		return x.Value(f, v)
	})
}

// frozen returns a translator as In does, for a statement that reads its operands later: the scalar
// variables of s keep the values that they have now. (A copy is looked at when a read of memory is
// carried back over it.)
func (x *Execution) frozen(f *Frame, step int, s core.Stmt) *wp.Translator {
	now := x.In(f, step)
	held := map[*core.Var]*logic.Term{}
	core.StmtExprs(s, func(e core.Expr) {
		core.WalkVars(e, func(v *core.Var) {
			if !v.InMemory() && algebra.IsScalar(v.Type) {
				held[v] = x.Value(f, v)
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

// Value returns the value of a variable outside of memory. The symbolic constant of a variable is its
// value at the start, which must be the entry of f.
func (x *Execution) Value(f *Frame, v *core.Var) *logic.Term {
	if v.Kind == core.Ghost {
		// A symbolic constant: the value at the start.
		if r, ok := v.Init.(*core.VarRef); ok && !r.Var.InMemory() {
			return x.Open(-1, SlotOf(f, r.Var).Frame, r.Var)
		}
	}
	// A variable that was not assigned holds an open value since the start.
	at := SlotOf(f, v)
	if x.Values[at] == nil {
		x.Values[at] = x.Open(-1, at.Frame, v)
	}
	return x.Values[at]
}

// SlotOf returns the slot of variable v of activation f.
func SlotOf(f *Frame, v *core.Var) Slot {
	if v.Kind == core.Global {
		f = nil
	}
	return Slot{f, v}
}

// Open returns an arbitrary value for variable v of activation f, which becomes so at a step, or is so
// at the start if step is -1. The same question gets the same symbol.
func (x *Execution) Open(step int, f *Frame, v *core.Var) *logic.Term {
	key := Input{step, f, v}
	if s := x.Inputs[key]; s != nil {
		return s
	}
	suffix := ""
	if f != nil {
		suffix = fmt.Sprintf("@%d", f.ID)
	}
	if step >= 0 {
		suffix += fmt.Sprintf("#%d", step)
	}
	s := wp.Sym(x.Table, v, suffix)
	// A truth value that the front end has made is 0 or 1.
	if v.Logical {
		s = x.Table.Sym(v.Name+suffix, x.Table.Int(0).Val, x.Table.Int(1).Val)
	}
	x.Inputs[key], x.inputs[s] = s, key
	return s
}

// Eval returns the value of e in activation f, as a term over the start.
func (x *Execution) Eval(f *Frame, step int, e core.Expr) *logic.Term {
	return x.Memory.AtStart(x.In(f, step).Value(e))
}

// Require adds the condition that e holds before a step of activation f, or that it does not if neg.
func (x *Execution) Require(f *Frame, step int, e core.Expr, neg bool) {
	c := x.In(f, step).Cond(e)
	if neg {
		c = x.Table.Not(c)
	}
	c = x.Memory.AtStart(c)
	if !x.bare {
		c = x.withFacts(c)
	}
	x.Conds = append(x.Conds, Condition{Step: step, Expr: e, Neg: neg, Term: c})
}

// Step executes step i of a path: an assumption or assertion adds a condition, other statements
// change variables or memory.
func (x *Execution) Step(p *Path, i int) {
	// 1. Mark the state before the step, for Back.
	x.marks = append(x.marks, len(x.changes))
	s := p.Steps[i]
	f := s.Frame
	x.follow(f, i, s.Stmt())
	// 2. Execute the statement. Writes to memory are added to its history; reads meet them when they are
	// carried back.
	switch st := s.Stmt().(type) {
	case *core.Assume:
		x.Require(f, i, st.Cond, false)
	case *core.Assert:
		x.Require(f, i, st.Cond, p.Fails && i == len(p.Steps)-1)
	case *core.Assign:
		x.assign(f, i, st)
	case *core.Havoc:
		x.havoc(f, i, st)
	case *core.Copy, *core.Fill, *core.Data:
		if c, ok := st.(*core.Copy); ok {
			x.reveal(f, i, nil, c.Src)
		}
		x.Memory.add(x.frozen(f, i, st).Pre(st))
	case *core.Alloc:
		x.store(f, i, st.Lhs, x.allocate(f, i, st))
		if m, ok := st.Lhs.(*core.Mem); ok {
			x.reveal(f, i, nil, m)
		}
	case *core.Free:
		x.frees = append(x.frees, i)
		if a := x.Eval(f, i, st.Ptr); a.IsAddress() {
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

// follow adds the conditions that the pointers which s follows in any case are not null and, if the path compares them with
// error numbers, none of these, once for each, and that those which it moves back are in no object of the first page. Addresses of
// the program's objects are not there anyway. The conditions are late but for null pointers from outside.
func (x *Execution) follow(f *Frame, step int, s core.Stmt) {
	if a, ok := s.(*core.Assume); ok {
		if p := wp.Tested(a.Cond, x.Bits); p != nil {
			x.note(f, step, p, x.Eval(f, step, p), x.tested, x.followed)
		}
	}
	for _, m := range wp.Accesses(s) {
		p := wp.Base(m)
		if p == nil {
			continue
		}
		v := x.Eval(f, step, p)
		if isAddress(v) || x.followed[v] {
			continue
		}
		x.Require(f, step, wp.NotNull(p, x.Bits), false)
		_, input := x.inputs[v]
		x.last().Late = !input && !(v.Op == logic.OpApp && x.Translator.Open(v))
		x.note(f, step, p, v, x.followed, x.tested)
	}
	for _, p := range wp.MovedBack(s) {
		if v := x.Eval(f, step, p); !isAddress(v) && !x.movedBack[v] {
			x.movedBack[v] = true
			x.Require(f, step, wp.InNoFirstPage(p, x.Bits), false)
			x.last().Late = true
		}
	}
}

// note adds v, the value of p, to one of the sets of values that the path follows and that it compares with error numbers. If
// it is in the other one too, it is no error number.
func (x *Execution) note(f *Frame, step int, p core.Loc, v *logic.Term, one, other map[*logic.Term]bool) {
	if other[v] && !one[v] {
		x.Require(f, step, wp.NoError(p, x.Bits), false)
		x.last().Late = true
	}
	one[v] = true
}

// last returns the condition that was added last.
func (x *Execution) last() *Condition { return &x.Conds[len(x.Conds)-1] }

// isAddress reports whether v is the address of a place in an object of the program.
func isAddress(v *logic.Term) bool {
	base, _ := v.Displaced()
	return base.IsAddress()
}

// mostBytes bounds the sizes of allocated objects that are taken from the path.
const mostBytes = 1 << 20

// allocate returns the address of the object that s makes at a step.
func (x *Execution) allocate(f *Frame, step int, s *core.Alloc) *logic.Term {
	now := x.In(f, step)
	if !x.collecting {
		a := now.Allocated(s, x.freed...)
		x.madeNow(f, step, s, a)
		return a
	}
	// The path may know the size where the text of s does not: that of a wrapper of malloc is a formal.
	bytes := int64(0)
	if v := x.Eval(f, step, s.Size); v.IsConst() && v.Val.IsInt64() && v.Val.Int64() <= mostBytes {
		bytes = v.Val.Int64()
	}
	a := now.AllocatedBytes(s, bytes, x.freed...)
	if x.Made == nil {
		x.Made = map[int]*logic.Term{}
	}
	x.Made[step] = a
	x.hide(a)
	x.madeNow(f, step, s, a)
	return a
}

// store assigns v, a term over the start, to l; nil stands for an arbitrary value.
func (x *Execution) store(f *Frame, step int, l core.Loc, v *logic.Term) {
	// A variable outside of memory changes at once, memory when reads are carried back.
	if r, ok := l.(*core.VarRef); ok && !r.Var.InMemory() {
		at := SlotOf(f, r.Var)
		if v == nil {
			v = x.Open(step, at.Frame, r.Var)
		}
		x.set(at, v)
		return
	}
	x.Memory.add(x.In(f, step).Store(l, v))
}

// assign executes a parallel assignment: all right sides are evaluated before anything is stored.
func (x *Execution) assign(f *Frame, step int, s *core.Assign) {
	// 1. Evaluate the values of variables; leave those of places in memory to one write.
	inMemory := &core.Assign{}
	now := x.In(f, step)
	var values []*logic.Term
	for i, l := range s.Lhs {
		if r, ok := l.(*core.VarRef); ok && !r.Var.InMemory() {
			values = append(values, x.Memory.AtStart(now.Value(s.Rhs[i])))
			continue
		}
		values = append(values, nil)
		x.reveal(f, step, l, s.Rhs[i])
		inMemory.Lhs = append(inMemory.Lhs, l)
		inMemory.Rhs = append(inMemory.Rhs, s.Rhs[i])
	}
	// 2. Write to memory while variables still hold their old values.
	if len(inMemory.Lhs) > 0 {
		x.Memory.add(now.Pre(inMemory))
	}
	// 3. Set the variables.
	for i, l := range s.Lhs {
		if values[i] != nil {
			x.set(SlotOf(f, l.(*core.VarRef).Var), values[i])
		}
	}
}

// havoc gives places arbitrary values.
func (x *Execution) havoc(f *Frame, step int, s *core.Havoc) {
	// Memory that is arbitrary as a whole, and single places.
	if s.Region {
		x.Memory.add(x.In(f, step).Pre(&core.Havoc{Region: true}))
	}
	for _, l := range s.Locs {
		x.store(f, step, l, nil)
	}
}

// Terms lists the formulas of conditions.
func Terms(conds []Condition) []*logic.Term {
	out := make([]*logic.Term, len(conds))
	for i, c := range conds {
		out[i] = c.Term
	}
	return out
}

// Writes reports whether the execution has written to the global g, which is outside of memory.
func (x *Execution) Writes(g *core.Var) bool {
	return slices.ContainsFunc(x.changes, func(c change) bool { return c.Var == g })
}
