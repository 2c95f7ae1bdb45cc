package refine

import (
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"

	"c2bp/frontend/core"
	"c2bp/frontend/core/interp"
	"c2bp/logic"
	"c2bp/refine/harness"
	"c2bp/verdict"
)

// This file tries the program out: it is run with random inputs, many times and not for
// long. A failure that takes many rounds of a loop, a ring that has to be filled before it
// overflows, is hard to come by through predicates, one round after the other, and often easy
// to meet. What is found is believed as any other run is: after the recorder has repeated it,
// and the compiled program.

const (
	shortTrial = 2000 // most steps of most trials
	longTrial  = 20_000
)

// The steps of all trials before the first refinement, and for each predicate before each
// other one: so they take some tenths of a second at first, and then a small part of what an
// abstraction takes.
const (
	firstTrials  = 400_000
	perPredicate = 2000
)

// trials is what they need to know of a program.
type trials struct {
	random *interp.Random
	sites  map[string]int              // number of a property, by the id of its node
	labels map[*core.Proc]map[int]bool // the nodes that are not to be reached
	made   uint64
	fresh  bool // nothing was tried yet, or what was found last is settled
	vain   int  // how often a failing run was found and not believed
}

// mostVain bounds that: to compile a program takes longer than many trials.
const mostVain = 3

// newTrials prepares for the properties.
func newTrials(prog *core.Program, sites []verdict.Site) *trials {
	t := &trials{random: interp.NewRandom(prog, 0), fresh: true, sites: map[string]int{}, labels: map[*core.Proc]map[int]bool{}}
	for i, s := range sites {
		if s.Node != "" {
			t.sites[s.Node] = i
		}
	}
	for _, p := range prog.Procs {
		t.labels[p] = map[int]bool{}
		for i, n := range p.Nodes {
			if _, asserts := n.Stmt.(*core.Assert); !asserts {
				_, t.labels[p][i] = t.sites[p.NodeID(i)]
			}
		}
	}
	return t
}

// attempt is a run with the inputs that a seed makes.
type attempt struct {
	seed  uint64
	steps int
	site  int // number of the property
}

// tryOut looks for a failing run by chance. The finding is nil if none was found, or none
// that is believed.
func (a *audit) tryOut(ctx context.Context, o *Outcome) (*finding, error) {
	if a.without.NoTrials {
		return nil, nil
	}
	if a.trials == nil {
		a.trials = newTrials(a.prog, o.Result.Sites)
	}
	effort := perPredicate * len(a.preds.list)
	if a.trials.fresh {
		a.trials.fresh, effort = false, firstTrials
	}
	if a.trials.vain == mostVain {
		return nil, nil
	}
	best := a.search(ctx, effort)
	if best == nil {
		return nil, nil
	}
	a.trials.vain++
	a.log("  a run with random inputs, of %d steps, fails", best.steps)
	site := o.Result.Sites[best.site]
	run, err := a.again(best, site)
	if err != nil {
		a.log("  it cannot be repeated: %v", err)
		return nil, nil
	}
	whole := a.execute(logic.NewTable(), run.path, 0, len(run.path.Steps))
	found, err := certain(a.believe(ctx, best.site, run, a.doubt(run.path, whole)))
	if found != nil {
		a.trials.vain--
		a.trials.fresh = true
	}
	return found, err
}

// forget takes a property out that is known to fail. A run still ends where it does.
func (k *trials) forget(site verdict.Site) { delete(k.sites, site.Node) }

// search makes trials, of so many steps in all, until one fails; then as many again, for a
// shorter one.
func (a *audit) search(ctx context.Context, effort int) (best *attempt) {
	for spent := 0; spent < effort && ctx.Err() == nil; a.trials.made++ {
		t := &attempt{seed: a.trials.made, steps: shortTrial}
		if a.trials.made%8 == 7 {
			t.steps = longTrial
		}
		if best != nil {
			t.steps = min(t.steps, best.steps-1)
		}
		m := interp.New(a.prog, newMood(a.trials.random, t.seed), interp.Options{})
		failed, used := a.trials.run(t, m)
		spent += used + 20 // a start is not for nothing
		if failed {
			if best == nil {
				effort = min(effort, 2*spent)
			}
			best = t
		}
	}
	return best
}

// run makes the steps of a trial. It reports whether it comes to a failure, and then where,
// and how many steps it took.
func (k *trials) run(t *attempt, m *interp.Machine) (failed bool, used int) {
	for used = range t.steps {
		top := m.Top()
		if k.labels[top.Proc()][top.Node()] {
			if site, known := k.sites[top.Proc().NodeID(top.Node())]; known {
				t.site, t.steps = site, used+1
				return true, used
			}
		}
		e, err := m.Step()
		switch {
		case err != nil:
			return false, used
		case e.Kind == interp.Failed:
			site, known := k.sites[e.Proc.NodeID(e.Node)]
			t.site, t.steps = site, used+1
			return known, used
		case e.Kind.Final():
			return false, used
		}
	}
	return false, used
}

// again repeats a trial and writes it down. The error says why it does not fail at the site
// this time.
func (a *audit) again(t *attempt, site verdict.Site) (*witness, error) {
	choices := newMood(a.trials.random, t.seed)
	w := newWitness(harness.NewRecorder(a.prog, choices, interp.Options{}))
	w.path.Fails = site.Kind == verdict.Assertion
	for i := range t.steps {
		top := w.rec.Machine().Top()
		if top == nil {
			return nil, fmt.Errorf("it ends after %d steps", i)
		}
		there := top.Proc().NodeID(top.Node()) == site.Node
		if i == t.steps-1 && there && !w.path.Fails {
			w.arrive()
			return w, nil
		}
		e, err := w.step()
		switch {
		case err != nil:
			return nil, err
		case i == t.steps-1 && there && e.Kind == interp.Failed:
			return w, nil
		}
	}
	return nil, fmt.Errorf("it does not fail at %s", site.Node)
}

// mood makes random choices that are alike: in half of the trials, what was chosen at a
// place is often chosen there again, so that one thing is done many times.
type mood struct {
	*interp.Random
	rng    *rand.Rand
	steady bool
	ways   map[interp.Place]int
	values map[interp.Place]*big.Int
}

func newMood(r *interp.Random, seed uint64) *mood {
	rng := rand.New(rand.NewPCG(seed, 0x7472_6961))
	return &mood{
		Random: r.Again(seed), rng: rng, steady: rng.IntN(2) == 0,
		ways: map[interp.Place]int{}, values: map[interp.Place]*big.Int{},
	}
}

// repeats reports whether a choice is to be made again.
func (m *mood) repeats() bool { return m.steady && m.rng.IntN(8) != 0 }

// Branch picks one of next.
func (m *mood) Branch(at interp.Place, next []int) int {
	at.Depth = 0
	if old, ok := m.ways[at]; ok && m.repeats() {
		for _, n := range next {
			if n == old {
				return n
			}
		}
	}
	n := m.Random.Branch(at, next)
	m.ways[at] = n
	return n
}

// Value picks a number or an address.
func (m *mood) Value(q interp.Request) *big.Int {
	if q.Why != interp.Havocked || q.Pointer {
		return m.Random.Value(q)
	}
	at := q.Place
	at.Depth = 0
	if old := m.values[at]; old != nil && m.repeats() && q.Type.Contains(old) && !q.Hides(old) {
		return old
	}
	v := m.Random.Value(q)
	m.values[at] = v
	return v
}
