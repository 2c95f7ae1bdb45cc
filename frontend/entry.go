package frontend

import (
	"fmt"
	"math/big"
	"slices"

	"modernc.org/cc/v4"

	"c2bp/frontend/core"
	"c2bp/frontend/ctree"
	"c2bp/frontend/harness"
	"c2bp/source"
)

// This file makes the procedure where execution starts: it initialises the globals, calls the
// constructors, and then has the body of the entry function or a call of it.

// makeEntry finds the entry function and returns the entry procedure that it gives the program;
// nil, with an error noted, if there is no such function. The initialisers of globals are put in
// front of it later, see start. A wrapper is needed for an entry that another function calls, too:
// the initialisers in front of its body would run again.
func (l *program) makeEntry() *core.Proc {
	// 1. Find the function by its name; a static one is the second choice.
	name := l.opts.Entry
	if name == "" {
		name = "main"
	}
	entry := l.byKey[name]
	if entry == nil || entry.def == nil {
		entry = nil
		for _, f := range l.order {
			if f.name == name && f.def != nil && entry == nil {
				entry = f
			}
		}
	}
	if entry == nil {
		l.noEntry(name)
		return nil
	}
	// 2. If main runs once and nothing runs before or after it, its own procedure is the entry.
	constructors := l.constructors()
	l.entry = entry
	if entry.name == "main" && entry.proc.Name == "main" && !entry.called && len(constructors) == 0 && l.ending == nil {
		l.prog.Entry = entry.proc
		return entry.proc
	}
	// 3. Otherwise the entry is a wrapper with the name main.
	for _, f := range l.order {
		if f.proc.Name == "main" {
			f.proc.Name = "main$c"
		}
	}
	l.wrap(entry, constructors)
	return l.prog.Entry
}

// start puts the initialisers of the reached globals in front of the entry.
func (l *sharing) start(r *reacher) {
	nodes := appendNodes(r.gather(), l.stated(r))
	if l.prog.Entry == l.entry.proc {
		nodes = appendNodes(nodes, l.mainArguments(l.entry, nil))
	}
	for _, n := range nodes {
		n.Initial = true
	}
	prepend(l.prog.Entry, nodes)
}

// noEntry notes the error that the program has no function called name with a body.
func (l *program) noEntry(name string) {
	pos := source.Pos{}
	if len(l.tus) > 0 {
		pos.File = l.tus[0].file.Name
	}
	if l.opts.Entry == "" {
		l.errs.Add(&source.Diagnostic{Pos: pos, Severity: source.Error, Class: noMain, Msg: noMain})
		return
	}
	var names []string
	for _, f := range l.defined {
		names = append(names, f.name)
	}
	l.errs.Add(&source.Diagnostic{Pos: pos, Severity: source.Error, Msg: "--entry: the program has no function " + name + harness.Nearest(name, names)})
}

// initialiserOf returns a lowerer for initialisers of globals, which run at the start of the entry p.
// Names of temporaries must differ from those of the entry, whose procedure they become part of.
func (l *linker) initialiserOf(p *core.Proc) *functionLowerer {
	// fn is nil: locals are not known in an initialiser of static storage duration.
	b := &functionLowerer{frame: frame{
		linker: l, proc: p, used: map[string]bool{}, memo: map[cc.Node]bool{},
		lengths: map[cc.ExpressionNode]*core.Var{}, complits: map[*cc.PostfixExpression]*core.Var{},
	}}
	for _, o := range l.ordered {
		b.used[o.v.Name] = true
	}
	for _, v := range append(p.Formals[:len(p.Formals):len(p.Formals)], p.Locals...) {
		b.used[v.Name] = true
	}
	return b
}

// nodesOf returns the nodes that initialise o; the zeros of C are explicit. The successor of the
// last one is the number of nodes. Each object starts with an empty graph; gather joins the pieces.
func (b *functionLowerer) nodesOf(o *object) []*core.Node {
	b.builder, b.within = builder{}, o.within
	b.initialiseObject(o)
	if len(b.here) > 0 {
		b.skip()
	}
	for _, s := range b.open {
		s.node.Succ[s.i] = len(b.nodes)
	}
	return b.nodes
}

// initialiseObject lowers the initialisation of o. Objects without an initialiser start as 0 or
// null (C11 6.7.9p10).
func (b *functionLowerer) initialiseObject(o *object) {
	b.layouts.NoteAlignment(o.v, o.typ)
	b.pos, b.text, b.first = o.pos, o.text, o.init != nil
	if o.init == nil {
		b.text = o.v.Name + " = 0;" // C leaves it out; traces show it
	}
	p := place{v: o.v, typ: o.v.Type, ctype: o.typ}
	// A scalar is assigned; an aggregate has parts. Values that are not represented need no nodes.
	switch t := o.v.Type.(type) {
	case core.Int, core.Ptr:
		i, isInt := t.(core.Int)
		switch {
		case o.init == nil:
			b.assign(p.loc(), to(truth(false), t))
		case !isInt:
			b.initialise(p, o.init, true)
		default:
			b.emit(b.initialiser(o, i))
		}
	case core.Agg:
		p.v, p.addr = nil, b.addressOf(o.v)
		b.initialiseStatic(o, p, t)
	}
	b.first = false
}

// maxAssigned bounds the number of parts of an initialiser that are assigned one by one.
const maxAssigned = 32

// initialiseStatic lowers the initialiser, if there is one, of a struct, union or array o of
// static storage duration and type t. The integers of a big table are stored as bytes.
//
//	char t[256] = { 1, 2, … };     one Data for the bytes listed, after a Fill with 0 for the rest
func (b *functionLowerer) initialiseStatic(o *object, p place, t core.Agg) {
	// 1. Assign the items of the initialiser to the parts of the object.
	root := &part{place: p}
	if o.init != nil {
		f := &flattener{functionLowerer: b}
		f.object(root, o.init)
	}
	leaves := root.leaves()
	// The elements of a flexible array member make the object bigger than its type.
	if end := b.end(leaves); end > t.Size && t.Size > 0 {
		t.Size = end
		o.v.Type = t
	}
	// 2. Clear the object, unless its initialiser covers all bytes.
	if !b.covers(p, leaves) {
		b.emit(&core.Fill{Dst: p.addr, Size: b.sizeOfAgg(t), Byte: core.NewConst(0, core.Uint8)})
	}
	// 3. A small object: one assignment for each part.
	if len(leaves) <= maxAssigned {
		b.initialiseParts(root, leaves, true)
		return
	}
	// 4. A big one: a Data for each run of adjacent integer constants.
	var start core.Expr // address of the run
	var bytes []byte    // of the run so far
	var end int64       // offset where the run ends
	flush := func() {
		if len(bytes) > 0 {
			b.emit(&core.Data{Dst: start, Bytes: bytes})
		}
		bytes = nil
	}
	for _, x := range leaves {
		at, c := b.constantLeaf(x)
		if c == nil {
			flush()
			b.initialiseLeaf(x)
			continue
		}
		// A gap, or the first constant, begins a new run.
		if at != end || len(bytes) == 0 {
			flush()
			start = x.addr
		}
		// Bytes are in the order of a little-endian machine.
		for i := range int(core.Bytes(c.Typ)) {
			bytes = append(bytes, byte(new(big.Int).Rsh(core.Uint64.Convert(c.Val), uint(8*i)).Uint64()))
		}
		end = at + core.Bytes(c.Typ)
	}
	flush()
}

// end returns the largest known offset at which a leaf, or an array element around one, ends. It
// gives int a[] = { [5] = 1 } its size of 24 bytes.
func (l *typing) end(leaves []leaf) (end int64) {
	for _, x := range leaves {
		if x.addr == nil {
			continue
		}
		// The end of the leaf itself; a string counts with its byte 0.
		at, ok := distance(x.addr)
		size, known := l.layouts.SizeBytes(x.ctype)
		if text, _, isString := l.StringBytes(x.expr); isString && x.isArray() && !known {
			size, known = int64(len(text)), true
		}
		if ok && known {
			end = max(end, at+size)
		}
		// Elements around the leaf are initialised as a whole.
		for a := x.addr; a != nil; {
			switch e := a.(type) {
			case *core.Index:
				if at, ok = distance(e); ok {
					end = max(end, at+e.Size)
				}
				a = e.X
			case *core.Offset:
				a = e.X
			default:
				a = nil
			}
		}
	}
	return end
}

// constantLeaf returns the integer constant that x stores and its offset in the object; c is nil
// if the value or the offset is not a constant, and for bit-fields.
func (l *program) constantLeaf(x leaf) (at int64, c *core.Const) {
	t, isInt := x.typ.(core.Int)
	if !isInt || x.expr == nil || t.Bits%8 != 0 || x.bit != 0 || x.isBool || x.addr == nil {
		return 0, nil
	}
	// The offset, then the value.
	at, ok := distance(x.addr)
	if !ok {
		return 0, nil
	}
	if k, ok := l.constantValue(x.expr); ok {
		if c, isConst := convert(k, t).(*core.Const); isConst {
			return at, c
		}
	}
	return 0, nil
}

// distance returns the offset of addr from the start of its variable, in bytes; ok is false if it is
// not a constant.
func distance(addr core.Expr) (off int64, ok bool) {
	for {
		// Go down to the variable, and add up.
		switch a := addr.(type) {
		case *core.AddrOf:
			return off, true
		case *core.Offset:
			off += a.Off
			addr = a.X
		case *core.Index:
			c, isConst := a.I.(*core.Const)
			if !isConst || !c.Val.IsInt64() {
				return 0, false
			}
			off += a.Size * c.Val.Int64()
			addr = a.X
		default:
			return 0, false
		}
	}
}

// constantInit returns the value of a constant initialiser converted to t; nil if it is not constant.
// init must not be a list.
func (l *program) constantInit(init *cc.Initializer, t core.Int) core.Expr {
	e, err := l.pure(init.AssignmentExpression, nil)
	if c, ok := e.(*core.Const); ok && err == nil {
		if c, ok := convert(c, t).(*core.Const); ok {
			return c
		}
	}
	return nil
}

// foldConstants finds the objects whose reads are replaced by their initial value: they are
// declared const, so that a program that changes them has no defined behaviour (C23 6.7.4.1).
// Headers of real libraries define many of them, in each file that includes them.
func (l *program) foldConstants() {
	for _, o := range l.ordered {
		// Only numbers with an initialiser that is no list.
		t, isInt := o.v.Type.(core.Int)
		if !isInt || !o.isConst || o.v.Volatile || o.init == nil || o.init.Case != cc.InitializerExpr {
			continue
		}
		if c, ok := l.constantInit(o.init, t).(*core.Const); ok {
			l.values[o.v] = c
		}
	}
}

// initialiser returns the assignment of the initial value of o, an integer of type t; a Havoc if
// that is not constant. It is a Havoc also for an address as a number, (long)&x, whose value no C
// program knows.
func (l *program) initialiser(o *object, t core.Int) core.Stmt {
	init := o.init
	// { e } and {} initialise a scalar, too.
	for init.Case == cc.InitializerInitList && init.InitializerList != nil {
		init = init.InitializerList.Initializer
	}
	if init.Case == cc.InitializerInitList {
		return &core.Assign{Lhs: []core.Loc{o.v.Ref()}, Rhs: []core.Expr{core.NewConst(0, t)}}
	}
	if e := l.constantInit(init, t); e != nil {
		return &core.Assign{Lhs: []core.Loc{o.v.Ref()}, Rhs: []core.Expr{e}}
	}
	l.note(source.Note, o.pos, "the initial value of %s is arbitrary: %s", o.v.Name, l.TextOf(init))
	return &core.Havoc{Locs: []core.Loc{o.v.Ref()}, Why: "initialiser " + l.TextOf(init)}
}

// prepend puts nodes in front of the body of p; the successor of the last one is len(nodes).
func prepend(p *core.Proc, nodes []*core.Node) { p.Nodes = appendNodes(nodes, p.Nodes) }

// appendNodes returns list followed by more, whose successors count from the start of more. Nodes
// of list without successors are straight-line code. A successor equal to the length of list leads
// to the first node of more. Neither may be used after it: the nodes are changed in place.
func appendNodes(list, more []*core.Node) []*core.Node {
	for i, n := range list {
		if n.Succ == nil {
			n.Succ = []int{i + 1}
		}
	}
	for _, n := range more {
		for i := range n.Succ {
			n.Succ[i] += len(list)
		}
	}
	return append(list, more...)
}

// wrap makes the procedure main, which calls the constructors and then entry, and runs the end of
// the program. The initialisers come in front of it later.
//
//	main: initialisers; call each constructor; $status := main$c(…); call finish($status); return
func (l *program) wrap(entry *function, constructors []*function) {
	p := &core.Proc{Name: "main", Pos: entry.pos, RetType: core.Void{}}
	// 1. Constructors run before the entry, once.
	for _, f := range constructors {
		l.callAnyhow(p, f, nil)
	}
	// 2. The entry, whose result is the status of the program if something runs at its end.
	if l.ending == nil {
		l.callAnyhow(p, entry, nil)
	} else {
		status := &core.Var{Name: "$status", Type: core.Int32, Kind: core.Temp, Proc: p, Pos: entry.pos}
		p.Locals = append(p.Locals, status)
		l.callAnyhow(p, entry, status)
		l.finishProgram(p, status)
	}
	p.Nodes = append(p.Nodes, &core.Node{Stmt: &core.Return{}, Pos: entry.pos})
	l.prog.Procs = append(l.prog.Procs, p)
	l.prog.Entry = p
}

// mainArguments returns nodes that assume the guarantees of C about the arguments of main (C23
// 5.1.2.3.2): argc >= 0, argv != 0, argv[argc] == 0, and argv[i] != 0 below argc for each i that
// main mentions. args are the arguments with which main is called; nil if main is the entry. The
// nodes are to be appended with appendNodes. There are none for main(void), nor for an entry of
// another name.
func (l *program) mainArguments(f *function, args []core.Expr) (nodes []*core.Node) {
	if f.name != "main" || len(f.proc.Formals) < 2 {
		return nil
	}
	if args == nil {
		args = []core.Expr{f.proc.Formals[0].Ref(), f.proc.Formals[1].Ref()}
	}
	if args[0] == nil || args[1] == nil || args[0].Type() != core.Type(core.Int32) || args[1].Type() != core.Type(l.pointer()) {
		return nil
	}
	add := func(s core.Stmt, succ ...int) { nodes = append(nodes, &core.Node{Pos: f.pos, Stmt: s, Succ: succ}) }
	element := func(op core.BinaryOp, i core.Expr) core.Stmt { // argv[i] op null
		at := &core.Index{X: args[1], I: i, Size: int64(l.pointer().Bits / 8)}
		return &core.Assume{Cond: comparePointers(op, mem(at, l.pointer()), core.Null(l.pointer()))}
	}
	// argc >= 0, argv != 0, argv[argc] == 0.
	add(&core.Assume{Cond: binary(core.Ge, args[0], core.NewConst(0, core.Int32))})
	add(&core.Assume{Cond: comparePointers(core.Ne, args[1], core.Null(l.pointer()))})
	add(element(core.Eq, convert(args[0], core.Int64)))
	// argc <= k, or argv[k] != 0.
	for _, k := range l.argumentsNamed(f) {
		i, n := len(nodes), core.NewConst(k, core.Int32)
		add(&core.Branch{}, i+1, i+2)
		add(&core.Assume{Cond: binary(core.Le, args[0], n)}, i+4)
		add(&core.Assume{Cond: binary(core.Gt, args[0], n)}, i+3)
		add(element(core.Ne, core.NewConst(k, core.Int64)), i+4)
	}
	return nodes
}

// maxArgument bounds the indices i for which argv[i] is assumed not to be null.
const maxArgument = 63

// argumentsNamed returns the i for which the body of main has argv[i], ascending; *argv counts as
// argv[0]. An access through another pointer into argv is not seen: fewer assumptions are sound.
func (l *program) argumentsNamed(f *function) (list []int64) {
	argv := f.proc.Formals[1]
	isArgv := func(n cc.ExpressionNode) bool {
		id := identifier(n)
		if id == nil {
			return false
		}
		d, ok := id.ResolvedTo().(*cc.Declarator)
		return ok && l.vars[d] == argv
	}
	ctree.Walk(f.def.CompoundStatement, func(n cc.Node) bool {
		switch e := n.(type) {
		case *cc.PostfixExpression:
			// argv[i]
			if e.Case == cc.PostfixExpressionIndex && isArgv(e.PostfixExpression) {
				if c, ok := l.constantValue(e.ExpressionList); ok && c.Val.IsInt64() && c.Val.Sign() >= 0 && c.Val.Int64() <= maxArgument {
					list = append(list, c.Val.Int64())
				}
			}
		case *cc.UnaryExpression:
			// *argv
			if e.Case == cc.UnaryExpressionDeref && isArgv(e.CastExpression) {
				list = append(list, 0)
			}
		}
		return true
	})
	slices.Sort(list)
	return slices.Compact(list)
}

// callAnyhow appends to p a call of f with arbitrary arguments. The result goes to status,
// unless that is nil.
func (l *program) callAnyhow(p *core.Proc, f *function, status *core.Var) {
	add := func(s core.Stmt) *core.Node {
		n := &core.Node{Stmt: s, Pos: f.pos, Succ: []int{len(p.Nodes) + 1}}
		p.Nodes = append(p.Nodes, n)
		return n
	}
	// 1. A temporary with an arbitrary value for each formal.
	var args []core.Expr
	var locs []core.Loc
	for _, v := range f.proc.Formals {
		if _, isOpaque := v.Type.(core.Opaque); isOpaque {
			args = append(args, nil)
			continue
		}
		t := &core.Var{Name: fmt.Sprintf("$%d", len(p.Locals)+1), Type: v.Type, Kind: core.Temp, Proc: p, Pos: f.pos}
		p.Locals = append(p.Locals, t)
		if isAggregate(v) { // arbitrary from the start
			args = append(args, l.addressOf(t))
			continue
		}
		args, locs = append(args, t.Ref()), append(locs, t.Ref())
	}
	if len(locs) > 0 {
		add(&core.Havoc{Locs: locs, Why: "the arguments of " + f.name})
	}
	if f.name == "main" {
		p.Nodes = appendNodes(p.Nodes, appendNodes(l.mainArguments(f, args), nil))
	}
	// 2. The call; a result of another type than status makes status arbitrary.
	c := &core.Call{Callee: f.proc, Args: args}
	if status != nil && f.proc.RetType == status.Type {
		c.Lhs = status.Ref()
	} else if status != nil {
		add(&core.Havoc{Locs: []core.Loc{status.Ref()}, Why: "the result of " + f.name})
	}
	call := add(c)
	call.First, call.Text = true, f.name+"()"
}
