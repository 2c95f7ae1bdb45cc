package extents

import (
	"fmt"
	"slices"

	"c2bp/alias"
	"c2bp/alias/devirt"
	"c2bp/frontend/checks"
	"c2bp/frontend/core"
	"c2bp/frontend/core/splice"
	"c2bp/internal/graph"
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
		prog: p, ledger: ledger{p}, result: alias.Analyze(p), recursive: map[*core.Proc]bool{}, loose: map[*alias.Object]bool{},
		sites: map[*core.Alloc]bool{}, locals: map[*core.Var]bool{}, globals: map[*core.Var]bool{}, leads: map[*core.Var]*core.Var{}, addressed: map[*core.Proc]bool{}, inside: map[int64]*core.Var{}, mine: map[*core.Proc]*core.Var{},
	}
	in.prefix, in.asserts = "bounds$", in.check
	in.findRecursive()
	in.findLoose()
	in.findAddressed()
	// 1. The watch.
	in.watch = in.ghost("watch", p.Pointer())
	in.state = in.ghost("state", core.Int32)
	in.size = in.ghost("size", core.Int64)
	in.end = in.ghost("end", p.Pointer())
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
	prog      *core.Program
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
	inside                  map[int64]*core.Var      // addresses in the object, by distance from its start
	mine                    map[*core.Proc]*core.Var // whether an activation has the object
	choices                 []choice

	prefix    string                                            // of the names of ghosts
	asserts   func(*core.Proc, *core.Node, access) []*core.Node // what must hold for an access
	allModels bool                                              // accesses in all models count
	temps     int
	notes
}

// ghost returns a new global variable, which no other variable has the name of.
func (in *instrumenter) ghost(name string, t core.Type) *core.Var {
	name = in.prefix + name
	for slices.ContainsFunc(in.prog.Globals, func(g *core.Var) bool { return g.Name == name }) || in.prog.Proc(name) != nil {
		name += "$"
	}
	v := &core.Var{Name: name, Type: t, Kind: core.Global, Pos: in.prog.Entry.Pos}
	in.prog.Globals = append(in.prog.Globals, v)
	return v
}

// temp returns a new variable of q.
func (in *instrumenter) temp(q *core.Proc, t core.Type) *core.Var {
	in.temps++
	v := &core.Var{Name: fmt.Sprintf("$%s%d", in.prefix[:1], in.temps), Type: t, Kind: core.Temp, Proc: q, Pos: q.Pos}
	q.Locals = append(q.Locals, v)
	return v
}

// findRecursive finds the procedures that may have several activations at a time. A call through a pointer may
// be of any procedure whose address is taken.
func (in *instrumenter) findRecursive() {
	// 1. The call graph.
	index := map[*core.Proc]int{}
	roots := make([]int, len(in.prog.Procs))
	for i, q := range in.prog.Procs {
		index[q], roots[i] = i, i
	}
	callees := make([][]int, len(roots))
	for i, q := range in.prog.Procs {
		for _, n := range q.Nodes {
			c, ok := n.Stmt.(*core.Call)
			if !ok {
				continue
			}
			if c.Callee != nil {
				callees[i] = append(callees[i], index[c.Callee])
				continue
			}
			for _, t := range in.result.PointsTo(c.Target).Targets() {
				if t.Object.Kind == alias.Function {
					callees[i] = append(callees[i], index[t.Object.Proc])
				}
			}
		}
		in.recursive[q] = slices.Contains(callees[i], i)
	}
	// 2. Its cycles.
	for _, component := range graph.Components(len(roots), roots, func(i int) []int { return callees[i] }) {
		for _, i := range component {
			q := in.prog.Procs[i]
			in.recursive[q] = in.recursive[q] || len(component) > 1
		}
	}
}

// start puts the initial state at the start of the program.
func (in *instrumenter) start() {
	if len(in.sites)+len(in.locals)+len(in.globals) == 0 {
		// Nothing is watched.
		ghosts := []*core.Var{in.watch, in.state, in.size, in.end}
		in.prog.Globals = slices.DeleteFunc(in.prog.Globals, func(v *core.Var) bool { return slices.Contains(ghosts, v) })
	} else {
		nodes := splice.Line(in.prog.Entry.Pos, in.sets(none, core.Null(in.prog.Pointer()), core.NewConst(0, core.Int64), core.Null(in.prog.Pointer())))
		first := nodes[0].Stmt.(*core.Assign)
		nodes[0].Text, nodes[0].First = "no object is watched", true
		// Global variables begin here.
		for _, v := range in.prog.Globals {
			if in.globals[v] {
				at := &core.AddrOf{Var: v, Typ: in.prog.Pointer()}
				nodes = splice.Chain(nodes, in.chooses(nodes[0], at, core.NewConst(core.Bytes(v.Type), core.Int64), v.Name+": this object is watched"))
			}
		}
		in.completeChoices(first)
		var e splice.Edit
		e.Before(0, nodes, func(from int) bool { return from < 0 })
		e.Apply(in.prog.Entry)
	}
	// An assertion that holds, if there is none.
	present := func(name string) bool {
		return slices.ContainsFunc(in.prog.Procs, func(q *core.Proc) bool {
			return slices.ContainsFunc(q.Nodes, func(n *core.Node) bool {
				a, ok := n.Stmt.(*core.Assert)
				return ok && a.Check != nil && a.Check.Name == name
			})
		})
	}
	q := in.prog.Entry
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
