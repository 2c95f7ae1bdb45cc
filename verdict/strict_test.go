package verdict

import "testing"

func TestStrict(t *testing.T) {
	for _, c := range []struct {
		r    Result
		want string
	}{
		{Result{Verdict: True}, "TRUE"},
		{Result{Verdict: True, Ledger: []string{"a"}}, "UNKNOWN (strict: TRUE only under 1 assumption)"},
		{Result{Verdict: True, Ledger: []string{"a", "b"}}, "UNKNOWN (strict: TRUE only under 2 assumptions)"},
		{Result{Verdict: Unknown, Reason: "vacuous", Ledger: []string{"a"}}, "UNKNOWN (vacuous)"},
		{Result{Verdict: False, Sites: []Site{{Proc: "main"}}, Ledger: []string{"a"}}, "FALSE (assertion, main)"},
	} {
		before := c.r.Summary()
		if got := c.r.Strict().Summary(); got != c.want {
			t.Errorf("%+v: %s, want %s", c.r, got, c.want)
		}
		if c.r.Summary() != before {
			t.Errorf("Strict changed its receiver")
		}
	}
}
