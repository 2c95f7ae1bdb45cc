package zom

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// program is one with a single procedure.
func program(code []Instr, slots []Slot, params, scratch int) *Program {
	p := &Proc{Name: "main", Slots: slots, Params: params, Scratch: scratch, Code: code}
	return finish(&Program{Procs: []*Proc{p}})
}

// finish makes everything live and every instruction a start.
func finish(p *Program) *Program {
	for _, proc := range p.Procs {
		for range proc.Code {
			live, globals := NewBitset(len(proc.Slots)), NewBitset(len(p.Globals))
			for i := range proc.Scratch {
				live.Set(i)
			}
			for i := range p.Globals {
				globals.Set(i)
			}
			proc.Starts, proc.Live, proc.Globals = append(proc.Starts, true), append(proc.Live, live), append(proc.Globals, globals)
		}
	}
	return p
}

// outcomes lists what a step of process 0 can lead to: how it ends, with what in the slots.
func outcomes(p *Program, s *State, m *Machine) (list []string) {
	mark := s.Mark()
	m.Rewind()
	for more := true; more; more = m.Next() {
		s.Undo(mark)
		o := m.Run(s, 0)
		list = append(list, fmt.Sprint(o, s.Slots(0, 0)[:p.Procs[0].Scratch]))
	}
	s.Undo(mark)
	return list
}

func TestUnknownIsDecidedWhereItIsRead(t *testing.T) {
	slots := []Slot{{Name: "x", Init: Unknown}, {Name: "y", Init: Unknown}, {Name: "t"}}
	for _, c := range []struct {
		op   Op
		want string
	}{
		{Copy, "[stepped [0 0] stepped [1 1]]"}, // both are what it turned out to be
		{Move, "[stepped [0 2]]"},               // nobody has looked
	} {
		p := program([]Instr{{Op: c.op, A: 1, B: 0}, {Op: Return}}, slots, 0, 2)
		if err := p.Validate(); err != nil {
			t.Fatal(err)
		}
		s := NewState(p)
		s.Start(0)
		if got := fmt.Sprint(outcomes(p, s, NewMachine(p))); got != c.want {
			t.Errorf("%v: %s; want %s", c.op, got, c.want)
		}
	}
}

// Operations on sets of Booleans have all the results that their elements have.
func TestBooleansAsSets(t *testing.T) {
	elements := func(w Word) []Word {
		if w == Unknown {
			return []Word{0, 1}
		}
		return []Word{w}
	}
	truth := func(b bool) Word {
		if b {
			return 1
		}
		return 0
	}
	one := map[Op]func(x, y Word) []Word{
		And: func(x, y Word) []Word { return []Word{x & y} }, Or: func(x, y Word) []Word { return []Word{x | y} },
		Xor: func(x, y Word) []Word { return []Word{x ^ y} }, Implies: func(x, y Word) []Word { return []Word{1 - x | y} },
		Eq: func(x, y Word) []Word { return []Word{truth(x == y)} },
		Choose: func(x, y Word) []Word {
			switch {
			case x == 1:
				return []Word{1}
			case y == 1:
				return []Word{0}
			}
			return []Word{0, 1}
		},
	}
	for op, f := range one {
		p := program([]Instr{{Op: op, A: 2, B: 0, C: 1}, {Op: Return}}, make([]Slot, 3), 0, 3)
		for x := range Word(3) {
			for y := range Word(3) {
				s := NewState(p)
				s.Start(0)
				s.SetSlot(0, 0, x)
				s.SetSlot(0, 1, y)
				NewMachine(p).Run(s, 0)
				var want []Word
				for _, a := range elements(x) {
					for _, b := range elements(y) {
						want = append(want, f(a, b)...)
					}
				}
				slices.Sort(want)
				want = slices.Compact(want)
				if got := elements(s.Slots(0, 0)[2]); !slices.Equal(got, want) {
					t.Errorf("operation %d on %d and %d: %v, want %v", op, x, y, got, want)
				}
			}
		}
	}
}

func TestArithmetic(t *testing.T) {
	const big = math.MaxInt64
	for _, c := range []struct {
		op   Op
		x, y Word
		w    Word
		o    Outcome
	}{
		{Add, 2, 3, 5, Stepped}, {Add, big, 1, 0, Overflow}, {Add, -big, -1, 0, Overflow}, {Add, big, -big, 0, Stepped},
		{Sub, 2, 3, -1, Stepped}, {Sub, -big, big, 0, Overflow}, {Sub, 0, -big, big, Stepped}, {Sub, -2, big, 0, Overflow},
		{Mul, -4, 5, -20, Stepped}, {Mul, big, 2, 0, Overflow}, {Mul, big, -1, -big, Stepped}, {Mul, 1 << 32, 1 << 31, 0, Overflow},
		{Mul, -1 << 32, 1 << 31, 0, Overflow}, {Mul, 0, -big, 0, Stepped},
		{Div, -7, 2, -3, Stepped}, {Div, 1, 0, 0, DivByZero}, {Rem, -7, 2, -1, Stepped}, {Rem, 1, 0, 0, DivByZero},
	} {
		if w, o := arithmetic(c.op, c.x, c.y); w != c.w || o != c.o {
			t.Errorf("%d %s %d = %d, %v; want %d, %v", c.x, opNames[c.op], c.y, w, o, c.w, c.o)
		}
	}
}

// Processes are run by turns, wait, and see each other through globals.
func TestProcesses(t *testing.T) {
	p := finish(&Program{
		Globals: []Slot{{Name: "ready"}},
		Procs: []*Proc{
			{Name: "main", Slots: []Slot{{Name: "arg", Kind: Int}, {Name: "b"}}, Scratch: 2, Code: []Instr{
				{Op: Const, A: 0, Imm: 7}, {Op: Spawn, A: 0, B: 1}, {Op: Global, A: 1, B: 0}, {Op: Wait, A: 1}, {Op: Return},
			}},
			{Name: "other", Slots: []Slot{{Name: "n", Kind: Int}, {Name: "b"}}, Params: 1, Scratch: 2, Code: []Instr{
				{Op: Const, A: 1, Imm: 1}, {Op: SetGlobal, A: 0, B: 1}, {Op: Return},
			}},
		},
	})
	if err := p.Validate(); err != nil {
		t.Fatal(err)
	}
	s, m := NewState(p), NewMachine(p)
	s.Start(0)
	run := func(process int, want Outcome) {
		t.Helper()
		if o := m.Run(s, process); o != want {
			t.Fatalf("process %d: %v, want %v", process, o, want)
		}
	}
	run(0, Stepped)
	run(0, Stepped)
	if m.Record.Kind != Spawned || s.Slots(1, 0)[0] != 7 {
		t.Errorf("record %+v, argument %d", m.Record, s.Slots(1, 0)[0])
	}
	run(0, Stepped)
	before := s.Mark()
	run(0, Blocked)
	s.Undo(before)
	run(1, Stepped)
	run(1, Stepped)
	if want := []Loc{{Null, 0}}; !slices.Equal(m.Record.Writes, want) {
		t.Errorf("writes %v", m.Record.Writes)
	}
	run(1, Stepped)
	if s.Top(1) != nil || m.Record.Kind != Returned {
		t.Error("process 1 has not ended")
	}
}

// Undo restores exactly what was, whatever was done.
func TestUndo(t *testing.T) {
	p := finish(&Program{
		Classes: []*Class{{Name: "C", Fields: []Slot{{Name: "x"}, {Name: "next", Kind: Ref}}}},
		Globals: []Slot{{Name: "b"}, {Name: "r", Kind: Ref}},
		Procs:   []*Proc{{Name: "main", Slots: []Slot{{Name: "a"}, {Name: "l", Kind: Ref}}, Scratch: 2, Code: []Instr{{Op: Skip}, {Op: Return}}}},
	})
	rng := rand.New(rand.NewPCG(1, 2))
	s := NewState(p)
	s.Start(0)
	s.Old(0)
	type past struct {
		mark Mark
		text string
	}
	var history []past
	for range 5000 {
		switch rng.IntN(9) {
		case 0:
			s.SetGlobal(0, Word(rng.IntN(3)))
		case 1:
			s.SetGlobal(1, s.New(0))
		case 2:
			if at := Word(rng.IntN(s.News()+s.Olds()+1) - s.Olds()); at != Null {
				s.SetField(at, 0, Word(rng.IntN(3)))
			}
		case 3:
			s.push(0, 0)
			s.SetSlot(0, 0, Word(rng.IntN(3)))
		case 4:
			if len(s.Procs[0].Frames) > 1 {
				s.pop(0)
			}
		case 5:
			s.SetPC(0, int32(rng.IntN(2)))
		case 6:
			s.Old(0)
		case 7:
			history = append(history, past{s.Mark(), dump(s)})
		case 8:
			if n := len(history); n > 0 {
				k := rng.IntN(n)
				s.Undo(history[k].mark)
				if got := dump(s); got != history[k].text {
					t.Fatalf("undone:\n%s\nbefore:\n%s", got, history[k].text)
				}
				history = history[:k]
			}
		}
		if err := s.Validate(); err != nil {
			t.Fatal(err)
		}
	}
}

// dump is all of a state that can be asked for.
func dump(s *State) string {
	var b strings.Builder
	fmt.Fprintln(&b, s.Globals, s.News(), s.Olds())
	for i := range s.Procs[0].Frames {
		fmt.Fprintln(&b, s.Procs[0].Frames[i], s.Slots(0, i))
	}
	for at := -Word(s.Olds()); at <= Word(s.News()); at++ {
		if at != Null {
			fmt.Fprintln(&b, at, s.Field(at, 0), s.Field(at, 1), at < 0 && s.Written(at))
		}
	}
	return b.String()
}
