package frontend

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"c2bp/frontend/core"
)

// This file lowers the functions and initialisers that the entry reaches, by a worklist of nodes.
// Unreached ones are neither lowered nor abstracted nor listed in the ledger.
//
//	roots         the procedure where execution starts, with the entry function, constructors and
//	              the end of the program; functions to which objects in named sections point, and
//	              those that assembly outside of functions names: a linker script may gather them
//	a procedure   is reached if a node calls it or takes its address. Cleanups, aliases, names in
//	              assembly, and functions given to atexit or pthread_create are such nodes by then
//	an object     is reached if a node mentions it, or if its size or type is asked for, on which
//	              its initialiser may decide, if it is defined; the nodes that initialise it are
//	              reached then
//
// Functions that the program does not define call only functions they are given, so nothing else
// is executed. The pieces are lowered in the order in which they are reached, and put together in
// the order of the files.

// piece is the result of lowering a function or an initialiser.
type piece struct {
	nodes []*core.Node // of an initialiser; the nodes of a function are in its procedure
	// Lines that lowering it has added to the ledger, and the literals in it.
	ledger   []string
	literals []literal
}

// reacher finds the reached parts of a program: nodes, procedures and globals. For example, of
//
//	int used = 1, unused = 2;
//	static void cb(void) { used++; }   void (*hook)(void) = cb;   void dead(void) { unused++; }
//	int main(void) { hook(); }
//
// main reaches hook, whose initialiser takes the address of cb, which reaches used. dead and unused
// are no part of the program.
type reacher struct {
	*linker
	// All bodies of the program, reached or not, by their procedures.
	bodies map[*core.Proc]*functionLowerer
	// Filled by functionOf.
	functions map[*core.Proc]*function
	globals   map[*core.Var]*object
	init      *functionLowerer // lowers initialisers, at the start of the entry

	procs  map[*core.Proc]bool // reached
	vars   map[*core.Var]bool  // likewise: globals
	taken  map[*core.Proc]bool // those of procs whose address is used
	pieces map[any]*piece      // by *function or *object
	work   []*core.Node        // not yet looked at
	todo   []*object           // reached, with initialisers that are not lowered yet
}

// reach lowers the functions and initialisers that entry and roots reach. bodies are all function
// bodies of the program; entry is nil if there is none. An initialiser is lowered only if no node
// is left to look at.
func (l *linker) reach(ctx context.Context, bodies []*functionLowerer, entry *core.Proc, roots []*function) (*reacher, error) {
	r := &reacher{
		linker: l, bodies: map[*core.Proc]*functionLowerer{}, functions: map[*core.Proc]*function{}, globals: map[*core.Var]*object{},
		procs: map[*core.Proc]bool{}, vars: map[*core.Var]bool{}, taken: map[*core.Proc]bool{}, pieces: map[any]*piece{},
	}
	for _, b := range bodies {
		r.bodies[b.proc] = b
	}
	for _, o := range l.ordered {
		r.globals[o.v] = o
	}
	// 1. Roots: the entry, objects on whose size a declaration at file scope depends, objects and
	// functions that the options name.
	if entry != nil {
		r.procedure(entry)
	}
	for _, tu := range l.tus {
		for u := tu.ast.TranslationUnit; u != nil; u = u.TranslationUnit {
			if d := u.ExternalDeclaration; d.Case == cc.ExternalDeclarationDecl && !isPrelude(d) {
				r.measured(d, false)
			}
		}
	}
	for _, o := range l.ordered {
		if o.defined && l.opts.Whole || slices.Contains(l.opts.Also, o.v.Name) || slices.Contains(l.opts.Also, plainName(o.v.Name)) {
			r.variable(o.v)
		}
	}
	for _, f := range roots {
		r.procedure(f.proc)
	}
	// 2. Look at reached nodes until there are none, then lower the next initialiser, which adds nodes.
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		switch {
		case len(r.work) > 0:
			n := r.work[len(r.work)-1]
			r.work = r.work[:len(r.work)-1]
			r.node(n)
		// A first in, first out queue, unlike work: the order of initialisers decides on the
		// numbers of temporaries.
		case len(r.todo) > 0:
			if r.init == nil { // the names of the entry's variables are known now
				r.init = l.initialiserOf(cmp.Or(entry, &core.Proc{}))
			}
			o := r.todo[0]
			r.todo = r.todo[1:]
			p := r.apart(func() []*core.Node { return r.init.nodesOf(o) })
			r.pieces[o] = p
			r.work = append(r.work, p.nodes...)
			if o.init != nil {
				r.measured(o.init, true)
				r.convertedBy(o.init, nil)
			}
		default:
			r.storedReads(r.nodes())
			return r, nil
		}
	}
}

// nodes yields the nodes of the procedures and initialisers that are reached, in any order.
func (r *reacher) nodes() iter.Seq[*core.Node] {
	return func(yield func(*core.Node) bool) {
		for p := range r.procs {
			for _, n := range p.Nodes {
				if !yield(n) {
					return
				}
			}
		}
		for _, p := range r.pieces {
			for _, n := range p.nodes {
				if !yield(n) {
					return
				}
			}
		}
	}
}

// apart calls do, which lowers something, and returns the piece that results: its nodes, and the
// lines of the ledger and literals that it added. The ledger and the literals of the program are as
// before when it returns; gather adds the piece's to them.
func (r *reacher) apart(do func() []*core.Node) *piece {
	ledgerBefore, literals := r.ledger, r.literals
	r.ledger, r.literals = ledger{}, nil
	p := &piece{nodes: do()}
	p.ledger, p.literals = r.ledger.lines, r.literals
	r.ledger, r.literals = ledgerBefore, literals
	return p
}

// procedure marks p as reached, lowers its body, and puts its nodes into the worklist. A procedure
// is marked before its body is lowered, so a recursive function ends here.
func (r *reacher) procedure(p *core.Proc) {
	if r.procs[p] {
		return
	}
	r.procs[p] = true
	// The body is in C, or in assembly at file scope.
	if b := r.bodies[p]; b != nil && !p.HasBody() {
		r.pieces[b.fn] = r.apart(func() []*core.Node { b.lowerBody(); return nil })
		r.measured(b.fn.def, true)
		r.convertedBy(b.fn.def, b.fn)
	}
	// A function whose parameters are not known stays without a body: it is then an external one.
	if s, f := r.definer(p); s != nil && !p.HasBody() && !f.isOpen() {
		r.pieces[f] = r.apart(func() []*core.Node { r.defineByAssembly(s, f); return nil })
	}
	r.work = append(r.work, p.Nodes...)
}

// address marks p as reached by its address. A function that the program does not define gets a
// body then, if its effect is known: it may be called through a pointer.
func (r *reacher) address(p *core.Proc) {
	if r.taken[p] {
		return
	}
	r.taken[p] = true
	if f := r.functionOf(p); f != nil && f.def == nil && !p.HasBody() {
		r.pieces[f] = r.apart(func() []*core.Node { r.synthesise(f); return nil })
		// A call may have reached it before, without nodes. It has some now, which procedure has to
		// look at.
		r.procs[p] = false
	}
	r.procedure(p)
}

// functionOf returns the function of the program that p stands for, or nil.
func (r *reacher) functionOf(p *core.Proc) *function {
	for _, f := range r.order[len(r.functions):] { // lowering may add some
		r.functions[f.proc] = f
	}
	return r.functions[p]
}

// node marks the procedures and variables that n mentions as reached. A call through a pointer
// reaches nothing: its callees are reached by their addresses.
func (r *reacher) node(n *core.Node) {
	if c, ok := n.Stmt.(*core.Call); ok && c.Callee != nil {
		r.procedure(c.Callee)
	}
	// Variables, and functions by their addresses.
	for _, e := range expressions(n.Stmt) {
		r.expression(e)
	}
	if m := n.Model; m != nil { // traces show these values
		for _, e := range m.Args {
			r.expression(e)
		}
		if m.Result != nil {
			r.expression(m.Result)
		}
	}
}

// expression marks the variables and procedures in e as reached.
func (r *reacher) expression(e core.Expr) {
	// Variables are reached by reads and by their addresses, functions by their addresses.
	core.Walk(e, func(e core.Expr) bool {
		switch e := e.(type) {
		case *core.VarRef:
			r.variable(e.Var)
		case *core.AddrOf:
			r.variable(e.Var)
		case *core.FuncAddr:
			r.address(e.Proc)
		}
		return true
	})
}

// measured marks the objects whose size or type the text n asks for as reached. In int a[] = { f };
// int n = sizeof a; the array's initialiser decides on the value of n, although a is not read.
// initialisers says whether those in n are looked at, too. An object that is only declared has none, and nothing
// happens to it.
func (r *reacher) measured(n cc.Node, initialisers bool) {
	for _, v := range r.measuredBy(n, initialisers) {
		if !v.Foreign {
			r.variable(v)
		}
	}
}

// variable marks v as reached, if it is a global, and puts its initialiser into the worklist.
// Locals belong to a procedure and are reached with it.
func (r *reacher) variable(v *core.Var) {
	if v.Kind != core.Global || r.vars[v] {
		return
	}
	r.vars[v] = true
	if o := r.globals[v]; o != nil && r.isInitialised(o) {
		r.todo = append(r.todo, o)
	}
}

// isInitialised reports whether o has a known value at the start. With Options.Open only constants
// have one. An object that is only declared gets its value elsewhere.
func (l *program) isInitialised(o *object) bool {
	return o.defined && (!l.opts.Open || o.isConst && o.init != nil || l.ending != nil && o.tu == l.ending.tu)
}

// gather adds the ledgers and literals of the pieces to those of the program, in the order of the
// files with functions first, and returns the nodes of all initialisers. It may be called once,
// since it numbers the literals.
func (r *reacher) gather() (nodes []*core.Node) {
	// add returns an empty piece for something that is not reached.
	add := func(key any) *piece {
		p := r.pieces[key]
		if p == nil {
			return &piece{}
		}
		for _, line := range p.ledger {
			r.ledger.add("%s", line)
		}
		for _, x := range p.literals {
			// Literals are numbered in the order of the program.
			x.v.Name = fmt.Sprintf("%s#%d", x.what, len(r.literals)+1)
			r.literals = append(r.literals, x)
		}
		return p
	}
	// 1. Functions with a body, objects, functions without one.
	for _, f := range r.defined {
		add(f)
	}
	if r.entry.name != "main" {
		r.ledger.add("entry %s: only its first call is checked", r.entry.name)
	}
	var stores []*core.Node
	for _, o := range r.ordered {
		stores = appendNodes(stores, add(o).nodes)
	}
	for _, f := range r.order {
		if f.def == nil {
			add(f)
		}
	}
	// 2. String literals are stored before the objects that may point to them.
	for _, x := range r.literals {
		if x.text != nil {
			nodes = append(nodes, &core.Node{Pos: x.v.Pos, Stmt: &core.Data{Dst: r.addressOf(x.v), Bytes: x.text}})
		}
	}
	return appendNodes(nodes, stores)
}

// collect puts the reached variables and procedures into the program, and the assumptions about
// them into the ledger. gather has run before, so the literals have their names.
func (r *reacher) collect() {
	// 1. Globals, then string literals.
	for _, o := range r.ordered {
		if r.vars[o.v] {
			r.prog.Globals = append(r.prog.Globals, o.v)
		}
	}
	for _, x := range r.literals {
		r.prog.Globals = append(r.prog.Globals, x.v)
	}
	// 2. Procedures: the wrapper of the entry, if there is one; those of the files; those without a
	// body there, of which the ones that have no body at all are assumed to do as Options.Extern says.
	procs := r.prog.Procs
	for _, f := range r.defined {
		if r.procs[f.proc] {
			f.proc.Recast = r.recasts[r.signatureOf(f.typ)]
			procs = append(procs, f.proc)
		}
	}
	for _, f := range r.order {
		if f.def != nil || !r.procs[f.proc] {
			continue
		}
		procs = append(procs, f.proc)
		f.proc.Recast = r.recasts[r.signatureOf(f.typ)]
		if f.proc.HasBody() {
			continue
		}
		// Its calls are there to be observed; its meaning is known.
		if endsNormally(f.name) {
			continue
		}
		// The assumptions about a function without a body.
		result := "its result is arbitrary"
		if f.noreturn {
			result = "it does not return"
		}
		calls := "it calls no function of the program but those it is given, all before it returns"
		if r.opts.Assume.CallbacksLater {
			calls = "it calls no function of the program"
		}
		effect := externEffect[r.opts.Extern]
		if f.proc.Limited && r.opts.Extern == core.ExternArgs {
			effect = limitOf(f.proc)
		}
		r.ledger.add("extern %s: %s, %s, and %s", f.name, result, effect, calls)
	}
	// 3. Other assumptions.
	// present asks for these from here on.
	r.reached = r.vars
	r.assumeNames(procs, r.taken)
	if r.assembly != nil && r.procs[r.assembly] {
		procs = append(procs, r.assembly)
	}
	r.usesPointers()
	r.assumeFlags()
	if r.Dated {
		r.ledger.add(assumeDates)
	}
	r.prog.Procs = procs
	r.listModels()
	r.prog.Ledger = r.ledger.lines
}

// plainName returns name without the file or function in front of it.
func plainName(name string) string { return name[strings.LastIndexByte(name, ':')+1:] }

// roots returns the functions that are reached in any case, besides those that entry calls.
func (l *sharing) roots(entry *core.Proc) []*function {
	if l.opts.Whole || entry == nil {
		return l.defined
	}
	// Functions that objects in sections or assembly name, and those that the options name.
	list := l.fromSections()
	for _, s := range l.fileAssembly {
		list = append(list, s.functions...)
	}
	for _, f := range l.defined {
		if slices.Contains(l.opts.Also, f.name) || slices.Contains(l.opts.Also, f.proc.Name) {
			list = append(list, f)
		}
	}
	return list
}

// fromSections returns the functions to which objects in sections of their own point. In Linux
// module_init(f) puts a pointer to f into a section, and nothing in the program mentions f.
func (l *program) fromSections() (list []*function) {
	for _, o := range l.ordered {
		if !o.placed || o.init == nil {
			continue
		}
		for _, f := range l.mentionedBy(o.init).functions {
			if f.def != nil && !slices.Contains(list, f) {
				list = append(list, f)
			}
		}
	}
	return list
}
