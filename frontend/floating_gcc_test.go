package frontend

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"c2bp/internal/testkit"
)

// floatProgram adds up integers that are made of floating-point constants: conditions,
// comparisons, conversions, in initialisers of both kinds and in statements.
func floatProgram(seed uint64) string {
	g := rand.New(rand.NewPCG(seed, 17))
	pick := func(list ...string) string { return list[g.IntN(len(list))] }
	var value func(depth int) string
	value = func(depth int) string {
		if depth == 0 || g.IntN(4) == 0 {
			return pick("0.5", "0.1", "0.2", "0.3", "1.5f", "0.1f", "0.3f", "2.75", "1e3", "1e-3", "1.e1", ".25", "0x1p-3", "0x1.8p2f", "16777217.0f",
				"0.0", "0.0f", "9007199254740993.0", "1e300", "1e-300", "3.4e38f", "100.99")
		}
		switch g.IntN(8) {
		case 0:
			return "-" + value(depth-1)
		case 1:
			return "(float)" + "(" + value(depth-1) + ")"
		case 2:
			return "(double)" + "(" + value(depth-1) + ")"
		case 3:
			return fmt.Sprintf("(%s %s %d)", value(depth-1), pick("+", "-", "*"), g.IntN(20)-5)
		}
		return fmt.Sprintf("(%s %s %s)", value(depth-1), pick("+", "-", "*", "/"), value(depth-1))
	}
	bounded := func() string { // within int
		return pick("2.75", "-0.9", "0.1f + 0.2", "100 * 0.29", "1.5f * 3", "-7 / 2.0", "(float)16777217", "1e9", "0x1p30", "254.99f")
	}
	number := func() string {
		switch g.IntN(7) {
		case 0:
			return "(int)(" + bounded() + ")"
		case 1:
			return "!" + value(1)
		case 2:
			return "(" + value(2) + " ? 3 : 4)"
		case 3:
			return fmt.Sprintf("(%s %s %s)", value(2), pick("&&", "||"), pick(value(1), "0", "1"))
		case 4:
			return "(_Bool)(" + value(2) + ")"
		}
		return fmt.Sprintf("(%s %s %s)", value(2), pick("<", "<=", ">", ">=", "==", "!="), pick(value(2), value(1), "0", "3"))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "unsigned long long sum;\nstatic int a = %s, z = %s; unsigned char t[3] = { 1.5, [2] = %s };\n", number(), bounded(), number())
	b.WriteString("int main(void) {\n  sum = a; sum = sum * 31 + z; sum = sum * 31 + t[0] + t[2];\n")
	for range 6 {
		fmt.Fprintf(&b, "  sum = sum * 31 + %s;\n", number())
	}
	fmt.Fprintf(&b, "  int l = %s, n = 0; long m = %s; sum = sum * 31 + l + m;\n", bounded(), bounded())
	long := func() string {
		return pick("7.5L", "0.25L", "16777217.0L", "0x1.8p3L", "300.l", "2.75L", "0.0L", "1e3L")
	}
	fmt.Fprintf(&b, "  { int i = %s; float f = %s; double d; d = %s; _Bool c = %s; sum = sum * 31 + i + (long)f + (long)(d * 8) + c + (unsigned)%s; }\n", long(), long(), long(), long(), long())
	fmt.Fprintf(&b, "  if (%s) sum += 5; else sum += 7;\n  while (%s) if (n++ > 2) break;\n  do n++; while (n < 9 && %s);\n  sum = sum * 31 + n;\n", value(2), value(2), value(2))
	return b.String()
}

// TestFloatsAgainstGCC compares integers that are made of floating-point constants.
func TestFloatsAgainstGCC(t *testing.T) {
	testkit.NeedGCC(t)
	seeds := append(seedRange(1, testkit.Count(12, 300)), 142) // 142 compares what is no number
	compareSums(t, floatProgram, seeds, false)
}
