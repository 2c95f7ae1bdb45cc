package cubes

import (
	"testing"

	"c2bp/logic"
	"c2bp/logic/logicgen"
	"c2bp/prover"
)

// grow runs goals through spaces over more and more predicates, in an order in which new
// ones come between old ones, too, with a memo and without. It returns the number of
// queries of either, or where they differ. The memo has what was learned already.
func grow(t *testing.T, already *learned) (with, without int64, differ string) {
	p, fresh := prover.New(nil, prover.Options{}), prover.New(nil, prover.Options{NoMemo: true})
	p.Memo().Extension(func() any { return already })
	for seed := range uint64(16) {
		g := logicgen.New(seed+2000, 2+int(seed%2), seed%2 == 0)
		all, goal := g.Scope(7)
		goals := []*logic.Term{goal, g.T.Not(goal), all[0], g.T.Not(all[6])}
		order := g.R.Perm(len(all))
		for _, bounds := range []SpaceOptions{{MaxExact: 2, MaxCube: 2}, {MaxExact: 4, MaxCube: 2}, {}} {
			for n := 1; n <= len(all); n++ {
				var preds []*logic.Term
				for i, f := range all {
					for _, j := range order[:n] {
						if i == j {
							preds = append(preds, f)
						}
					}
				}
				got := dump(t, NewSpace(p, g.T, preds, bounds), goals)
				want := dump(t, NewSpace(fresh, g.T, preds, bounds), goals)
				if got != want {
					return 0, 0, got + "\nwithout:\n" + want
				}
			}
		}
	}
	return p.Stats().Queries, fresh.Stats().Queries, ""
}

// What was learned over other predicates saves queries and does not show in results.
func TestLearnedDoesNotShow(t *testing.T) {
	queries, fresh, differ := grow(t, &learned{})
	if differ != "" {
		t.Errorf("with what was learned:\n%s", differ)
	}
	answers, _, differ := grow(t, &learned{count: maxLearned}) // which has no room for more
	if differ != "" {
		t.Errorf("with nothing learned:\n%s", differ)
	}
	t.Logf("%d queries, %d with answers remembered alone, %d with nothing remembered", queries, answers, fresh)
	if queries >= answers {
		t.Error("nothing is saved")
	}
}

// A space that is asked nothing but what is known evaluates its predicates in no state.
func TestNoGuessAtWhatIsKnown(t *testing.T) {
	memo := prover.NewMemo()
	for _, first := range []bool{true, false} {
		tab := logic.NewTable()
		x, y := tab.Sym("x", nil, nil), tab.Sym("y", nil, nil)
		s := NewSpace(prover.New(memo, prover.Options{}), tab, []*logic.Term{tab.Lt(x, y), tab.Lt(y, tab.Int(9)), tab.Lt(x, tab.Int(3))}, SpaceOptions{})
		if _, _, err := s.Strengthen(background, tab.Lt(x, tab.Int(8))); err != nil {
			t.Fatal(err)
		}
		if s.guessed != first {
			t.Errorf("guessed: %v, want %v", s.guessed, first)
		}
	}
}
