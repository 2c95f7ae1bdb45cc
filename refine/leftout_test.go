package refine

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"c2bp/refine/technique"
)

// TestLeftOut: without a technique that an audit does not ask for, the audit is the same.
func TestLeftOut(t *testing.T) {
	compared := 0
	for _, name := range []string{"counter", "given", "shift-global", "trial-label"} {
		data, err := os.ReadFile("testdata/" + name + ".txtar")
		if err != nil {
			t.Fatal(err)
		}
		// audit returns all that can be seen of an audit, but for times.
		audit := func(without technique.Set) string {
			if !strings.HasPrefix(name, "trial-") {
				without = without.With(technique.Fuzzing) // which takes most of the time
			}
			opts := Options{Without: without, Queries: 500}
			opts.Abstract.Jobs = 1 // of several workers some ask what others have the answer of
			o, log := auditText(t, string(txtar.Parse(data).Files[0].Data), opts)
			return fmt.Sprint(log, o.Result.Summary(), o.Result.Stats)
		}
		asked := map[technique.Name]bool{}
		want := audit(technique.Set{}.Observed(func(n technique.Name) { asked[n] = true }))
		for _, n := range technique.All() {
			if asked[n] {
				continue
			}
			compared++
			if audit(technique.Of(n)) != want {
				t.Errorf("%s: %s was not asked for, and makes a difference", name, n)
			}
		}
	}
	if compared < 20 {
		t.Errorf("only %d audits were compared", compared)
	}
	t.Logf("%d audits compared", compared)
}
