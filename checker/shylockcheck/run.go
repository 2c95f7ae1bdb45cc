package shylockcheck

import "slices"

// This file writes out runs.

// action is a step of a run.
type action struct {
	point, move int   // -1 for a return
	after       *Heap // the heap after it
	collapsed   bool  // a call with the run of the callee up to its return
}

// DefaultSteps is the most steps to which a run is written out. In longer ones calls that have returned are one step.
const DefaultSteps = 10_000

// run returns a shortest run to a fact.
func (r *search) run(f *fact) []action {
	expand := f.length <= DefaultSteps
	// From the fact backwards, over the calls that have not returned.
	list := r.inside(f, expand)
	for in := f.in; in.first != nil; in = in.first.in {
		c := in.first
		list = slices.Concat(r.inside(c.fact, expand), []action{{c.symbol, c.by, r.heaps[in.loc], false}}, list)
	}
	return list
}

// inside returns the run to a fact from the beginning of its invocation.
func (r *search) inside(f *fact, expand bool) (list []action) {
	var chain []*fact
	for ; f.from != nil; f = f.from {
		chain = append(chain, f)
	}
	for _, f := range slices.Backward(chain) {
		after := r.heaps[f.loc]
		switch {
		case f.exit == nil:
			list = append(list, action{f.from.symbol, f.move, after, false})
			continue
		case expand:
			list = append(list, action{f.from.symbol, f.move, r.heaps[f.exit.in.loc], false})
			list = append(list, r.inside(f.exit, true)...)
		default:
			list = append(list, action{f.from.symbol, f.move, r.heaps[f.exit.loc], true})
		}
		list = append(list, action{-1, -1, after, false})
	}
	return list
}

// runBeyond returns a run to ⊤.
func (r *search) runBeyond() []action {
	list := r.run(r.beyond)
	if r.top.move < 0 {
		// Its last step is the return that leads there.
		list[len(list)-1].after = r.top.top
		return list
	}
	return append(list, action{r.beyond.symbol, r.top.move, r.top.top, false})
}
