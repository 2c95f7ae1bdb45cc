package ieee

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"c2bp/internal/testkit"
)

// specials are the bits of doubles at which operations change; those of floats are made of
// them.
var specials = []uint64{0, 1 << 63, 0x3ff0 << 48, 0xbff0 << 48, 0x3fe0 << 48, 0x4004 << 48, 0xc004 << 48, 0x7ff0 << 48, 0xfff0 << 48, 0x7ff8 << 48, 0xfff8<<48 | 5,
	1, 0x000fffffffffffff, 0x0010000000000000, 0x7fefffffffffffff, 0x3fb999999999999a, 0x4340000000000001, 0x41dfffffffc00000, 0x43e0 << 48, 0x47efffffe0000000, 0x36a0 << 48, 0x3ff0000010000000, 0x3ff0000030000000}

// operands are pairs of numbers of width bits.
func operands(width int) (list [][2]uint64) {
	at := func(x uint64) uint64 {
		if width == 32 {
			return Resized(x, 64, 32)
		}
		return x
	}
	for _, x := range specials {
		for _, y := range specials {
			list = append(list, [2]uint64{at(x), at(y)})
		}
	}
	rng := rand.New(rand.NewPCG(1, uint64(width)))
	for range 300 {
		x, y := rng.Uint64(), rng.Uint64()
		list = append(list, [2]uint64{x >> (64 - width), y >> (64 - width)})
	}
	return list
}

// TestAgainstGCC compares operations with what gcc makes of them, for special and random
// operands. Of what is no number the bits are compared for arithmetic and signs alone: there
// the machine says them.
func TestAgainstGCC(t *testing.T) {
	testkit.NeedGCC(t)
	for _, width := range []int{32, 64} {
		got := fromGCC(t, width)
		i, wrong := 0, false
		for _, p := range operands(width) {
			for op := Add; op <= Sign; op++ {
				ours := Apply(op, width, p[0], p[1])
				exact := op <= Div || op >= CopySign && op <= Sqrt || op >= Eq
				bits, isNaN := strings.CutSuffix(got[i], "n")
				same := bits == fmt.Sprintf("%x", ours) || !exact && isNaN && IsNaN(ours, width)
				if !same && !wrong {
					wrong = true
					t.Errorf("%d bits: %s of %#x and %#x is %#x, with gcc %s", width, op, p[0], p[1], ours, got[i])
				}
				i++
			}
		}
	}
}

// fromGCC are the results of all operations for all operands; n is behind what is no number.
func fromGCC(t *testing.T, width int) []string {
	typ, word, suffix := "double", "unsigned long long", ""
	if width == 32 {
		typ, word, suffix = "float", "unsigned", "f"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "#include <stdio.h>\n#include <string.h>\n#include <math.h>\ntypedef %s T; typedef %s W;\n", typ, word)
	b.WriteString("static void out(T x) { W w; memcpy(&w, &x, sizeof w); printf(\"%llx%s\\n\", (unsigned long long)w, x != x ? \"n\" : \"\"); }\n")
	b.WriteString("static W in[][2] = {\n")
	for _, p := range operands(width) {
		fmt.Fprintf(&b, "{ %#xu%s, %#xu%s },\n", p[0], "ll", p[1], "ll")
	}
	b.WriteString("};\nint main(void) { for (unsigned i = 0; i < sizeof in / sizeof in[0]; i++) { volatile T x, y; memcpy((void *)&x, &in[i][0], sizeof(T)); memcpy((void *)&y, &in[i][1], sizeof(T));\n")
	for _, e := range []string{"x + y", "x - y", "x * y", "x / y", "fmodF(x, y)", "remainderF(x, y)", "copysignF(x, y)", "-x", "fabsF(x)", "sqrtF(x)", "floorF(x)", "ceilF(x)", "truncF(x)", "roundF(x)", "rintF(x)"} {
		fmt.Fprintf(&b, "out(%s);", strings.ReplaceAll(e, "F(", suffix+"("))
	}
	b.WriteString("printf(\"%x\\n%x\\n%x\\n%x\\n\", x == y, x < y, x <= y, !!signbit(x)); } }\n")
	dir := t.TempDir()
	file, exe := filepath.Join(dir, "a.c"), filepath.Join(dir, "a")
	if err := os.WriteFile(file, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("gcc", "-w", "-o", exe, file, "-lm").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	out, err := exec.Command(exe).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(out))
}

func TestText(t *testing.T) {
	for _, v := range []float64{0.5, 1, -2, 1e30, 0.1, 1e-7, 5e-324, math.MaxFloat64, math.Copysign(0, -1), 123456789} {
		x := math.Float64bits(v)
		if y, ok := Parse(Format(x, 64), 64); !ok || y != x {
			t.Errorf("%v is written %s, and read as %#x", v, Format(x, 64), y)
		}
	}
	for text, want := range map[string]uint64{"0x1.8p1": 0x4008 << 48, "1e400": 0x7ff0 << 48, ".25": 0x3fd0 << 48, "1.": 0x3ff0 << 48} {
		if x, ok := Parse(text, 64); !ok || x != want {
			t.Errorf("%s is %#x, want %#x", text, x, want)
		}
	}
	if Format(0x3dcccccd, 32) != "0.1f" || Format(0x7ff8<<48, 64) != "NAN" || Exact(0xfff0<<48, 64) != "-__builtin_inf()" || Exact(0x7f800001, 32) != `__builtin_nansf("0x1")` {
		t.Error(Format(0x3dcccccd, 32), Format(0x7ff8<<48, 64), Exact(0xfff0<<48, 64), Exact(0x7f800001, 32))
	}
	for _, text := range []string{"", "x", "0x1", "1_0", "nan"} {
		if _, ok := Parse(text, 64); ok {
			t.Errorf("%q is a number", text)
		}
	}
}

// Conversions of integers round once.
func TestConversions(t *testing.T) {
	for v, want := range map[int64]uint64{16777217: 0x4b800000, 16777219: 0x4b800002, -1: 0xbf800000, math.MaxInt64: 0x5f000000, 0: 0, 1<<54 + 1<<30 + 1: 0x5a800001} {
		if x := FromInteger(v, true, 32); x != want {
			t.Errorf("%d is %#x, want %#x", v, x, want)
		}
	}
	if x := FromInteger(-1, false, 64); x != 0x43f0<<48 {
		t.Errorf("the greatest integer is %#x", x)
	}
	if x := Resized(0x3ff0000010000000, 64, 32); x != 0x3f800000 { // half way, to even
		t.Errorf("resized %#x", x)
	}
}
