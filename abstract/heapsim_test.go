package abstract

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"testing"

	"c2bp/abstract/refs"
	"c2bp/boolprog"
	"c2bp/boolprog/bpexec"
	"c2bp/boolprog/refexec"
	"c2bp/frontend"
	"c2bp/frontend/core"
	"c2bp/frontend/core/interp"
	"c2bp/internal/testkit"
	"c2bp/source"
	"c2bp/verdict"
)

// This file executes random programs with a heap, and holds every step against the abstraction with
// references: its states must have a heap like that of the run.

// heapSimulation is an abstraction with references, prepared for simulating its program.
type heapSimulation struct {
	prog  *core.Program
	a     *abstraction
	graph *boolprog.Graph
	procs map[*core.Proc]*boolprog.ProcGraph
	first map[*core.Proc]map[int]int // by core node: the first Boolean one
	stops map[bpexec.Site]bool
	types interp.Types
}

// newHeapSimulation abstracts a C program.
func newHeapSimulation(text, preds string, extern core.Extern) (*heapSimulation, error) {
	ctx := context.Background()
	unit, err := frontend.Load(ctx, []*source.File{source.NewFile("in.c", []byte(text))}, frontend.Options{Extern: extern})
	if err != nil {
		return nil, err
	}
	texts, err := ParsePredicates(source.NewFile("preds", []byte(preds)))
	if err != nil {
		return nil, err
	}
	r, err := Abstract(ctx, unit.Program, texts, unit, Options{Jobs: 1, MaxExact: campaignExact, Refs: true})
	if err != nil {
		return nil, err
	}
	if _, err := boolprog.Check(r.Program); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, r.Program)
	}
	s := &heapSimulation{
		prog: unit.Program, a: r.abstraction, graph: boolprog.BuildGraph(r.Program),
		procs: map[*core.Proc]*boolprog.ProcGraph{}, first: map[*core.Proc]map[int]int{}, stops: map[bpexec.Site]bool{},
		types: r.abstraction.alias,
	}
	// The nodes at which statements of the core program begin.
	for _, p := range s.prog.Procs {
		for _, g := range s.graph.Procs {
			if !p.HasBody() || g.Proc.Name != procName(p) {
				continue
			}
			s.procs[p], s.first[p] = g, map[int]int{}
			for i, n := range g.Nodes {
				var k int
				if _, err := fmt.Sscanf(nodeOf(n), p.Name+":%d", &k); err != nil {
					continue
				}
				if _, ok := s.first[p][k]; !ok {
					s.first[p][k] = i
					s.stops[bpexec.Site{Proc: g.Index, Node: i}] = true
				}
			}
		}
	}
	return s, nil
}

// run executes up to steps nodes, and returns how many were held against the abstraction.
func (s *heapSimulation) run(seed uint64, steps int) (int, error) {
	ctx := context.Background()
	m := interp.New(s.prog, interp.NewRandom(s.prog, seed), interp.Options{Typed: true, Types: s.types})
	sim := refexec.NewSimulation(s.graph, s.stops)
	for i := range steps {
		now, ok := s.moment(m)
		if !ok {
			return i, errDiscarded
		}
		if err := sim.Advance(ctx, now); err != nil {
			return i, fmt.Errorf("step %d, before %s: %w", i, m.Top().Proc().NodeID(m.Top().Node()), err)
		}
		ev, err := m.Step()
		var ub *interp.UBError
		var limit *interp.LimitError
		switch {
		case errors.As(err, &ub), errors.As(err, &limit):
			return i, errDiscarded
		case err != nil:
			return i, err
		case ev.Kind == interp.Failed:
			fails, err := sim.Fails(ctx)
			if err == nil && !fails {
				err = fmt.Errorf("step %d: the assertion at %s fails, but not in the abstraction", i, ev.Proc.NodeID(ev.Node))
			}
			return i, err
		case ev.Kind.Final():
			return i, nil
		}
		if strays(m) {
			return i, errDiscarded
		}
	}
	return steps, nil
}

// picture draws the references of a state.
type picture struct {
	s     *heapSimulation
	m     *interp.Machine
	seen  map[string]bool
	todo  []drawn
	types map[uint64]*refs.Class // by address

	stray bool // some pointer leads where no object of its type can lie: see strays
}

// drawn is an object that a reference leads to.
type drawn struct {
	name  string
	at    *big.Int
	class *refs.Class
}

// moment is the state of a run as the abstraction has it: the predicates and references in scope, and the
// objects that these lead to.
//
// ok is false if some pointer in it strays.
func (s *heapSimulation) moment(m *interp.Machine) (out refexec.Moment, ok bool) {
	f := m.Top()
	g := s.procs[f.Proc()]
	out = refexec.Moment{Site: bpexec.Site{Proc: g.Index, Node: s.first[f.Proc()][f.Node()]}, Depth: f.Depth()}
	p := &picture{s: s, m: m, seen: map[string]bool{}, types: map[uint64]*refs.Class{}}
	value := func(name, text string) { out.Values = append(out.Values, verdict.Value{Name: name, Val: text}) }
	// C sets the globals first. Until then a run has anything there, and nothing looks at it.
	if n := f.Proc().Nodes[f.Node()]; f.Proc() == s.prog.Entry && s.a.alias.Constants().Initial(n) {
		return out, true
	}
	// 1. Predicates, and references in variables.
	for _, q := range s.a.set.inScope(f.Proc()) {
		value(q.Var(), truth(core.EvalIn(s.a.alias.AllFollowed(q.Expr), f.State())))
	}
	p.variables(f, slices.Concat(s.prog.Globals, f.Proc().Formals, f.Proc().Locals), value)
	for _, g := range m.Frames()[:f.Depth()] {
		var below []verdict.Value
		p.variables(g, slices.Concat(g.Proc().Formals, g.Proc().Locals), func(name, text string) { below = append(below, verdict.Value{Name: name, Val: text}) })
		out.Below = append(out.Below, below)
	}
	// 2. Objects.
	for i := 0; i < len(p.todo); i++ {
		d := p.todo[i]
		at := &core.ToPtr{X: &core.Const{Val: d.at, Typ: core.Uint64}, Typ: s.a.heap.pointer}
		o := verdict.Object{Name: d.name, Class: d.class.Name}
		for _, q := range s.a.heap.preds[d.class] {
			e := q.of(at)
			p.follows(f, e)
			o.Fields = append(o.Fields, verdict.Value{Name: q.Var(), Val: truth(core.EvalIn(e, f.State()))})
		}
		for _, x := range d.class.Fields {
			var among []*refs.Class
			for _, y := range d.class.At(x.Off) {
				among = append(among, y.Class)
			}
			o.Fields = append(o.Fields, verdict.Value{Name: x.Name, Val: p.reference(core.EvalIn(x.At(at, d.class), f.State()), x.Class, among, x.To())})
		}
		for _, in := range d.class.Inner {
			at := new(big.Int).Add(d.at, big.NewInt(in.Off))
			o.Fields = append(o.Fields, verdict.Value{Name: in.Down(), Val: p.reference(at, in.Class, nil, nil)})
		}
		for _, in := range d.class.Outer {
			o.Fields = append(o.Fields, verdict.Value{Name: in.Up(), Val: p.owner(d, in)})
		}
		out.Heap = append(out.Heap, o)
	}
	return out, !p.stray
}

// variables tells the references that variables of a frame are.
func (p *picture) variables(f *interp.Frame, list []*core.Var, value func(name, text string)) {
	plan := p.s.a.heap.plan
	for _, v := range list {
		for _, c := range plan.Var(v) {
			value(p.s.a.heap.refName(v, c), p.reference(core.EvalIn(v.Ref(), f.State()), c, plan.Var(v), v.To))
		}
		for _, x := range plan.Spots(v) {
			value(objectName(x), p.reference(core.EvalIn(x.Address, f.State()), x.Class, nil, nil))
		}
	}
}

// follows notes whether a pointer that a predicate follows strays.
func (p *picture) follows(f *interp.Frame, e core.Expr) {
	core.Walk(e, func(e core.Expr) bool {
		if o, ok := e.(*core.Offset); ok && o.Of != nil && o.Off == o.Member {
			p.stray = p.stray || p.m.StraysAt(core.EvalIn(o.X, f.State()).Uint64(), o.Of)
		}
		return true
	})
}

// truth is the text of a Boolean.
func truth(v *big.Int) string { return fmt.Sprint(v.Sign() & 1) }

// reference is the text of a pointer, declared to point to a type, as far as it leads to objects of a class
// among several: null, the name of an object of the class, or "*" if it leads to none.
func (p *picture) reference(v *big.Int, class *refs.Class, among []*refs.Class, to *core.Record) string {
	if v.Sign() == 0 {
		return "null"
	}
	o := p.m.Object(v.Uint64())
	if o == nil || !p.m.Live(o) {
		return "*"
	}
	// 1. The class of the object there.
	if o.Environment() {
		if len(among) > 1 && class.Record != to {
			return "null"
		}
	} else {
		list := p.s.a.heap.plan.Holds(o.Var(), o.Alloc(), int64(v.Uint64()-o.Start()))
		switch {
		case slices.Contains(list, class):
		case slices.ContainsFunc(list, func(c *refs.Class) bool { return slices.Contains(among, c) }):
			return "null"
		default:
			return "*"
		}
	}
	if p.m.StraysAt(v.Uint64(), class.Record) {
		p.stray = true
		return "*"
	}
	// 2. Its name. An object outside that was not followed yet may be either type, but not both, unless one is a part
	// of the other.
	first := p.types[v.Uint64()]
	nested := first != nil && (slices.Contains(first.Embeds(class), 0) || slices.Contains(class.Embeds(first), 0))
	if first != nil && first != class && !nested {
		p.stray = true
	}
	p.types[v.Uint64()] = class
	name := fmt.Sprintf("%s@%x", class.Name, v)
	if !p.seen[name] {
		p.seen[name] = true
		p.todo = append(p.todo, drawn{name, v, class})
	}
	return name
}

// owner is the text of the reference of a part to its owner: null if it stands alone, "*" if that is not known of an
// object outside.
func (p *picture) owner(d drawn, in *refs.Inner) string {
	at := new(big.Int).Sub(d.at, big.NewInt(in.Off))
	o := p.m.Object(d.at.Uint64())
	if o.Environment() {
		if name := fmt.Sprintf("%s@%x", in.Owner.Name, at); p.seen[name] {
			return name
		}
		return "*"
	}
	if !slices.Contains(p.s.a.heap.plan.Holds(o.Var(), o.Alloc(), int64(at.Uint64()-o.Start())), in.Owner) {
		return "null"
	}
	return p.reference(at, in.Owner, nil, nil)
}

// heapTally counts a campaign of heap programs.
type heapTally struct{ programs, classes, fields, runs, discarded, many, short, steps int }

// mostMany is the number of runs with too many states after which a program is given up: it is cut short.
const mostMany = 5

// heapCampaign simulates runs of random programs with a heap until a violation.
func heapCampaign(from, programs uint64, runs int) (n heapTally, err error) {
	for seed := from; seed < from+programs; seed++ {
		text := heapProgram(seed)
		extern := core.ExternArgs
		if seed%8 == 3 {
			extern = core.ExternAll
		}
		preds := heapPredicates
		if seed%2 == 0 {
			preds = moreHeapPredicates(text)
		}
		if hasParts(seed) {
			preds += partPredicates
		}
		if seed%5 == 0 {
			preds += "struct node:\n    next->v == 1\n"
		}
		if err := n.simulate(text, preds, extern, seed, runs); err != nil {
			return n, fmt.Errorf("program %d: %w\n%s", seed, err, text)
		}
	}
	return n, nil
}

// simulate simulates runs of a program until a violation.
func (n *heapTally) simulate(text, preds string, extern core.Extern, seed uint64, runs int) error {
	s, err := newHeapSimulation(text, preds, extern)
	if err != nil {
		return err
	}
	n.programs++
	for _, c := range s.a.heap.plan.Classes {
		n.classes++
		n.fields += len(c.Fields)
	}
	before := n.many
	for r := range runs {
		if n.many-before == mostMany {
			n.short++
			break
		}
		steps, err := s.run(seed*1000+uint64(r), 150)
		n.runs++
		n.steps += steps
		var many *refexec.TooManyError
		switch {
		case errors.Is(err, errDiscarded):
			n.discarded++
		case errors.As(err, &many):
			n.many++
		case err != nil:
			return fmt.Errorf("run %d: %w\n%s", r, err, s.graph.Prog)
		}
	}
	return nil
}

// TestHeapCases simulates programs that were abstracted wrongly once: a member is compared that had not been
// set, or is taken for its single target, which is not yet its value; an element of an array is taken for
// the first one. Others are such that a certain mutant is wrong about them.
func TestHeapCases(t *testing.T) {
	const head = `#include <stdlib.h>
struct box;
struct node { int v; struct node *next; struct box *box; };
struct box { int w; struct node *first; };
extern struct node *get_node(void);
extern int __VERIFIER_nondet_int(void);
static struct box sb;
static struct node tab[2], many[20];
static struct { int k; struct box in[2]; } wrap;
static void *gv;
static int g;
static struct node *same(struct node *p) { return p; }
int main(void)
{
	struct node *q, *x; struct box *c = 0, *d = 0; int i = 0;
	g = i;
	if (c) { c->w = 0; x = c->first; }
`
	const null = `	q = malloc(sizeof(struct node));
	if (q) q->box = c;
	c = &sb;
`
	for name, rest := range map[string]string{
		"not kept": null,
		"kept":     null + "	if (q) d = q->box;\n",
		"only in a member": `	q = calloc(1, sizeof *q);
	if (!q) return 0;
	q->next = calloc(1, sizeof *q);
	if (!q->next) return 0;
	q->next->v = 1;
	int *ip = &q->next->v;
	*ip = 2;
	if (q->next->v == 1) g = 1;
`,
		"elements": `	q = get_node();
	if (!q) return 0;
	q[1].v = 0;
	x = get_node();
	if (!x) return 0;
	x->v = 1;
	q[1].v = 2;
`,
		"index": `	i = __VERIFIER_nondet_int() & 1;
	q = &tab[i];
	q->v = 1;
	tab[0].v = 0;
	if (tab[i].v == 1) g = 1;
	tab[i].next = &tab[1];
	tab[i] = tab[0];
	q = tab;
	x = q + 1;
	x->v = 2;
	tab[1].v = 1;
	q[1].v = 0;
`,
		"copied": `	tab[0].next = &tab[1];
	tab[1] = tab[0];
	x = tab[1].next;
`,
		"elements without names": `	i = __VERIFIER_nondet_int() & 15;
	q = &many[i];
	q->v = 1;
	many[7].v = 2;
	if (q->v == 1) g = 1;
`,
		"a pointer with an address": `	struct node *r = 0, **pp = &r;
	if (__VERIFIER_nondet_int()) *pp = &tab[1];
	q = r;
	if (q) q->v = 1;
	if (r == 0) g = 1;
`,
		"in another struct": `	i = __VERIFIER_nondet_int() & 1;
	wrap.in[i].w = 1;
	c = &wrap.in[1];
	if (c->w) g = 1;
	wrap.k = 0;
	c->w = 0;
	wrap.in[0] = *c;
	(wrap.in + i)->w = 1;
	if (c->w) g = 2;
`,
		"two types": `	if (__VERIFIER_nondet_int()) {
		gv = &sb;
		sb.w = 1;
	} else {
		gv = tab;
		tab[0].next = tab + 1;
	}
	x = gv;
	if (gv != &sb) { x->v = 1; x = x->next; } else { c = gv; c->w = 0; }
	if (x == gv) g = 1;
`,
		"unset": `	x = 0;
	if (__VERIFIER_nondet_int()) x = &tab[0];
	q = 0;
`,
		"names": `	q = &tab[0];
	q->next = &tab[1];
	tab[1].next = &tab[0];
	tab[1].v = 1;
	c = &sb;
	c->first = &tab[0];
	c->first->next = same(q->next->next);
	if (c->first->next == q) g = 1;
`,
	} {
		var n heapTally
		if err := n.simulate(head+rest+"	return 0;\n}\n", heapPredicates+"main:\n    x == q\n", core.ExternArgs, 1, testkit.Count(150, 10_000)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestHeapSoundness executes random programs with a heap: every concrete step has an abstract one to a
// state with the same objects, references and predicates.
func TestHeapSoundness(t *testing.T) {
	runs := 20
	if testkit.Long() {
		runs = 50
	}
	n, err := heapCampaign(0, testkit.Count[uint64](4, 3000), runs)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%+v", n)
	if n.classes < n.programs || n.fields < n.programs/2 || n.steps < 20*n.runs || n.many > n.runs/10 {
		t.Errorf("the programs exercise too little: %+v", n)
	}
}
