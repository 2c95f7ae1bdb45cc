package abstract

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"

	"c2bp/alias"
	"c2bp/alias/devirt"
	"c2bp/boolprog"
	"c2bp/frontend/core"
	"c2bp/logic"
	"c2bp/prover"
	"c2bp/prover/cubes"
	"c2bp/source"
	"c2bp/wp"
)

// This file abstracts a program: interfaces first, then for each procedure its infeasible cubes and
// its nodes, shared among workers. Each worker has its own Z3 context and its own terms; the result
// depends on neither.

// Abstract makes the Boolean program for prog over the predicates that texts name
// (Ball–Millstein–Rajamani 2005, §4). Errors in predicates are a source.List. Without opts.Alias,
// it first resolves the calls through pointers in prog, which changes it (devirt.Resolve).
func Abstract(ctx context.Context, prog *core.Program, texts []core.PredicateText, r core.Resolver, opts Options) (*Result, error) {
	preds, err := Resolve(texts, r, &opts)
	if err != nil {
		return nil, err
	}
	return Program(ctx, prog, preds, opts)
}

// Resolve returns the predicates that texts name. Types that they name without a predicate are to be kept: it notes these
// in the options.
func Resolve(texts []core.PredicateText, r core.Resolver, opts *Options) ([]*Predicate, error) {
	resolved, err := r.Resolve(texts)
	if err != nil {
		return nil, err
	}
	if !opts.Refs && len(opts.Keep) == 0 {
		if err := refuseObjects(texts, resolved); err != nil {
			return nil, err
		}
	}
	var preds []*Predicate
	for i, q := range resolved {
		if texts[i].Empty {
			if q.This != nil { // a type that is to be kept
				opts.kept = append(opts.kept, q.This.To)
			}
			continue
		}
		p := NewPredicate(q.Proc, q.Expr, q.Name)
		p.Pos, p.This = texts[i].Pos, q.This
		preds = append(preds, p)
	}
	return preds, nil
}

// refuseObjects returns an error at the first object predicate: there are no Boolean variables for
// the members of objects.
func refuseObjects(texts []core.PredicateText, resolved []core.ResolvedPredicate) error {
	for i, q := range resolved {
		if q.This == nil {
			continue
		}
		d := &source.Diagnostic{Pos: texts[i].Pos, Severity: source.Error, Msg: "object predicates (a section for a struct) need --refs"}
		if f := texts[i].File; f != nil {
			d.Quote = f.Line(d.Pos.Line)
		}
		return source.List{d}
	}
	return nil
}

// Program is Abstract for predicates that are core expressions already.
func Program(ctx context.Context, prog *core.Program, preds []*Predicate, opts Options) (_ *Result, err error) {
	if opts.Jobs <= 0 {
		opts.Jobs = runtime.NumCPU()
	}
	if opts.Alias == nil {
		devirt.Resolve(prog)
		opts.Alias = alias.Analyze(prog)
	}
	a := &abstraction{
		prog: prog, opts: opts, alias: opts.Alias, set: newPredSet(),
		ifaces: map[*core.Proc]*Interface{}, memo: opts.Memo,
	}
	if a.memo == nil {
		a.memo = prover.NewMemo()
	}
	if a.stock = opts.Stock; a.stock == nil {
		a.stock = &prover.Stock{}
		defer a.stock.Close()
	}
	for _, p := range prog.Procs {
		if p.HasBody() {
			a.procs = append(a.procs, p)
		}
	}
	// 1. Complete the set of predicates.
	if opts.Refs || len(opts.Keep) > 0 {
		if a.heap, err = newHeap(prog, opts, preds); err != nil {
			return nil, err
		}
		a.kept = a.heap.notes
		a.heap.weak = newWeakWrites(a)
		preds = a.heap.ordinary(preds)
		// Where nothing is kept, the abstraction is the ordinary one.
		if len(a.heap.plan.Classes) == 0 {
			a.heap = nil
		}
	}
	a.set.addAll(preds)
	if !opts.NoAuto {
		// Object predicates and references say what temporaries lead to.
		var without func(core.Expr) bool
		if a.heap != nil {
			without = func(e core.Expr) bool { return a.heap.ofObject(e, nil) || a.heap.compares(e) }
			a.set.addAll(a.heap.addFunctions(a.procs))
		}
		addAuto(a.set, a.procs, without)
	}
	a.set.addBindings(a.procs)
	// 2. Compute interfaces and regions of memory.
	for _, p := range a.procs {
		a.ifaces[p] = newInterface(p, a.set.local[p])
	}
	a.mem = a.newMemory()
	// 3. Abstract the procedures, and assemble the program.
	if err := a.findCubes(ctx); err != nil {
		return nil, err
	}
	if err := a.run(ctx); err != nil {
		return nil, err
	}
	return a.result(), nil
}

// abstraction is one run of the abstraction.
type abstraction struct {
	prog   *core.Program
	opts   Options
	alias  *alias.Result
	set    *predSet
	procs  []*core.Proc // those with a body
	ifaces map[*core.Proc]*Interface
	mem    wp.Aliases
	heap   *heap           // nil without references
	kept   func() []string // which pointers are references, and why others are not; nil if none were asked for
	memo   *prover.Memo
	stock  *prover.Stock
	work   []*procWork

	mu    sync.Mutex
	stats Stats
	done  int
	err   error
}

// procWork is the abstraction of one procedure while it is being made. It is kept, so that
// constraints can be added later.
type procWork struct {
	proc    *core.Proc
	nodes   [][]*boolprog.Stmt // by node
	entry   []*boolprog.Stmt   // mixed infeasible cubes, ghost assignments
	inv     invariant
	limited bool
	empty   bool // left out by Options.Only

	constraints []Constraint
}

// chunk is a unit of work: the entry of a procedure or some of its nodes.
type chunk struct {
	w        *procWork
	from, to int
}

// chunkSize is the number of nodes that a worker takes at a time: enough for its model pool to pay, few
// enough for two workers to share a large procedure.
const chunkSize = 24

// run abstracts all procedures: first their entries, as the infeasible cubes of a procedure are
// needed at each of its nodes, then their nodes.
func (a *abstraction) run(ctx context.Context) error {
	// 1. Divide the work into chunks.
	var entries, bodies []chunk
	for _, p := range a.procs {
		w := &procWork{proc: p, nodes: make([][]*boolprog.Stmt, len(p.Nodes))}
		a.work = append(a.work, w)
		if a.opts.Only != nil && !a.opts.Only(p) {
			w.empty = true
			continue
		}
		a.stats.Nodes += len(p.Nodes)
		entries = append(entries, chunk{w: w})
		for i := 0; i < len(p.Nodes); i += chunkSize {
			bodies = append(bodies, chunk{w: w, from: i, to: min(i+chunkSize, len(p.Nodes))})
		}
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	// 2. Share each phase among the workers.
	for _, phase := range [][]chunk{entries, bodies} {
		a.parallel(ctx, cancel, phase)
		if a.err != nil {
			return a.err
		}
	}
	return ctx.Err()
}

// parallel shares the chunks among the workers, and waits for them. Each worker has a prover of its
// own; the memo of answers is shared.
func (a *abstraction) parallel(ctx context.Context, cancel func(), chunks []chunk) {
	// 1. Queue all chunks.
	next := make(chan chunk, len(chunks))
	for _, c := range chunks {
		next <- c
	}
	close(next)
	// 2. Each worker takes chunks until there are none, or one fails.
	var wg sync.WaitGroup
	for range min(a.opts.Jobs, len(chunks)) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			p := a.stock.Take(a.memo, prover.Options{NoMemo: a.opts.Savers.NoMemo})
			defer a.stock.Return(p)
			for c := range next {
				if err := a.chunk(ctx, p, c); err != nil {
					a.fail(err)
					cancel()
					return
				}
			}
			a.mu.Lock()
			a.stats.Prover.Add(p.Stats())
			a.mu.Unlock()
		}()
	}
	wg.Wait()
}

// fail notes the first error.
func (a *abstraction) fail(err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.err == nil {
		a.err = err
	}
}

// chunk abstracts the nodes of c, or the entry of its procedure.
func (a *abstraction) chunk(ctx context.Context, p *prover.Prover, c chunk) error {
	// 1. The entry.
	s := a.newScope(p, c.w)
	if c.to == 0 {
		s.at(-1)
		return s.entry(ctx, c.w)
	}
	// 2. Nodes.
	for i := c.from; i < c.to; i++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		s.limited = false
		s.at(i)
		out, err := s.node(ctx, i)
		if err != nil {
			return fmt.Errorf("%s: %w", c.w.proc.NodeID(i), err)
		}
		annotate(out, c.w.proc, i)
		c.w.nodes[i] = out
		a.finished(s.limited)
	}
	return nil
}

// finished counts a node.
func (a *abstraction) finished(limited bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.done++
	if limited {
		a.stats.Limited++
	}
	if a.opts.Progress != nil {
		a.opts.Progress(a.done, a.stats.Nodes)
	}
}

// newScope translates the predicates in scope of a procedure to terms.
func (a *abstraction) newScope(p *prover.Prover, w *procWork) *scope {
	t := logic.NewTable()
	s := &scope{a: a, proc: w.proc, tr: wp.New(t, a.mem, a.prog.Pointer().Bits), preds: a.set.inScope(w.proc), prover: p, inv: w.inv}
	for _, q := range s.preds {
		s.names = append(s.names, q.Var())
		s.terms = append(s.terms, s.tr.Cond(q.Expr))
	}
	s.reads = readsOf(s.names)
	s.spaces = map[Precision]*cubes.Space{}
	return s
}

// at prepares s for a node: its precision, and the space for it. The node is -1 for the entry.
func (s *scope) at(node int) {
	s.precision = Precision{s.a.opts.MaxExact, s.a.opts.MaxCube}
	if s.a.opts.Precision != nil {
		s.precision = s.a.opts.Precision(s.proc, node)
	}
	if s.spaces[s.precision] == nil {
		s.spaces[s.precision] = s.newSpace(s.terms)
	}
	s.space = s.spaces[s.precision]
}

// newSpace returns a space for terms, at the precision of s. Spaces find out which cubes are
// infeasible, and so are kept as long as possible.
func (s *scope) newSpace(terms []*logic.Term) *cubes.Space {
	savers := s.a.opts.Savers
	return cubes.NewSpace(s.prover, s.tr.T, terms, cubes.SpaceOptions{
		MaxExact:     s.precision.MaxExact,
		MaxCube:      s.precision.MaxCube,
		NoCone:       savers.NoCone,
		NoPool:       savers.NoPool,
		NoSyntactic:  savers.NoSyntactic,
		NoInfeasible: savers.NoInfeasible,
	})
}

// entry finds the infeasible cubes of a procedure and abstracts the initialisation of symbolic
// constants before its first node (Ball–Millstein–Rajamani 2005, §4.1).
func (s *scope) entry(ctx context.Context, w *procWork) error {
	// 1. Find the infeasible cubes.
	if !s.a.opts.NoEnforce {
		cubes, limited, err := s.space.Infeasible(ctx)
		if err != nil {
			return err
		}
		w.limited = limited
		w.inv = splitInfeasible(cubes, len(s.a.set.global))
		s.inv = w.inv
	}
	// 2. Objects come into being; mixed cubes are excluded on entry.
	w.entry = append(w.entry, s.a.enterRefs(w.proc)...)
	if m := s.inv.assumeMixed(s.reads, func(int) bool { return true }); m != nil {
		w.entry = append(w.entry, m)
	}
	text := "entry of " + w.proc.CName
	defer func() {
		for _, st := range w.entry {
			st.Annot = &boolprog.Annot{Node: w.proc.Name + ":entry", Pos: w.proc.Pos, Text: text}
		}
	}()
	// 3. Initialise the symbolic constants.
	init := &core.Assign{}
	for _, g := range s.a.ifaces[w.proc].Ghosts {
		init.Lhs = append(init.Lhs, g.Ref())
		init.Rhs = append(init.Rhs, g.Init)
		text += fmt.Sprintf("; %s = %s", g.Name, core.CString(g.Init))
	}
	if len(init.Lhs) == 0 {
		return nil
	}
	out, err := s.initialise(ctx, s.tr.Pre(init))
	if err != nil {
		return err
	}
	w.entry = append(w.entry, out...)
	return nil
}

// initialise returns the update by the assignment of symbolic constants. The values of predicates
// about these before it mean nothing, so that only the others are strengthened over.
func (s *scope) initialise(ctx context.Context, pre func(*logic.Term) *logic.Term) ([]*boolprog.Stmt, error) {
	// 1. The scope before: predicates without symbolic constants.
	before := *s
	before.names, before.reads, before.terms = nil, nil, nil
	for i, p := range s.preds {
		if !p.mentions(func(v *core.Var) bool { return v.Kind == core.Ghost }) {
			before.names = append(before.names, s.names[i])
			before.reads = append(before.reads, s.reads[i])
			before.terms = append(before.terms, s.terms[i])
		}
	}
	// 2. Update all predicates over it.
	before.space = s.newSpace(before.terms)
	out, err := s.updateOver(ctx, &before, pre, &boolprog.Assign{})
	s.limited = s.limited || before.limited
	return out, err
}

// annotate gives the statements of node i its id and position.
func annotate(out []*boolprog.Stmt, p *core.Proc, i int) {
	n := p.Nodes[i]
	for _, s := range out {
		if s.Annot == nil {
			s.Annot = &boolprog.Annot{}
		}
		s.Annot.Node, s.Annot.Pos, s.Annot.Text = p.NodeID(i), n.Pos, n.Text
		if s.Annot.Origin == "" {
			s.Annot.Origin = n.Origin.String()
		}
		if a, ok := n.Stmt.(*core.Assert); ok && a.Check != nil {
			s.Annot.Check = &boolprog.Operation{Name: a.Check.Name, Pos: a.Check.Pos, Text: a.Check.Text}
		}
		// The statements of a failing assertion are nested, and those of a choice.
		if test, ok := s.Op.(*boolprog.If); ok {
			for _, arm := range append(slices.Clone(test.Thens), test.Else) {
				annotate(arm, p, i)
			}
		}
	}
}

// result assembles the Boolean program.
func (a *abstraction) result() *Result {
	bp := &boolprog.Program{Ledger: a.prog.Ledger, Uncalled: a.prog.Uncalled().Procs, Classes: a.classes(), Globals: append(declare(a.set.global), a.globalRefs()...)}
	limited := a.stats.Limited > 0
	for _, w := range a.work {
		limited = limited || w.limited
		bp.Procs = append(bp.Procs, a.assemble(w))
	}
	// Say which pointers are kept, and where the abstraction is less exact than it could be.
	var kept []string
	var vague string
	if a.kept != nil {
		kept = a.kept()
		bp.Notes = append(bp.Notes, kept...)
	}
	if a.heap != nil {
		vague = a.heap.vague
		bp.Ledger = append(slices.Clone(bp.Ledger), a.heap.Assumptions(a)...)
	}
	if limited {
		bp.Notes = append(bp.Notes, fmt.Sprintf("where many predicates are connected, conjunctions of at most %d of them were considered", a.maxCube()))
	}
	if a.stats.Prover.Open > 0 {
		bp.Notes = append(bp.Notes, "the prover left questions open at its limit: some predicates are less exact than they could be")
	}
	all := a.set.global
	for _, p := range a.procs {
		all = append(all[:len(all):len(all)], a.set.local[p]...)
	}
	if a.heap != nil {
		for _, c := range a.heap.plan.Classes {
			all = append(all[:len(all):len(all)], a.heap.preds[c]...)
		}
	}
	a.stats.Predicates = len(all)
	return &Result{
		Program: bp, Predicates: all, Notes: a.set.notes, Kept: kept, Vague: vague, Stats: a.stats, predicates: a.set,
		abstraction: a, scopes: map[*core.Proc]*scope{}, transitions: map[Move]*transition{},
	}
}

// maxCube returns the largest number of literals of a cube where cubes are limited.
func (a *abstraction) maxCube() int {
	if a.opts.MaxCube > 0 {
		return a.opts.MaxCube
	}
	return cubes.DefaultMaxCube
}

// assemble makes a procedure of the Boolean program.
func (a *abstraction) assemble(w *procWork) *boolprog.Proc {
	// 1. Declare the variables: local predicates, and those that calls need.
	f := a.ifaces[w.proc]
	locals := declare(f.Locals)
	prms, rets := a.callVars(w.proc)
	for i := range prms {
		locals = append(locals, &boolprog.Var{Name: prmName(i)})
	}
	for i := range rets {
		locals = append(locals, &boolprog.Var{Name: retName(i)})
	}
	// 2. Make the body of the nodes, with the constraints on them.
	out := &boolprog.Proc{
		Name:    procName(w.proc),
		Results: len(f.Returns),
		Params:  declare(f.Formals),
		Locals:  locals,
		Enforce: w.inv.enforce(readsOf(a.namesInScope(w.proc))),
		Body:    skip(),
	}
	a.declareRefs(w.proc, out)
	if !w.empty {
		nodes := make([][]*boolprog.Stmt, len(w.nodes))
		for i := range nodes {
			nodes[i] = a.constrained(w, i)
		}
		out.Body = append(a.constrained(w, -1), shape(w.proc, nodes)...)
	}
	return out
}

// namesInScope lists the Boolean variables of the predicates in scope of p.
func (a *abstraction) namesInScope(p *core.Proc) (names []string) {
	for _, q := range a.set.inScope(p) {
		names = append(names, q.Var())
	}
	return names
}

// declare returns the declarations of the variables of predicates.
func declare(preds []*Predicate) []*boolprog.Var {
	var out []*boolprog.Var
	for _, p := range preds {
		v := &boolprog.Var{Name: p.Var()}
		if p.Auto { // the name alone does not tell that the user did not ask for it
			v.Pred = p.Name + " auto"
		}
		out = append(out, v)
	}
	return out
}

// procName returns the identifier of a procedure in the Boolean program.
func procName(p *core.Proc) string { return identifier(p.Name) }

// identifier spells a C name in the Boolean program: in braces, if it means something else there or
// is no identifier.
func identifier(name string) string {
	if boolprog.ValidName(name) && name != "_" && !strings.ContainsAny(name, "-#") {
		return name
	}
	return "{" + name + "}"
}
