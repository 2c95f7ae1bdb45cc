package frontend

import (
	"fmt"

	"modernc.org/cc/v4"

	"c2bp/frontend/core"
	"c2bp/source"
)

// This file makes the procedure where execution starts: the initialisers of the
// globals, then the constructors, then the body of the entry function or a call of it.

// makeEntry finds the entry function and gives the program its entry procedure.
func (l *linker) makeEntry() {
	name := l.opts.Entry
	if name == "" {
		name = "main"
	}
	entry := l.byKey[name]
	if entry == nil || entry.def == nil {
		entry = nil
		for _, f := range l.order { // a static function will do
			if f.name == name && f.def != nil && entry == nil {
				entry = f
			}
		}
	}
	if entry == nil {
		l.noEntry(name)
		return
	}
	init := l.initialisers()
	if name != "main" {
		l.ledger.add("entry %s: only its first call is checked", name)
	}
	constructors := l.constructors()
	if entry.name == "main" && entry.proc.Name == "main" && !entry.called && len(constructors) == 0 {
		l.prog.Entry = entry.proc
		prepend(entry.proc, init)
		return
	}
	for _, f := range l.order {
		if f.proc.Name == "main" {
			f.proc.Name = "main$c"
		}
	}
	l.wrap(entry, init, constructors)
}

func (l *linker) noEntry(name string) {
	pos := source.Pos{}
	if len(l.tus) > 0 {
		pos.File = l.tus[0].file.Name
	}
	if l.opts.Entry == "" {
		l.errs.Add(&source.Diagnostic{Pos: pos, Severity: source.Error, Msg: "the program has no function main; name the function to start at with --entry"})
		return
	}
	l.errs.Add(&source.Diagnostic{Pos: pos, Severity: source.Error, Msg: "--entry: the program has no function " + name})
}

// initialisers are the nodes that initialise the globals, in order; C's zeros
// are explicit. With Options.Open only constants are initialised.
func (l *linker) initialisers() (nodes []*core.Node) {
	for _, o := range l.ordered {
		t, isInt := o.v.Type.(core.Int)
		if !isInt || !o.defined || l.opts.Open && !(o.isConst && o.init != nil) {
			continue
		}
		n := &core.Node{Pos: o.pos, Text: o.text, First: o.init != nil}
		n.Stmt = &core.Assign{Lhs: []core.Loc{o.v.Ref()}, Rhs: []core.Expr{core.NewConst(0, t)}}
		if o.init != nil {
			n.Stmt = l.initialiser(o, t)
		} else {
			n.Text = o.v.Name + " = 0;" // what C leaves out, for traces
		}
		nodes = append(nodes, n)
	}
	return nodes
}

// constantInit is the value of a constant initialiser converted to t, nil if it is
// not constant.
func (l *linker) constantInit(init *cc.Initializer, t core.Int) core.Expr {
	e, err := l.pure(init.AssignmentExpression, nil)
	if c, ok := e.(*core.Const); ok && err == nil {
		return convert(c, t)
	}
	return nil
}

// foldConstants finds the objects whose reads are their initial value: declared
// const, so that a program that changes them has no defined behaviour (C23 6.7.4.1).
// Headers of real libraries define many such, in each file that includes them.
func (l *linker) foldConstants() {
	for _, o := range l.ordered {
		t, isInt := o.v.Type.(core.Int)
		if !isInt || !o.isConst || o.v.Volatile || o.init == nil || o.init.Case != cc.InitializerExpr {
			continue
		}
		if c, ok := l.constantInit(o.init, t).(*core.Const); ok {
			l.values[o.v] = c
		}
	}
}

// initialiser is the assignment of o's initial value.
func (l *linker) initialiser(o *object, t core.Int) core.Stmt {
	init := o.init
	for init.Case == cc.InitializerInitList && init.InitializerList != nil {
		init = init.InitializerList.Initializer
	}
	if init.Case == cc.InitializerInitList {
		return &core.Assign{Lhs: []core.Loc{o.v.Ref()}, Rhs: []core.Expr{core.NewConst(0, t)}}
	}
	if e := l.constantInit(init, t); e != nil {
		return &core.Assign{Lhs: []core.Loc{o.v.Ref()}, Rhs: []core.Expr{e}}
	}
	l.note(source.Note, o.pos, "the initial value of %s is arbitrary: %s", o.v.Name, l.textOf(init))
	return &core.Havoc{Locs: []core.Loc{o.v.Ref()}, Why: "initialiser " + l.textOf(init)}
}

// prepend puts straight-line nodes in front of the body of p.
func prepend(p *core.Proc, nodes []*core.Node) {
	for i, n := range nodes {
		n.Succ = []int{i + 1}
	}
	for _, n := range p.Nodes {
		for i := range n.Succ {
			n.Succ[i] += len(nodes)
		}
	}
	p.Nodes = append(nodes, p.Nodes...)
}

// wrap makes the procedure main, which initialises, calls the constructors and then
// entry.
func (l *linker) wrap(entry *function, init []*core.Node, constructors []*function) {
	p := &core.Proc{Name: "main", Pos: entry.pos, RetType: core.Void{}}
	for _, f := range append(constructors, entry) {
		callAnyhow(p, f)
	}
	p.Nodes = append(p.Nodes, &core.Node{Stmt: &core.Return{}, Pos: entry.pos})
	prepend(p, init)
	l.prog.Procs = append(l.prog.Procs, p)
	l.prog.Entry = p
}

// callAnyhow appends to p a call of f with arbitrary arguments.
func callAnyhow(p *core.Proc, f *function) {
	add := func(s core.Stmt) *core.Node {
		n := &core.Node{Stmt: s, Pos: f.pos, Succ: []int{len(p.Nodes) + 1}}
		p.Nodes = append(p.Nodes, n)
		return n
	}
	var args []core.Expr
	var locs []core.Loc
	for _, v := range f.proc.Formals {
		if _, isInt := v.Type.(core.Int); !isInt {
			args = append(args, nil)
			continue
		}
		t := &core.Var{Name: fmt.Sprintf("$%d", len(p.Locals)+1), Type: v.Type, Kind: core.Temp, Proc: p, Pos: f.pos}
		p.Locals = append(p.Locals, t)
		args, locs = append(args, t.Ref()), append(locs, t.Ref())
	}
	if len(locs) > 0 {
		add(&core.Havoc{Locs: locs, Why: "the arguments of " + f.name})
	}
	call := add(&core.Call{Callee: f.proc, Args: args})
	call.First, call.Text = true, f.name+"()"
}
