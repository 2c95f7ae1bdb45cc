package concrete

import "fmt"

// This file tests claims about programs.

// A Claim is a claim about a program.
type Claim struct {
	Line    int     // of the only property that can fail; 0: none can
	Witness []int64 // inputs with which it does, no more than that run uses
}

// A Tally counts runs, and assertions that held in them.
type Tally struct {
	Runs   map[End]int
	Passed int
}

// Complete returns the number of runs that were not stopped by an assumption.
func (t Tally) Complete() int { return t.Runs[Ended] + t.Runs[Cut] + t.Runs[Failed] }

// Check runs e on the witness of the claim and n times on random inputs. The error names a run that
// contradicts the claim, or says that none could have: some random runs must be complete. Undefined
// behaviour contradicts every claim.
func (e *Executable) Check(c Claim, seed uint64, n int) (Tally, error) {
	t := Tally{Runs: map[End]int{}}
	// 1. The witness fails at the line, and uses all inputs.
	if c.Line != 0 {
		r, err := e.Run(c.Witness)
		if err != nil {
			return t, err
		}
		if r.End != Failed || r.Line != c.Line || r.Used != len(c.Witness) {
			return t, fmt.Errorf("the witness %s in line %d with %d inputs of %d, want a failure in line %d",
				r.End, r.Line, r.Used, len(c.Witness), c.Line)
		}
	}
	// 2. Random runs fail nowhere else.
	// Random inputs prefer numbers near the constants of the program.
	runs, err := e.Sample(seed, n)
	if err != nil {
		return t, err
	}
	for _, r := range runs {
		t.Runs[r.End]++
		t.Passed += r.Passed
		// An end that no claim allows, or a failure in another line.
		if r.End == Undefined || r.End == Stuck || r.End == Failed && r.Line != c.Line {
			return t, fmt.Errorf("%s in line %d with inputs %v; only line %d may fail", r.End, r.Line, r.Inputs, c.Line)
		}
	}
	if t.Complete() < n/10 {
		return t, fmt.Errorf("only %d of %d random runs meet the assumptions", t.Complete(), n)
	}
	return t, nil
}
