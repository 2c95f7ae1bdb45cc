package families

import (
	"fmt"
	"math/rand/v2"
)

// This file generates handshakes as data: states, branches and the facts that hold in states.
// handshake_text.go writes them as C, handshake_search.go executes them.

// Handshake returns a protocol in one loop: a variable with the given number of states, about the
// given number of branches on the replies of the other side, and flags that record the
// achievements so far. Many states check some flags; their values there follow from the effects of all
// branches into the state, and from the flags that these leave unchanged. In the unsafe program one
// branch does not set a flag. With 30 states and 110 branches it has 600 to 900 lines.
//
// It panics if there are fewer than 4 states, more than 40, or fewer branches than twice the number
// of states.
func Handshake(states, branches int, seed uint64, unsafe bool) Program {
	if states < 4 || states > len(stateNames) || branches < 2*states {
		panic(fmt.Sprintf("families: no handshake with %d states and %d branches", states, branches))
	}
	r := newRand(seed)
	var h *handshake
	var witness []int64
	var forgotten *hsDefect
	for forgotten == nil { // small handshakes may have nothing to forget
		// The safe handshake must be safe, which an exhaustive search shows.
		h = newHandshake(states, branches, r)
		if w := h.search(); w != nil {
			panic(fmt.Sprint("families: a safe handshake fails with ", w))
		}
		forgotten, witness = h.forgettable()
	}
	if unsafe {
		forgotten.branch.set = forgotten.without
	}
	name := fmt.Sprintf("handshake-%d-%d-%d", states, branches, seed)
	return finish(name, h.text(name), unsafe, witness)
}

// newRand returns the generator of a seed.
func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

// stateNames and flagNames are the names in the text.
var (
	stateNames = []string{
		"CLOSED", "LISTEN", "HELLO_SEND", "HELLO_WAIT", "VERSION_CHECK", "COOKIE_SEND", "COOKIE_WAIT", "COOKIE_CHECK",
		"LOOKUP", "RESUME", "SUITE_SELECT", "SUITE_SEND", "CERT_SEND", "CERT_WAIT", "CERT_CHECK", "CHAIN_WAIT",
		"CHAIN_CHECK", "KEY_SEND", "KEY_WAIT", "KEY_DERIVE", "VERIFY_SEND", "VERIFY_WAIT", "VERIFY_CHECK", "CIPHER_SEND",
		"CIPHER_WAIT", "CIPHER_SWITCH", "TICKET_SEND", "TICKET_WAIT", "FINISH_SEND", "FINISH_WAIT", "FINISH_CHECK", "FLUSH",
		"ESTABLISHED", "DATA", "REKEY_SEND", "REKEY_WAIT", "REKEY_DONE", "DRAIN", "ALERT", "SHUTDOWN",
	}
	flagNames = []string{"confirmed", "authentic", "keyed", "encrypted", "resumed", "renewed"}
)

// maxRetries is the largest value of the counter of retries.
const maxRetries = 3

// handshake is the data of a handshake.
type handshake struct {
	states []hsState
}

// unknown is the value of a flag about which nothing is known in a state.
const unknown = -1

// hsState is a state with its branches.
type hsState struct {
	known    []int // value of each flag, or unknown
	checked  []int // flags that are checked here
	branches []hsBranch
}

// A hsBranch is taken for the replies from low to high, if the flag guard has the value is (guard
// may be -1) and, for a retry, if there are retries left.
type hsBranch struct {
	low, high int64
	guard, is int
	retry     bool
	set       []hsSet
	to        int
}

// hsSet is an assignment to a flag.
type hsSet struct{ flag, value int }

// newHandshake returns random states, and branches from each.
func newHandshake(states, branches int, r *rand.Rand) *handshake {
	h := &handshake{}
	for s := range states {
		h.states = append(h.states, newState(s, states, r))
	}
	for s := range h.states {
		// The last branch of each state is the one that gives up.
		n := branches/states - 1
		if s < branches%states {
			n++
		}
		for b := range n {
			h.branch(s, h.target(s, b, r), b, r)
		}
		h.giveUp(s, r)
	}
	return h
}

// newState chooses the known flags of state s: in the first nothing has been achieved, and more in
// later ones.
func newState(s, states int, r *rand.Rand) hsState {
	st := hsState{}
	for f := range flagNames {
		// A third of the flags are unknown; nothing is checked in the first state.
		v := unknown
		switch {
		case s == 0:
			v = 0
		case r.IntN(3) > 0:
			v = 0
			if r.IntN(states) < s {
				v = 1
			}
		}
		st.known = append(st.known, v)
		if v != unknown && s > 0 && r.IntN(5) < 2 {
			st.checked = append(st.checked, f)
		}
	}
	return st
}

// target returns the target of branch b of state s: the first branch leads to the next state, so
// that all are reachable, others mostly to a neighbour.
func (h *handshake) target(s, b int, r *rand.Rand) int {
	n := len(h.states)
	switch {
	case b == 0:
		return (s + 1) % n
	case r.IntN(6) == 0:
		return s
	case r.IntN(4) == 0:
		return r.IntN(n)
	}
	return min(max(s-2+r.IntN(7), 1), n-1)
}

// branch adds the b-th branch of state s, to state t. All facts of t are known in s, tested by the
// guard, or set.
func (h *handshake) branch(s, t, b int, r *rand.Rand) {
	// Replies of different branches differ.
	reply := int64(10*b + 1 + r.IntN(9))
	br := hsBranch{low: reply, high: reply, guard: -1, to: t, retry: b > 0 && t == s}
	from, to := h.states[s], h.states[t]
	// 1. A guard on a flag that is unknown in s.
	if free := r.IntN(len(flagNames)); b > 0 && from.known[free] == unknown && r.IntN(2) == 0 {
		br.guard, br.is = free, r.IntN(2)
		if to.known[free] != unknown {
			br.is = to.known[free]
		}
	}
	// 2. Assignments, in random order.
	for _, f := range r.Perm(len(flagNames)) {
		want := to.known[f]
		// A flag whose value is right already may be left alone.
		holds := from.known[f] == want || br.guard == f && br.is == want
		switch {
		case want == unknown && r.IntN(8) == 0:
			br.set = append(br.set, hsSet{f, r.IntN(2)})
		case want != unknown && !holds:
			br.set = append(br.set, hsSet{f, want})
		}
	}
	h.states[s].branches = append(h.states[s].branches, br)
}

// giveUp adds the branch for negative replies, which leads back to the start.
func (h *handshake) giveUp(s int, r *rand.Rand) {
	h.branch(s, 0, 0, r)
	bs := h.states[s].branches
	last := &bs[len(bs)-1]
	last.low, last.high = -1<<31, -1
}
