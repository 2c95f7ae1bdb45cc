package sarif

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"c2bp/internal/testkit"
	"c2bp/source"
	"c2bp/verdict"
)

const text = "int main(void)\n{\n\tchar *ö = \"äöü\"; assert(n); \n\treturn 0;\n}\n"

// example is a result with everything in it.
func example() (*verdict.Result, Options) {
	at := func(line, col int) source.Pos { return source.Pos{File: "drivers/my dev.c", Line: line, Col: col} }
	r := &verdict.Result{
		Verdict: verdict.False,
		Sites: []verdict.Site{
			{Kind: verdict.Rule, Name: "spinlock", Key: "double-lock", Proc: "main", Pos: at(3, 23), Text: "spinlock: double-lock: taken twice", Failed: true, Fingerprint: "0123"},
			{Kind: verdict.Assertion, Proc: "main", Pos: at(4, 2), Text: "assert(n);", Failed: true, Fingerprint: "4567", Suppressed: "n is never 0", InSource: true},
			{Kind: verdict.Label, Name: "ERROR", Proc: "main", Pos: at(5, 1), Failed: true, Fingerprint: "89ab", Suppressed: "known from old.json"},
			{Kind: verdict.Assertion, Proc: "f", Pos: at(2, 1), Open: true, Reason: "no predicates were found"},
			{Kind: verdict.Rule, Name: "mutex", Proc: "main", Pos: source.Pos{File: "/abs/mutex.slic", Line: 1, Col: 1}},
		},
		Trace: &verdict.Trace{},
		Failures: []verdict.Failure{{
			Site:    0,
			RestsOn: []verdict.Choice{{Kind: verdict.NullChoice, Text: "find() returns null", Pos: at(3, 2)}},
			Trace: &verdict.Trace{Steps: []verdict.Step{
				{Proc: "main", Pos: source.Pos{File: "<harness>", Line: 7}, Stmt: "skip"},
				{Proc: "main", Pos: at(3, 2), Text: "char *ö = \"äöü\";", Depth: 1},
				{Proc: "main", Pos: at(3, 23), Text: "assert(n);", Depth: 1, Origin: "assert"},
			}},
		}},
		Ledger:  []string{"integers: signed overflow is absent"},
		Changes: &verdict.Changes{Since: "old.json", List: []verdict.Change{{State: verdict.NewFailure, Fingerprint: "0123"}, {State: verdict.UnchangedFailure, Fingerprint: "89ab"}, {State: verdict.FixedFailure, What: "assertion", Where: "dev.c:9", Fingerprint: "cdef"}}},
	}
	return r, Options{
		Version: "v1", ExitCode: 10,
		Rules: map[string]Rule{"spinlock": {"a lock is taken and released alternately", "rule spinlock …\n", "warning"}},
		Files: map[string]*source.File{"drivers/my dev.c": source.NewFile("drivers/my dev.c", []byte(text))},
	}
}

func TestGolden(t *testing.T) {
	r, opts := example()
	var b bytes.Buffer
	if err := Write(&b, r, opts); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join("testdata", "example.sarif")
	if *testkit.Update {
		if err := os.WriteFile(name, b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(b.Bytes(), want) {
		t.Errorf("%s differs (go test -update rewrites it); got:\n%s", name, b.String())
	}
}

// TestRegions: the columns of a region count code points, and give the text from the position to the end of the
// line.
func TestRegions(t *testing.T) {
	f := source.NewFile("in.c", []byte(text))
	x := &writer{Options: Options{Files: map[string]*source.File{"in.c": f}}}
	for offset, c := range []byte(text) {
		pos := f.Pos(offset)
		if c == '\n' || c&0xc0 == 0x80 || strings.TrimSpace(f.Line(pos.Line)[pos.Col-1:]) == "" { // no start of a character, or none is left
			continue
		}
		r := x.region(pos)
		line := []rune(f.Line(*r.StartLine))
		want, _, _ := strings.Cut(text[offset:], "\n")
		if got := string(line[*r.StartColumn-1 : *r.EndColumn-1]); got != strings.TrimRight(want, " ") || *r.Snippet.Text != got {
			t.Errorf("%v: the region is %q, the snippet %q, want %q", pos, got, *r.Snippet.Text, want)
		}
	}
}

// TestSchema: random results are valid by the schema of SARIF 2.1.0, and refer to rules that are there.
func TestSchema(t *testing.T) {
	base, opts := example()
	rng := rand.New(rand.NewPCG(7, 8))
	for n := range testkit.Count(12, 200) {
		r := *base
		if n > 0 {
			r.Sites = nil
			for range rng.IntN(5) {
				r.Sites = append(r.Sites, base.Sites[rng.IntN(len(base.Sites))])
			}
			r.Verdict = verdict.Verdict(rng.IntN(2))
			r.Failures = nil
			for i, s := range r.Sites {
				if s.Failed {
					f := base.Failures[0]
					f.Site = i
					r.Failures, r.Verdict, r.Failed = append(r.Failures, f), verdict.False, i
				}
			}
			if rng.IntN(2) == 0 {
				r.Changes = nil
			}
		}
		var b bytes.Buffer
		if err := Write(&b, &r, opts); err != nil {
			t.Fatal(err)
		}
		if err := Validate(b.Bytes()); err != nil {
			t.Fatalf("%v\n%s", err, b.String())
		}
		var doc struct {
			Runs []struct {
				Tool struct {
					Driver struct{ Rules []struct{ ID string } }
				}
				Results []struct {
					RuleID    string
					RuleIndex int
				}
			}
		}
		if err := json.Unmarshal(b.Bytes(), &doc); err != nil {
			t.Fatal(err)
		}
		failed := 0
		for _, s := range r.Sites {
			if s.Failed {
				failed++
			}
		}
		if len(doc.Runs[0].Results) != failed {
			t.Fatalf("%d results for %d failures", len(doc.Runs[0].Results), failed)
		}
		for _, x := range doc.Runs[0].Results {
			if rules := doc.Runs[0].Tool.Driver.Rules; x.RuleIndex < 0 || x.RuleIndex >= len(rules) || rules[x.RuleIndex].ID != x.RuleID {
				t.Fatalf("rule %d is not %s", x.RuleIndex, x.RuleID)
			}
		}
	}
}

// TestSchemaCanFail: logs that break a rule of the schema are not valid.
func TestSchemaCanFail(t *testing.T) {
	r, opts := example()
	var b bytes.Buffer
	if err := Write(&b, r, opts); err != nil {
		t.Fatal(err)
	}
	for old, other := range map[string]string{`"level": "warning"`: `"level": "bad"`, `"startLine": 3`: `"startLine": 0`, `"kind": "inSource"`: `"kind": "here"`} {
		broken := strings.Replace(b.String(), old, other, 1)
		if broken == b.String() {
			t.Errorf("no %s", old)
		}
		if Validate([]byte(broken)) == nil {
			t.Errorf("with %s, it is valid", other)
		}
	}
}

func TestURI(t *testing.T) {
	for name, want := range map[string]string{"a/b.c": "a/b.c", "./a b.c": "a%20b.c", "/x/a#1.c": "file:///x/a%231.c", "../ö.c": "../%C3%B6.c"} {
		if got := uri(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}
