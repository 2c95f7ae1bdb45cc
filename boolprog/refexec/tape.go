package refexec

// This file defines where choices come from.

// tape deals choices. Those behind its end are 0; next rewinds it and moves on to the
// next tape, as an odometer does, so that every sequence of choices has its turn.
type tape struct {
	dealt  []int // the choices
	out    []int // of how many each was made
	played int   // of them, since the tape was rewound
}

// choose deals a number from 0 to n-1.
func (t *tape) choose(n int) int {
	if t.played == len(t.dealt) {
		t.dealt, t.out = append(t.dealt, 0), append(t.out, n)
	}
	t.played++
	return t.dealt[t.played-1]
}

// next reports whether there is another tape.
func (t *tape) next() bool {
	t.dealt, t.out = t.dealt[:t.played], t.out[:t.played]
	t.played = 0
	for i := len(t.dealt) - 1; i >= 0; i-- {
		if t.dealt[i]+1 < t.out[i] {
			t.dealt[i]++
			t.dealt, t.out = t.dealt[:i+1], t.out[:i+1]
			return true
		}
	}
	return false
}
