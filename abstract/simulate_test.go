package abstract

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"c2bp/alias"
	"c2bp/alias/devirt"
	"c2bp/boolprog"
	"c2bp/boolprog/bpexec"
	"c2bp/frontend"
	"c2bp/frontend/core"
	"c2bp/frontend/core/interp"
	"c2bp/source"
)

// This file executes core programs and holds every step against the abstraction
// (Ball–Millstein–Rajamani 2005, Theorem 1): from the valuation of the predicates before a node the
// Boolean program must be able to reach, through the statements of that node, the
// valuation behind it. prm, call and update are one step each side of the callee.

// simulation is a Boolean program prepared for simulating a core program.
type simulation struct {
	prog   *core.Program
	graph  *boolprog.Graph
	procs  map[*core.Proc]*simProc
	ghosts []*core.Var
	types  interp.Types // what may lie where outside of the program; nil if there is nothing
}

// simProc relates a procedure to its Boolean version.
type simProc struct {
	bp    *boolprog.ProcGraph
	preds []*Predicate
	exprs []core.Expr // of the predicates; pointers that may lead to one place lead there
	first map[int]int // Boolean node at which core node i starts
	start map[int]bool
}

// newSimulation abstracts prog and changes the abstraction.
func newSimulation(prog *core.Program, preds []*Predicate, opts Options, change ...func(*Result)) (*simulation, error) {
	devirt.Resolve(prog)
	opts.Alias = alias.Analyze(prog)
	return simulationBy(prog, preds, opts, change...)
}

// simulationBy is newSimulation for a program that has been through devirt.Resolve, with the analysis
// in opts.
func simulationBy(prog *core.Program, preds []*Predicate, opts Options, change ...func(*Result)) (*simulation, error) {
	r, err := Program(context.Background(), prog, preds, opts)
	if err != nil {
		return nil, err
	}
	for _, f := range change {
		f(r)
	}
	if _, err := boolprog.Check(r.Program); err != nil {
		return nil, fmt.Errorf("abstraction does not type-check: %w\n%s", err, r.Program)
	}
	s := &simulation{prog: prog, graph: boolprog.BuildGraph(r.Program), procs: map[*core.Proc]*simProc{}}
	set := r.predicates
	for _, p := range prog.Procs {
		if !p.HasBody() {
			continue
		}
		sp := &simProc{preds: set.inScope(p), first: map[int]int{}, start: map[int]bool{}}
		for _, g := range s.graph.Procs {
			if g.Proc.Name == procName(p) {
				sp.bp = g
			}
		}
		for _, q := range sp.preds {
			sp.exprs = append(sp.exprs, opts.Alias.AllFollowed(q.Expr))
		}
		for i, n := range sp.bp.Nodes {
			if id := nodeOf(n); strings.HasPrefix(id, p.Name+":") {
				var k int
				if _, err := fmt.Sscanf(id[len(p.Name)+1:], "%d", &k); err != nil {
					continue // the entry
				}
				if _, ok := sp.first[k]; !ok {
					sp.first[k] = i
					sp.start[i] = true
				}
			}
		}
		s.procs[p] = sp
		s.ghosts = append(s.ghosts, ghosts(sp.preds)...)
	}
	for _, g := range s.ghosts {
		g.Init = opts.Alias.AllFollowed(g.Init).(core.Loc)
	}
	return s, nil
}

func nodeOf(n *boolprog.Node) string {
	if n.Stmt == nil || n.Stmt.Annot == nil {
		return ""
	}
	if _, ok := n.Stmt.Op.(*boolprog.Goto); ok {
		return "" // belongs to the edge, not to the node it leads to
	}
	return n.Stmt.Annot.Node
}

// simFrame is an activation: the Boolean states that agree with the concrete one, at
// the node that runs next or, below the top, at the call under way.
type simFrame struct {
	sp     *simProc
	states map[bpexec.Step]bool
}

// strays reports whether a local pointer leads where nothing of its type can lie. The program may be
// about to overwrite it, but a predicate follows it.
func strays(m *interp.Machine) bool {
	return m.Top() != nil && slices.ContainsFunc(m.Top().Proc().Locals, m.Strays)
}

// violation is a concrete step that the abstraction does not have.
type violation struct{ text string }

func (v *violation) Error() string { return v.text }

// errDiscarded says that a run met undefined behaviour and proves nothing.
var errDiscarded = errors.New("run discarded")

// run executes up to steps nodes and returns how many were held against the
// abstraction.
func (s *simulation) run(seed uint64, steps int) (int, error) {
	m := interp.New(s.prog, interp.NewRandom(s.prog, seed), interp.Options{Ghosts: s.ghosts, Typed: s.types != nil, Types: s.types})
	stack, err := s.enter(nil, m)
	if err != nil {
		return 0, err
	}
	for i := range steps {
		from := m.Top()
		node := from.Node()
		stmt := from.Proc().Nodes[node].Stmt
		ev, err := m.Step()
		var ub *interp.UBError
		var limit *interp.LimitError
		if errors.As(err, &ub) || errors.As(err, &limit) {
			return i, errDiscarded
		}
		if err != nil {
			return i, err
		}
		if s.types != nil && strays(m) {
			return i, errDiscarded
		}
		switch ev.Kind {
		case interp.Ran:
			err = s.local(stack, m, node)
		case interp.Entered:
			stack, err = s.enter(stack, m)
		case interp.Left:
			stack, err = s.leave(stack, m, node)
		case interp.Failed:
			return i, s.fails(stack, node)
		default: // Finished, Blocked
			return i, nil
		}
		if err != nil {
			return i, fmt.Errorf("step %d, %s: %s: %w", i, ev.Proc.NodeID(node), core.StmtString(stmt), err)
		}
	}
	return steps, nil
}

// valuation is the state of the Boolean program that the predicates have in the top
// frame of m; variables that are no predicates keep their values in s.
func (sp *simProc) valuation(f *interp.Frame, s bpexec.State) bpexec.State {
	for i, p := range sp.preds {
		v := core.EvalIn(sp.exprs[i], f.State())
		s = bpexec.Set(sp.bp, s, p.Var(), v.Sign() != 0)
	}
	return s
}

// through follows the Boolean statements from places up to the start of a core node;
// it returns the places there and those where a call waits.
func (sp *simProc) through(from map[bpexec.Step]bool) (starts, calls map[bpexec.Step]bool) {
	starts, calls = map[bpexec.Step]bool{}, map[bpexec.Step]bool{}
	seen := map[bpexec.Step]bool{}
	var work []bpexec.Step
	push := func(st bpexec.Step) {
		switch {
		case seen[st]:
		case sp.start[st.Node] || st.Node == sp.bp.Exit:
			starts[st] = true
		default:
			seen[st] = true
			work = append(work, st)
		}
	}
	step := func(st bpexec.Step) {
		if sp.bp.Nodes[st.Node].Kind == boolprog.NodeCall {
			calls[st] = true
			return
		}
		for _, next := range bpexec.Successors(sp.bp, st.Node, st.State) {
			push(next)
		}
	}
	for st := range from {
		step(st)
	}
	for len(work) > 0 {
		st := work[len(work)-1]
		work = work[:len(work)-1]
		step(st)
	}
	return starts, calls
}

// agreeing keeps the places at core node `node` whose state is the concrete one.
func (sp *simProc) agreeing(places map[bpexec.Step]bool, f *interp.Frame, node int) (map[bpexec.Step]bool, error) {
	out := map[bpexec.Step]bool{}
	for st := range places {
		if st.Node == sp.first[node] && sp.valuation(f, st.State) == st.State {
			out[st] = true
		}
	}
	if len(out) == 0 {
		want := ""
		for i, p := range sp.preds {
			v := core.EvalIn(sp.exprs[i], f.State())
			want += fmt.Sprintf(" %s=%v", p.Var(), v.Sign() != 0)
		}
		return nil, &violation{"no abstract successor agrees with" + want}
	}
	return out, nil
}

// local simulates a node that stays in its frame.
func (s *simulation) local(stack []*simFrame, m *interp.Machine, node int) error {
	f := stack[len(stack)-1]
	starts, _ := f.sp.through(f.states)
	var err error
	f.states, err = f.sp.agreeing(starts, m.Top(), m.Top().Node())
	return err
}

// enter simulates a call up to node 0 of the callee: the prm values must allow the
// valuation that the callee's predicates have.
func (s *simulation) enter(stack []*simFrame, m *interp.Machine) ([]*simFrame, error) {
	sp := s.procs[m.Top().Proc()]
	entry := sp.valuation(m.Top(), bpexec.State{})
	if len(stack) > 0 {
		caller := stack[len(stack)-1]
		_, calls := caller.sp.through(caller.states)
		caller.states = map[bpexec.Step]bool{}
		for c := range calls {
			if caller.sp.passes(c, sp, entry) {
				caller.states[c] = true
			}
		}
		if len(caller.states) == 0 {
			return nil, &violation{"no call passes the valuation of the callee's formal predicates"}
		}
	}
	if !bpexec.Enforced(sp.bp, entry) {
		return nil, &violation{"enforce cuts the entry"}
	}
	at := map[bpexec.Step]bool{{Node: sp.bp.Entry, State: entry}: true}
	if !sp.start[sp.bp.Entry] {
		at, _ = sp.through(at)
	}
	at, err := sp.agreeing(at, m.Top(), 0)
	return append(stack, &simFrame{sp, at}), err
}

// passes reports whether the call at c can pass the parameters of entry.
func (sp *simProc) passes(c bpexec.Step, callee *simProc, entry bpexec.State) bool {
	if c.State.Globals != entry.Globals {
		return false
	}
	call := sp.bp.Nodes[c.Node].Call
	for i, p := range callee.bp.Proc.Params {
		can := bpexec.Eval(call.Args[i], func(r *boolprog.Ref) bool { return bpexec.Get(sp.bp, c.State, r.Name) })
		if !can.Has(bpexec.Get(callee.bp, entry, p.Name)) {
			return false
		}
	}
	return true
}

// leave simulates the return of the top frame and the caller's update.
func (s *simulation) leave(stack []*simFrame, m *interp.Machine, node int) ([]*simFrame, error) {
	callee, caller := stack[len(stack)-1], stack[len(stack)-2]
	exits, _ := callee.sp.through(callee.states)
	behind := map[bpexec.Step]bool{}
	for e := range exits {
		for c := range caller.states {
			st := bpexec.Return(caller.sp.bp, c.Node, c.State, e.State.Globals, e.Results)
			if bpexec.Enforced(caller.sp.bp, st) {
				behind[bpexec.Step{Node: caller.sp.bp.Nodes[c.Node].Succ[0], State: st}] = true
			}
		}
	}
	// The place behind the call may be the start of the next node already.
	starts := map[bpexec.Step]bool{}
	rest := map[bpexec.Step]bool{}
	for b := range behind {
		if caller.sp.start[b.Node] {
			starts[b] = true
		} else {
			rest[b] = true
		}
	}
	more, _ := caller.sp.through(rest)
	for b := range more {
		starts[b] = true
	}
	var err error
	caller.states, err = caller.sp.agreeing(starts, m.Top(), m.Top().Node())
	return stack[:len(stack)-1], err
}

// fails checks that an assertion that failed can fail in the abstraction.
func (s *simulation) fails(stack []*simFrame, node int) error {
	f := stack[len(stack)-1]
	seen := map[bpexec.Step]bool{}
	var work []bpexec.Step
	for st := range f.states {
		work = append(work, st)
	}
	for len(work) > 0 {
		st := work[len(work)-1]
		work = work[:len(work)-1]
		if bpexec.Failing(f.sp.bp, st.Node, st.State) {
			return nil
		}
		for _, next := range bpexec.Successors(f.sp.bp, st.Node, st.State) {
			if !seen[next] && !f.sp.start[next.Node] {
				seen[next] = true
				work = append(work, next)
			}
		}
	}
	return &violation{fmt.Sprintf("assertion at node %d fails, but not in the abstraction", node)}
}

// loadWith reads a C program and predicates for it.
func loadWith(t *testing.T, text, preds string, opts frontend.Options) (*core.Program, []*Predicate) {
	t.Helper()
	unit, err := frontend.Load(t.Context(), []*source.File{source.NewFile("in.c", []byte(text))}, opts)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	texts, err := ParsePredicates(source.NewFile("in.preds", []byte(preds)))
	if err != nil {
		t.Fatal(err)
	}
	resolved, err := unit.Resolve(texts)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	var list []*Predicate
	for _, q := range resolved {
		list = append(list, NewPredicate(q.Proc, q.Expr, q.Name))
	}
	return unit.Program, list
}
