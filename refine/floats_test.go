package refine

import (
	"testing"

	"c2bp/frontend/cgen/wide"
	"c2bp/internal/testkit"
)

// TestFloatPrograms audits programs that floating point decides, against their runs on all
// inputs: no TRUE that is wrong, no FALSE, and every proof has a valid certificate.
func TestFloatPrograms(t *testing.T) {
	testkit.NeedGCC(t)
	confirm := func(seed uint64) bool { return seed%uint64(testkit.Count(4, 1)) == 0 }
	m := wideManner{certify: true, confirm: confirm, options: wide.Options{Classes: []string{"floating"}, Parts: 1}}
	trials := wideTrials(t, 7_000_000, testkit.Count(6, 300), m)
	logWide(t, trials)
	complainWide(t, trials)
	row := wideTable(trials, func(*wideTrial) []string { return []string{"all"} })["all"]
	if row.decided("safe") < 80 || row.decided("unsafe") < 90 {
		t.Errorf("of the safe programs %d%% are decided, of the others %d%%", row.decided("safe"), row.decided("unsafe"))
	}
}
