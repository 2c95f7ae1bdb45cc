package temporal

import "slices"

// This file decides of a finite word that was observed, rather than produced by a system, whether it is a bad prefix.

// Letter is a state as far as it was observed: the atoms that hold, and those of which it is not known.
type Letter struct{ Atoms, Unknown uint64 }

// IsBadPrefix reports whether no continuation of a word satisfies the formula, whichever of the unknown atoms hold.
// It is false, too, if a limit leaves that open.
func IsBadPrefix(f *Formula, word []Letter) bool {
	a, err := Translate(f)
	if err != nil {
		return false
	}
	// All states of the automaton accept some word: there is a continuation as long as there is a state.
	states := a.Init
	for _, l := range word {
		if states = a.after(states, l); len(states) == 0 {
			return true
		}
	}
	return false
}

// after returns the states, in ascending order, to which some letter leads that agrees with all that is known.
func (a *Automaton) after(states []int, l Letter) (next []int) {
	for _, s := range states {
		for _, t := range a.States[s] {
			open := Transition{Pos: t.Pos &^ l.Unknown, Neg: t.Neg &^ l.Unknown}
			if open.Has(l.Atoms &^ l.Unknown) {
				next = append(next, t.To)
			}
		}
	}
	slices.Sort(next)
	return slices.Compact(next)
}
