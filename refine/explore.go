package refine

import (
	"context"
	"math/rand/v2"
	"slices"

	"c2bp/frontend/core"
	"c2bp/frontend/core/interp"
	"c2bp/verdict"
)

// This file explores the states of a program. When a run meets something new, the state in
// which it next asks for an input is kept, and other runs go on from there. So what is rare
// has to happen only once: a ring is filled one entry after the other, and a run that adds
// one does not have to add all those before.

// Bounds of runs.
const (
	longestRun = 50_000 // steps, from the start of the program
	idleSteps  = 3000   // without anything new
	mostStates = 1024   // kept
	copyCost   = 50     // of a state, in steps
)

// trials explores a program.
type trials struct {
	prepared *interp.Prepared
	options  interp.Options // of its runs
	ground   *ground
	rng      *rand.Rand
	chance   *chance
	novelty  *novelty
	states   []*state // the oldest first
	spent    int      // steps, and what else takes time
	newest   int      // what was spent when the last state was kept
	extra    int      // what may be spent while there is something new
	tried    bool     // there were trials since the last failure that was settled
	vain     int      // how often a failing run was found and not believed
	aimless  bool     // for tests: no state is kept
}

// state is a state of the program from which runs go on.
type state struct {
	machine *interp.Machine
	counts  []uint8  // visits, by node
	before  *state   // where the run began that came here, or nil
	script  []answer // and what it chose since then
	picked  int      // how many runs began here
}

// attempt is a failing run.
type attempt struct {
	script []answer
	steps  int
	site   int // number of the property
}

// newTrials prepares for the properties.
func newTrials(prog *core.Program, sites []verdict.Site, seed uint64) *trials {
	rng := rand.New(rand.NewPCG(seed, 0x7472_6961))
	return &trials{
		prepared: interp.Prepare(prog), options: interp.Options{Typed: true}, ground: newGround(prog, sites), rng: rng,
		chance: newChance(interp.NewRandom(prog, seed), rng), novelty: newNovelty(),
	}
}

// search makes trials, of so many steps in all, until one fails. While they keep meeting
// something new, there are more, of extra steps.
func (k *trials) search(ctx context.Context, effort, extra int) *attempt {
	for end := k.spent + effort; ctx.Err() == nil; {
		if k.spent >= end && (k.spent-k.newest >= effort || k.spent >= end+extra) {
			break
		}
		r := k.begin(k.pick())
		if r.explore(4<<k.rng.IntN(5)) == failing {
			return &attempt{script: r.from.whole(k.chance.script), steps: r.steps(), site: r.site}
		}
	}
	return nil
}

// forget takes a property out that is known to fail. A run still ends where it does.
func (k *trials) forget(site verdict.Site) {
	if n, ok := k.ground.nodes[site.Node]; ok {
		s := &k.ground.spots[n]
		s.site, s.label = 0, false
	}
}

// pick chooses a state: one of the last, or one from which not many runs began.
func (k *trials) pick() *state {
	n := len(k.states)
	switch {
	case n == 0, k.rng.IntN(64) == 0:
		return k.initial()
	case k.rng.IntN(2) == 0:
		return k.states[n-1-k.rng.IntN(min(n, 16))]
	}
	best := k.states[k.rng.IntN(n)]
	for range 3 {
		if s := k.states[k.rng.IntN(n)]; s.picked < best.picked {
			best = s
		}
	}
	return best
}

// watched is the options of a run whose comparisons are listened to.
func (k *trials) watched() interp.Options {
	o := k.options
	o.OnCompare = k.compare
	return o
}

// initial is a state in which the program starts.
func (k *trials) initial() *state {
	k.chance.start()
	m := k.prepared.New(k.chance, k.watched())
	k.spent += copyCost + len(k.chance.script)
	return &state{machine: m, counts: make([]uint8, len(k.ground.spots)), script: slices.Clone(k.chance.script)}
}

func (k *trials) compare(c interp.Comparison) {
	k.chance.compare(c)
	k.novelty.compare(c)
}

// keep adds a state, in the place of the one that most runs began in if there are too many.
func (k *trials) keep(s *state) {
	k.newest = k.spent
	if len(k.states) == mostStates {
		worst := 0
		for i, old := range k.states {
			if old.picked > k.states[worst].picked {
				worst = i
			}
		}
		k.states = slices.Delete(k.states, worst, worst+1)
	}
	k.states = append(k.states, s)
}

// whole is what was chosen from the start of the program to s, and more.
func (s *state) whole(more []answer) []answer {
	parts := [][]answer{more}
	for ; s != nil; s = s.before {
		parts = append(parts, s.script)
	}
	slices.Reverse(parts)
	return slices.Concat(parts...)
}

// run is a run under way.
type run struct {
	*trials
	machine *interp.Machine
	counts  []uint8
	from    *state
	proc    *core.Proc // the last one that was seen,
	first   int        // and the number of its first node
	site    int        // where it fails
}

// begin starts a run in s.
func (k *trials) begin(s *state) *run {
	s.picked++
	k.spent += copyCost
	k.chance.start()
	k.novelty.fresh = false
	return &run{trials: k, machine: s.machine.Copy(k.chance), counts: slices.Clone(s.counts), from: s}
}

// ending is how a run ends.
type ending int

const (
	goesOn ending = iota
	over          // or not worth to go on with
	failing
)

// explore goes on until the run fails or is over, or nothing new has come for so many
// choices.
func (r *run) explore(patience int) ending {
	if r.machine.Err() != nil {
		return over
	}
	idle, since := 0, r.machine.Steps()
	for {
		if r.ground.spots[r.node()].chooses {
			idle++
			if r.novelty.fresh {
				r.rest()
				idle, since = 0, r.machine.Steps()
			}
		}
		if n := r.machine.Steps(); idle > patience || n-since > idleSteps || n > longestRun {
			return over
		}
		if end := r.step(); end != goesOn {
			return end
		}
	}
}

// node is the number of the node that runs next.
func (r *run) node() int {
	top := r.machine.Top()
	if p := top.Proc(); p != r.proc {
		r.proc, r.first = p, r.ground.first[p]
	}
	return r.first + top.Node()
}

// steps is how many a run makes that has failed, also if it has come to a label.
func (r *run) steps() int {
	if top := r.machine.Top(); top != nil && r.ground.spots[r.node()].label {
		return r.machine.Steps() + 1
	}
	return r.machine.Steps()
}

// step executes a node.
func (r *run) step() ending {
	at := r.node()
	spot := r.ground.spots[at]
	if spot.label {
		r.site = spot.site - 1
		return failing
	}
	e, err := r.machine.Step()
	r.spent++
	switch {
	case err != nil:
		return over
	case e.Kind == interp.Failed && spot.site > 0:
		r.site = spot.site - 1
		return failing
	case e.Kind.Final():
		return over
	case spot.branch, e.Kind == interp.Entered:
		r.novelty.arrive(r.counts, r.node())
	}
	return goesOn
}

// rest keeps the present state.
func (r *run) rest() {
	r.novelty.fresh = false
	if r.aimless {
		return
	}
	r.spent += copyCost
	r.from = &state{
		machine: r.machine.Copy(nil), counts: slices.Clone(r.counts),
		before: r.from, script: slices.Clone(r.chance.script),
	}
	r.chance.script = r.chance.script[:0]
	r.keep(r.from)
}
