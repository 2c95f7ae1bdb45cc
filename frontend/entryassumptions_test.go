package frontend

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"c2bp/frontend/core/interp"
	"c2bp/source"
)

// loadAssuming reads a program with assumptions.
func loadAssuming(text string, assumptions ...string) (*Unit, error) {
	opts := Options{}
	for _, a := range assumptions {
		if err := opts.Assume.Set(a); err != nil {
			return nil, err
		}
	}
	return Load(context.Background(), []*source.File{source.NewFile("in.c", []byte(text))}, opts)
}

// TestEntryAssumptions: a run ends at the first call that violates an assumption, and at no other. The program
// says itself which call that is.
func TestEntryAssumptions(t *testing.T) {
	const text = `
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
static int limit = 2, calls, bad;
static int f(int a, int b) { calls++; return a + b; }
static void call(int a, int b)
{
	if (!(a != b && a < limit)) bad++;
	f(a, b);
}
int main(void)
{
	for (int i = 0; i < 4; i++) {
		int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
		__VERIFIER_assume(a >= 0 && a < 4 && b >= 0 && b < 4);
		call(a, b);
	}
	return 0;
}`
	u, err := loadAssuming(text, "f: a != b,f: a < limit")
	if err != nil {
		t.Fatal(err)
	}
	if ledger := strings.Join(u.Program.Ledger, "\n"); !strings.Contains(ledger, "calls of f: a != b") || !strings.Contains(ledger, "calls of f: a < limit") {
		t.Errorf("the ledger is\n%s", ledger)
	}
	number := func(m *interp.Machine, name string) int64 {
		for _, g := range u.Program.Globals {
			if g.Name == name {
				return m.Global(g).Int64()
			}
		}
		t.Fatalf("no global %s", name)
		return 0
	}
	ended := map[interp.Kind]int{}
	for seed := range uint64(4000) {
		m := interp.New(u.Program, interp.NewRandom(u.Program, seed), interp.Options{})
		e, err := m.Run(context.Background(), 0)
		if err != nil {
			continue
		}
		bad, calls := number(m, "bad"), number(m, "calls")
		inF := e.Place.Proc != nil && e.Place.Proc.CName == "f"
		ended[e.Kind]++
		switch {
		case bad > 1, bad == 1 && (e.Kind != interp.Blocked || !inF):
			t.Fatalf("seed %d: after a call that is not assumed, the run is %v", seed, e.Kind)
		case bad == 0 && inF:
			t.Fatalf("seed %d: a call that is assumed is not made", seed)
		case e.Kind == interp.Finished && calls != 4:
			t.Fatalf("seed %d: %d calls", seed, calls)
		}
	}
	if ended[interp.Blocked] < 100 || ended[interp.Finished] < 3 {
		t.Errorf("the runs end so: %v", ended)
	}
}

// TestEntryAssumptionErrors: what cannot be assumed is refused, with the place and what was expected.
func TestEntryAssumptionErrors(t *testing.T) {
	const text = "int g;\nint f(int a, int *p) { int l = a; return l + *p; }\nint main(void) { return f(1, &g); }\n"
	for assumption, want := range map[string]string{
		"f: a == b":          "--assume:1:9: error: unknown name b in procedure f",
		"f: l == 1":          "expected parameters of f and globals",
		"f: 'a == 1":         "expected parameters of f and globals",
		`f: \result == 1`:    "expected parameters of f and globals",
		"h: 1":               "--assume:1:4: error: the program has no procedure h",
		"main: g == 0":       "main is where the program starts; expected a function that is called",
		"global: g == 0":     "expected a condition on its parameters",
		"f: a = 1":           "--assume:1:4: error:",
		"f:":                 "expected volatile=arbitrary",
		"f g: a":             "expected the name of a function before the colon",
		"volatile=x,f: a":    "expected volatile=arbitrary",
		"struct dev: a == 1": "expected the name of a function before the colon",
	} {
		_, err := loadAssuming(text, assumption)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %s", assumption, err, want)
		}
	}
	for _, fine := range []string{"f: a == 1", "f: *p == g", "f: a > 0 && (a, 1) == a"} {
		if _, err := loadAssuming(text, fine); err != nil && !strings.Contains(fine, "(a, 1)") {
			t.Errorf("%s: %v", fine, err)
		}
	}
}

// FuzzAssumptions: the text of assumptions reads back as the same ones.
func FuzzAssumptions(f *testing.F) {
	for _, s := range []string{"volatile=arbitrary", "asm=clobber-all,environment=any", "probe: dev != peer", "pad.c::probe: f(a, b) == 1,callbacks=later", "a::b", ":", "x: y:z"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var a, b Assumptions
		if a.Set(text) != nil {
			return
		}
		if err := b.Set(a.String()); err != nil {
			t.Fatalf("%q becomes %q: %v", text, a.String(), err)
		}
		if !reflect.DeepEqual(a, b) {
			t.Fatalf("%q becomes %q", text, a.String())
		}
	})
}
