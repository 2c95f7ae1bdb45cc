package refine

import (
	"testing"

	"golang.org/x/tools/txtar"

	"c2bp/refine/technique"
)

// Where some guesses about a loop are enough, the others do not become predicates.
func TestEnoughGuesses(t *testing.T) {
	for _, name := range []string{"shift", "shift-member", "bounded-by-caller"} {
		a, err := txtar.ParseFile("testdata/" + name + ".txtar")
		if err != nil {
			t.Fatal(err)
		}
		found := func(without ...technique.Name) int {
			o, log := auditText(t, string(a.Files[0].Data), Options{Without: technique.Of(technique.Fuzzing).With(without...)})
			if o.Result.Summary() != "TRUE" {
				t.Errorf("%s: %s\n%s", name, o.Result.Summary(), log)
			}
			return len(o.Predicates)
		}
		some, all := found(), found(technique.Induction)
		if 3*some > 2*all {
			t.Errorf("%s: %d predicates, and %d with all guesses", name, some, all)
		}
	}
}
