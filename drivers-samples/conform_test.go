package samples

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"c2bp/checker/interleave"
	"c2bp/checker/zingcheck"
	"c2bp/frontend/zing"
	"c2bp/internal/testkit"
	"c2bp/source"
	"c2bp/verdict"
)

// This file compares the models in conform. A folder has models and a file expect with lines
//
//	[--determinize] implementation specification: result
//	--stuck model: result
//
// The result is the verdict and, if it is FALSE, the number of states on the run that is shown.

// modelIn returns a model of a folder, checked.
func modelIn(t *testing.T, dir, name string) *zing.Program {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	p, warnings, err := zing.Load([]*source.File{source.NewFile(name, text)})
	if warnings = append(warnings, zingcheck.HiddenEvents(p)...); err != nil || len(warnings) > 0 {
		t.Fatal(err, warnings)
	}
	return p
}

// comparedAs returns the result of a line of a file expect.
func comparedAs(t *testing.T, dir, line string) string {
	t.Helper()
	words := strings.Fields(line)
	var flags []string
	if strings.HasPrefix(words[0], "--") {
		flags, words = words[:1], words[1:]
	}
	opts := zingcheck.Options{Options: interleave.Options{MaxStates: 1000000, Stuck: slices.Contains(flags, "--stuck")}}
	var r *verdict.Result
	length := 0
	if opts.Stuck {
		a := zingcheck.Check(t.Context(), modelIn(t, dir, words[0]), opts)
		r, length = a.Result, a.Length
	} else {
		c := zingcheck.Compare(t.Context(), modelIn(t, dir, words[0]), modelIn(t, dir, words[1]), zingcheck.CompareOptions{Options: opts, Determinize: slices.Contains(flags, "--determinize")})
		r, length = c.Result, c.Length
	}
	if r.Verdict == verdict.False {
		return fmt.Sprintf("%s, %d states", r.Summary(), length)
	}
	return r.Summary()
}

// TestConform compares all models that are listed, and looks for models that are not.
func TestConform(t *testing.T) {
	paths, err := filepath.Glob("conform/*/expect")
	if err != nil || len(paths) == 0 {
		t.Fatal("no models", err)
	}
	for _, path := range paths {
		dir := filepath.Dir(path)
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var lines strings.Builder
		for line := range strings.Lines(string(text)) {
			key, want, found := strings.Cut(strings.TrimSpace(line), ": ")
			if !found {
				t.Fatalf("%s: %s", path, line)
			}
			got := comparedAs(t, dir, key)
			fmt.Fprintf(&lines, "%s: %s\n", key, got)
			if got != want && !*testkit.Update {
				t.Errorf("%s: %s:\ngot  %s\nwant %s", path, key, got, want)
			}
		}
		if *testkit.Update {
			if err := os.WriteFile(path, []byte(lines.String()), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		files, _ := filepath.Glob(dir + "/*.zing")
		for _, file := range files {
			if !strings.Contains(string(text), filepath.Base(file)) {
				t.Errorf("%s has no line in expect", file)
			}
		}
	}
}
