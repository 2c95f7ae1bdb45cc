package frontend

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"c2bp/frontend/core/interp"
	"c2bp/internal/testkit"
)

// structProgram writes integers into the members of generated structs and unions, through
// pointers or not, and reads the members and all bytes back; what it has read ends up in
// sum.
func structProgram(seed uint64, bits32 bool) string {
	g := generateLayouts(seed, bits32, false, 15)
	rng := rand.New(rand.NewPCG(seed, 2))
	var b, calls strings.Builder
	b.WriteString("#include <string.h>\n" + g.text.String() + "unsigned long long sum = 1; unsigned k;\n")
	for i, r := range g.records {
		if r.open {
			continue
		}
		fmt.Fprintf(&b, "%s x%d;\nvoid f%d(%s *p)\n{\n  memset(p, 0, sizeof *p);\n", r.typ, i, i, r.name)
		fmt.Fprintf(&calls, "  f%d(&x%d);\n", i, i)
		place := func(m layoutMember) string {
			return []string{"p->", fmt.Sprintf("x%d.", i)}[rng.IntN(2)] + m.path
		}
		for range 2 {
			for _, m := range r.members {
				if m.integer && rng.IntN(3) > 0 {
					fmt.Fprintf(&b, "  %s = %d;\n", place(m), int64(rng.Uint64())>>rng.IntN(60))
				}
				if m.integer && rng.IntN(3) == 0 {
					fmt.Fprintf(&b, "  %s ^= %s;\n", place(m), place(m))
				}
			}
		}
		for _, m := range r.members {
			if m.integer {
				fmt.Fprintf(&b, "  sum = sum * 31 + (unsigned long long)%s;\n", place(m))
			}
		}
		b.WriteString("  for (k = 0; k < sizeof *p; k++) sum = sum * 31 + ((unsigned char *)p)[k];\n}\n")
	}
	fmt.Fprintf(&b, "int main(void)\n{\n%s", calls.String())
	return b.String()
}

// differentSums counts the seeds for which the core program computes another sum than
// gcc's.
func differentSums(t *testing.T, seeds uint64, bits32 bool, report func(seed uint64, format string, args ...any)) {
	t.Helper()
	for seed := uint64(1); seed <= seeds; seed++ {
		text := structProgram(seed, bits32)
		want := runC(t, "#include <stdio.h>\n"+text+"  printf(\"%llu\\n\", sum);\n  return 0;\n}\n", machineFlag(bits32))
		u := mustLoad(t, text+"  return 0;\n}\n", Options{Bits32: bits32})
		machine := interp.New(u.Program, interp.NewRandom(u.Program, seed), interp.Options{})
		event, err := machine.Run(context.Background(), 1_000_000)
		if err != nil || event.Kind != interp.Finished {
			report(seed, "%v, %v", event.Kind, err)
			continue
		}
		for _, v := range u.Program.Globals {
			if v.Name == "sum" && machine.Global(v).String() != want[0] {
				report(seed, "the sum is %s, with gcc %s", machine.Global(v), want[0])
			}
		}
	}
}

// TestStructsAgainstGCC compares what programs read from structs, packed or not, with what
// they read when gcc compiles them.
func TestStructsAgainstGCC(t *testing.T) {
	testkit.NeedGCC(t)
	differentSums(t, testkit.Count[uint64](8, 300), false, func(seed uint64, format string, args ...any) {
		t.Errorf("seed %d: %s", seed, fmt.Sprintf(format, args...))
	})
}

// TestStructsAgainstGCC32 is TestStructsAgainstGCC for the 32-bit data model. Programs of the
// other one differ.
func TestStructsAgainstGCC32(t *testing.T) {
	testkit.NeedGCC32(t, "-fsanitize=undefined")
	differentSums(t, uint64(testkit.Count(6, 150)), true, func(seed uint64, format string, args ...any) {
		t.Errorf("seed %d: %s", seed, fmt.Sprintf(format, args...))
	})
}
