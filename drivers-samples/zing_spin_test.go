package samples

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"c2bp/internal/testkit"
	"c2bp/verdict"
)

// This file compares the classic models in zing with their like in Promela, which SPIN (Holzmann 1997) checks.

// spinRun is the result of a verifier that SPIN has generated and gcc -O2 compiled.
type spinRun struct {
	states, steps int
	seconds       float64 // of processor time
	bytes         float64 // memory for states, with the table, by their number
	errors        int
}

var (
	spinStates = regexp.MustCompile(`(\d+) states, stored`)
	spinSteps  = regexp.MustCompile(`(\d+) transitions`)
	spinErrors = regexp.MustCompile(`errors: (\d+)`)
	spinDepth  = regexp.MustCompile(`depth reached (\d+)`)
	spinMemory = regexp.MustCompile(`([\d.]+)\tactual memory usage for states`)
)

// deepest is the depth to which SPIN may search: an entry of its stack for each state on the way.
const deepest = 9000000

// spin runs the verifier of the Promela model beside c. Statements are not merged (-o3) and nothing is reduced, so
// that steps are those of the Zing model; the table has 2^bits entries. The time is the least of so many further
// runs, with a stack no larger than need be, as SPIN clears all of it.
func (c *classic) spin(t testing.TB, bits, runs int) (r spinRun) {
	t.Helper()
	dir := t.TempDir()
	text, err := os.ReadFile(c.promela())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "m.pml"), text, 0o666); err != nil {
		t.Fatal(err)
	}
	runIn(t, dir, "spin", "-o3", "-DN="+strings.TrimPrefix(c.size, "-"), "-a", "m.pml")
	runIn(t, dir, "gcc", "-O2", "-DSAFETY", "-DNOREDUCE", "-w", "-o", "pan", "pan.c")
	table := "-w" + strconv.Itoa(bits)
	out, _ := runIn(t, dir, "./pan", "-m"+strconv.Itoa(deepest), table)
	if strings.Contains(out, "max search depth too small") {
		t.Fatalf("SPIN does not search all:\n%s", out)
	}
	number := func(pattern *regexp.Regexp) float64 {
		found := pattern.FindStringSubmatch(out)
		if found == nil {
			t.Fatalf("SPIN does not say %v:\n%s", pattern, out)
		}
		x, _ := strconv.ParseFloat(found[1], 64)
		return x
	}
	r = spinRun{states: int(number(spinStates)), steps: int(number(spinSteps)), errors: int(number(spinErrors))}
	// The states as stored, and their entries of the table.
	r.bytes = (number(spinMemory)*(1<<20) + float64(int(8)<<bits)) / float64(r.states)
	for i := range runs {
		_, seconds := runIn(t, dir, "./pan", "-m"+strconv.Itoa(int(number(spinDepth))+10), table)
		if i == 0 || seconds < r.seconds {
			r.seconds = seconds
		}
	}
	return r
}

// runIn runs a program in a directory, and returns its output and the processor time that it has used.
func runIn(t testing.TB, dir, name string, args ...string) (string, float64) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", name, err, out)
	}
	return string(out), (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
}

// promela returns the name of the Promela model.
func (c *classic) promela() string {
	return filepath.Join(c.dir, strings.TrimSuffix(c.file, ".zing")+".pml")
}

// sameSteps reports whether the Promela model claims to have the same steps.
func (c *classic) sameSteps(t testing.TB) bool {
	text, err := os.ReadFile(c.promela())
	if err != nil {
		t.Fatal(err)
	}
	return strings.Contains(string(text), "/* steps: equal */")
}

// TestZingSpin: SPIN finds the same verdicts and, where steps are the same, the same states and transitions.
func TestZingSpin(t *testing.T) {
	testkit.NeedGCC(t, "spin") // a comparison: no promise of ours rests on Debian's package spin
	for i, list := range classics(t) {
		for j, c := range list {
			// A verifier is compiled for some; for all in a long test.
			if !testkit.Long() && (c.long || j != i%len(list) || i%3 != 0) {
				continue
			}
			t.Run(c.String(), func(t *testing.T) { c.isAsInSpin(t) })
		}
	}
}

func (c *classic) isAsInSpin(t *testing.T) {
	a, r := c.check(t, 1), c.spin(t, 20, 0)
	if (r.errors == 0) != (a.Result.Verdict == verdict.True) {
		t.Fatalf("%s, SPIN finds %d errors", a.Result.Summary(), r.errors)
	}
	if !c.sameSteps(t) || r.errors > 0 {
		return
	}
	// SPIN counts the initial state as a transition. Where a process main starts the others, there is a state
	// and a step more.
	more := 0
	if strings.Contains(string(c.text(t)), "void main()") {
		more = 1
	}
	if s := a.Search; s.Stored != r.states+more || s.Transitions != r.steps-1+more {
		t.Errorf("%d states, %d transitions; SPIN has %d and %d", s.Stored, s.Transitions, r.states, r.steps)
	}
}
