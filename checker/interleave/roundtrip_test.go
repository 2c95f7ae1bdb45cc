package interleave

import (
	"bytes"
	"context"
	"testing"

	"c2bp/checker/lowerzing"
	"c2bp/checker/zom"
	"c2bp/frontend/zing/zingtest"
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
