package extents

import (
	"slices"

	"c2bp/alias"
	"c2bp/alias/devirt"
	"c2bp/frontend/checks"
	"c2bp/frontend/core"
	"c2bp/frontend/core/splice"
	"c2bp/source"
)

// This file defines the watch.

// The states of the watch.
const (
	none  = iota // no object is watched yet
	alive        // it lives
	over         // it does not, or its address is that of another object
)

// Check makes it a property of p that accesses by pointers stay in their objects, if s has [checks.Bounds]: it puts
// assertions into p, and the assumptions that they rest on into its ledger. Calls through pointers are resolved first, and
// calls from outside added; reads of constants stay, since these are accesses (devirt.Calls). The error is that functions without a body may change all
// memory ([core.ExternAll]): they would change the watch.
func Check(p *core.Program, s checks.Set) error {
	if !s.Has(checks.Bounds) {
		return nil
	}
	if p.Extern == core.ExternAll {
		return &source.Diagnostic{Severity: source.Error, Msg: "--check bounds with functions without a body that change all memory is not supported; expected --extern=args or --extern=pure"}
	}
	devirt.Calls(p)
	in := &instrumenter{
		Ghosts: splice.Ghosts{Prog: p, Prefix: "bounds$"}, ledger: ledger{p}, result: alias.Analyze(p), loose: map[*alias.Object]bool{},
		sites: map[*core.Alloc]bool{}, locals: map[*core.Var]bool{}, globals: map[*core.Var]bool{}, leads: map[*core.Var]*core.Var{}, addressed: map[*core.Proc]bool{}, mine: map[*core.Proc]*core.Var{},
	}
	in.asserts, in.recursive = in.check, in.result.Recursive()
	in.findLoose()
	in.findAddressed()
	// 1. The watch.
	in.watch = in.Global("watch", p.Pointer())
	in.state = in.Global("state", core.Int32)
	in.size = in.Global("size", core.Int64)
	in.end = in.Global("end", p.Pointer())
	// 2. Assert. That tells which objects are to be watched.
	edits := map[*core.Proc]*splice.Edit{}
	for _, q := range slices.Clone(p.Procs) {
		if q.HasBody() {
			edits[q] = &splice.Edit{}
			in.insert(q, edits[q])
		}
	}
	// 3. Choose the object, when it begins, and follow the pointers to it.
	in.trackAll()
	for _, q := range slices.Clone(p.Procs) {
		if q.HasBody() {
			in.follow(q, edits[q])
			in.track(q, edits[q])
			edits[q].Apply(q)
		}
	}
	for _, q := range slices.Clone(p.Procs) {
		if q.HasBody() {
			in.enter(q)
		}
	}
	in.start()
	in.closing()
	return core.Validate(p)
}

// instrumenter puts the checks into one program.
type instrumenter struct {
	splice.Ghosts
	ledger    ledger
	result    *alias.Result
	recursive map[*core.Proc]bool    // procedures that may have several activations at a time
	loose     map[*alias.Object]bool // those in which distances are not known

	sites   map[*core.Alloc]bool // allocations whose objects are watched
	locals  map[*core.Var]bool   // locals that are watched
	globals map[*core.Var]bool   // global variables that are watched

	leads     map[*core.Var]*core.Var // for each pointer that is followed, whether it leads to the object
	addressed map[*core.Proc]bool     // procedures whose address is taken

	watch, state, size, end *core.Var
	mine                    map[*core.Proc]*core.Var // whether an activation has the object
	choices                 []splice.Choice

	asserts   func(*core.Proc, *core.Node, access) []*core.Node // what must hold for an access
	allModels bool                                              // accesses in all models count
	notes
}

// start puts the initial state at the start of the program.
func (in *instrumenter) start() {
	if len(in.sites)+len(in.locals)+len(in.globals) == 0 {
		// Nothing is watched.
		ghosts := []*core.Var{in.watch, in.state, in.size, in.end}
		in.Prog.Globals = slices.DeleteFunc(in.Prog.Globals, func(v *core.Var) bool { return slices.Contains(ghosts, v) })
	} else {
		nodes := splice.Line(in.Prog.Entry.Pos, in.sets(none, core.Null(in.Prog.Pointer()), core.NewConst(0, core.Int64), core.Null(in.Prog.Pointer())))
		first := nodes[0].Stmt.(*core.Assign)
		nodes[0].Text, nodes[0].First = "no object is watched", true
		// Global variables begin here.
		for _, v := range in.Prog.Globals {
			if in.globals[v] {
				at := &core.AddrOf{Var: v, Typ: in.Prog.Pointer()}
				nodes = splice.Chain(nodes, in.chooses(nodes[0], at, core.NewConst(core.Bytes(v.Type), core.Int64), v.Name+": this object is watched"))
			}
		}
		in.SetInside(first, in.choices)
		var e splice.Edit
		e.Before(0, nodes, func(from int) bool { return from < 0 })
		e.Apply(in.Prog.Entry)
	}
	// An assertion that holds, if there is none.
	present := func(name string) bool {
		return slices.ContainsFunc(in.Prog.Procs, func(q *core.Proc) bool {
			return slices.ContainsFunc(q.Nodes, func(n *core.Node) bool {
				a, ok := n.Stmt.(*core.Assert)
				return ok && a.Check != nil && a.Check.Name == name
			})
		})
	}
	q := in.Prog.Entry
	var e splice.Edit
	e.Before(q.Exit(), checks.Of(checks.Bounds).Nowhere(present, q.Pos, q.CName), nil)
	e.Apply(q)
}

// sets returns the assignment of the watch.
func (in *instrumenter) sets(state int64, watch, size, end core.Expr) *core.Assign {
	return &core.Assign{
		Lhs: []core.Loc{in.state.Ref(), in.watch.Ref(), in.size.Ref(), in.end.Ref()},
		Rhs: []core.Expr{number(state), watch, size, end},
	}
}

// number returns an int.
func number(k int64) core.Expr { return core.NewConst(k, core.Int32) }

// is returns x op y.
func is(op core.BinaryOp, x, y core.Expr) core.Expr { return &core.Binary{Op: op, X: x, Y: y} }

// stateIs returns the comparison of the state with k.
func (in *instrumenter) stateIs(op core.BinaryOp, k int64) core.Expr {
	return is(op, in.state.Ref(), number(k))
}
