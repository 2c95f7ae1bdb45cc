package concretise

import (
	"context"
	"math/big"
	"slices"

	"c2bp/frontend/core"
	"c2bp/frontend/core/interp"
	"c2bp/logic"
	"c2bp/refine/cex"
	"c2bp/verdict"
)

// This file makes failing runs likelier: random runs, and models of formulas, have null, errors and equal
// pointers where nothing asks for them. Such a run is replayed once more without those that it does not
// rest on (rests.go).

// tally counts the unlikely choices of a run.
type tally struct {
	interp.Choices
	machine *interp.Machine // nil before the run starts
	seen    map[*interp.Object]bool
	lists   map[*interp.Object]holder // the elements of lists that the run came to
	led     map[*interp.Object]bool   // what pointers in structs of the driver lead to
	astray  []verdict.Choice          // pointers of elements that do not lead back to what has the list
	count   int
	met     *verdict.Choice // the first member read of a struct of the driver that the program has not made
	made    made
}

// newTally returns choices that are counted.
func newTally(c interp.Choices) *tally {
	return &tally{Choices: c, seen: map[*interp.Object]bool{}, lists: map[*interp.Object]holder{}, led: map[*interp.Object]bool{}, made: made{map[spotOf][]*big.Int{}, map[spotOf][]int{}}}
}

// Branch keeps a choice.
func (t *tally) Branch(at interp.Place, next []int) int {
	n := t.Choices.Branch(at, next)
	k := spotOf{node: at.Proc.Nodes[at.Node]}
	t.made.branches[k] = append(t.made.branches[k], n)
	return n
}

// Value counts an answer, and keeps it.
func (t *tally) Value(q interp.Request) *big.Int {
	v := t.Choices.Value(q)
	k := spotOf{q.Proc.Nodes[q.Node], q.Var}
	t.made.values[k] = append(t.made.values[k], v)
	if t.met == nil {
		for _, m := range membersOutside(q, func(m *core.Mem) bool { return asks(q, m) && privateOwner(m) != nil }) {
			t.met = &verdict.Choice{Kind: verdict.StateChoice, Text: core.CString(m) + " is in a " + privateOwner(m).Name + " that the program has not made", Pos: q.Proc.Nodes[q.Node].Pos}
			break
		}
	}
	switch {
	case v == nil || q.Indeterminate || q.Why == interp.InitLocal || q.Why == interp.InitGlobal && (q.Var == nil || !q.Var.Foreign):
	case q.Pointer:
		if t.machine != nil && v.IsUint64() && len(membersOutside(q, leads)) > 0 {
			t.led[t.machine.Object(v.Uint64())] = true
		}
		if !t.pointsBack(q, v) {
			t.pointer(v)
		}
	case v.Sign() < 0 && ofCall(q), v.Sign() != 0 && (isState(q) || isOutside(q) && t.led[q.Object]):
		t.count++
	}
	return v
}

// pointer counts null, error numbers, and pointers into objects that were met before.
func (t *tally) pointer(v *big.Int) {
	if v.Sign() == 0 || t.machine == nil {
		t.count++
		return
	}
	o := t.machine.Object(v.Uint64())
	if o == nil || t.seen[o] {
		t.count++
		return
	}
	if o.Environment() {
		t.seen[o] = true
	}
}

// ofCall reports whether a value is the result of a function that can fail.
func ofCall(q interp.Request) bool {
	n := q.Proc.Nodes[q.Node]
	return q.Why == interp.ExternalResult || n.Input != nil && !isNondet(n.Input)
}

// isOutside reports whether a value is the contents of an object from outside.
func isOutside(q interp.Request) bool {
	return q.Why == interp.Contents && q.Object != nil && q.Object.External()
}

// isState reports whether a value is that of a member of a struct of the driver that the program has not made.
func isState(q interp.Request) bool {
	return len(membersOutside(q, func(m *core.Mem) bool { return m.Typ == core.Type(q.Type) && privateOwner(m) != nil })) > 0
}

// asks reports whether q may be for the value that m reads, by the type.
func asks(q interp.Request, m *core.Mem) bool {
	_, isPtr := m.Typ.(core.Ptr)
	w, ok := core.Word(m.Typ)
	return ok && isPtr == q.Pointer && w.Bits == q.Type.Bits
}

// met returns the place where the run first reads from a private struct that the program has not made or, if there is none,
// a member by which the kernel knows its calls, whoever has set that; nil if nowhere.
func (w *Witness) met() *verdict.Choice {
	if w.tally.met != nil {
		return w.tally.met
	}
	for _, s := range w.Path.Steps {
		n := s.CoreNode()
		var found *core.Mem
		core.StmtExprs(n.Stmt, func(e core.Expr) {
			core.Walk(e, func(e core.Expr) bool {
				if m, ok := e.(*core.Mem); ok && isOfCalls(m) {
					found = m
				}
				return true
			})
		})
		if found != nil {
			return &verdict.Choice{Kind: verdict.StateChoice, Text: core.CString(found) + " says what the kernel has called before", Pos: n.Pos}
		}
	}
	return nil
}

// isOfCalls reports whether m is a member by which the kernel knows its calls of the driver.
func isOfCalls(m *core.Mem) bool {
	o := innermost(m)
	return o != nil && slices.ContainsFunc(o.Of.States, func(s core.Member) bool { return s.Off == o.Member })
}

// leads reports whether m is a pointer in a struct of the driver.
func leads(m *core.Mem) bool {
	_, isPointer := m.Typ.(core.Ptr)
	return isPointer && privateOwner(m) != nil
}

// membersOutside returns the places that are such ones, of those that the statement of q reads; none if q is not for the
// contents of an object from outside.
func membersOutside(q interp.Request, are func(*core.Mem) bool) (found []*core.Mem) {
	if !isOutside(q) {
		return nil
	}
	n := q.Proc.Nodes[q.Node]
	list := []*core.Node{n}
	// A branch reads what the conditions of its ways read.
	if _, ok := n.Stmt.(*core.Branch); ok {
		for _, s := range n.Succ {
			list = append(list, q.Proc.Nodes[s])
		}
	}
	for _, n := range list {
		core.StmtExprs(n.Stmt, func(e core.Expr) {
			core.Walk(e, func(e core.Expr) bool {
				if m, ok := e.(*core.Mem); ok && are(m) {
					found = append(found, m)
				}
				return true
			})
		})
	}
	return found
}

// External passes on the writes of a function, if the choices have some.
func (t *tally) External(c interp.ExternalCall) []interp.Write {
	if x, ok := t.Choices.(interp.Externals); ok {
		return x.External(c)
	}
	return nil
}

// resting is a failing run with the unlikely choices that it rests on.
type resting struct {
	run   *Witness
	rests []verdict.Choice
	vague bool // it may rest on others
}

// likelier lists runs that fail at a site like run, the likeliest first and run last.
func (c *Confirmer) likelier(ctx context.Context, site verdict.Site, run *Witness) []resting {
	list := c.along(ctx, run)
	// A run on another path may rest on less: look for one near the best.
	for range mostRounds {
		best := list[0]
		for i := 0; i < mostNeighbours && len(best.rests) > 0; i++ {
			w := c.neighbour(ctx, site, best.run, i)
			if w == nil {
				continue
			}
			if l := c.along(ctx, w); len(l[0].rests) < len(best.rests) && !l[0].run.replacesMore(best.run) {
				list = append(l, list...)
				break
			}
		}
		if len(list[0].rests) == len(best.rests) {
			break
		}
	}
	return list
}

// along returns run, and before it a run along its path with fewer unlikely choices, if there is one.
func (c *Confirmer) along(ctx context.Context, run *Witness) []resting {
	if run.tally.count == 0 {
		return []resting{{run: run, rests: calledBack(run.Path)}}
	}
	// 1. The choices that the path rests on.
	g := c.grounds(ctx, run.Path)
	if g == nil {
		return []resting{{run, append(calledBack(run.Path), run.tally.astray...), true}}
	}
	// 2. Of the run at hand only those are known that every run along the path makes, unless it makes no
	// other; and elements of lists that do not lead back, which no kernel has.
	own := resting{run: run, rests: choices(g.necessary(), run.Path)}
	if len(g.rests) == run.tally.count {
		own.rests = choices(g.rests, run.Path)
	}
	for _, c := range run.tally.astray {
		if !slices.ContainsFunc(own.rests, func(r verdict.Choice) bool { return r.Kind == c.Kind && r.Text == c.Text }) {
			own.rests = append(own.rests, c)
		}
	}
	// 3. A run without the others.
	if b := c.replayWithout(ctx, run, g); b != nil && b.tally.count < run.tally.count && !b.replacesMore(run) {
		return []resting{{run: b, rests: choices(g.rests, b.Path)}, own}
	}
	return []resting{own}
}

// replacesMore reports whether functions without a body replace more pointers in w than in run.
func (w *Witness) replacesMore(run *Witness) bool {
	return len(w.Rec.Recording().Replaced) > len(run.Rec.Recording().Replaced)
}

// replayWithout replays the path of a run without the choices that g has taken away; nil if no replay fails. If functions without a
// body replace more pointers then, it is tried without that.
func (c *Confirmer) replayWithout(ctx context.Context, old *Witness, g *grounds) (run *Witness) {
	p, away := old.Path, g.lits[g.hard:]
	try := func(f cex.Feasibility, e *environment) ([]*logic.Term, bool) {
		e.likely = true
		r, err := c.replay(p, f, e)
		if err == nil {
			run = r
			if r.replacesMore(old) {
				if quiet := c.runQuietly(p, f, e); quiet != nil {
					run = quiet
				}
			}
		}
		return awayFrom(err), run == nil
	}
	// 1. In the ways in which pointers may lie; the path may follow none.
	c.environmentModels(ctx, c.Patient(), g.outside, away, try)
	if run != nil || len(g.roots()) > 0 {
		return run
	}
	first, step := c.layout()
	m, err := c.Realistic(ctx, c.Patient(), g.Execution, g.lits, g.model)
	if err == nil && m != nil {
		try(cex.Feasibility{Exec: g.Execution, Model: m}, &environment{first: first, width: step})
	}
	return run
}
