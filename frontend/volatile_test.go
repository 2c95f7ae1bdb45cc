package frontend

import (
	"slices"
	"strings"
	"testing"
)

// keptTests are programs that write to a volatile x and read it; kept says whether nobody
// else can have changed it.
var keptTests = []struct {
	kept bool
	text string
}{
	{true, "volatile int x; int main(void) { x = 1; return x; }"},
	{true, "int main(void) { volatile int x = 3; x++; return x; }"},
	{true, "int main(void) { volatile int x = 3; return x; }"},
	{true, "struct { volatile short a; volatile int b : 5; } x; int main(void) { x.a = 7; return x.a + x.b; }"},
	{true, "static volatile char x[4]; int main(int n, char **v) { x[n & 3] = 5; return x[n & 3]; }"},
	{true, "struct s { int a; }; static volatile struct s x; int main(void) { struct s c; x.a = 9; c = x; return c.a; }"},
	{true, "static const volatile int x = 3; int main(void) { return x; }"},
	{true, "int y; int *volatile x = &y; int main(void) { *x = 3; return y; }"},
	{true, "static volatile int x; static int f(int n) { x = n; return x; } int main(void) { return f(4); }"},
	{true, "int ext(void); static volatile int x; int main(void) { x = ext(); return x; }"},
	// It has external linkage, and a call leaves the files.
	{false, "int ext(void); volatile int x; int main(void) { x = ext(); return x; }"},
	// Somebody else defines it, or has its address.
	{false, "extern const volatile int x; int main(void) { return x; }"},
	{false, "static volatile int x; void ext(volatile int *); int main(void) { ext(&x); return x; }"},
	{false, "static volatile int x; int main(void) { volatile int *p = &x; *p = 1; return x; }"},
	{false, "static volatile int x[2]; int main(void) { volatile int *p = x; *p = 1; return x[0]; }"},
	// A function may run at any time: nobody in the program calls it, or it is given away.
	{false, "static volatile int x; void irq(void) { x = 1; } int main(void) { x = 0; return x; }"},
	{false, "static volatile int x; static void set(void) { x = 1; } void irq(void) { set(); } int main(void) { set(); return x; }"},
	{false, "static volatile int x; static void cb(void) { x = 1; } void (*table[])(void) = { cb }; int main(void) { x = 0; return x; }"},
	// It may be a register.
	{false, "static volatile int x __attribute__((section(\".io\"))); int main(void) { x = 0; return x; }"},
	{false, "__attribute__((section(\".io\"))) static volatile int x; int main(void) { x = 0; return x; }"},
	{false, "int main(void) { register volatile long x __asm__(\"rbx\"); x = 0; return x; }"},
	{false, "int main(void) { volatile int *x = (volatile int *)4096; *x = 0; return *x; }"},
}

// wrongKept lists the programs in which a read of x is lowered otherwise than it should be.
func wrongKept(t *testing.T, o Options) (wrong []string) {
	t.Helper()
	for _, c := range keptTests {
		u := mustLoad(t, c.text, o)
		said := slices.ContainsFunc(u.Program.Ledger, func(s string) bool {
			return strings.HasPrefix(s, "volatile: ") && strings.HasSuffix(s, " keeps what was last written to it: nothing but the program changes it")
		})
		text := u.Program.String()
		arbitrary := strings.Contains(text, "a read of the volatile") || strings.Contains(text, "fill &c, 4, ?")
		if said != c.kept || arbitrary == c.kept {
			wrong = append(wrong, c.text+"\n"+text)
		}
	}
	return wrong
}

// TestVolatile: a volatile object keeps what the program has written to it, unless somebody
// else may change it; what is relied on is said.
func TestVolatile(t *testing.T) {
	for _, w := range wrongKept(t, Options{}) {
		t.Error(w)
	}
	kept := 0
	for _, c := range keptTests {
		if c.kept {
			kept++
		}
	}
	if wrong := wrongKept(t, Options{Assume: Assumptions{VolatileArbitrary: true}}); len(wrong) != kept {
		t.Errorf("with volatile=arbitrary, %d of %d programs are as before", kept-len(wrong), kept)
	}
}

// TestAssumptions: the flag says what it does not know.
func TestAssumptions(t *testing.T) {
	var a Assumptions
	if err := a.Set("volatile=kept,volatile=arbitrary"); err != nil || a.String() != "volatile=arbitrary" {
		t.Errorf("%s, %v", &a, err)
	}
	if err := a.Set("volatile=kept,tides=low"); err == nil {
		t.Error("an unknown assumption is accepted")
	}
}
