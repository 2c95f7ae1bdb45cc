package small

import (
	"errors"
	"strings"
	"testing"

	"c2bp/drivers-samples/concrete"
	"c2bp/internal/testkit"
)

// settings are the number of random runs and how closely they are looked at.
func settings() (int, concrete.Options) {
	if testkit.Long() {
		return 1500, concrete.Options{Addresses: true}
	}
	return 150, concrete.Options{}
}

// TestVerdicts: witnesses fail where it is said, random runs fail nowhere else, and
// nothing is undefined. That random runs would show a wrong verdict is seen from the
// unsafe programs: they must fail in most.
func TestVerdicts(t *testing.T) {
	n, options := settings()
	gcc, err := concrete.New(t.TempDir(), options)
	if errors.Is(err, concrete.ErrNoCompiler) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	unsafe, found := 0, 0
	for seed, p := range Programs() {
		if seed/2%2 == 1 && !testkit.Long() {
			continue // every other pair is enough, as the programs do not change
		}
		exe, err := gcc.Compile(concrete.Program{Name: p.Name, Text: p.Text})
		if err != nil {
			t.Error(err)
			continue
		}
		tally, err := exe.Check(concrete.Claim{Line: p.Line, Witness: p.Witness}, uint64(seed), n)
		if err != nil {
			t.Errorf("%s: %v", p.Name, err)
		}
		if p.Want == "TRUE" {
			if tally.Passed == 0 && (strings.Contains(p.Text, "assert.h") || strings.Contains(p.Text, "extern void __VERIFIER_assert")) {
				t.Errorf("%s: no random run comes to an assertion", p.Name)
			}
			continue
		}
		unsafe++
		if tally.Runs[concrete.Failed] > 0 {
			found++
		}
	}
	if found*4 < unsafe*3 {
		t.Errorf("random runs find the failures of only %d unsafe programs of %d", found, unsafe)
	}
}

// TestPairs: a safe and an unsafe program of each name, about the same topic.
func TestPairs(t *testing.T) {
	wants := map[string]string{"safe": "TRUE", "unsafe": "FALSE"}
	pairs := map[string][]Program{}
	for _, p := range Programs() {
		i := strings.LastIndex(p.Name, "-")
		if i < 0 || wants[p.Name[i+1:]] != p.Want {
			t.Errorf("%s: expects %s", p.Name, p.Want)
			continue
		}
		pairs[p.Name[:i]] = append(pairs[p.Name[:i]], p)
	}
	if len(pairs) < 24 {
		t.Errorf("%d pairs", len(pairs))
	}
	for name, ps := range pairs {
		if len(ps) != 2 || ps[0].Topic != ps[1].Topic {
			t.Errorf("%s is not a safe and an unsafe program about one topic", name)
		}
	}
}

func TestParse(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"// expect: TRUE\n// topic: t\nint x;\n", ""},
		{"// expect: FALSE 5\n// witness: 1 -2\n// topic: t\n", ""},
		{"// expect: FALSE 5\n// witness:\n// topic: t\n", ""},
		{"", "no topic"},
		{"// expect: TRUE\n", "no topic"},
		{"// expect: TRUE 5\n// topic: t\n", "neither"},
		{"// expect: TRUE\n// witness: 1\n// topic: t\n", "neither"},
		{"// expect: FALSE 5\n// topic: t\n", "neither"},
		{"// expect: FALSE x\n// witness: 1\n// topic: t\n", "line"},
		{"// expect: FALSE 5\n// witness: one\n// topic: t\n", "witness"},
	} {
		_, err := Parse("p", c.text)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.text, err, c.want)
		}
	}
}
