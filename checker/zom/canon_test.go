package zom

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// heapProgram has globals that lead to objects with two references and a Boolean.
func heapProgram() *Program {
	return finish(&Program{
		Classes: []*Class{{Name: "C", Fields: []Slot{{Name: "x"}, {Name: "l", Kind: Ref}, {Name: "r", Kind: Ref}}}},
		Globals: []Slot{{Name: "g", Kind: Ref}, {Name: "h", Kind: Ref}, {Name: "n", Kind: Int}},
		Procs:   []*Proc{{Name: "main", Slots: []Slot{{Name: "p", Kind: Ref}}, Scratch: 1, Code: []Instr{{Op: Return}}}},
	})
}

// picture is a heap, with objects 1 … n-1 by number and 0 for null.
type picture struct {
	bits  []Word
	left  []int
	right []int
	roots [3]int
	n     Word
}

func randomPicture(rng *rand.Rand) picture {
	n := 1 + rng.IntN(6)
	p := picture{n: Word(rng.IntN(3)) - 1}
	for range n {
		p.bits, p.left, p.right = append(p.bits, Word(rng.IntN(2))), append(p.left, rng.IntN(n)), append(p.right, rng.IntN(n))
	}
	for i := range p.roots {
		p.roots[i] = rng.IntN(n)
	}
	return p
}

// state makes the heap, its objects in a given order, with garbage between them.
func (p picture) state(prog *Program, order []int) *State {
	s := NewState(prog)
	s.Start(0)
	at := make([]Word, len(p.bits))
	for _, i := range order {
		if i%2 == 0 {
			s.New(0)
		}
		if i > 0 {
			at[i] = s.New(0)
		}
	}
	for i := 1; i < len(at); i++ {
		s.SetField(at[i], 0, p.bits[i])
		s.SetField(at[i], 1, at[p.left[i]])
		s.SetField(at[i], 2, at[p.right[i]])
	}
	s.SetGlobal(0, at[p.roots[0]])
	s.SetGlobal(1, at[p.roots[1]])
	s.SetGlobal(2, p.n)
	s.SetSlot(0, 0, at[p.roots[2]])
	return s
}

// same reports whether two pictures are the same from the roots on: it walks both at once.
func same(a, b picture) bool {
	if a.n != b.n {
		return false
	}
	to, from := map[int]int{0: 0}, map[int]int{0: 0}
	var walk func(x, y int) bool
	walk = func(x, y int) bool {
		u, okU := to[x]
		v, okV := from[y]
		switch {
		case okU != okV:
			return false
		case okU:
			return u == y && v == x
		}
		to[x], from[y] = y, x
		return a.bits[x] == b.bits[y] && walk(a.left[x], b.left[y]) && walk(a.right[x], b.right[y])
	}
	for i := range a.roots {
		if !walk(a.roots[i], b.roots[i]) {
			return false
		}
	}
	return true
}

// Two states have the same form exactly if they differ in addresses and garbage only.
func TestFormIsCanonical(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	prog := heapProgram()
	if err := prog.Validate(); err != nil {
		t.Fatal(err)
	}
	var c Canon
	form := func(p picture) string {
		c.Whole(p.state(prog, rng.Perm(len(p.bits))))
		return string(c.Out)
	}
	equal := 0
	var all []picture
	for range 400 {
		p := randomPicture(rng)
		if first, second := form(p), form(p); first != second {
			t.Fatalf("the order of allocation shows in the form of %+v", p)
		}
		all = append(all, p)
	}
	forms := make([]string, len(all))
	for i, p := range all {
		forms[i] = form(p)
		for j, q := range all[:i] {
			if s := same(p, q); s != (forms[i] == forms[j]) {
				t.Fatalf("the same: %v, but the same form: %v\n%+v\n%+v", s, !s, p, q)
			} else if s {
				equal++
			}
		}
	}
	if equal < 100 {
		t.Errorf("only %d pairs are the same: the test shows little", equal)
	}
}

// What was read back has the same form again.
func TestReaderReadsForms(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	prog := heapProgram()
	for range 300 {
		p := randomPicture(rng)
		s := p.state(prog, rng.Perm(len(p.bits)))
		s.Old(0)
		s.SetField(-1, 1, s.Globals[0])
		write := func(s *State) []byte {
			var c Canon
			c.Begin(s)
			for i, w := range s.Globals {
				c.Root(prog.Globals[i].Kind, w)
			}
			for i := range 3 {
				c.Root(prog.Classes[0].Fields[i].Kind, s.Field(-1, int32(i)))
			}
			c.Slots(prog.Procs[0], 0, s.Slots(0, 0))
			c.Objects()
			return slices.Clone(c.Out)
		}
		text := write(s)
		in := Reader{text}
		u := NewState(prog)
		u.Start(0)
		u.Old(0)
		for i, g := range prog.Globals {
			u.SetGlobal(int32(i), in.Word(g.Kind))
		}
		for i, f := range prog.Classes[0].Fields {
			u.SetField(-1, int32(i), in.Word(f.Kind))
		}
		in.Slots(prog.Procs[0], u.Slots(0, 0))
		in.Objects(u)
		if err := u.Validate(); err != nil {
			t.Fatal(err)
		}
		if got := write(u); string(got) != string(text) {
			t.Fatalf("%+v: read back as % x, was % x", p, got, text)
		}
	}
}

func TestPathToTheDeepestObject(t *testing.T) {
	prog := heapProgram()
	s := NewState(prog)
	s.Start(0)
	a, b, c := s.New(0), s.New(0), s.New(0)
	s.SetGlobal(1, a)
	s.SetField(a, 2, b)
	s.SetField(b, 1, c)
	var f Canon
	f.Whole(s)
	root, fields := f.Path()
	if f.Depth != 3 || root != 1 || !slices.Equal(fields, []int{2, 1}) {
		t.Errorf("depth %d, root %d, fields %v; want global 1, then fields 2 and 1", f.Depth, root, fields)
	}
}
