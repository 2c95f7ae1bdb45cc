package concretise

import (
	"context"
	"math/big"
	"slices"

	"c2bp/frontend/core"
	"c2bp/frontend/core/interp"
	"c2bp/logic"
	"c2bp/refine/algebra"
	"c2bp/refine/cex"
	"c2bp/refine/harness"
)

// This file replays paths that go round in a loop, for the states that come back, and paths to the end of a run. A model
// gives the inputs of the stem and of one or two rounds; the rounds after these get the inputs of the last one again.
//
//	stem    file = malloc()            object 5
//	round   nondet()                   1           ┐ the conditions of the path, and that the
//	        n = nondet()               7           ┘ numbers are the same after a round
//	again   nondet(), n = nondet()     1, 7        no conditions: the run shows whether it goes on so

// Rounds is a path with rounds of a loop.
type Rounds struct {
	Path  *cex.Path
	Heads []int // the steps with which rounds begin: at equal distances, the last one at the end of the path
	Stays bool  // the run ends at the only head, or instead of it
	// Relevant are the variables on which a round depends.
	Relevant map[cex.Slot]bool
}

// Unrepeated is the reason why rounds are not followed although some can be taken.
const Unrepeated = "no run along its path was found that violates it and comes back to a state"

// mostModelled is the number of rounds for which a model is looked for.
const mostModelled = 2

// FollowRounds is Follow for a path with rounds. Watch ends the run where it has seen enough; seen is also asked if the run
// has left the path before.
func (c *Confirmer) FollowRounds(ctx context.Context, r *Rounds, wanted []Wanted, seen func() bool) (run *harness.Recording, why string, err error) {
	if r.Stays {
		return c.followEnd(ctx, r, wanted, seen)
	}
	for n := 1; n <= min(mostModelled, len(r.Heads)-1); n++ {
		// 1. The path up to the head after n rounds, if possible with the same numbers there as one round before.
		from, to := r.Heads[n-1], r.Heads[n]
		p := &cex.Path{Steps: r.Path.Steps[:to+1], Stops: true}
		same := sameNumbers(p, from, to, r.Relevant)
		var all []Wanted
		for _, w := range wanted {
			all = append(all, func(x *cex.Execution, step int) { w(x, step); same(x, step) })
		}
		all = append(append(all, same), wanted...)
		// 2. A run along all rounds.
		found, reason, err := c.follow(ctx, p, all, func(f cex.Feasibility, e *environment) (*Witness, error) {
			w, err := c.replayRounds(r.Path, to, to-from, f, e)
			if seen() {
				return w, nil
			}
			return nil, err
		})
		if found != nil || err != nil {
			return found, "", err
		}
		if reason == unfound || reason == infeasible && n > 1 {
			reason = Unrepeated
		}
		if why = reason; why != Unrepeated {
			break
		}
	}
	return nil, why, nil
}

// sameNumbers wants the relevant numbers that a round assigns to variables to be the same before two steps of a path.
func sameNumbers(p *cex.Path, from, to int, relevant map[cex.Slot]bool) Wanted {
	list := slices.DeleteFunc(assignedNumbers(p, from, to), func(at cex.Slot) bool {
		return !at.Var.InMemory() && !relevant[cex.SlotOf(at.Frame, at.Var)]
	})
	var before []*logic.Term
	return func(x *cex.Execution, step int) {
		if step != from && step != to {
			return
		}
		var now []*logic.Term
		for i, v := range list {
			now = append(now, x.Eval(v.Frame, step, v.Var.Ref()))
			if step == to {
				x.Conds = append(x.Conds, cex.Condition{Step: step, Term: x.Table.Eq(before[i], now[i])})
			}
		}
		before = now
	}
}

// assignedNumbers lists the numbers in variables of the activations under way at step from, and in globals, to which the
// steps up to another one assign.
func assignedNumbers(p *cex.Path, from, to int) (list []cex.Slot) {
	inSight := map[*cex.Frame]bool{}
	for f := p.Steps[from].Frame; f != nil; f = f.Caller {
		inSight[f] = true
	}
	for _, s := range p.Steps[from:to] {
		for _, l := range core.Destinations(s.Stmt()) {
			v := algebra.Variable(l)
			if v == nil || !algebra.IsScalar(v.Type) || v.Kind != core.Global && !inSight[s.Frame] {
				continue
			}
			at := cex.Slot{Frame: s.Frame, Var: v}
			known := func(w cex.Slot) bool { return cex.SlotOf(w.Frame, w.Var) == cex.SlotOf(at.Frame, v) }
			if _, isPointer := v.Type.(core.Ptr); !isPointer && !slices.ContainsFunc(list, known) {
				list = append(list, at)
			}
		}
	}
	return list
}

// replayRounds replays a path with the inputs of a model of its steps before from, and after these with those that were
// given a number of steps before.
func (c *Confirmer) replayRounds(p *cex.Path, from, round int, f cex.Feasibility, e *environment) (*Witness, error) {
	options := c.RunOptions()
	options.Renamed = true
	formulas := cex.Terms(f.Exec.Conds)
	if e != nil {
		formulas = append(append(formulas, f.Exec.Accessed...), f.Exec.Bases...)
	}
	model := newReplayer(p, f, e, formulas)
	again := &repeater{replayer: &model, from: from, round: round, values: map[request]*big.Int{}, writes: map[int][]interp.Write{}}
	again.watch = c.Watch
	run := c.newWitness(again, options)
	return run, c.play(again.replayer, run)
}

// repeater makes the choices of a replayer, and of the steps after the model those of a round before.
type repeater struct {
	*replayer
	from, round int
	last        request
	values      map[request]*big.Int
	writes      map[int][]interp.Write // by step
}

// request is one of the requests for a value that a step makes, in order.
type request struct{ step, n int }

// Value returns the value of the same request one round before, if there was one and it is possible.
func (r *repeater) Value(q interp.Request) *big.Int {
	if r.last.step != r.at {
		r.last = request{step: r.at}
	}
	r.last.n++
	before := request{r.at - r.round, r.last.n}
	v, known := r.values[before]
	if r.at < r.from || !known || !q.Type.Contains(v) || q.Hides(v) {
		v = r.replayer.Value(q)
	}
	r.values[r.last] = v
	return v
}

// External returns the writes of the same call one round before, as far as they are possible.
func (r *repeater) External(c interp.ExternalCall) []interp.Write {
	list := r.replayer.External(c)
	if r.at >= r.from {
		list = slices.DeleteFunc(slices.Clone(r.writes[r.at-r.round]), func(w interp.Write) bool {
			o := r.machine.Object(w.Addr)
			return o == nil || !slices.Contains(c.All(), o) || w.Addr+uint64(w.Size) > o.Start()+uint64(o.Size())
		})
	}
	r.writes[r.at] = list
	return list
}

// followEnd follows a path to the end of a run.
func (c *Confirmer) followEnd(ctx context.Context, r *Rounds, wanted []Wanted, seen func() bool) (*harness.Recording, string, error) {
	return c.follow(ctx, r.Path, wanted, func(f cex.Feasibility, e *environment) (*Witness, error) {
		w, err := c.replay(r.Path, f, e)
		if err != nil || !r.Path.Fails && !ends(w) || !seen() {
			return nil, err
		}
		return w, nil
	})
}

// ends reports whether a run that has come to the last step of a path ends there: the program returns, or exits.
func ends(w *Witness) bool {
	f := w.Rec.Machine().Top()
	exits := f.Proc().Nodes[f.Node()].Ends
	ev, err := w.Rec.Step()
	return err == nil && (ev.Kind == interp.Finished || ev.Kind == interp.Blocked && exits)
}
