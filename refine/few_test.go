package refine

import (
	"testing"

	"c2bp/checker"
	"c2bp/refine/technique"
	"c2bp/verdict"
)

// TestFew has programs that are decided by the values that their variables hold, and not
// without them.
func TestFew(t *testing.T) {
	t.Parallel()
	const head = "extern int __VERIFIER_nondet_int(void);\n"
	for name, text := range map[string]string{
		"recursion": `
static int f(int n) { int k = n & 1; if (n <= 0) return 1; int v = f(n - 1); return v + k; }
int main(void) { int n = __VERIFIER_nondet_int(); if (n < 0 || n > 2) return 0; int r = f(n); if (r == 4) { ERROR: ; } return 0; }`,
		"an element": `
static unsigned char t[4] = { 1, 2 };
int main(void)
{
  int i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int();
  if (i < 0 || i > 3 || j < 0 || j > 3) return 0;
  t[i] = j & 1;
  if (t[j] == 3) { ERROR: ; }
  return 0;
}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, without := range []bool{false, true} {
				// Ranges are values, too.
				leftOut := technique.Of(technique.PathRanges)
				if without {
					leftOut = technique.Of(technique.PathRanges, technique.ObservedValues)
				}
				o, _ := auditText(t, head+text, Options{Without: leftOut, Checker: checker.Options{ErrorLabels: checker.DefaultErrorLabels()}})
				want := verdict.True
				if without {
					want = verdict.Unknown
				}
				if o.Result.Verdict != want {
					t.Errorf("without=%v: %v (%s), want %v", without, o.Result.Verdict, o.Result.Reason, want)
				}
			}
		})
	}
}
