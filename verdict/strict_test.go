package verdict

import (
	"fmt"
	"testing"
)

func TestStrict(t *testing.T) {
	for _, c := range []struct {
		r    Result
		want string
	}{
		{Result{Verdict: True}, "TRUE"},
		{Result{Verdict: True, Ledger: []string{"a"}}, "UNKNOWN (strict: TRUE only under 1 assumption)"},
		{Result{Verdict: True, Ledger: []string{"a", "b"}}, "UNKNOWN (strict: TRUE only under 2 assumptions)"},
		{Result{Verdict: Unknown, Reason: "vacuous", Ledger: []string{"a"}}, "UNKNOWN (vacuous)"},
		{Result{Verdict: False, Sites: []Site{{Proc: "main", Failed: true}, {Proc: "f"}}, Ledger: []string{"a"}}, "FALSE (assertion, main)"},
	} {
		before := fmt.Sprintf("%+v", c.r)
		strict := c.r.Strict()
		if got := strict.Summary(); got != c.want {
			t.Errorf("%+v: %s, want %s", c.r, got, c.want)
		}
		for _, s := range strict.Sites {
			if !s.Failed && !s.Open {
				t.Errorf("%+v: %s holds", c.r, s.Proc)
			}
		}
		if fmt.Sprintf("%+v", c.r) != before {
			t.Errorf("Strict changed its receiver")
		}
	}
}
