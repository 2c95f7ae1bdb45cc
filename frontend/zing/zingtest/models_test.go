package zingtest

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"c2bp/internal/testkit"
)

// explore loads and explores a model; a defect does not make it run for ever.
func explore(t testing.TB, text string, options Options) *Result {
	t.Helper()
	p, err := Load("model.zing", text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if options.States == 0 {
		options.States = 20_000
	}
	return Explore(p, options)
}

// wantLine is the comment with the expected results of a model.
var wantLine = regexp.MustCompile(`(?m)^// want: .*$`)

// TestModels compares the results of the models with their comments, or rewrites those.
func TestModels(t *testing.T) {
	for _, m := range Models() {
		t.Run(m.Name, func(t *testing.T) {
			got := explore(t, m.Text, m.Options).Summary()
			if got == m.Want {
				return
			}
			if !*testkit.Update {
				t.Fatalf("got  %s\nwant %s", got, m.Want)
			}
			text := wantLine.ReplaceAllLiteralString(m.Text, "// want: "+got)
			if err := os.WriteFile(filepath.Join("testdata/models", m.Name+".zing"), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// TestModelsFail checks that each directed model fails or deadlocks, and that each kind of failure
// has a model.
func TestModelsFail(t *testing.T) {
	all := ""
	for _, m := range Models() {
		all += m.Want + "\n"
		if strings.HasPrefix(m.Name, "directed-") && !strings.Contains(m.Want, "assertion") && !strings.Contains(m.Want, "deadlock") {
			t.Errorf("%s: %s", m.Name, m.Want)
		}
	}
	for _, k := range []Kind{Assertion, Deadlock, NullPointer, BadIndex, DivideByZero, Overflow, BadChoose, BlockingSelect, Unhandled, InfiniteLoop, Internal, Assume} {
		if !strings.Contains(all, " "+string(k)+" ") {
			t.Errorf("no model has a failure of kind %s", k)
		}
	}
}
