package temporal

import (
	"encoding/binary"
	"slices"
)

// This file finds bad prefixes: finite runs after which no continuation satisfies the formula. A run that an
// assumption ends is none of the system, but if it has violated the formula for good before, it has done so.

// monitor is the product of a system with the determinised automaton of a formula, all of whose states accept
// some word: a location of the system, and the set of states in which the automaton may be. It is empty after a
// bad prefix.
type monitor struct {
	paired
	automaton *Automaton
	sets      [][]int // by number: the states of pairs
	setOf     map[string]int32
}

// newMonitor returns the monitor for the automaton of a formula.
func newMonitor(sys System, a *Automaton) *monitor {
	return &monitor{paired: newPaired(sys), automaton: a, setOf: map[string]int32{}}
}

// set returns the number of a set of states, which are in ascending order.
func (x *monitor) set(states []int) int32 {
	var key []byte
	for _, s := range states {
		key = binary.AppendUvarint(key, uint64(s))
	}
	n, ok := x.setOf[string(key)]
	if !ok {
		n = int32(len(x.sets))
		x.setOf[string(key)] = n
		x.sets = append(x.sets, states)
	}
	return n
}

// after returns the set after a letter.
func (x *monitor) after(set int32, letter uint64) int32 {
	return x.set(x.automaton.after(x.sets[set], Letter{Atoms: letter}))
}

// start returns the initial configurations.
func (x *monitor) start() ([]arc, error) {
	moves, err := x.sys.Start()
	if err != nil {
		return nil, err
	}
	first := x.set(slices.Sorted(slices.Values(x.automaton.Init)))
	var out []arc
	for i, m := range moves {
		out = append(out, x.arc(m, int32(i), first, false))
	}
	return out, nil
}

// violated stands for the set after a bad prefix.
const violated int32 = -1

// expand returns the moves of a head. At the end of a bad prefix there is one to a location that tells so.
func (x *monitor) expand(p, symbol int32) ([]arc, error) {
	at := x.pairs[p]
	h, err := x.at(at.loc, symbol)
	if err != nil || h.moves.Void {
		return nil, err
	}
	next := at.state
	if !h.label.Silent {
		next = x.after(at.state, h.label.Atoms)
	}
	if len(x.sets[next]) == 0 {
		stay := Move{Loc: int(at.loc), Word: []int{int(symbol)}}
		return []arc{x.arc(stay, Last, violated, false)}, nil
	}
	var out []arc
	for i, m := range h.moves.List {
		out = append(out, x.arc(m, int32(i), next, false))
	}
	return out, nil
}

// bad reports whether a head is that after a bad prefix.
func (x *monitor) bad(at head) bool { return x.pairs[at.p].state == violated }
