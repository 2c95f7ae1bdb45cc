package families

// This file finds the inputs that lead to an exit of a procedure.

// witness returns the inputs of a run in which all goes well until the exit x is
// taken. Its status goes up to the main loop without further inputs.
func (d *driver) witness(x *exit) []int64 {
	for i, h := range d.handlers() {
		if way, ok := wayTo(h, x.worker, map[*worker]bool{}); ok {
			return inputs([]int64{int64(i + 1), 0}, append(way, x.way...))
		}
	}
	panic("families: nothing calls " + x.worker.name)
}

// wayTo is the way from the entry of w to the entry of target.
func wayTo(w, target *worker, seen map[*worker]bool) ([]event, bool) {
	if w == target {
		return nil, true
	}
	if seen[w] {
		return nil, false
	}
	seen[w] = true
	for _, c := range w.calls {
		if rest, ok := wayTo(c.to, target, seen); ok {
			return append(append([]event{}, c.way...), rest...), true
		}
	}
	return nil, false
}

// inputs appends the inputs of a way to before: those of the calls on it are of runs
// in which all goes well.
func inputs(before []int64, way []event) []int64 {
	for _, e := range way {
		if e.call != nil {
			before = inputs(before, e.call.good)
		} else {
			before = append(before, e.input)
		}
	}
	return before
}
