package refine

import (
	"bytes"
	"os/exec"
	"testing"

	"c2bp/frontend/cgen/wide"
	"c2bp/internal/testkit"
	"c2bp/verdict"
)

// This file audits programs of package wide in other forms: for 32 bits, and preprocessed.

// As TestWide, with int, long and pointers of 32 bits, against gcc -m32.
func TestWide32(t *testing.T) {
	testkit.NeedGCC(t)
	c, err := wide.Compiler32(t.Context(), t.TempDir())
	if err != nil {
		t.Skip(err)
	}
	m := wideManner{options: wide.Options{Bits32: true}, compiler: *c, certify: true}
	trials := wideTrials(t, 2_000_000, testkit.Count(8, 1000), m)
	logWide(t, trials)
	complainWide(t, trials)
}

// TestWidePreprocessed: the output of gcc's preprocessor, with the C library's headers, is the same
// program. An assertion is a statement expression there, with a branch and a call: the audit finds
// other predicates, and in rare cases not enough. It never contradicts itself.
func TestWidePreprocessed(t *testing.T) {
	testkit.NeedGCC(t)
	m := wideManner{compiler: wide.Compiler{Dir: t.TempDir()}}
	n := testkit.Count(4, 300)
	var list []*wideTrial
	for seed := range uint64(n) {
		list = append(list, &wideTrial{program: wide.Generate(3_000_000+seed, m.options)})
	}
	trials, undecided := m.choose(t, &m.compiler, list), 0
	for _, x := range trials {
		m.try(t.Context(), x)
		y := *x
		y.wrong, y.files = nil, nil
		for _, f := range x.files {
			cmd := exec.CommandContext(t.Context(), "gcc", "-E", "-x", "c", "-")
			cmd.Stdin = bytes.NewReader([]byte(f.Text))
			out, err := cmd.Output()
			if err != nil {
				t.Fatal(err)
			}
			y.files = append(y.files, wide.File{Name: f.Name, Text: string(out)})
		}
		m.try(t.Context(), &y)
		report := t.Logf
		switch {
		case x.verdict == y.verdict && len(y.wrong) == 0:
			continue
		case len(y.wrong) == 0 && (x.verdict == verdict.Unknown || y.verdict == verdict.Unknown):
			undecided++
		default:
			report = t.Errorf
		}
		report("seed %d: %s %s, preprocessed %s %s %q\n%s", x.program.Seed, x.outcome(), x.reason, y.outcome(), y.reason, y.wrong, x.files[0].Text)
	}
	if 50*undecided > len(trials) {
		t.Errorf("of %d programs %d are decided in one form only", len(trials), undecided)
	}
}
