package families

import "slices"

// This file explores handshakes, over all possible runs.

// hsConfig is the state of a handshake between two iterations.
type hsConfig struct {
	state   int
	flags   uint
	retries int
}

// flag returns flag f of c.
func (c hsConfig) flag(f int) int { return int(c.flags >> f & 1) }

// fails reports whether a check of the state of c does not hold.
func (h *handshake) fails(c hsConfig) bool {
	// A state checks some of the flags that it knows.
	st := h.states[c.state]
	return slices.ContainsFunc(st.checked, func(f int) bool { return c.flag(f) != st.known[f] })
}

// next returns the configuration after an iteration with the given reply.
func (h *handshake) next(c hsConfig, reply int64) hsConfig {
	// The first branch that applies is taken.
	for _, b := range h.states[c.state].branches {
		if reply < b.low || reply > b.high || b.guard >= 0 && c.flag(b.guard) != b.is || b.retry && c.retries >= maxRetries {
			continue
		}
		// The effects, in the order of the text.
		if b.retry {
			c.retries++
		}
		for _, s := range b.set {
			c.flags = c.flags&^(1<<s.flag) | uint(s.value)<<s.flag
		}
		if c.state = b.to; c.state == 0 {
			c.retries = 0
		}
		return c
	}
	return c
}

// search explores all reachable configurations, breadth first. It returns the replies of a shortest
// run to a failing check, or nil if none fails.
func (h *handshake) search() []int64 {
	type step struct {
		before hsConfig
		reply  int64
	}
	// The predecessors of configurations give the witness.
	start := hsConfig{}
	came := map[hsConfig]step{start: {}}
	for queue := []hsConfig{start}; len(queue) > 0; queue = queue[1:] {
		c := queue[0]
		if h.fails(c) {
			witness := []int64{7} // the round of the check reads a reply, too
			for ; c != start; c = came[c].before {
				witness = append(witness, came[c].reply)
			}
			slices.Reverse(witness)
			return witness
		}
		for _, b := range h.states[c.state].branches {
			reply := b.high
			n := h.next(c, reply)
			if _, ok := came[n]; !ok {
				came[n] = step{c, reply}
				queue = append(queue, n)
			}
		}
	}
	return nil
}

// hsDefect is a branch with one assignment fewer.
type hsDefect struct {
	branch  *hsBranch
	without []hsSet
}

// forgettable returns an assignment without which a check fails, as late as possible, and the
// replies of a run in which it does; nil if there is none.
func (h *handshake) forgettable() (found *hsDefect, longest []int64) {
	for s := range h.states {
		for b := range h.states[s].branches {
			br := &h.states[s].branches[b]
			all := br.set
			for i := range all {
				// Without this assignment, does a check fail, and how late?
				br.set = slices.Delete(slices.Clone(all), i, i+1)
				if w := h.search(); len(w) > len(longest) {
					found, longest = &hsDefect{br, br.set}, w
				}
			}
			br.set = all
		}
	}
	return found, longest
}
