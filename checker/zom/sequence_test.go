package zom

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestSequences makes random changes of a set and a channel, compares them with slices, and undoes them.
func TestSequences(t *testing.T) {
	p := &Program{Classes: []*Class{
		{Name: "S", Form: Set, Elem: []Slot{{Kind: Int, Class: -1}}},
		{Name: "C", Form: Channel, Elem: []Slot{{Kind: Int, Class: -1}, {Kind: Bool, Class: -1, Init: 1}}},
	}}
	s := NewState(p)
	set, channel := s.NewSequence(0, 0), s.NewSequence(1, 1)
	wantSet, wantChannel := []Word{}, []Word{0, 1}
	check := func() {
		t.Helper()
		if got := s.Elements(set); !slices.Equal(got, wantSet) {
			t.Fatalf("set %v, want %v", got, wantSet)
		}
		if got := s.Elements(channel); !slices.Equal(got, wantChannel) || int(s.Size(channel)) != len(got)/2 {
			t.Fatalf("channel %v, want %v", got, wantChannel)
		}
	}
	// moment is a mark with the contents at that time.
	type moment struct {
		mark     Mark
		set, chn []Word
	}
	var marks []moment
	m := NewMachine(p)
	m.s = s
	rng := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		x := Word(rng.IntN(12))
		switch rng.IntN(6) {
		case 0:
			m.update(set, []Word{x}, true)
			if !slices.Contains(wantSet, x) {
				wantSet = append(wantSet, x)
				slices.Sort(wantSet)
			}
		case 1:
			m.update(set, []Word{x}, false)
			wantSet = slices.DeleteFunc(slices.Clone(wantSet), func(w Word) bool { return w == x })
		case 2:
			s.insert(channel, s.Size(channel), []Word{x, 0})
			wantChannel = append(slices.Clone(wantChannel), x, 0)
		case 3:
			if len(wantChannel) > 0 {
				s.remove(channel, 0)
				wantChannel = slices.Clone(wantChannel[2:])
			}
		case 4:
			marks = append(marks, moment{s.Mark(), slices.Clone(wantSet), slices.Clone(wantChannel)})
		case 5:
			if n := len(marks); n > 0 && rng.IntN(3) == 0 {
				last := marks[n-1]
				marks = marks[:n-1]
				s.Undo(last.mark)
				wantSet, wantChannel = last.set, last.chn
			}
		}
		check()
	}
}
