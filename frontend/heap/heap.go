package heap

import (
	"fmt"
	"slices"
	"strings"

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
	freed        // it was freed, and no other object has taken its place
	over         // its address is that of another object
)

// Check makes the kinds of s that are about the lives of objects, checks.OfHeap, properties of p: it puts
// assertions into p, and the assumptions that they rest on into its ledger. Calls through pointers are resolved
// first (devirt.Resolve). The error is that functions without a body may change all memory
// ([core.ExternAll]): they would change the watch.
//
// concurrent says that p has threads or handlers of signals.
func Check(p *core.Program, s checks.Set, concurrent bool) error {
	s &= checks.OfHeap
	if s == 0 {
		return nil
	}
	if p.Extern == core.ExternAll {
		return &source.Diagnostic{Severity: source.Error, Msg: fmt.Sprintf("--check %s with functions without a body that change all memory is not supported; expected --extern=args or --extern=pure", s.String())}
	}
	devirt.Resolve(p)
	in := &instrumenter{Ghosts: splice.Ghosts{Prog: p, Prefix: "heap$"}, ledger: ledger{p}, kinds: s, result: alias.Analyze(p), sites: map[*core.Alloc]*alias.Object{}, watched: map[*core.Alloc]bool{}, reached: map[*core.Alloc]map[*core.Node]bool{}, number: map[*core.Alloc]int64{}, asserted: map[string]bool{}}
	// 1. Find the sites whose objects must be watched.
	in.findWatched()
	in.recursive = in.result.Recursive()
	in.findLeakSites()
	// 2. Assert, and follow the life of the object that is watched.
	in.watch = in.Global("watch", p.Pointer())
	in.state = in.Global("state", core.Int32)
	for _, q := range slices.Clone(p.Procs) {
		if q.HasBody() {
			in.procedure(q)
		}
	}
	in.atEnds()
	in.start()
	in.nowhere()
	in.closing(concurrent)
	return core.Validate(p)
}

// instrumenter puts the checks into one program.
type instrumenter struct {
	splice.Ghosts
	ledger    ledger
	kinds     checks.Set
	result    *alias.Result
	sites     map[*core.Alloc]*alias.Object // allocations on the heap
	watched   map[*core.Alloc]bool          // those whose objects are watched
	asserted  map[string]bool               // names of properties with an assertion
	recursive map[*core.Proc]bool           // procedures that may have several activations at a time

	reached map[*core.Alloc]map[*core.Node]bool // what control may reach after an object of each site is freed

	watch, state *core.Var
	end          *core.Var // the address of its end; nil if nothing needs that
	choices      []splice.Choice
	chosen       []*core.Alloc // by choice, whose object it is

	leaks  []leakSite
	number map[*core.Alloc]int64 // of the sites of leaks
	site   *core.Var             // the number of the site of the object

	followsOutside bool // an access is by a pointer from outside
}

// start puts the initial state at the start of the program.
func (in *instrumenter) start() {
	var e splice.Edit
	nodes := splice.Line(in.Prog.Entry.Pos, in.sets(number(none), core.Null(in.Prog.Pointer())))
	in.completeChoices(nodes[0].Stmt.(*core.Assign))
	nodes[0].Text, nodes[0].First = "no object is watched", true
	e.Before(0, nodes, nil)
	e.Apply(in.Prog.Entry)
}

// nowhere puts an assertion that holds at the end of the program for each kind that has none.
func (in *instrumenter) nowhere() {
	q := in.Prog.Entry
	var e splice.Edit
	e.Before(q.Exit(), in.kinds.Nowhere(func(name string) bool { return in.asserted[name] }, q.Pos, q.CName), nil)
	e.Apply(q)
}

// assertion returns the node that asserts cond for the operation text of node n.
func (in *instrumenter) assertion(name, text string, n *core.Node, cond core.Expr) []*core.Node {
	in.asserted[name] = true
	return splice.Line(n.Pos, &core.Assert{Cond: cond, Check: &core.Check{Name: name, Pos: n.Pos, Text: text}})
}

// number returns an int.
func number(k int64) core.Expr { return core.NewConst(k, core.Int32) }

// set returns an assignment.
func set(v *core.Var, e core.Expr) core.Stmt {
	return &core.Assign{Lhs: []core.Loc{v.Ref()}, Rhs: []core.Expr{e}}
}

// sets returns the assignment of a state and an address to the watch.
func (in *instrumenter) sets(state, watch core.Expr) core.Stmt {
	return &core.Assign{Lhs: []core.Loc{in.state.Ref(), in.watch.Ref()}, Rhs: []core.Expr{state, watch}}
}

// is returns the comparison of two expressions, or of the state with a number.
func is(op core.BinaryOp, x, y core.Expr) core.Expr { return &core.Binary{Op: op, X: x, Y: y} }

// in reports the condition that the state is k.
func (in *instrumenter) stateIs(op core.BinaryOp, k int64) core.Expr {
	return is(op, in.state.Ref(), number(k))
}

// called returns the call of a library function that n is a part of, as text: free(p). Elsewhere it is the text of n.
func called(n *core.Node) string {
	m := n.Model
	if m == nil {
		return n.Text
	}
	var args []string
	for _, a := range m.Args {
		if a != nil {
			args = append(args, spelled(a))
		}
	}
	return m.Func.CName + "(" + strings.Join(args, ", ") + ")"
}
