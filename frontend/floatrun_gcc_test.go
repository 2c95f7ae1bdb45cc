package frontend

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"c2bp/internal/testkit"
)

// floatRuns makes programs that compute with floats and doubles: variables, members, elements,
// bytes, calls, results, loops, conditions, conversions.
type floatRuns struct {
	*rand.Rand
}

func (g *floatRuns) pick(list ...string) string { return list[g.IntN(len(list))] }

// place is something that is read and written: its text and whether it is a float.
func (g *floatRuns) place() string {
	return g.pick("f", "g", "d", "e", "s.f", "s.d", "p->f", "p->d", "a[n & 3]", "b[2]", "u.d", "u.f[1]", "gf", "gd", "vd", "vf")
}

func (g *floatRuns) literal() string {
	return g.pick("0.5", "0.1", "1.5f", "0.1f", "-0.0", "3", "7u", "-2", "1e10", "1e-3f", "16777217.0f", "0x1.8p-3", "1e300", "3.4e38f", "5e-324", "1e-45f",
		"INFINITY", "-INFINITY", "NAN", "2.5", "0.0f", "9007199254740993.0", "100")
}

// value is an expression of a floating-point type, or of an integer type.
func (g *floatRuns) value(depth int) string {
	if depth == 0 || g.IntN(5) == 0 {
		return g.pick(g.place(), g.place(), g.place(), g.literal(), "(n % 100)", "m", "c")
	}
	x := func() string { return g.value(depth - 1) }
	switch g.IntN(14) {
	case 0:
		return "-(" + x() + ")"
	case 1:
		return "(" + g.pick("float", "double") + ")(" + x() + ")"
	case 2:
		return fmt.Sprintf("(%s ? %s : %s)", g.cond(depth-1), x(), x())
	case 3:
		return fmt.Sprintf("%s(%s)", g.pick("fabs", "sqrt", "floor", "ceil", "trunc", "round", "rint", "sqrtf", "floorf", "roundf", "fabsf", "half", "twice"), x())
	case 4:
		return fmt.Sprintf("%s(%s, %s)", g.pick("fmod", "remainder", "copysign", "fmodf", "copysignf", "mixed"), x(), x())
	case 5:
		return fmt.Sprintf("whole(%s)", x())
	case 6:
		return fmt.Sprintf("(%s)", g.cond(depth-1))
	}
	return fmt.Sprintf("(%s %s %s)", x(), g.pick("+", "-", "*", "/"), x())
}

func (g *floatRuns) cond(depth int) string {
	x, y := g.value(depth), g.value(max(0, depth-1))
	switch g.IntN(9) {
	case 0:
		return "!(" + x + ")"
	case 1:
		return "(" + x + ")" + g.pick(" && ", " || ") + "(" + y + ")"
	case 2:
		return fmt.Sprintf("%s((double)(%s))", g.pick("isnan", "isinf", "isfinite", "isnormal", "signbit", "!isnan", "fpclassify"), x)
	case 3:
		return fmt.Sprintf("%s((double)(%s), (double)(%s))", g.pick("isless", "isgreaterequal", "isunordered", "islessgreater"), x, y)
	case 4:
		return "(_Bool)(" + x + ")"
	}
	return fmt.Sprintf("(%s) %s (%s)", x, g.pick("<", "<=", ">", ">=", "==", "!="), y)
}

func (g *floatRuns) statement() string {
	switch g.IntN(10) {
	case 0:
		return fmt.Sprintf("%s %s= %s;", g.place(), g.pick("+", "-", "*", "/"), g.value(2))
	case 1:
		return g.pick(g.place()+g.pick("++", "--")+";", g.pick("++", "--")+g.place()+";", g.place()+" = "+g.pick("d", "f", "s.d")+g.pick("++", "--")+";")
	case 2:
		return fmt.Sprintf("if (%s) %s else n ^= 5;", g.cond(2), g.statement())
	case 3:
		return fmt.Sprintf("n %s= clip(%s);", g.pick("+", "^", ""), g.value(2))
	case 4:
		return fmt.Sprintf("for (float i = %s; i < %s; i += %s) { n++; d += i; }", g.pick("0", "0.1f", "-2"), g.pick("1", "2.5", "(n & 3)"), g.pick("0.1f", "0.25", "1.0f"))
	case 5:
		return g.pick("p = &t;", "memcpy(&u, &d, sizeof d);", "u.bits[0] ^= 1u << 31;", "memcpy(b, a, sizeof a);", "p = &s;")
	case 7:
		return fmt.Sprintf("f = f %s g %s gf %s s.f;", g.pick("*", "+"), g.pick("+", "-"), g.pick("/", "*", "-"))
	case 6:
		return fmt.Sprintf("sum = sum * 31 + (%s);", g.cond(2))
	}
	return fmt.Sprintf("%s = %s;", g.place(), g.value(3))
}

// floatRunProgram is a program of that kind, by seed.
func floatRunProgram(seed uint64) string {
	g := &floatRuns{Rand: rand.New(rand.NewPCG(seed, 29))}
	var b strings.Builder
	b.WriteString(`#include <math.h>
#include <string.h>
unsigned long long sum;
struct s { float f; double d; } s = { 1.25, 0.1 }, t;
union { double d; float f[2]; unsigned bits[2]; } u;
float gf = 0.1, a[4] = { 1, 2.5f, -0.0f, 1e38f }; double gd = 1e15, b[4] = { [2] = 0.3 };
volatile double vd = 4; volatile float vf = 0.7f;
`)
	fmt.Fprintf(&b, "static const double k = %s; static float half(float x) { return x / 2; } static double twice(double x) { return x * 2 + k; }\n", g.pick("0.1", "1 / 3.0", "1.0f / 3", "2"))
	b.WriteString(`static double mixed(float x, double y) { return x < y ? x - y : x * y; }
static int clip(double x) { return x > -1e9 && x < 1e9 ? (int)x : 7; }
static long whole(float x) { return x >= -1e18f && x <= 1e18f ? (long)x : -1; }
static void note(double x) { unsigned long long w = 1; if (x == x) memcpy(&w, &x, 8); sum = sum * 1000003 + w; }
int main(void) {
  struct s *p = &s; float f = 0.5f, g = -3; double d = 2.75, e = 1e-3; int n = 3; unsigned m = 4000000000u; signed char c = -5;
`)
	for range 14 {
		fmt.Fprintf(&b, "  %s\n", g.statement())
	}
	for _, x := range strings.Fields("f g d e s.f s.d t.d u.d u.f[1] gf gd vd vf a[0] a[1] a[3] b[2] n") {
		fmt.Fprintf(&b, "  note(%s);\n", x)
	}
	b.WriteString("  f = 0.7f + n; g = n / 3.0f; note(f * g + gf / 3 - (f + 1e-3f) * g);\n")
	return b.String()
}

// TestFloatRunsAgainstGCC compares programs that compute with floats and doubles.
func TestFloatRunsAgainstGCC(t *testing.T) {
	testkit.NeedGCC(t)
	compareSums(t, floatRunProgram, seedRange(1, testkit.Count(20, 1000)), false)
}
