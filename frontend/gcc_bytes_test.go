package frontend

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strconv"
	"testing"

	"c2bp/frontend/cgen"
	"c2bp/frontend/core/interp"
	"c2bp/internal/testkit"
	"c2bp/source"
)

// This file compares the lowering of programs that look at bytes (cgen.GenerateBytes) with gcc.

// bytesProgram is the program of a seed and an input, with a global variable r that gets what
// the probes are.
func bytesProgram(o *cgen.Overlays, input int) string {
	end := ""
	for _, p := range o.Probes {
		end += fmt.Sprintf("r = r * 1000003 + (unsigned long)%s; ", p)
	}
	return fmt.Sprintf("unsigned long r;\n%s\nint input(void) { return %d; }\n", o.Text(end), input)
}

// bytesWanted is what r is if gcc saw these values of the probes.
func bytesWanted(probes []string) (string, error) {
	var r uint64
	for _, p := range probes {
		v, err := strconv.ParseInt(p, 10, 64)
		if err != nil {
			return "", err
		}
		r = r*1000003 + uint64(v)
	}
	return strconv.FormatUint(r, 10), nil
}

// compareBytes interprets a program for some inputs and returns the first difference from what
// gcc's program observed.
func compareBytes(o *cgen.Overlays, observed [][]string, inputs []int) error {
	for _, input := range inputs {
		probes := observed[input]
		want, err := bytesWanted(probes)
		if err != nil {
			return err
		}
		text := bytesProgram(o, input)
		u, err := Load(context.Background(), []*source.File{source.NewFile("bytes.c", []byte(text))}, Options{})
		if err != nil {
			return fmt.Errorf("%w\n%s", err, text)
		}
		got, err := finalValue(u, "r", 100_000)
		if err != nil || got != want {
			return fmt.Errorf("%s, want %s of %v; %w\n%s", got, want, probes, err, text)
		}
	}
	return nil
}

// TestBytesAgainstGCC compares what programs read in another size or at another offset than it
// was written.
func TestBytesAgainstGCC(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("gcc is not installed; it is the other side of this comparison")
	}
	n := testkit.Count(25, 1000)
	compared, disputed, different := 0, 0, 0
	for seed := range uint64(n) {
		o := cgen.GenerateBytes(seed)
		observed, err := o.Observed(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		if observed == nil {
			continue
		}
		compared++
		var ub *interp.UBError
		inputs := []int{int(seed) % cgen.Inputs, (int(seed) + 2) % cgen.Inputs}
		switch err := compareBytes(o, observed, inputs); {
		case errors.As(err, &ub):
			disputed++
			t.Logf("seed %d: the interpreter alone finds: %v", seed, ub)
		case err != nil:
			if different++; different <= 3 {
				t.Errorf("seed %d: %v", seed, err)
			}
		}
	}
	t.Logf("%d programs, %d compared, %d of them disputed, %d different", n, compared, disputed, different)
	if 3*compared < 2*n || disputed > 1+n/200 || different > 0 {
		t.Errorf("of %d programs %d are compared, %d of them disputed and %d different", n, compared, disputed, different)
	}
}
