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
	explored
	automaton *Automaton
	sets      [][]int
	setOf     map[string]int32
	numbers   map[pair]int32
	pairs     []pair // state is the number of a set
}

// newMonitor returns the monitor for the automaton of a formula.
func newMonitor(sys System, a *Automaton) *monitor {
	return &monitor{explored: explored{sys: sys, known: map[head]*systemHead{}}, automaton: a, setOf: map[string]int32{}, numbers: map[pair]int32{}}
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
	return x.set(x.automaton.after(x.sets[set], letter))
}

// after returns the states, in ascending order, to which a letter leads from some states.
func (a *Automaton) after(states []int, letter uint64) (next []int) {
	for _, s := range states {
		for _, t := range a.States[s] {
			if t.Has(letter) {
				next = append(next, t.To)
			}
		}
	}
	slices.Sort(next)
	return slices.Compact(next)
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
		out = append(out, x.arc(m, int32(i), first))
	}
	return out, nil
}

// arc returns a move of the system with the next set.
func (x *monitor) arc(m Move, i, set int32) arc {
	a := arc{n: int8(len(m.Word)), move: i, top: m.Top}
	if m.Top {
		return a
	}
	p := pair{int32(m.Loc), set}
	n, ok := x.numbers[p]
	if !ok {
		n = int32(len(x.pairs))
		x.numbers[p] = n
		x.pairs = append(x.pairs, p)
	}
	a.to = n
	for k, symbol := range m.Word {
		a.word[k] = int32(symbol)
	}
	return a
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
		return []arc{x.arc(stay, Last, violated)}, nil
	}
	var out []arc
	for i, m := range h.moves.List {
		out = append(out, x.arc(m, int32(i), next))
	}
	return out, nil
}

// bad reports whether a head is that after a bad prefix.
func (x *monitor) bad(at head) bool { return x.pairs[at.p].state == violated }

// shown returns the location of the system of a location of the monitor.
func (x *monitor) shown(p int32) int { return int(x.pairs[p].loc) }
