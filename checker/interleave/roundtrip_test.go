package interleave

import (
	"bytes"
	"context"
	"slices"
	"testing"

	"c2bp/checker/lowerzing"
	"c2bp/checker/zom"
	"c2bp/frontend/zing/zingtest"
	"c2bp/internal/testkit"
)

// TestRoundTrip reads every state of random models and writes it again: the form, its parts and the rest are
// the same. Undo of all moves from a state leads back to it, and forms that take parts over are those that do not.
func TestRoundTrip(t *testing.T) {
	texts := []string{}
	for _, m := range zingtest.Models() {
		texts = append(texts, m.Text)
	}
	for seed := range uint64(30) {
		texts = append(texts, zingtest.Random(seed+5000))
	}
	states := 0
	for _, text := range texts {
		p, err := zingtest.Load("m.zing", text)
		if err != nil {
			t.Fatal(err)
		}
		low := lowerzing.Program(p, lowerzing.Options{})
		e := newEngine(context.Background(), Model{low.Prog, low.Activate}, Options{All: true, MaxStates: 3000})
		e.explore()
		for id := first; e.store.count > 0 && id != none; id = e.store.next(id) {
			states++
			form := bytes.Clone(e.store.get(id))
			e.load(id)
			same := func(what string) {
				t.Helper()
				e.canon.Multi(e.s)
				rest := e.canon.Rest(nil, e.ranks)
				if stored, ok := e.store.rest[id]; !bytes.Equal(e.canon.Out, form) || ok && !bytes.Equal(stored, rest) {
					t.Fatalf("%s: state %x becomes %x, rest %x becomes %x\n%s", what, form, e.canon.Out, stored, rest, text)
				}
			}
			same("reading")
			mark := e.s.Mark()
			for i := range e.moves() {
				mv := e.move(i)
				e.canon.Base()
				if e.m.Step(e.s, mv.Process, mv.Pick) == zom.Stepped {
					e.canon.MultiAfter(e.s, mv.Process)
					after := bytes.Clone(e.canon.Out)
					if e.canon.Multi(e.s); !bytes.Equal(after, e.canon.Out) {
						t.Fatalf("after process %d: %x, want %x\n%s", mv.Process, after, e.canon.Out, text)
					}
				}
				e.s.Undo(mark)
				same("undo")
			}
		}
	}
	if states < 5000 {
		t.Errorf("only %d states", states)
	}
}

// turnText is a model whose steps give objects other numbers in several ways, also those to which other processes lead.
const turnText = `
class N { N next; };
class A {
    static N a; static N b; static N c;
    static void swap() { N t; while (true) atomic { t = a; a = b; b = t; } }
    static void turn() { N t; while (true) atomic { t = a; a = b; b = c; c = t; } }
    static void look() { N t; N u; while (true) { t = a; u = c; } }
    activate static void main() {
        atomic { a = new N; b = new N; c = new N; a.next = b; async swap(); async turn(); async look(); }
    }
};`

// TestRenumber: the parts of the state after a step that changes references are those of its whole form.
func TestRenumber(t *testing.T) {
	texts := slices.Repeat([]string{turnText}, 6)
	for seed := range uint64(testkit.Count(100, 3000)) {
		texts = append(texts, zingtest.Random(seed+500))
	}
	renamed := 0
	for i, text := range texts {
		p, err := zingtest.Load("m.zing", text)
		if err != nil {
			t.Fatal(err)
		}
		low := lowerzing.Program(p, lowerzing.Options{})
		e := newEngine(context.Background(), Model{low.Prog, low.Activate}, Options{All: true, MaxStates: 500})
		e.explore()
		// Small tables make parts take each other's place.
		e.names.renamed = e.names.renamed[:1<<(i%6)]
		clear(e.names.renamed)
		for id := first; e.told && e.store.count > 0 && id != none; id = e.store.next(id) {
			e.goTo(id)
			e.show(id, e.place.numbers)
			mark := e.s.Mark()
			for k := range e.moves() {
				mv := e.move(k)
				if e.m.Step(e.s, mv.Process, mv.Pick) == zom.Stepped && e.canon.StepParts(e.s, mark, mv.Process) && e.canon.Renames {
					e.nextRenamed(mv)
					got := bytes.Clone(e.store.formOf(e.place.next))
					if e.canon.Multi(e.s); !bytes.Equal(got, e.canon.Out) {
						t.Fatalf("after process %d: %x, want %x\n%s", mv.Process, got, e.canon.Out, text)
					}
					renamed++
				}
				e.s.Undo(mark)
			}
		}
	}
	if renamed < 1000 {
		t.Errorf("only %d steps change references", renamed)
	}
}
