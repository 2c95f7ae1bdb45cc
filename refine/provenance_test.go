package refine

import (
	"os"
	"testing"

	"golang.org/x/tools/txtar"

	"c2bp/refine/preds"
	"c2bp/refine/technique"
)

// It is told where predicates came from, and what each iteration cost: together, what all of
// them did.
func TestOrigins(t *testing.T) {
	data, err := os.ReadFile("testdata/two-sites.txtar")
	if err != nil {
		t.Fatal(err)
	}
	o, _ := auditText(t, string(txtar.Parse(data).Files[0].Data), Options{Without: technique.Of(technique.Fuzzing)})
	want := map[string]preds.Origin{
		"locked != 0": {Iteration: 1, Node: "take:0", Condition: "!locked", Rule: technique.Backward},
		"mapped != 0": {Iteration: 1, Node: "touch:0", Condition: "mapped", Rule: technique.Backward},
	}
	for _, p := range o.Predicates {
		got, ok := o.Origin(p.Expr)
		if ok && got.Pos.Line == 0 {
			t.Errorf("%s: there is no position", p.Name)
		}
		got.Pos.File, got.Pos.Line, got.Pos.Col = "", 0, 0
		if got != want[p.Name] {
			t.Errorf("%s: %+v, want %+v", p.Name, got, want[p.Name])
		}
		delete(want, p.Name)
	}
	if len(want) > 0 {
		t.Errorf("there are no predicates %v", want)
	}
	if n := len(o.Statistics); n != 2 || len(o.Statistics[1].Lessons) > 0 || o.Statistics[1].Unfinished {
		t.Fatalf("%d iterations: %+v", n, o.Statistics)
	}
	first, second := o.Statistics[0], o.Statistics[1]
	lessons := []Lesson{
		{Site: 0, Conditions: 1, Predicates: 1, Strategy: technique.Backward}, {Site: 1, Conditions: 1, Predicates: 1, Strategy: technique.Backward},
	}
	if len(first.Lessons) != 2 || first.Lessons[0] != lessons[0] || first.Lessons[1] != lessons[1] {
		t.Errorf("%+v, want %+v", first.Lessons, lessons)
	}
	sums := map[string]int64{
		"iterations": int64(len(o.Statistics)), "predicates": int64(first.New + second.New),
		"prover queries, abstraction": first.Abstraction + second.Abstraction,
		"prover queries, paths":       first.Paths + second.Paths,
		"BDD nodes, peak":             second.Nodes, "worklist steps": second.Steps,
	}
	for name, sum := range sums {
		if n := counter(o.Result.Stats, name); n != sum || n == 0 {
			t.Errorf("%s: %d, and %d by iterations", name, n, sum)
		}
	}
}
