package refine

import (
	"testing"

	"c2bp/checker"
	"c2bp/refine/technique"
	"c2bp/verdict"
)

// TestRanges has programs whose sums and products stay in a range because of what they are computed from. They are
// decided by these ranges, and the safe ones not without them.
func TestRanges(t *testing.T) {
	t.Parallel()
	const head = `
extern int __VERIFIER_nondet_int(void);
typedef long long i64;
static i64 add(i64 x, i64 y) { if (y > 0 ? x > 9223372036854775807LL - y : x < -9223372036854775807LL - 1 - y) { ERROR: ; } return x + y; }
static i64 mul(int x, int y) { return (i64)x * y; }
`
	for name, test := range map[string]struct {
		text string
		want verdict.Verdict
	}{
		"interpolation": {`
int main(void)
{
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
  unsigned short f = __VERIFIER_nondet_int();
  i64 t = mul(a, 65536 - f);
  t = add(t, mul(b, f));
  return t >> 16;
}`, verdict.True},
		"too large": {`
int main(void)
{
  int a = __VERIFIER_nondet_int();
  i64 t = mul(a, 2147483647);
  t = add(t, t);
  t = add(t, t);
  return t >> 16;
}`, verdict.False},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o, _ := auditText(t, head+test.text, Options{Checker: checker.Options{ErrorLabels: checker.DefaultErrorLabels()}})
			if o.Result.Verdict != test.want {
				t.Errorf("%v (%s), want %v", o.Result.Verdict, o.Result.Reason, test.want)
			}
			if test.want != verdict.True {
				return
			}
			o, _ = auditText(t, head+test.text, Options{Without: technique.Of(technique.PathRanges), Checker: checker.Options{ErrorLabels: checker.DefaultErrorLabels()}})
			if o.Result.Verdict != verdict.Unknown {
				t.Errorf("without ranges: %v", o.Result.Verdict)
			}
		})
	}
}
