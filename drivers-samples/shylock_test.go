package samples

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"c2bp/checker/shylockcheck"
	"c2bp/frontend/shylock"
	"c2bp/internal/testkit"
	"c2bp/source"
	"c2bp/verdict"
)

// This file checks the programs in shylock. A folder has a file expect with a line for each question:
//
//	file bound property: verdict
//
// where the property is "-" for assertions and null dereferences, or a formula.

// TestShylock asks the questions of each folder. Each program stands in one.
func TestShylock(t *testing.T) {
	paths, err := filepath.Glob("shylock/*/expect")
	if err != nil || len(paths) == 0 {
		t.Fatal("no programs", err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		var lines strings.Builder
		for line := range strings.Lines(string(text)) {
			question, want, _ := strings.Cut(strings.TrimSpace(line), ": ")
			words := strings.SplitN(question, " ", 3)
			if len(words) != 3 {
				t.Fatalf("%s: %s", path, line)
			}
			names = append(names, words[0])
			got := answer(t, filepath.Join(filepath.Dir(path), words[0]), words[1], words[2])
			fmt.Fprintf(&lines, "%s: %s\n", question, got)
			if got != want && !*testkit.Update {
				t.Errorf("%s: %s: %s, want %s", path, question, got, want)
			}
		}
		if *testkit.Update {
			if err := os.WriteFile(path, []byte(lines.String()), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		files, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*.shy"))
		for _, file := range files {
			if !slices.Contains(names, filepath.Base(file)) {
				t.Errorf("%s has no line in expect", file)
			}
		}
	}
}

// answer returns the verdict of a question.
func answer(t *testing.T, file, bound, property string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	p, err := shylock.Load(source.NewFile(filepath.Base(file), text))
	if err != nil {
		t.Fatal(err)
	}
	opts := shylockcheck.Options{}
	if opts.Bound, err = strconv.Atoi(bound); err != nil {
		t.Fatal(err)
	}
	var r *verdict.Result
	if property == "-" {
		r = shylockcheck.Check(t.Context(), p, opts)
	} else {
		f, err := shylockcheck.ParseFormula(source.NewFile("formula", []byte(property)), p)
		if err == nil {
			r, err = shylockcheck.CheckFormula(t.Context(), p, f, opts, false)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return r.Summary()
}
