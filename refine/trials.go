package refine

import (
	"context"
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
	firstTries = 400_000
	laterTries = 4_000_000
)

// efforts to find a failure by chance: steps in all trials before the first refinement, and
// after so many.
var trialEfforts = map[int]int{1: firstTries, 12: laterTries, 40: 2 * laterTries, 80: 6 * laterTries}

// attempt is a run with the inputs that a seed makes.
type attempt struct {
	seed  uint64
	steps int
	site  int // number of the property
}

// tryOut looks for a failing run by chance, at some iterations. The outcome is nil if none
// was found, or none that is believed.
func (a *audit) tryOut(ctx context.Context, o *Outcome) (*Outcome, error) {
	effort := trialEfforts[o.Iterations]
	if effort == 0 || a.without.NoTrials {
		return nil, nil
	}
	best := a.search(ctx, sitesOf(o.Result.Sites), effort)
	if best == nil {
		return nil, nil
	}
	a.log("  a run with random inputs, of %d steps, fails", best.steps)
	out, result := *o, *o.Result
	result.Sites = append([]verdict.Site(nil), result.Sites...)
	result.Sites[best.site].Failed = true
	result.Failed = best.site
	out.Result = &result
	run, err := a.again(best, result.Sites[best.site].Kind == verdict.Assertion)
	if err != nil {
		a.log("  it cannot be repeated: %v", err)
		return nil, nil
	}
	whole := a.execute(logic.NewTable(), run.path, 0, len(run.path.Steps))
	confirmed, err := a.believe(ctx, &out, run, a.doubt(run.path, whole))
	if err != nil || confirmed.Result.Verdict != verdict.False {
		return nil, err
	}
	return confirmed, nil
}

// sitesOf is the numbers of the properties by the ids of their nodes.
func sitesOf(sites []verdict.Site) map[string]int {
	out := map[string]int{}
	for i, s := range sites {
		if s.Node != "" {
			out[s.Node] = i
		}
	}
	return out
}

// search makes trials, of so many steps in all, until one fails; then as many again, for a
// shorter one.
func (a *audit) search(ctx context.Context, sites map[string]int, effort int) (best *attempt) {
	labels := map[*core.Proc]map[int]bool{}
	for _, p := range a.prog.Procs {
		labels[p] = map[int]bool{}
		for i := range p.Nodes {
			if _, asserts := p.Nodes[i].Stmt.(*core.Assert); !asserts {
				_, labels[p][i] = sites[p.NodeID(i)]
			}
		}
	}
	random := interp.NewRandom(a.prog, 0)
	for spent := 0; spent < effort && ctx.Err() == nil; a.tried++ {
		t := &attempt{seed: a.tried, steps: shortTrial}
		if a.tried%8 == 7 {
			t.steps = longTrial
		}
		if best != nil {
			t.steps = min(t.steps, best.steps-1)
		}
		m := interp.New(a.prog, newMood(random.Again(t.seed), t.seed), interp.Options{})
		failed, used := t.run(m, labels, sites)
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
func (t *attempt) run(m *interp.Machine, labels map[*core.Proc]map[int]bool, sites map[string]int) (failed bool, used int) {
	for used = range t.steps {
		top := m.Top()
		if labels[top.Proc()][top.Node()] {
			t.site, t.steps = sites[top.Proc().NodeID(top.Node())], used+1
			return true, used
		}
		e, err := m.Step()
		switch {
		case err != nil:
			return false, used
		case e.Kind == interp.Failed:
			site, known := sites[e.Proc.NodeID(e.Node)]
			t.site, t.steps = site, used+1
			return known, used
		case e.Kind.Final():
			return false, used
		}
	}
	return false, used
}

// again repeats a trial and writes it down.
func (a *audit) again(t *attempt, fails bool) (*witness, error) {
	choices := newMood(interp.NewRandom(a.prog, 0).Again(t.seed), t.seed)
	w := newWitness(harness.NewRecorder(a.prog, choices, interp.Options{}))
	w.path.Fails = fails
	for i := range t.steps {
		if i == t.steps-1 && !fails {
			w.arrive()
			break
		}
		if _, err := w.step(); err != nil {
			return nil, err
		}
	}
	return w, nil
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
		Random: r, rng: rng, steady: rng.IntN(2) == 0,
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
