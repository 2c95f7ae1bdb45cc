package threads

import (
	"context"
	"fmt"

	"c2bp/boolprog"
	"c2bp/checker/explicit"
	"c2bp/checker/zom"
)

// This file defines the searches.

// search is the state of a search.
type search struct {
	graph *boolprog.Graph
	prog  *zom.Program
	opts  Options

	m       *zom.Machine
	s       *zom.State
	canon   zom.Canon
	places  [][]where        // by procedure and pc
	visited []explicit.Point // by the step under way

	ids    map[string]int32 // by form
	keys   []string         // the forms, by number of the state
	moves  []arrival        // likewise: the step that reached it first
	bytes  int              // length of all forms
	buffer []byte           // memory for load

	reached, failed, nulls [][]arrival // by procedure and node: the first step to do so

	steps int64
	most  int    // the greatest number of threads that have not ended
	open  string // a limit that was reached
}

// run searches.
func (r *Result) run(ctx context.Context) error {
	// 1. The start: main in thread 0.
	r.s.Start(r.prog.Main)
	r.write(0)
	r.add(arrival{from: nowhere})
	r.most = 1
	// 2. The search.
	var err error
	if r.opts.Contexts == nil {
		err = r.breadth(ctx)
	} else {
		err = r.bounded(ctx, *r.opts.Contexts)
	}
	if r.Open == "" {
		r.Open = r.open
	}
	return err
}

// breadth makes the steps of all threads from all states, in the order in which they were reached.
func (x *search) breadth(ctx context.Context) error {
	return x.each(ctx, 0, nil, func(id int32) { x.expand(id, anyThread, x.reach) })
}

// bounded explores the runs with at most so many switches. The states are reached in layers: first those
// without a switch, then those with one more. In a layer, the thread that made the last step goes on; only when
// all its states are known, a step of another thread leads to the next layer.
func (r *Result) bounded(ctx context.Context, most int) error {
	from := int32(0)
	for n := 0; ; n++ {
		// 1. Without a switch. The layer grows meanwhile.
		if err := r.each(ctx, from, nil, func(id int32) { r.expand(id, lastThread, r.reach) }); err != nil {
			return err
		}
		to := int32(len(r.keys))
		if from < to {
			r.Switches = n
		}
		// 2. With one more, unless the bound is met: then, is there something that is left out?
		step := r.reach
		if n == most {
			step = r.leftOut
		}
		if err := r.each(ctx, from, &to, func(id int32) { r.expand(id, otherThread, step) }); err != nil {
			return err
		}
		if n == most || to == int32(len(r.keys)) {
			return nil
		}
		from = to
	}
}

// Which threads make a step.
func anyThread(int, int) bool           { return true }
func lastThread(thread, last int) bool  { return thread == last }
func otherThread(thread, last int) bool { return thread != last }

// each calls visit for the states from one number on up to another one, or to the last one, which may come
// meanwhile. It ends when a limit is reached, and fails with ctx.Err().
func (x *search) each(ctx context.Context, from int32, to *int32, visit func(id int32)) error {
	for id := from; int(id) < len(x.keys) && (to == nil || id < *to) && x.open == ""; id++ {
		if id%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		visit(id)
	}
	return nil
}

// reach notes a step, and the state to which it leads.
func (x *search) reach(by arrival, o zom.Outcome) {
	for _, at := range x.found(by, o) {
		if at.from == nowhere {
			*at = by
		}
	}
	if o != zom.Stepped {
		return
	}
	x.write(int(by.thread))
	if x.add(by) {
		x.most = max(x.most, len(x.s.Procs))
		x.open = x.limit(int(by.thread))
	}
}

// leftOut notes that the bound leaves something out, if a step that exceeds it leads to something new.
func (r *Result) leftOut(by arrival, o zom.Outcome) {
	isNew := false
	for _, at := range r.found(by, o) {
		isNew = isNew || at.from == nowhere
	}
	if o == zom.Stepped && !isNew {
		r.write(int(by.thread))
		_, known := r.ids[string(r.canon.Out)]
		isNew = !known
	}
	if isNew {
		r.Open = fmt.Sprintf("bound of %d context switches", *r.opts.Contexts)
		if *r.opts.Contexts == 1 {
			r.Open = "bound of 1 context switch"
		}
		r.open = r.Open // nothing more is asked
	}
}
