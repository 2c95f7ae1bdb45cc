package families

// This file computes the inputs that lead to an exit of a procedure.

// witness returns the inputs of a run without errors up to the exit x. Its status is returned to
// the main loop without further inputs.
func (d *driver) witness(x *exit) []int64 {
	for i, h := range d.handlers() {
		if way, ok := wayTo(h, x.worker, map[*worker]bool{}); ok {
			return inputs([]int64{int64(i + 1), 0}, append(way, x.way...))
		}
	}
	panic("families: nothing calls " + x.worker.name)
}

// wayTo returns the path from the entry of w to the entry of target, by depth-first search.
func wayTo(w, target *worker, seen map[*worker]bool) ([]event, bool) {
	if w == target {
		return nil, true
	}
	if seen[w] {
		return nil, false
	}
	seen[w] = true
	for _, c := range w.calls {
		// The inputs before the call, then those in the callee.
		if rest, ok := wayTo(c.to, target, seen); ok {
			return append(append([]event{}, c.way...), rest...), true
		}
	}
	return nil, false
}

// inputs appends the inputs of a path to before: those of the calls on it are of runs without
// errors.
func inputs(before []int64, way []event) []int64 {
	for _, e := range way {
		// A call that succeeds has the inputs of its run without errors.
		if e.call != nil {
			before = inputs(before, e.call.good)
		} else {
			before = append(before, e.input)
		}
	}
	return before
}
