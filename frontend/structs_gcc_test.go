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
func differentSums(t *testing.T, seeds uint64, bits32 bool, m mutation, report func(seed uint64, format string, args ...any)) {
	t.Helper()
	for seed := uint64(1); seed <= seeds; seed++ {
		text := structProgram(seed, bits32)
		want := runC(t, "#include <stdio.h>\n"+text+"  printf(\"%llu\\n\", sum);\n  return 0;\n}\n", machineFlag(bits32))
		u := mustLoad(t, text+"  return 0;\n}\n", Options{mutation: m, Bits32: bits32})
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
	seeds := uint64(8)
	if testkit.Long() {
		seeds = 300
	}
	differentSums(t, seeds, false, 0, func(seed uint64, format string, args ...any) {
		t.Errorf("seed %d: %s", seed, fmt.Sprintf(format, args...))
	})
}

// TestStructsAgainstGCC32 is TestStructsAgainstGCC for the 32-bit data model. Programs of the
// other one differ.
func TestStructsAgainstGCC32(t *testing.T) {
	testkit.NeedGCC32(t, "-fsanitize=undefined")
	differentSums(t, uint64(testkit.Count(6, 150)), true, 0, func(seed uint64, format string, args ...any) {
		t.Errorf("seed %d: %s", seed, fmt.Sprintf(format, args...))
	})
	found := 0
	differentSums(t, 4, true, crossUnits, func(uint64, string, ...any) { found++ })
	if found == 0 {
		t.Error("a member in the wrong place is not noticed")
	}
}

// TestStructMutations: a member in the wrong place is noticed, and one that is taken to
// be aligned.
func TestStructMutations(t *testing.T) {
	testkit.NeedGCC(t)
	for _, m := range []mutation{crossUnits, packedInner, allAligned} {
		found := 0
		differentSums(t, 4, false, m, func(uint64, string, ...any) { found++ })
		if found == 0 {
			t.Errorf("mutation %d is not noticed", m)
		}
	}
}
