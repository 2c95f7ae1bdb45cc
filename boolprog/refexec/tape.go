package refexec

// This file defines the source of choices.

// tape deals choices. Choices after its end are 0. next rewinds it and moves on to the next tape,
// as an odometer does, so that every sequence of choices has its turn.
type tape struct {
	dealt  []int // the choices
	out    []int // the number of alternatives of each
	played int   // the number of choices dealt since the tape was rewound
}

// choose deals a number from 0 to n-1.
func (t *tape) choose(n int) int {
	// A new choice starts with 0.
	if t.played == len(t.dealt) {
		t.dealt, t.out = append(t.dealt, 0), append(t.out, n)
	}
	t.played++
	return t.dealt[t.played-1]
}

// next rewinds the tape, and reports whether there is another one.
func (t *tape) next() bool {
	t.dealt, t.out = t.dealt[:t.played], t.out[:t.played]
	t.played = 0
	// Advance the last choice that has another alternative, and forget those after it.
	for i := len(t.dealt) - 1; i >= 0; i-- {
		if t.dealt[i]+1 < t.out[i] {
			t.dealt[i]++
			t.dealt, t.out = t.dealt[:i+1], t.out[:i+1]
			return true
		}
	}
	return false
}
