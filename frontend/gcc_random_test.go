package frontend

import (
	"context"
	"errors"
	"os/exec"
	"testing"

	"c2bp/frontend/cgen"
	"c2bp/frontend/core/interp"
	"c2bp/internal/testkit"
	"c2bp/source"
)

// This file compares the lowering of memory with gcc as gcc_test.go does the lowering of
// the rest: on random programs with pointers, structs, unions, bit-fields and arrays. On
// programs that AddressSanitizer or UBSan complains about nothing is compared.

// withMemory is m for programs with memory.
func withMemory(m dataModel) dataModel {
	m.memory = true
	m.flags = append([]string{"-fno-strict-aliasing"}, m.flags...)
	if m.bits32 {
		m.head += library32
		return m
	}
	m.flags = append(m.flags, "-fsanitize=address")
	return m
}

// memoryComparison is what compareMemory found.
type memoryComparison struct {
	compared, discarded int
	different           []uint64         // seeds whose results differ
	failed              map[uint64]error // programs that could not be read or executed
}

// wrong is how many programs show that something is wrong.
func (c memoryComparison) wrong() int { return len(c.different) + len(c.failed) }

// compareMemory interprets the programs of seeds and compares with what gcc made of them.
func compareMemory(m dataModel, seeds []uint64, want []outcome) memoryComparison {
	c := memoryComparison{failed: map[uint64]error{}}
	for i, s := range seeds {
		if want[i].undefined {
			c.discarded++
			continue
		}
		c.compared++
		file := source.NewFile("gen.c", []byte(m.program(s)))
		u, err := Load(context.Background(), []*source.File{file}, Options{Entry: prefix(s) + cgen.Entry, Bits32: m.bits32})
		got := ""
		if err == nil {
			got, err = finalValue(u, prefix(s)+cgen.Sum, 5_000_000)
		}
		switch {
		case err != nil:
			c.failed[s] = err
		case got != want[i].sum:
			c.different = append(c.different, s)
		}
	}
	return c
}

// agreeOnMemory compares programs, reports those that differ, and counts what the others
// have in them.
func agreeOnMemory(t *testing.T, m dataModel, seeds []uint64, want []outcome) {
	t.Helper()
	c := compareMemory(m, seeds, want)
	t.Logf("%d programs, %d discarded for undefined behaviour, %d compared", len(seeds), c.discarded, c.compared)
	for i, s := range c.different {
		if i < 3 {
			t.Errorf("seed %d differs:\n%s", s, m.program(s))
		}
	}
	disputed := 0
	for _, s := range seeds {
		var ub *interp.UBError
		switch err := c.failed[s]; {
		case errors.As(err, &ub):
			disputed++
			t.Logf("seed %d: the interpreter alone finds: %v", s, err)
		case err != nil:
			t.Errorf("seed %d: %v", s, err)
		}
	}
	if disputed > 1+len(seeds)/200 {
		t.Errorf("%d disputed programs", disputed)
	}
	if c.discarded > len(seeds)/3 {
		t.Errorf("%d of %d programs have undefined behaviour: the generator is of little use", c.discarded, len(seeds))
	}
	logConstructs(t, m, seeds, want)
}

// logConstructs counts the compared programs that have each construct.
func logConstructs(t *testing.T, m dataModel, seeds []uint64, want []outcome) {
	counts := make([]int, len(cgen.Constructs))
	for i, s := range seeds {
		if want[i].undefined {
			continue
		}
		text := m.program(s)
		for k, c := range cgen.Constructs {
			if c.In(text) {
				counts[k]++
			}
		}
	}
	for k, c := range cgen.Constructs {
		t.Logf("%4d have: %s", counts[k], c.Name)
	}
}

func TestRandomMemoryAgainstGCC(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("gcc is not installed; it is the other side of this comparison")
	}
	m := withMemory(lp64)
	seeds := seedRange(1, testkit.Count(16, 1200))
	want := gcc(t, m, seeds)
	agreeOnMemory(t, m, seeds, want)
}

// TestRandomMemoryAgainstGCC32 is TestRandomMemoryAgainstGCC for the 32-bit data model.
func TestRandomMemoryAgainstGCC32(t *testing.T) {
	t.Parallel()
	ilp32.need(t)
	m := withMemory(ilp32)
	seeds := seedRange(5001, testkit.Count(10, 300))
	want := gcc(t, m, seeds)
	agreeOnMemory(t, m, seeds, want)
	other := withMemory(lp64)
	if c := compareMemory(other, seeds[:10], want[:10]); c.wrong() == 0 {
		t.Error("the 64-bit data model would do")
	}
}
