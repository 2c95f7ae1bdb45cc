package pushdown

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"c2bp/boolprog"
	"c2bp/boolprog/bpexec"
	"c2bp/boolprog/bpgen"
	"c2bp/boolprog/bptest"
	"c2bp/boolprog/refexec"
	"c2bp/internal/testkit"
	"c2bp/verdict"
)

// The formula that a label is never reached fails if and only if brute force, which has an interpreter of its own,
// reaches the label.
func TestLabels(t *testing.T) {
	counts := map[string]int{}
	n := testkit.Count(50, 20000)
	for seed := range uint64(n) {
		p := bpgen.References(seed+1000, bpgen.ReferenceConfig{CutPoints: 90, Any: int(seed%4) * 10, Enforce: 30})
		var labels []bpexec.LabelSite
		for _, proc := range p.Procs {
			// Where an enforce clause dereferences null, a run ends at the node that it was about to reach: for formulas it
			// is there.
			if proc.Enforce != nil && strings.Contains(boolprog.ExprString(proc.Enforce), ".") {
				continue
			}
			for i, s := range proc.Body {
				name := fmt.Sprintf("mark%d", i)
				s.Labels = append(s.Labels, name)
				labels = append(labels, bpexec.LabelSite{Proc: proc.Name, Label: name})
			}
		}
		g := bptest.Graph(t, p)
		want, err := refexec.Explore(context.Background(), g, refexec.Options{MaxStates: 5000, MaxDepth: 5, MaxHeap: 8})
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range labels[:min(len(labels), 8)] {
			got := decide(t, g, fmt.Sprintf("G !@%s::%s", l.Proc, l.Label), false)
			reached := slices.Contains(want.Labels, l)
			counts[fmt.Sprint(got.Verdict, " ", reached)]++
			if reached && got.Verdict == verdict.True || !reached && want.Complete && got.Verdict == verdict.False {
				t.Fatalf("seed %d: %v: %v, reached %v\n%s", seed, l, got.Verdict, reached, p)
			}
		}
	}
	t.Log(counts)
}
