package heap

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"c2bp/frontend"
	"c2bp/frontend/checks"
	"c2bp/internal/testkit"
	"c2bp/source"
)

// load reads a C file with checks.
func load(t *testing.T, name string, text []byte, s checks.Set) *frontend.Unit {
	t.Helper()
	u, err := frontend.Load(context.Background(), []*source.File{source.NewFile(name, text)}, frontend.Options{Checks: s})
	if err != nil {
		t.Fatal(err)
	}
	if err := Check(u.Program, s, u.Concurrent()); err != nil {
		t.Fatal(err)
	}
	return u
}

// TestGolden: the core program with checks, and the ledger. The first line of an archive has the kinds.
func TestGolden(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			var s checks.Set
			first, _, _ := strings.Cut(string(a.Comment), "\n")
			if err := s.Set(first); err != nil {
				t.Fatal(err)
			}
			got := []byte(load(t, a.Files[0].Name, a.Files[0].Data, s).Program.String())
			if *testkit.Update {
				a.Files = append(a.Files[:1], txtar.File{Name: "out/core", Data: got})
				if err := os.WriteFile(path, txtar.Format(a), 0o666); err != nil {
					t.Fatal(err)
				}
				return
			}
			if len(a.Files) < 2 || !bytes.Equal(got, a.Files[1].Data) {
				t.Errorf("the program is\n%s", got)
			}
		})
	}
}

// TestHeapLedger: what is not covered has a line, and nothing else has.
func TestHeapLedger(t *testing.T) {
	t.Parallel()
	const head = "#include <stdlib.h>\nvoid *get(void); void put(void *p); static char small[8];\n"
	for _, c := range []struct {
		name, text, want string
	}{
		{"nothing on the heap", "int main(void) { return 0; }", ""},
		{"own objects", "int main(void) { free(malloc(4)); return 0; }", "no pointer to an object that was freed"},
		{"from outside", "int main(void) { free(get()); return 0; }", "a pointer from outside that is freed"},
		{"given away", "int main(void) { void *p = malloc(4); put(p); free(p); return 0; }", "no pointer to an object that was freed;functions without a body free no object"},
		{"inside", "int main(void) { int k = *(int *)get(); char *p = malloc(4); if (k) p++; free(p); return 0; }", "what is freed at;no pointer to an object that was freed"},
		{"variable of another function", "static void drop(void *p) { free(p); } int main(void) { char c; drop(&c); return 0; }", "what is freed at"},
		{"own variable", "int main(void) { char c; free(&c); return 0; }", ""},
		{"lifetime: followed, from outside", "int main(void) { int *p = get(); free(p); return *p; }", "a pointer from outside that is freed;a pointer from outside that is followed"},
		{"lifetime: followed, nothing like that is freed", "int main(void) { int *p = get(); free(malloc(4)); return *p; }", "no pointer to an object that was freed"},
		{"lifetime: given to others", "int main(void) { put(small); free(malloc(4)); return 0; }", "no pointer to an object that was freed;functions without a body follow"},
		{"lifetime: threads", "#include <pthread.h>\nstatic void *run(void *p) { free(p); return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, run, malloc(4)); return 0; }", "no thread or handler;no pointer to an object that was freed;functions without a body follow;functions without a body free"},
		{"leak: given away", "int main(void) { put(malloc(4)); return 0; }", "what functions without a body were given"},
		{"leak: not given away", "int main(void) { free(malloc(4)); return 0; }", ""},
		{"static variable", "static void drop(void *p) { free(p); } int main(void) { drop(small); return 0; }", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			kinds := checks.Of(checks.DoubleFree)
			if strings.HasPrefix(c.name, "lifetime") {
				kinds |= checks.Of(checks.Lifetime)
			}
			if strings.HasPrefix(c.name, "leak") {
				kinds = checks.Of(checks.Leak)
			}
			var got []string
			for _, line := range load(t, "in.c", []byte(head+c.text), kinds).Program.Ledger {
				if rest, ok := strings.CutPrefix(line, "heap: "); ok {
					got = append(got, rest)
				}
			}
			want := strings.FieldsFunc(c.want, func(r rune) bool { return r == ';' })
			for i, w := range want {
				if i >= len(got) || !strings.HasPrefix(got[i], w) {
					t.Fatalf("%q, want %q", got, want)
				}
			}
			if len(got) != len(want) {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}

// TestExternAll: functions that change all memory would change what is watched.
func TestExternAll(t *testing.T) {
	u := load(t, "in.c", []byte("int main(void) { return 0; }"), 0)
	u.Program.Extern = 2
	if err := Check(u.Program, checks.Of(checks.DoubleFree), false); err == nil || !strings.Contains(err.Error(), "expected --extern=args or --extern=pure") {
		t.Errorf("%v", err)
	}
	if err := Check(u.Program, 0, false); err != nil {
		t.Error(err)
	}
}

// TestReachedLater: an access in one procedure gets an assertion, though control comes there from a free in another
// one by nodes that have moved, as assertions were put before them.
func TestReachedLater(t *testing.T) {
	t.Parallel()
	text := `
#include <stdlib.h>
extern int input(void);
static unsigned g;
static int *one, *two;
static void drop(void);
static int use(void);
int main(void)
{
	one = malloc(sizeof *one);
	two = malloc(sizeof *two);
	if (!one || !two) abort();
	*two = 2;
	if (input()) {
		free(two);
		` + strings.Repeat("g++; ", 60) + `
		free(one);
		return 0;
	}
	drop();
	return use();
}
static void drop(void) { free(one); }
static int use(void) { return *one; }
`
	core := load(t, "in.c", []byte(text), checks.Of(checks.Lifetime)).Program.String()
	_, use, found := strings.Cut(core, "proc use(")
	if use, _, _ = strings.Cut(use, "\nproc "); !found || !strings.Contains(use, "assert") {
		t.Errorf("the read of *one is not asserted:\n%s", use)
	}
}
