package refine

import (
	"context"
	"os/exec"
	"strings"
	"testing"

	"c2bp/frontend"
	"c2bp/refine/harness"
	"c2bp/sandbox"
	"c2bp/source"
	"c2bp/verdict"
)

// A failure that rests on a made-up value is one only if the compiled program fails, too;
// and one that rests on what assembly stores is none, since there it was made up likewise.
func TestDoubt(t *testing.T) {
	const head = "#include <assert.h>\nextern int in(void);\nvoid *memset(void *, int, unsigned long);\n"
	const (
		yes     = verdict.False
		unknown = verdict.Unknown
	)
	for _, c := range []struct {
		name, text          string
		run, noRun, confine verdict.Verdict // with a compiler; with --no-run; without a sandbox
	}{
		{"no doubt", `int main(void) { assert(in() != 3); }`, yes, yes, yes},
		{"a value", `int main(void) { long double d = 2.0; int x = (int)d; assert(x == 3); }`, yes, unknown, unknown},
		{"a way", `int main(void) { long double d = 2.0; int x = 0; if (d > 1) x = 1; assert(x == 0); }`, yes, unknown, unknown},
		{"an index", `int a[4]; int main(void) { long double d = 2.0; a[(int)d & 3] = 1; assert(a[0] == 0); }`, unknown, unknown, unknown},
		{"a size", `char a[8], b[8]; int main(void) { long double d = 2.0; memset(a, 1, (unsigned long)d & 7); assert(b[0] != 0); }`, yes, unknown, unknown},
		{"made up, and without influence", `int main(void) { long double d = 2.0; int x = (int)d; assert(in() != 3); return x; }`, yes, yes, yes},
		{"an allocator", `void *malloc(unsigned long); int main(void) { int *p = malloc(4); assert(p != 0); }`, yes, yes, yes},
		{"what a compiler may know", `int main(void) { int n = in(), r = n; if (__builtin_constant_p(n)) r = 0; assert(r != 3); }`, yes, yes, yes},
		{"a port", `int main(void) { unsigned char v; asm volatile("inb $0x70, %0" : "=a"(v)); assert(v != 7); }`, yes, yes, yes},
		{"a patched jump", `int main(void) { asm goto("1: nop; .pushsection __jump_table" : : : : l); return 0; l: assert(0); }`, yes, yes, yes},
		{"a jump", `int main(void) { asm goto("jc %l0" : : : : l); return 0; l: assert(0); }`, unknown, unknown, unknown},
		{"assembly", `int main(void) { int x; asm("mov $1, %0" : "=r"(x)); assert(x == 1); }`, unknown, unknown, unknown},
		{"assembly that could fail", `int main(void) { int x; asm("mov $1, %0" : "=r"(x)); assert(x != 1); }`, unknown, unknown, unknown},
		{"an address from assembly and a new object", `void *malloc(unsigned long); int main(void) { char *q, *p; asm("mov %%rsp, %0" : "=r"(q)); p = malloc(8); assert(p == 0 || q != p + 4); }`, unknown, unknown, unknown},
		{"a new object of a size from assembly", `void *malloc(unsigned long); char *get(void); int main(void) { int x; char *q = get(), *p; asm("mov $4, %0" : "=r"(x)); p = malloc(x); assert(p == 0 || q == 0 || q + 4 != p); }`, unknown, unknown, unknown},
		{"assembly without influence", `int main(void) { int x; asm("mov $1, %0" : "=r"(x)); assert(in() != 3); return x; }`, yes, yes, yes},
		{"assembly that changes memory", `int g = 1; int main(void) { int *p = &g; asm("incl (%0)" : : "r"(p) : "memory"); assert(g == 1); }`, unknown, unknown, unknown},
	} {
		for _, way := range []struct {
			name    string
			harness *harness.Options
			want    verdict.Verdict
		}{{"run", &harness.Options{}, c.run}, {"no run", nil, c.noRun}, {"no sandbox", &harness.Options{Confinement: sandbox.None()}, c.confine}} {
			t.Run(c.name+"/"+way.name, func(t *testing.T) {
				if _, err := exec.LookPath("gcc"); err != nil && way.harness != nil {
					t.Skip("gcc is not installed; this test compiles C")
				}
				files := []*source.File{source.NewFile("in.c", []byte(head+c.text+"\n"))}
				u, err := frontend.Load(context.Background(), files, frontend.Options{})
				if err != nil {
					t.Fatal(err)
				}
				o, err := Audit(context.Background(), u.Program, Options{Files: files, Harness: way.harness})
				if err != nil {
					t.Fatal(err)
				}
				if o.Result.Verdict != way.want {
					t.Errorf("%s (%s), want %s", o.Result.Verdict, o.Result.Reason, way.want)
				}
				if way.want == unknown && !strings.Contains(o.Result.Reason, "not represented") && !strings.Contains(o.Result.Reason, "not executed") {
					t.Errorf("the reason is %s", o.Result.Reason)
				}
				if c.name == "assembly that changes memory" || strings.Contains(c.name, "a new object") {
					return // the replay has ended before
				}
				said := o.Result.Reason
				if len(o.Failures) > 0 && o.Failures[0].Compiled != nil {
					said = o.Failures[0].Compiled.String()
				}
				if says := strings.Contains(said, "nothing was compiled or run"); says != (way.name == "no sandbox") {
					t.Errorf("it says %q", said)
				}
			})
		}
	}
}
