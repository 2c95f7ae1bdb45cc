package interleave

import (
	"encoding/binary"
	"slices"

	"c2bp/checker/movers"
	"c2bp/checker/summaries"
	"c2bp/checker/zom"
)

// This file uses summaries of the procedures that a transaction calls (Qadeer–Rajamani–Rehof 2004; Andrews et al. 2004,
// §3.2); see package summaries. fixpoint.go computes them, facts.go tells what they depend on.

// level2 is the part of a reducer for summaries.
type level2 struct {
	calls  *movers.Calls
	may    []bool           // by procedure: its calls are summarised
	index  *summaries.Index // completed roots
	open   map[string]*root // the others, of recursive procedures, by the visible state at the entry
	active []*root          // those of open that are computed, the outermost first
	listed []*root          // those that will be completed together with an active one, in the order of their begin

	inv    *invocation // the innermost invocation that is computed; nil at level 1
	shared []bool      // by address-1: others could reach the object at the call at level 1; see reach
	known  bool        // shared is up to date
	runs   [][]byte    // of effects: the moves, by number; see encode

	changes int // effects and facts that were added

	computed, lookups, found, states int
}

// invocation is an invocation that is computed.
type invocation struct {
	*summaries.Invocation
	up      *invocation
	root    *root
	held    []hold // at the entry
	from    int    // the length of the run at the entry
	visited map[string]struct{}
}

// used is a root that a call uses.
type used struct {
	root  *summaries.Root
	cells []zom.Word
	bound int // elements of the pattern whose objects are in cells
	noted int // elements that were noted in the caller
	open  bool
}

// newLevel2 returns the part for summaries, with nothing computed.
func (r *reducer) newLevel2() *level2 {
	l := &level2{calls: r.facts.Calls(), index: summaries.NewIndex(r.model.Prog), open: map[string]*root{}}
	usable := !r.opts.Cooperative && !r.ranks && !r.model.Prog.Handles()
	for i, p := range r.model.Prog.Procs {
		l.may = append(l.may, usable && !l.calls.Creates[i] && !l.calls.Returns[i][p.Entry])
	}
	return l
}

// summarised reports whether the process, which has just entered a procedure, uses its summary.
func (r *reducer) summarised(process int) bool {
	return r.two != nil && r.two.may[r.s.Top(process).Proc]
}

// returns reports whether the next step of a process may leave the procedure that is summarised.
func (r *reducer) returns(process int) bool {
	v := r.inv()
	if v == nil || len(r.s.Procs[process].Frames)-1 != v.Base {
		return false
	}
	f := r.s.Top(process)
	return r.two.calls.Returns[f.Proc][f.PC]
}

// inv returns the invocation that is computed, or nil.
func (r *reducer) inv() *invocation {
	if r.two == nil {
		return nil
	}
	return r.two.inv
}

// call goes on with a transaction that has just entered a procedure, to all its ends. If there is one way only, it
// returns the transaction after the call and true, and the caller goes on.
func (r *reducer) call(t transaction) (transaction, bool) {
	t.entered = false
	if r.deep(t.process) {
		return t, false
	}
	if r.inv() == nil {
		r.two.known = false
	}
	u := r.use(t)
	if r.halted() {
		return t, false
	}
	r.depends(t.process, &u)
	if !u.open && len(u.root.Effects) == 1 && !u.root.Effects[0].Ends {
		return r.resume(t, &u, u.root.Effects[0]), true
	}
	// The effects of a root that is still computed become more meanwhile.
	at := r.now()
	for i := 0; i < len(u.root.Effects) && !r.halted(); i++ {
		r.depends(t.process, &u)
		e := u.root.Effects[i]
		r.two.known = r.two.known && r.inv() != nil // calls after the former effect have changed it
		after := r.resume(t, &u, e)
		switch {
		case r.deep(t.process):
			return t, false
		case e.Ends:
			r.boundaryOf(after)
		case r.remember(after):
			r.walk(after)
		}
		r.back(at)
	}
	return t, false
}

// reach finds the objects that others can reach at a call at level 1, before the state changes.
func (r *reducer) reach(process int) {
	if r.inv() == nil && !r.two.known {
		r.two.shared, r.two.known = r.s.Reach(r.two.shared, process), true
	}
}

// use returns the root of a call, computed if need be.
func (r *reducer) use(t transaction) used {
	k := r.keyOf(t)
	r.two.lookups++
	if x, cells := r.two.index.Find(k, r.s, t.process, asker{r, t.process}); x != nil {
		r.two.found++
		return used{root: x, cells: cells, bound: len(x.Pattern)}
	}
	r.reach(t.process)
	x := r.compute(k, t)
	if r.halted() {
		return used{}
	}
	return used{root: x.Root, open: !x.completed}
}

// keyOf returns the key of the root of a call.
func (r *reducer) keyOf(t transaction) summaries.Key {
	k := summaries.Key{Proc: int(r.s.Top(t.process).Proc), Post: t.post, Took: t.took, Alone: len(r.s.Procs) < 2, Self: -1}
	if r.two.calls.Asks[k.Proc] {
		k.Self = t.process
	}
	return k
}

// resume makes the present state, that of a call, the one after an effect.
func (r *reducer) resume(t transaction, u *used, e *summaries.Effect) transaction {
	objects := r.s.News()
	if e.Published {
		r.reach(t.process)
	}
	c := e.Apply(r.model.Prog, r.s, t.process, u.cells)
	// 1. The locks.
	held := slices.Clone(r.held)
	for _, h := range c.Released {
		held = without(held, hold{t.process, h.Location, h.Obj})
	}
	for _, h := range c.Taken {
		held = append(held, hold{t.process, h.Location, h.Obj})
	}
	r.held = held
	// 2. The path.
	if v := r.inv(); v != nil {
		for _, at := range c.Writes {
			v.Write(at)
		}
		v.Published = v.Published || e.Published
	} else {
		r.fresh = r.freshAfter(objects, e.Published)
	}
	r.path = append(r.path, Move{t.process, hop(e.Run)})
	t.post, t.took = e.Post, e.Took
	return t
}

// freshAfter returns the objects that no second process could reach so far, after an effect at level 1; so many
// objects were there before.
func (r *reducer) freshAfter(objects int, published bool) (list []zom.Word) {
	alone := len(r.s.Procs) < 2
	for _, w := range r.fresh {
		// Those in the hands of other processes stay: the procedure has no way to them.
		if alone || !published || r.two.shared[w-1] {
			list = append(list, w)
		}
	}
	if alone || !published {
		for w := zom.Word(objects + 1); w <= zom.Word(r.s.News()); w++ {
			list = append(list, w)
		}
	}
	return list
}

// boundaryOf ends a transaction in the present state: at level 1 with a boundary, else with an effect.
func (r *reducer) boundaryOf(t transaction) {
	if r.inv() == nil {
		r.boundary()
		return
	}
	r.effect(t, true)
}

// effect adds the effect of the path to the present state to the root that is computed.
func (r *reducer) effect(t transaction, ends bool) {
	v := r.inv()
	e := r.capture(t, ends)
	if v.Root.Add(e) {
		r.two.changes++
		r.two.states++
		e.Run = len(r.two.runs)
		r.two.runs = append(r.two.runs, encode(r.path[v.from:]))
	}
}

// capture returns the effect of the path to the present state.
func (r *reducer) capture(t transaction, ends bool) *summaries.Effect {
	v := r.inv()
	return v.Capture(r.s, ends, t.post, t.took, holdsOf(v.held, t.process), holdsOf(r.held, t.process))
}

// holdsOf returns the locks that a process holds.
func holdsOf(list []hold, process int) (out []summaries.Hold) {
	for _, h := range list {
		if h.process == process {
			out = append(out, summaries.Hold{Location: h.location, Obj: h.obj})
		}
	}
	return out
}

// rememberInside is remember for a path in an invocation.
func (r *reducer) rememberInside(t transaction) bool {
	v := r.inv()
	form := r.capture(t, false).Form(nil)
	for _, h := range t.heads {
		form = binary.AppendUvarint(form, uint64(h))
	}
	if _, old := v.visited[string(form)]; old {
		return false
	}
	v.visited[string(form)] = struct{}{}
	r.two.states++
	return true
}
