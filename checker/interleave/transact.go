package interleave

import (
	"encoding/binary"
	"slices"

	"c2bp/checker/summaries"
	"c2bp/checker/zom"
)

// This file makes transactions.

// transaction is a place in a transaction: what must be known beside the state to go on.
type transaction struct {
	process int
	post    bool
	took    bool    // a lock was taken
	heads   []int32 // in phase post: those that were met since the commit, sorted; changed by copying
	entered bool    // the last step was a call
}

// leaf is one end of a step: the alternatives that lead to it, and what has happened.
type leaf struct {
	picks   []int32
	outcome zom.Outcome
	held    []hold
	fresh   []zom.Word
	took    bool
	heads   []int32
	path    summaries.Path // in an invocation
}

// walk goes on with a transaction from the present state, to all its ends.
func (r *reducer) walk(t transaction) {
	for first := true; !r.halted(); first = false {
		// 1. A summary takes the place of the steps of a call. The step that returns is made by the caller.
		if t.entered && r.summarised(t.process) {
			more := false
			if t, more = r.call(t); !more {
				return
			}
		}
		if r.returns(t.process) {
			r.effect(t, false)
			return
		}
		// 2. Does it end before the next step?
		if len(r.path) > 0 || !first || r.inv() != nil {
			if r.statusInside(t.process) != zom.Runnable {
				r.boundaryOf(t)
				return
			}
			if t.took && !t.post && !r.opts.NoDeadlocks && r.canWait(t.process) {
				r.boundaryOf(t)
				return
			}
		}
		at, frames := r.now(), len(r.s.Procs[t.process].Frames)
		kind, leaves, made := r.step(t.process)
		if r.table.shrunk || r.over() {
			return
		}
		if t.post && (kind&zom.LeftMover == 0 || slices.ContainsFunc(leaves, func(l leaf) bool { return l.outcome != zom.Stepped })) {
			r.back(at)
			r.boundaryOf(t)
			return
		}
		// 3. Go on from each end of the step, the last one in this loop.
		if !made {
			r.back(at)
		}
		for i := range leaves {
			l := &leaves[i]
			if l.outcome != zom.Stepped {
				if l.outcome == zom.Ended {
					r.r.Pruned++
				}
				continue
			}
			r.apply(t.process, l, made)
			if after, more := r.advance(t, kind, l, len(leaves)); more {
				after.entered = len(r.s.Procs[t.process].Frames) > frames
				if r.two != nil && after.entered && r.deep(t.process) {
					return
				}
				if len(leaves) == 1 {
					t = after
					break
				}
				r.walk(after)
			}
			if len(leaves) == 1 {
				return
			}
			r.back(at)
		}
		if len(leaves) != 1 || leaves[0].outcome != zom.Stepped {
			return
		}
	}
}

// advance returns the transaction after a step with so many ends, one of which was taken, and whether it goes on.
func (r *reducer) advance(t transaction, kind zom.Mover, l *leaf, ends int) (transaction, bool) {
	was := t.post
	t.post, t.took = t.post || kind&zom.RightMover == 0, t.took || l.took
	// 1. In phase post, each cycle ends at a head.
	if t.post {
		if was && slices.ContainsFunc(l.heads, func(h int32) bool { return slices.Contains(t.heads, h) }) {
			r.boundaryOf(t)
			return t, false
		}
		for _, h := range l.heads {
			if i, found := slices.BinarySearch(t.heads, h); !found {
				t.heads = slices.Insert(slices.Clone(t.heads), i, h)
			}
		}
	}
	// 2. Was the transaction here before?
	if ends == 1 && len(l.heads) == 0 {
		return t, true
	}
	return t, r.remember(t)
}

// remember stores the present state inside a transaction, and reports whether it is new.
func (r *reducer) remember(t transaction) bool {
	if r.inv() != nil {
		return r.rememberInside(t)
	}
	flags := uint64(0)
	if t.post {
		flags |= 1
	}
	if t.took {
		flags |= 2
	}
	key := binary.AppendUvarint(nil, uint64(t.process)<<2|flags)
	for _, h := range t.heads {
		key = binary.AppendUvarint(key, uint64(h))
	}
	r.form(key)
	_, isNew := r.inside.add(r.canon.Out, r.canon.Cuts, none)
	return isNew
}

// canWait reports whether a process stands at a select.
func (r *reducer) canWait(process int) bool {
	f := r.s.Top(process)
	return r.model.Prog.Procs[f.Proc].Blocks[f.PC].Wait >= 0
}

// step makes the next step of a process for its type and its ends. Unless it has one end and is made, it is undone.
func (r *reducer) step(process int) (kind zom.Mover, leaves []leaf, made bool) {
	r.o.begin(process, false, r.held)
	r.m.Observed = r.o.see
	made = r.alternatives(process, nil, -1, &leaves)
	r.m.Observed = nil
	return r.o.kind, leaves, made
}

// alternatives makes a step, or goes on with it by an alternative, and adds its ends. If there is one only, and the
// step neither fails nor is cut, the present state is that end, and it reports true.
func (r *reducer) alternatives(process int, picks []int32, pick int32, leaves *[]leaf) (made bool) {
	mark := r.s.Mark()
	r.r.Transitions++
	out := r.m.Step(r.s, process, pick)
	switch {
	case out == zom.Stepped && r.s.Pending != 0:
		// All alternatives; what happened so far has happened in each of them.
		o := r.o
		observed := r.m.Observed
		r.m.Observed = nil
		n := r.m.Alternatives(r.s)
		r.m.Observed = observed
		path := r.now().path
		for k := range n {
			if v := r.inv(); v != nil {
				v.Path = path
			}
			r.o.held, r.o.tested, r.o.heads, r.o.took, r.o.acquire = o.held, o.tested, o.heads, o.took, o.acquire
			r.alternatives(process, append(picks[:len(picks):len(picks)], k), k, leaves)
		}
	default:
		r.o.end()
		l := leaf{picks: picks, outcome: out, held: r.o.held, took: r.o.took, heads: r.o.heads}
		switch {
		case r.inv() != nil:
			l.fresh, l.path = r.fresh, r.inv().Mark()
		case out == zom.Stepped:
			l.fresh = r.o.fresh()
		}
		*leaves = append(*leaves, l)
		if out != zom.Stepped && out != zom.Ended {
			r.fail(Failure{Kind: Step, Outcome: out, Node: r.m.Record.Node, Process: process}, func() []Move {
				return moves(r.expand(r.way(r.from), encode(r.path)), process, picks)
			})
		}
	}
	if made = out == zom.Stepped && pick < 0 && r.s.Pending == 0; !made {
		r.s.Undo(mark)
	}
	return made
}

// moves appends the moves of a step: its start, and its alternatives.
func moves(list []Move, process int, picks []int32) []Move {
	list = append(list, Move{process, -1})
	for _, k := range picks {
		list = append(list, Move{process, k})
	}
	return list
}

// apply makes a step again, to one of its ends, unless it is made.
func (r *reducer) apply(process int, l *leaf, made bool) {
	n := len(r.path)
	r.path = moves(r.path, process, l.picks)
	for _, mv := range r.path[n:] {
		if !made && r.m.Step(r.s, process, mv.Pick) != zom.Stepped {
			panic("interleave: a step made again fails")
		}
	}
	r.held, r.fresh = l.held, l.fresh
	if v := r.inv(); v != nil {
		v.Path = l.path
	}
}
