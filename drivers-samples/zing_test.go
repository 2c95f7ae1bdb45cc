package samples

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"c2bp/checker/interleave"
	"c2bp/checker/zingcheck"
	"c2bp/frontend/zing"
	"c2bp/frontend/zing/zingtest"
	"c2bp/internal/testkit"
	"c2bp/source"
	"c2bp/verdict"
)

// This file checks the classic models in zing. A folder has models, each beside the same in Promela, and a file
// expect with a line for each size of a model:
//
//	[long] file size: result
//
// where size replaces the number in the line of the model that says "// size"; "-" leaves the model as it is. The
// result is that of classic.result. Lines with long are for long tests.

// classic is a model of a size with its known result.
type classic struct {
	dir, file, size string
	long            bool
	want            string
}

// String is the name of c in tests.
func (c *classic) String() string {
	return strings.TrimSuffix(filepath.Base(c.dir)+"/"+strings.TrimSuffix(c.file, ".zing")+"-"+c.size, "--")
}

var sizeLine = regexp.MustCompile(`= \d+; // size`)

// text returns the model with its size.
func (c *classic) text(t testing.TB) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(c.dir, c.file))
	if err != nil {
		t.Fatal(err)
	}
	if c.size == "-" {
		return text
	}
	if n := len(sizeLine.FindAll(text, -1)); n != 1 {
		t.Fatalf("%s: %d lines with a size", c.file, n)
	}
	return sizeLine.ReplaceAll(text, []byte("= "+c.size+"; // size"))
}

// load returns the model, checked.
func (c *classic) load(t testing.TB) *zing.Program {
	t.Helper()
	p, warnings, err := zing.Load([]*source.File{source.NewFile(c.file, c.text(t))})
	if err != nil || len(warnings) > 0 {
		t.Fatal(err, warnings)
	}
	return p
}

// check returns the result of breadth-first search with some workers.
func (c *classic) check(t testing.TB, jobs int) *zingcheck.Analysis {
	t.Helper()
	return zingcheck.Check(t.Context(), c.load(t), zingcheck.Options{Options: interleave.Options{MaxStates: 20000000, Jobs: jobs}})
}

// result returns the verdict with counts, as expect has them. Those of a search that ends at a failure depend on
// its order, and are left out.
func (c *classic) result(a *zingcheck.Analysis) string {
	s := a.Search
	if a.Result.Verdict == verdict.False {
		return fmt.Sprintf("%s, %d states", a.Result.Summary(), a.Length)
	}
	return fmt.Sprintf("%s, distinct %d, stored %d, transitions %d", a.Result.Summary(), s.Distinct, s.Stored, s.Transitions)
}

// expectFile returns the lines of a file expect.
func expectFile(t testing.TB, path string) (list []*classic) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		key, want, found := strings.Cut(strings.TrimSpace(line), ": ")
		words := strings.Fields(key)
		c := &classic{dir: filepath.Dir(path), want: want}
		if found && words[0] == "long" {
			c.long, words = true, words[1:]
		}
		if !found || len(words) != 2 {
			t.Fatalf("%s: %s", path, line)
		}
		c.file, c.size = words[0], words[1]
		list = append(list, c)
	}
	return list
}

// classics returns all models with their sizes, by folder.
func classics(t testing.TB) (folders [][]*classic) {
	t.Helper()
	paths, err := filepath.Glob("zing/*/expect")
	if err != nil || len(paths) == 0 {
		t.Fatal("no models", err)
	}
	for _, path := range paths {
		folders = append(folders, expectFile(t, path))
	}
	return folders
}

// TestZing checks each model of each size, and small ones with the interpreter of package zingtest, too.
func TestZing(t *testing.T) {
	for _, list := range classics(t) {
		var lines strings.Builder
		for _, c := range list {
			if !c.long || testkit.Long() {
				t.Run(c.String(), func(t *testing.T) { c.isAsExpected(t) })
			}
			fmt.Fprintf(&lines, "%s%s %s: %s\n", map[bool]string{true: "long "}[c.long], c.file, c.size, c.want)
		}
		if *testkit.Update {
			if err := os.WriteFile(filepath.Join(list[0].dir, "expect"), []byte(lines.String()), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		// Each model is in the list, and beside the same in Promela.
		files, _ := filepath.Glob(list[0].dir + "/*.zing")
		for _, file := range files {
			if !slices.ContainsFunc(list, func(c *classic) bool { return c.file == filepath.Base(file) }) {
				t.Errorf("%s has no line in expect", file)
			}
			if _, err := os.Stat(strings.TrimSuffix(file, ".zing") + ".pml"); err != nil {
				t.Error(err)
			}
		}
	}
}

// most is the number of states of models that the interpreter can explore quickly.
const most = 3000

func (c *classic) isAsExpected(t *testing.T) {
	a := c.check(t, 1)
	got := c.result(a)
	if *testkit.Update {
		c.want = got
	} else if got != c.want {
		t.Errorf("got  %s\nwant %s", got, c.want)
	}
	if a.Search.Stored > most {
		return
	}
	// The interpreter finds the same.
	r := zingtest.Explore(c.load(t), zingtest.Options{States: 2 * most})
	switch {
	case a.Result.Verdict == verdict.False && r.TraceLength != a.Length:
		t.Errorf("a run of %d states, the interpreter finds one of %d", a.Length, r.TraceLength)
	case a.Result.Verdict == verdict.True && (r.Verdict != "" || r.DistinctStates != a.Search.Distinct || !r.Complete):
		t.Errorf("the interpreter finds %d states, %s, complete %v", r.DistinctStates, r.Verdict, r.Complete)
	}
}
