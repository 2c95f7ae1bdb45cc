package interleave

import (
	"encoding/binary"
	"slices"

	"c2bp/checker/summaries"
	"c2bp/checker/zom"
)

// This file computes summaries: depth first, and again where roots depend on each other.

// root is a root that is not completed, or was not when it was used.
type root struct {
	*summaries.Root
	key       string // in level2.open; "" if the procedure is not recursive
	active    int    // its index in level2.active, or -1
	low       int    // the outermost active root on which it depends
	looped    bool   // a root that it depends on depends on it
	done      bool   // it was computed in the present round of the outermost root on which it depends
	completed bool
	atEntry   *summaries.Effect // that the transaction ends there; if it has committed
}

// compute returns the root of a call that no completed one matches.
func (r *reducer) compute(k summaries.Key, t transaction) *root {
	two := r.two
	// 1. A procedure that is not recursive is computed at once.
	if !two.calls.Recursive[k.Proc] {
		x := &root{Root: summaries.NewRoot(k), active: -1}
		two.computed++
		r.run(x, t)
		if !r.halted() {
			if k.Post && len(x.Effects) == 0 {
				panic("interleave: a procedure neither returns nor ends the transaction")
			}
			x.completed = true
			two.index.Add(x.Root)
		}
		return x
	}
	// 2. A recursive one may be computed already, for the same visible state.
	key := r.visible(k, t.process)
	x := two.open[key]
	switch {
	case x == nil:
		x = &root{Root: summaries.NewRoot(k), key: key, active: -1}
		two.open[key] = x
		two.computed++
	case x.active >= 0:
		x.looped = true
		r.lowers(x.active)
		return x
	case x.done:
		r.lowers(x.low)
		return x
	}
	r.rounds(x, t)
	return x
}

// lowers notes that the innermost active root depends on an active one.
func (r *reducer) lowers(to int) {
	if n := len(r.two.active); n > 0 {
		r.two.active[n-1].low = min(r.two.active[n-1].low, to)
	}
}

// rounds computes a root of a recursive procedure. If it depends on none that is still computed, it is completed with
// all that depend on it.
func (r *reducer) rounds(x *root, t transaction) {
	two := r.two
	x.active = len(two.active)
	two.active = append(two.active, x)
	from := len(two.listed)
	two.listed = append(two.listed, x)
	for {
		// 1. A round.
		changes := two.changes
		x.low, x.looped = x.active, false
		r.run(x, t)
		if r.halted() {
			return
		}
		if x.low < x.active {
			break
		}
		// 2. Another one, as long as something is new.
		if !x.looped || two.changes == changes {
			break
		}
		for _, y := range two.listed[from+1:] {
			y.done = false
		}
		two.listed = two.listed[:from+1]
	}
	two.active = two.active[:x.active]
	if x.low < x.active {
		// Those that depend on it depend on what it depends on.
		for _, y := range two.listed[from:] {
			y.low = min(y.low, x.low)
		}
		x.done, x.active = true, -1
		r.lowers(x.low)
		return
	}
	// 3. All that depend on each other are completed.
	x.active = -1
	r.complete(two.listed[from:])
	two.listed = two.listed[:from]
	if len(two.active) == 0 {
		clear(two.open)
	}
}

// complete completes roots that depend on each other. One that begins in phase post and has no effect never returns,
// so that others could not run: it gets an effect at its entry.
func (r *reducer) complete(list []*root) {
	for _, x := range list {
		if x.Post && len(x.Effects) == 0 {
			x.Add(x.atEntry)
		}
		x.completed = true
		r.two.index.Add(x.Root)
		delete(r.two.open, x.key)
	}
}

// run computes the effects of a root from the present state, that of a call.
func (r *reducer) run(x *root, t transaction) {
	two := r.two
	// 1. The invocation.
	a := asker{r, t.process}
	v := &invocation{Invocation: summaries.Begin(r.model.Prog, r.s, t.process, x.Root, a), up: two.inv, root: x, held: r.held, from: len(r.path), visited: map[string]struct{}{}}
	// 2. All paths.
	at := r.now()
	two.inv = v
	if t.post && x.atEntry == nil {
		x.atEntry = r.capture(t, true)
		x.atEntry.Run = len(two.runs)
		two.runs = append(two.runs, nil)
	}
	r.walk(transaction{process: t.process, post: t.post, took: t.took})
	two.inv = v.up
	r.back(at)
}

// visible returns the visible state of a call with all that its behaviour may depend on.
func (r *reducer) visible(k summaries.Key, process int) string {
	c := &r.canon
	c.Visible(r.s, process)
	out := binary.AppendUvarint(slices.Clone(c.Out), uint64(k.Proc))
	// 1. The key, and facts about the objects.
	a := asker{r, process}
	for _, b := range []bool{k.Post, k.Took, k.Alone} {
		out = append(out, byte(truth(b)))
	}
	list := c.Addresses(nil)
	for _, w := range list {
		out = append(out, byte(truth(a.shared(w))), byte(truth(a.fresh(w))))
	}
	// 2. The locks of the globals and of these objects.
	var held []hold
	for _, h := range r.held {
		if h.process != process {
			continue
		}
		if h.obj != zom.Null {
			if h.obj = zom.Word(slices.Index(list, h.obj) + 1); h.obj == 0 {
				continue
			}
		}
		held = append(held, h)
	}
	slices.SortFunc(held, compareHolds)
	for _, h := range held {
		out = binary.AppendUvarint(binary.AppendUvarint(out, uint64(h.location)), uint64(h.obj))
	}
	return string(out)
}
