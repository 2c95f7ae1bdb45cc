package fuzz

import (
	"context"
	"math/rand/v2"
	"slices"

	"c2bp/frontend/core"
	"c2bp/frontend/core/interp"
	"c2bp/verdict"
)

// This file explores the states of a program. When a run adds coverage, the state in which it next
// asks for an input is kept, and other runs continue from there. So a rare event has to happen only
// once: a ring is filled one entry after the other, and a run that adds an entry does not have to
// add all previous ones.

// Bounds of runs, in steps.
const (
	MaxRun    = 50_000 // from the start of the program
	StateCost = 50     // what it takes to copy a state

	maxIdle   = 3000 // without anything new
	maxStates = 1024 // kept
)

// Campaign explores a program: runs, the states that they left, and the coverage so far.
// The seed determines all its choices.
type Campaign struct {
	prepared *interp.Prepared
	options  interp.Options // of its runs
	targets  *targets
	rng      *rand.Rand
	inputs   *inputs
	coverage *coverage
	states   []*state // the oldest first
	spent    int      // steps, and what else takes time
	newest   int      // what was spent when the last state was kept
	unguided bool     // for tests: no state is kept
}

// state is a state of the program in which runs begin.
// States form a tree: the scripts from the root to a state are the choices since the start of the
// program.
type state struct {
	machine *interp.Machine
	counts  []uint8  // visits, by node
	before  *state   // where the run began that came here, or nil
	script  []choice // and what it chose since then
	picked  int      // how many runs began here
	once    bool     // a single run begins here, and may use up the machine
}

// Crash is a failing run, as a script of its choices.
// It does not depend on the campaign: [Campaign.Choices] replays it in any interpreter.
type Crash struct {
	Steps  int
	Site   int // position of the property in the list that New got
	script []choice
}

// New prepares a campaign against the properties sites of prog; options are those of all runs.
func New(prog *core.Program, sites []verdict.Site, seed uint64, options interp.Options) *Campaign {
	rng := rand.New(rand.NewPCG(seed, 0x7472_6961))
	return &Campaign{
		prepared: interp.Prepare(prog), options: options, targets: newTargets(prog, sites), rng: rng,
		inputs: newInputs(interp.NewRandom(prog, seed), rng), coverage: newCoverage(),
	}
}

// Avoid lets runs take none of the ways that begin at the nodes for whose names avoid holds, where others are open: a failing
// run with such a way would be in doubt.
func (k *Campaign) Avoid(prog *core.Program, avoid func(node string) bool) {
	k.inputs.avoided = map[*core.Node]bool{}
	for _, p := range prog.Procs {
		for i, n := range p.Nodes {
			if avoid(p.NodeID(i)) {
				k.inputs.avoided[n] = true
			}
		}
	}
}

// Spent returns the cost of the campaign so far, in steps.
func (k *Campaign) Spent() int { return k.spent }

// Search makes runs until one fails, and returns that, or nil. The runs take effort steps in total
// and, as long as they keep adding coverage, up to extra more.
func (k *Campaign) Search(ctx context.Context, effort, extra int) *Crash {
	for end := k.spent + effort; ctx.Err() == nil; {
		if k.spent >= end && (k.spent-k.newest >= effort || k.spent >= end+extra) {
			break
		}
		// Patience varies from 4 to 64 choices.
		r := k.begin(k.pick())
		if r.explore(4<<k.rng.IntN(5)) == failing {
			return &Crash{script: r.from.whole(k.inputs.script), Steps: r.steps(), Site: r.site}
		}
	}
	return nil
}

// Forget removes a property that is known to fail. Runs still end where it fails.
func (k *Campaign) Forget(site verdict.Site) {
	if n, ok := k.targets.numbers[site.Node]; ok {
		s := &k.targets.nodes[n]
		s.site, s.label = 0, false
	}
}

// pick chooses a state: one of the latest, or one in which few runs began.
func (k *Campaign) pick() *state {
	n := len(k.states)
	// 1. Now and then, and at first, the start of the program.
	switch {
	case n == 0, k.rng.IntN(64) == 0:
		return k.initial()
	// 2. In half of the cases, one of the latest 16.
	case k.rng.IntN(2) == 0:
		return k.states[n-1-k.rng.IntN(min(n, 16))]
	}
	// 3. Else the least used of four random ones.
	best := k.states[k.rng.IntN(n)]
	for range 3 {
		if s := k.states[k.rng.IntN(n)]; s.picked < best.picked {
			best = s
		}
	}
	return best
}

// watched returns the options of a run whose comparisons are observed.
func (k *Campaign) watched() interp.Options {
	o := k.options
	o.OnCompare = k.compare
	return o
}

// Start returns a run at its beginning, with choices as in the campaign's runs. The caller owns it
// and makes its steps.
func (k *Campaign) Start() *interp.Machine {
	k.inputs.start()
	return k.prepared.New(k.inputs, k.watched())
}

// initial returns a state in which the program starts.
func (k *Campaign) initial() *state {
	m := k.Start()
	k.spent += StateCost + len(k.inputs.script)
	return &state{machine: m, counts: make([]uint8, len(k.targets.nodes)), script: slices.Clone(k.inputs.script), once: true}
}

// compare passes a comparison to the inputs, which learn values from it, and to the coverage.
func (k *Campaign) compare(c interp.Comparison) {
	k.inputs.compare(c)
	k.coverage.compare(c)
}

// keep adds a state; if there are too many, it replaces the state in which most runs began.
func (k *Campaign) keep(s *state) {
	k.newest = k.spent
	if len(k.states) == maxStates {
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

// whole returns the choices from the start of the program to s, and then more.
func (s *state) whole(more []choice) []choice {
	parts := [][]choice{more}
	for ; s != nil; s = s.before {
		parts = append(parts, s.script)
	}
	slices.Reverse(parts)
	return slices.Concat(parts...)
}

// run is a run in progress.
type run struct {
	*Campaign
	machine *interp.Machine
	counts  []uint8
	from    *state
	proc    *core.Proc // the last one that was seen,
	first   int        // and the number of its first node
	site    int        // where it fails
}

// begin starts a run in s.
func (k *Campaign) begin(s *state) *run {
	s.picked++
	k.spent += StateCost
	k.inputs.start()
	k.coverage.fresh = false
	r := &run{Campaign: k, machine: s.machine, counts: s.counts, from: s}
	if !s.once {
		r.machine, r.counts = s.machine.Copy(k.inputs), slices.Clone(s.counts)
	}
	return r
}

// ending is the outcome of a step or a run.
type ending int

const (
	goesOn ending = iota
	over          // or not worth to go on with
	failing
)

// explore continues until the run fails or is over, or has added no coverage for patience choices.
func (r *run) explore(patience int) ending {
	if r.machine.Err() != nil {
		return over
	}
	idle, since := 0, r.machine.Steps()
	for {
		// 1. Before a choice, keep the state if there is new coverage.
		if r.targets.nodes[r.node()].chooses {
			idle++
			if r.coverage.fresh {
				r.rest()
				idle, since = 0, r.machine.Steps()
			}
		}
		// 2. Give up a run that is idle or too long.
		if n := r.machine.Steps(); idle > patience || n-since > maxIdle || n > MaxRun {
			return over
		}
		// 3. Execute a node.
		if end := r.step(); end != goesOn {
			return end
		}
	}
}

// node returns the number of the next node. It remembers the procedure: most steps stay in one.
func (r *run) node() int {
	top := r.machine.Top()
	if p := top.Proc(); p != r.proc {
		r.proc, r.first = p, r.targets.first[p]
	}
	return r.first + top.Node()
}

// steps returns the number of steps of a failed run, counting the label at which it failed.
func (r *run) steps() int {
	if top := r.machine.Top(); top != nil && r.targets.nodes[r.node()].label {
		return r.machine.Steps() + 1
	}
	return r.machine.Steps()
}

// step executes a node, and records coverage after branches and calls.
func (r *run) step() ending {
	at := r.node()
	target := r.targets.nodes[at]
	// 1. A label fails when it is reached.
	if target.label {
		r.site = target.site - 1
		return failing
	}
	// 2. An assertion fails when it is executed.
	e, err := r.machine.Step()
	r.spent++
	switch {
	case err != nil:
		return over
	case e.Kind == interp.Failed && target.site > 0:
		r.site = target.site - 1
		return failing
	case e.Kind.Final():
		return over
	case target.branch, e.Kind == interp.Entered:
		r.coverage.arrive(r.counts, r.node())
	}
	return goesOn
}

// rest keeps the present state, and continues from it.
func (r *run) rest() {
	r.coverage.fresh = false
	if r.unguided {
		return
	}
	r.spent += StateCost
	r.from = &state{
		machine: r.machine.Copy(nil), counts: slices.Clone(r.counts),
		before: r.from, script: slices.Clone(r.inputs.script),
	}
	r.inputs.script = r.inputs.script[:0]
	r.keep(r.from)
}
