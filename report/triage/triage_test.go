package triage

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"c2bp/source"
	"c2bp/verdict"
)

func file(text string) *source.File { return source.NewFile("in.c", []byte(text)) }

func TestComments(t *testing.T) {
	const text = `int a; /* c2bp: ignore spinlock: one */
// c2bp: ignore assertion: two, with: a colon
int b;
/* c2bp: ignore label ERROR:
 * three
 */
char *s = "/* c2bp: ignore spinlock: none */"; // c2bp: ignore rcu_read/held-at-end: four
char c = '"'; /* c2bp: ignore mutex: five */ int d;
/* another comment: c2bp: ignore spinlock: none */
`
	list, err := Comments(file(text))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range list {
		got = append(got, fmt.Sprintf("%d-%d %s: %s", c.First, c.Last, c.What, c.Reason))
	}
	want := []string{"1-1 spinlock: one", "2-3 assertion: two, with: a colon", "4-7 label ERROR: * three", "7-7 rcu_read/held-at-end: four", "8-8 mutex: five"}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestCovers: a comment suppresses failures of its property and key on its lines, and no others.
func TestCovers(t *testing.T) {
	at := func(line int, kind verdict.SiteKind, name, key string) verdict.Site {
		return verdict.Site{Kind: kind, Name: name, Key: key, Pos: source.Pos{File: "in.c", Line: line}, Failed: true}
	}
	for _, c := range []struct {
		text string
		site verdict.Site
		want bool
	}{
		{"// c2bp: ignore lock: r", at(1, verdict.Rule, "lock", "k"), true},
		{"// c2bp: ignore lock: r", at(2, verdict.Rule, "lock", "k"), true},
		{"// c2bp: ignore lock: r", at(3, verdict.Rule, "lock", "k"), false},
		{"int i; // c2bp: ignore lock: r", at(2, verdict.Rule, "lock", "k"), false},
		{"// c2bp: ignore lock/k: r", at(1, verdict.Rule, "lock", "k"), true},
		{"// c2bp: ignore lock/j: r", at(1, verdict.Rule, "lock", "k"), false},
		{"// c2bp: ignore lock: r", at(1, verdict.Rule, "lock2", "k"), false},
		{"// c2bp: ignore lock: r", at(1, verdict.Assertion, "", ""), false},
		{"// c2bp: ignore assertion: r", at(1, verdict.Assertion, "", ""), true},
		{"// c2bp: ignore assertion: r", at(1, verdict.Label, "assertion", ""), false},
		{"// c2bp: ignore assertion: r", at(1, verdict.Rule, "assertion", ""), true}, // a rule of that name
		{"// c2bp: ignore label L: r", at(1, verdict.Label, "L", ""), true},
		{"// c2bp: ignore label L: r", at(1, verdict.Label, "M", ""), false},
	} {
		k := &Known{}
		if err := k.Read(map[string]*source.File{"in.c": file(c.text)}); err != nil {
			t.Fatal(err)
		}
		if got := k.Why(c.site) != ""; got != c.want {
			t.Errorf("%s: %+v is suppressed: %v", c.text, c.site, got)
		}
	}
}

// version is a version of a program: its lines, and the failures on some.
func version(lines []string, failing ...int) (*Known, *verdict.Result) {
	k := &Known{}
	if err := k.Read(map[string]*source.File{"in.c": file(strings.Join(lines, "\n"))}); err != nil {
		panic(err)
	}
	r := &verdict.Result{Verdict: verdict.True}
	for i := range lines {
		s := verdict.Site{Kind: verdict.Assertion, Proc: fmt.Sprintf("f%d", i%2), Pos: source.Pos{File: "in.c", Line: i + 1}, Failed: slices.Contains(failing, i)}
		if s.Failed {
			r.Verdict = verdict.False
			r.Failures = append(r.Failures, verdict.Failure{Site: i})
			r.Failed = r.Failures[0].Site
		}
		r.Sites = append(r.Sites, s)
	}
	return k, r
}

// TestFingerprints: the failures of a program have fingerprints of their own, which stay when lines move by an
// even number, and spaces change; a line that is another one has another.
func TestFingerprints(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		n := 2 + rng.IntN(12)
		lines := make([]string, n)
		for i := range lines {
			lines[i] = fmt.Sprintf("assert(x%d == %d);", rng.IntN(3), rng.IntN(2)) // some are equal
		}
		k, r := version(lines)
		k.Fingerprints(r.Sites)
		seen := map[string]bool{}
		for _, s := range r.Sites {
			if seen[s.Fingerprint] || s.Fingerprint == "" {
				t.Fatalf("%q is the fingerprint of two sites of\n%s", s.Fingerprint, strings.Join(lines, "\n"))
			}
			seen[s.Fingerprint] = true
		}
		// 1. Moved, and indented otherwise.
		var moved []string
		for range 2 * rng.IntN(4) {
			moved = append(moved, "")
		}
		for _, l := range lines {
			moved = append(moved, "\t"+strings.ReplaceAll(l, " ", "  "))
		}
		km, rm := version(moved)
		km.Fingerprints(rm.Sites)
		for i, s := range r.Sites {
			if got := rm.Sites[i+len(moved)-n].Fingerprint; got != s.Fingerprint {
				t.Fatalf("line %d has another fingerprint after it has moved", i)
			}
		}
		// 2. Changed.
		at := rng.IntN(n)
		lines[at] = "assert(y);"
		kc, rc := version(lines)
		kc.Fingerprints(rc.Sites)
		if seen[rc.Sites[at].Fingerprint] {
			t.Fatalf("a line that has changed has a fingerprint of the program before")
		}
	}
}

// TestApply: random results with random suppression. No failure is lost: each is suppressed with a reason, or the
// verdict is FALSE; and the last line counts the ones that are suppressed.
func TestApply(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	verdicts := map[verdict.Verdict]int{}
	for range 2000 {
		n := 1 + rng.IntN(5)
		lines := make([]string, n)
		var failing []int
		suppressed := 0
		for i := range lines {
			lines[i] = "assert(x);"
			ignored := rng.IntN(2) == 0
			if ignored {
				lines[i] += " // c2bp: ignore assertion: why"
			}
			if rng.IntN(2) == 0 {
				failing = append(failing, i)
				if ignored {
					suppressed++
				}
			}
		}
		k, r := version(lines, failing...)
		open := rng.IntN(3) == 0
		if open {
			r.Sites = append(r.Sites, verdict.Site{Open: true, Proc: "g"})
			if r.Verdict == verdict.True {
				r.Verdict = verdict.Unknown
			}
		}
		before := r.Summary()
		out := k.Apply(r)
		want := verdict.True
		switch {
		case len(failing) > suppressed:
			want = verdict.False
		case open:
			want = verdict.Unknown
		}
		verdicts[want]++
		if out.Verdict != want {
			t.Fatalf("%d failures, %d suppressed, open %v: %s", len(failing), suppressed, open, out.Summary())
		}
		if want == verdict.False && (out.Sites[out.Failed].Suppressed != "" || out.Failures[0].Site != out.Failed) {
			t.Fatalf("the failure that decides is suppressed, or its run is not the first")
		}
		if len(out.Failures) != len(failing) {
			t.Fatalf("%d of %d failing runs are left", len(out.Failures), len(failing))
		}
		text := ""
		switch {
		case suppressed == 1:
			text = "1 failure suppressed"
		case suppressed > 1:
			text = fmt.Sprintf("%d failures suppressed", suppressed)
		}
		if !strings.Contains(out.Summary(), text) || text == "" && strings.Contains(out.Summary(), "suppressed") {
			t.Fatalf("%d are suppressed: %s", suppressed, out.Summary())
		}
		if r.Summary() != before {
			t.Fatal("Apply has changed its argument")
		}
		if strict := out.Strict(); suppressed > 0 && strict.Verdict == verdict.True {
			t.Fatalf("strict: %s", strict.Summary())
		}
	}
	t.Logf("%v", verdicts)
}

// TestChanges: of two versions with random failures, the new, unchanged and fixed ones are those by set
// operations on lines.
func TestChanges(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 500 {
		lines := make([]string, 8)
		for i := range lines {
			lines[i] = fmt.Sprintf("assert(x%d);", i)
		}
		pick := func() (list []int) {
			for i := range lines {
				if rng.IntN(3) == 0 {
					list = append(list, i)
				}
			}
			return list
		}
		then, now := pick(), pick()
		k, r := version(lines, then...)
		k.Fingerprints(r.Sites)
		b := &Baseline{Name: "old.json"}
		for _, i := range then {
			b.failures = append(b.failures, failure{Kind: "assertion", Status: "fails", Fingerprint: r.Sites[i].Fingerprint, File: "in.c", Line: i + 1})
		}
		k2, r2 := version(lines, now...)
		k2.Baseline = b
		out := k2.Apply(r2)
		want := map[string]bool{}
		for _, i := range now {
			state := "new"
			if slices.Contains(then, i) {
				state = "unchanged"
			}
			want[fmt.Sprintf("%s in.c:%d", state, i+1)] = true
		}
		for _, i := range then {
			if !slices.Contains(now, i) {
				want[fmt.Sprintf("fixed in.c:%d", i+1)] = true
			}
		}
		for _, c := range out.Changes.List {
			key := fmt.Sprintf("%s %s", c.State, c.Where)
			if !want[key] {
				t.Fatalf("then %v, now %v: %s", then, now, key)
			}
			delete(want, key)
		}
		if len(want) > 0 {
			t.Fatalf("then %v, now %v: missing %v", then, now, want)
		}
	}
}

// FuzzComments: positions are in the file, and what is read as a comment of its own reads the same.
func FuzzComments(f *testing.F) {
	for _, s := range []string{"// c2bp: ignore a: b", "/* c2bp: ignore a/b: c */ x", "\"//\" '\\'' // c2bp: ignore", "/*", "// c2bp: ignore label L: x\\\ny"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		in := file(text)
		list, err := Comments(in)
		if err != nil && !source.IsInput(err) {
			t.Fatal(err)
		}
		for _, c := range list {
			if c.First < 1 || c.Last < c.First || c.Last > strings.Count(text, "\n")+2 || c.Reason == "" || !isWhat(c.What) {
				t.Fatalf("%+v", c)
			}
			if again, err := Comments(file("/* c2bp: ignore " + c.What + ": " + c.Reason + " */")); !strings.Contains(c.Reason, "*/") && (err != nil || len(again) != 1 || again[0].What != c.What || again[0].Reason != c.Reason) {
				t.Fatalf("%+v reads back as %v, %v", c, again, err)
			}
		}
	})
}

// FuzzBaseline: a text is a result or an error with the name of the file.
func FuzzBaseline(f *testing.F) {
	f.Add(`{"version": 1, "verdict": "FALSE", "properties": [{"kind": "assertion", "status": "fails", "fingerprint": "a"}]}`)
	f.Add(`{"version": 2}`)
	f.Fuzz(func(t *testing.T, text string) {
		b, err := ReadBaseline(source.NewFile("old.json", []byte(text)))
		if err == nil && b == nil || err != nil && (!source.IsInput(err) || !strings.HasPrefix(err.Error(), "old.json")) {
			t.Fatalf("%v, %v", b, err)
		}
	})
}
