package refine

import (
	"testing"

	"golang.org/x/tools/txtar"
)

// Where some guesses about a loop are enough, the others do not become predicates.
func TestEnoughGuesses(t *testing.T) {
	for _, name := range []string{"shift", "shift-member", "bounded-by-caller"} {
		a, err := txtar.ParseFile("testdata/" + name + ".txtar")
		if err != nil {
			t.Fatal(err)
		}
		found := func(d Devices) int {
			d.NoTrials = true
			o, log := auditText(t, string(a.Files[0].Data), Options{Devices: d})
			if o.Result.Summary() != "TRUE" {
				t.Errorf("%s: %s\n%s", name, o.Result.Summary(), log)
			}
			return len(o.Predicates)
		}
		some, all := found(Devices{}), found(Devices{NoInduction: true})
		if 3*some > 2*all {
			t.Errorf("%s: %d predicates, and %d with all guesses", name, some, all)
		}
	}
}
