package slic

import (
	"fmt"
	"slices"
	"strings"

	"c2bp/frontend"
	"c2bp/frontend/core"
	"c2bp/frontend/core/inline"
	"c2bp/frontend/core/splice"
	"c2bp/source"
)

// This file puts the bodies of actions at their events.

// instrumenter changes one program.
type instrumenter struct {
	*compiler
	prog    *core.Program
	rules   []*Rule
	calls   map[string][]*action  // actions at functions, by the names of their procedures
	entered map[string][]*action  // likewise, at calls of entry points by main
	aborts  map[string]*Abort     // by the name of the function that stands for each
	objects map[*Rule][]objectArg // at the events of each rule
	apart   map[*core.Proc]bool   // procedures whose first node is a skip that is executed once
	proc    *core.Proc            // that is being changed
	names   map[string]bool       // of the globals, and the variables of proc
	temps   int                   // in proc
	actions map[*core.Proc]bool   // procedures of actions
	idle    map[*Rule]*idleness   // what events do to objects to which nothing has happened
}

// instrument puts the actions of rules into p.
func (c *compiler) instrument(p *core.Program, rules []*Rule) error {
	in := &instrumenter{
		compiler: c, prog: p, rules: rules, calls: map[string][]*action{}, entered: map[string][]*action{}, aborts: map[string]*Abort{}, actions: map[*core.Proc]bool{},
		objects: map[*Rule][]objectArg{}, apart: map[*core.Proc]bool{}, idle: map[*Rule]*idleness{},
	}
	// 1. Find the procedures of actions, and check them.
	for _, r := range rules {
		for i, a := range r.Aborts {
			in.aborts[r.abortName(i)] = a
		}
		for _, a := range r.actions {
			a.proc = p.Proc(a.name)
			in.actions[a.proc] = true
			in.check(a)
			// A function in whose place a model stands is no procedure of the program.
			switch {
			case a.fn == nil:
			case a.entry:
				in.entered[a.fn.Proc] = append(in.entered[a.fn.Proc], a)
			default:
				in.calls[a.fn.Proc] = append(in.calls[a.fn.Proc], a)
			}
		}
	}
	if err := c.errs.Err(); err != nil {
		c.errs.Sort()
		return err
	}
	for _, r := range rules {
		in.idle[r] = newIdleness(r)
	}
	p.Procs = slices.DeleteFunc(p.Procs, func(q *core.Proc) bool { return in.actions[q] || in.isMark(q) })
	// 2. Assertions of the program end its runs; its initialisers do not set the state of rules.
	in.endAtAssertions()
	in.dropInitialisers()
	// 3. Pointers to functions without a body get one.
	in.stubs()
	// 4. Events in each procedure, then those of the program.
	for _, q := range slices.Clone(p.Procs) {
		if q.HasBody() {
			in.enter(q)
			in.outside()
			in.models()
			in.labels()
			in.ends()
			in.inside()
		}
	}
	in.enter(p.Entry)
	in.entries()
	in.finish()
	in.watches()
	in.enter(p.Entry)
	in.start()
	for _, v := range p.Globals {
		v.Rule = in.isGhost(v)
	}
	if err := c.errs.Err(); err != nil {
		c.errs.Sort()
		return err
	}
	return nil
}

// objectArg is a pointer to the object of a rule; within says that it points to some byte of it, or of something that
// the object is part of. to is the structure to which the rule or the function declares it to point, nil if neither
// declares one.
type objectArg struct {
	ptr    core.Expr
	within bool
	to     *core.Record
}

// declaredTo returns the structure to which the function of a declares argument i of the action to point: a rule
// with an object of type void * may be about functions that say more. It is nil if the function says nothing either.
func (in *instrumenter) declaredTo(a *action, i int) *core.Record {
	if a.fn == nil {
		return nil
	}
	f := in.prog.Proc(a.fn.Proc)
	switch {
	case f == nil:
		return nil
	case i == len(a.params): // the result
		return f.RetTo
	case a.params[i] < len(f.Formals):
		return f.Formals[a.params[i]].To
	}
	return nil
}

// isMark reports whether q is a function without a body that stands for a statement of a rule.
func (in *instrumenter) isMark(q *core.Proc) bool {
	return !q.HasBody() && slices.ContainsFunc(in.rules, func(r *Rule) bool { return strings.HasPrefix(q.Name, r.global("")) })
}

// check adds an error if a does anything but read, and change the state of its rule.
func (in *instrumenter) check(a *action) {
	in.file = a.rule.File
	for _, n := range a.proc.Nodes {
		pos := in.place(n.Pos)
		switch s := n.Stmt.(type) {
		case *core.Call:
			if s.Callee == nil || !in.isMark(s.Callee) {
				name := "a function"
				if s.Callee != nil {
					name = s.Callee.CName
				}
				in.errorf(pos, "a call of %s: bodies call no functions; expected an expression or a macro", name)
			}
		case *core.Skip, *core.Branch, *core.Assume, *core.Assign, *core.Havoc, *core.Return:
			for _, l := range core.Destinations(s) {
				if v, ok := l.(*core.VarRef); !ok || v.Var.Kind == core.Global && !strings.HasPrefix(v.Var.Name, a.rule.global("")) {
					in.errorf(pos, "a change of memory of the program; expected an expression without side effects")
				}
			}
		default:
			in.errorf(pos, "a value that is not represented; expected numbers and pointers")
		}
	}
}

// place returns the place in a rule for one in its C text.
func (c *compiler) place(pos source.Pos) source.Pos {
	if t := c.textOf(pos.File); t != nil {
		pos, _ = t.origin(pos.Line, pos.Col)
	}
	return pos
}

// endAtAssertions makes assumptions of the assertions of the program: a run ends where one fails, without
// violating a rule. In a failure function with a body, which C returns from, it goes on.
func (in *instrumenter) endAtAssertions() {
	for _, q := range in.prog.Procs {
		for _, n := range q.Nodes {
			a, ok := n.Stmt.(*core.Assert)
			switch {
			case !ok:
			case frontend.IsFailure(q.CName):
				n.Stmt = &core.Skip{}
			default:
				n.Stmt = &core.Assume{Cond: a.Cond}
			}
		}
	}
}

// dropInitialisers removes the initialisers of the state of rules: it is set at the start in any case, even
// where globals begin with arbitrary values.
func (in *instrumenter) dropInitialisers() {
	for _, n := range in.prog.Entry.Nodes {
		for _, l := range core.Destinations(n.Stmt) {
			if v, ok := l.(*core.VarRef); ok && in.isGhost(v.Var) {
				n.Stmt, n.Text, n.First = &core.Skip{}, "", false
			}
		}
	}
}

// isGhost reports whether v belongs to the state of a rule.
func (in *instrumenter) isGhost(v *core.Var) bool {
	return v.Kind == core.Global && slices.ContainsFunc(in.rules, func(r *Rule) bool { return strings.HasPrefix(v.Name, r.global("")) })
}

// stubs gives functions without a body, at whose calls something is done, one that calls them, where their
// address is used.
func (in *instrumenter) stubs() {
	made := map[*core.Proc]*core.Proc{}
	stub := func(f *core.Proc) *core.Proc {
		if f.HasBody() || len(in.calls[f.Name]) == 0 {
			return f
		}
		if made[f] == nil {
			for _, a := range in.calls[f.Name] {
				if in.file = a.rule.File; a.fn.Variadic || !a.fn.Declared {
					in.errorf(a.pos, "%s, declared at %s without a fixed number of parameters, is called through pointers: its calls cannot be observed; expected a prototype", a.fn.Name, a.fn.Pos)
				}
			}
			made[f] = in.stub(f)
		}
		return made[f]
	}
	for _, q := range in.prog.Procs {
		for _, n := range q.Nodes {
			n.Stmt = core.ReplaceOperands(n.Stmt, func(e core.Expr) core.Expr {
				return core.Replace(e, func(e core.Expr) core.Expr {
					if a, ok := e.(*core.FuncAddr); ok && stub(a.Proc) != a.Proc {
						return &core.FuncAddr{Proc: stub(a.Proc), Typ: a.Typ}
					}
					return nil
				})
			})
		}
	}
	for _, q := range in.prog.Procs {
		if s := made[q]; s != nil {
			in.prog.Procs = append(in.prog.Procs, s)
		}
	}
}

// stub returns a procedure that calls f and returns its result.
//
//	proc f$stub(#1 ptr) int32
//	  0: \result := f(#1)  -> 1
//	  1: return
func (in *instrumenter) stub(f *core.Proc) *core.Proc {
	s := *f
	s.Name, s.Home, s.Formals, s.Locals = f.Name+"$stub", core.HomeNone, nil, nil
	c := &core.Call{Callee: f}
	for _, v := range f.Formals {
		w := *v
		w.Proc = &s
		s.Formals = append(s.Formals, &w)
		switch v.Type.(type) {
		case core.Agg:
			c.Args = append(c.Args, &core.AddrOf{Var: &w, Typ: in.prog.Pointer()})
		case core.Opaque:
			c.Args = append(c.Args, nil)
		default:
			c.Args = append(c.Args, w.Ref())
		}
	}
	// A result that is no number or pointer is delivered by its address.
	if f.RetType != core.Type(core.Void{}) {
		s.Result = &core.Var{Name: `\result`, Type: f.RetType, Kind: core.Local, Proc: &s, Pos: f.Pos}
		s.Locals = []*core.Var{s.Result}
		switch f.RetType.(type) {
		case core.Agg:
			c.Lhs = &core.Mem{Addr: &core.AddrOf{Var: s.Result, Typ: in.prog.Pointer()}, Typ: f.RetType}
		case core.Int, core.Ptr:
			c.Lhs = s.Result.Ref()
		}
	}
	s.Nodes = []*core.Node{
		{Stmt: c, Succ: []int{1}, Pos: f.Pos, Text: f.CName + "()", First: true},
		{Stmt: &core.Return{}, Pos: f.Pos},
	}
	return &s
}

// enter makes q the procedure that is being changed.
func (in *instrumenter) enter(q *core.Proc) {
	in.proc, in.names, in.temps = q, map[string]bool{}, 0
	for _, list := range [][]*core.Var{in.prog.Globals, q.Formals, q.Locals} {
		for _, v := range list {
			in.names[v.Name] = true
		}
	}
}

// begin makes the first node of the present procedure one that only its start leads to, and not the return.
func (in *instrumenter) begin() {
	if !in.apart[in.proc] {
		in.apart[in.proc] = true
		e := &splice.Edit{}
		e.Before(0, []*core.Node{{Stmt: &core.Skip{}, Succ: []int{1}, Pos: in.proc.Pos}}, func(j int) bool { return j < 0 })
		e.Apply(in.proc)
	}
}

// temp declares a variable of the present procedure like v.
func (in *instrumenter) temp(like *core.Var) *core.Var {
	v := &core.Var{Type: like.Type, Kind: core.Temp, Proc: in.proc, Pos: in.proc.Pos, Logical: like.Logical}
	if like.AddrTaken {
		v.Kind, v.AddrTaken = core.Local, true
	}
	for v.Name == "" || in.names[v.Name] {
		in.temps++
		v.Name = fmt.Sprintf("$rule%d", in.temps)
	}
	in.names[v.Name] = true
	in.proc.Locals = append(in.proc.Locals, v)
	return v
}

// saved returns a temporary that an assignment in the second result sets to e.
func (in *instrumenter) saved(e core.Expr, pos source.Pos) (core.Expr, *core.Node) {
	t := in.temp(&core.Var{Type: e.Type()})
	return t.Ref(), &core.Node{Stmt: &core.Assign{Lhs: []core.Loc{t.Ref()}, Rhs: []core.Expr{e}}, Succ: []int{1}, Pos: pos}
}

// body returns the nodes of an action with these arguments, for an event at pos of the program.
func (in *instrumenter) body(a *action, args []core.Expr, pos source.Pos) []*core.Node {
	for _, o := range a.objects {
		// An event that does nothing to an object unless others do is no reason to watch it.
		if in.idle[a.rule].isIdle(a) {
			break
		}
		to := a.proc.Formals[o.index].To
		switch {
		case o.part:
			to = nil // it is not the object that this is the structure of
		case to == nil && !o.within:
			to = in.declaredTo(a, o.index)
		}
		in.objects[a.rule] = append(in.objects[a.rule], objectArg{args[o.index], o.within || o.part, to})
	}
	a.rule.Happens = a.rule.Happens || a.fn != nil || a.label != ""
	list := inline.Body(a.proc, converted(args, a.proc), nil, in.temp)
	for _, n := range list {
		// 1. Nodes come from the statements of the rule.
		if t := in.textOf(n.Pos.File); t != nil {
			n.Pos, n.Text = t.origin(n.Pos.Line, n.Pos.Col)
		} else {
			n.Pos, n.First = pos, false
		}
		// 2. Calls stand for statements that C does not have.
		c, ok := n.Stmt.(*core.Call)
		if !ok {
			continue
		}
		switch name := c.Callee.Name; {
		case in.aborts[name] != nil:
			n.Stmt, n.Text, n.Pos, n.First = &core.Assert{Cond: core.NewConst(0, core.Int32)}, in.aborts[name].String(), pos, true
		case strings.HasSuffix(name, "$assume$"):
			n.Stmt = &core.Assume{Cond: core.NewConst(0, core.Int32)}
		case c.Lhs != nil: // choose
			n.Stmt = &core.Havoc{Locs: []core.Loc{c.Lhs}, Why: core.RuleInput}
		default:
			n.Stmt = &core.Skip{}
		}
	}
	if in.many {
		list = in.passable(list)
	}
	return list
}

// converted returns args with the types of the formals of q. An argument for a parameter of an enumeration may
// have another type than a variable of the same type.
func converted(args []core.Expr, q *core.Proc) []core.Expr {
	args = slices.Clone(args)
	for i, v := range q.Formals {
		to, isInt := v.Type.(core.Int)
		if from, ok := args[i].Type().(core.Int); ok && isInt && from != to && !from.Float && !to.Float {
			args[i] = &core.Conv{X: args[i], To: to}
		}
	}
	return args
}

// passable puts a branch before each assertion, which leads past it: the run goes on for other rules.
func (in *instrumenter) passable(list []*core.Node) []*core.Node {
	p := &core.Proc{Nodes: append(list, &core.Node{Stmt: &core.Return{}})}
	e := &splice.Edit{}
	for i, n := range list {
		if _, ok := n.Stmt.(*core.Assert); ok {
			// The way past it ends with a skip, after the assertion.
			e.Before(i, []*core.Node{{Stmt: &core.Branch{}, Succ: []int{2, 1}, Pos: n.Pos, Free: true}, {Stmt: &core.Skip{}, Succ: []int{2}, Pos: n.Pos}}, nil)
		}
	}
	e.Apply(p)
	for i, n := range p.Nodes {
		if _, ok := n.Stmt.(*core.Assert); ok {
			p.Nodes[i-1].Succ = slices.Clone(n.Succ)
		}
	}
	return p.Nodes[:p.Exit()]
}
