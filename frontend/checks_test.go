package frontend

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"c2bp/frontend/cgen"
	"c2bp/frontend/checks"
	"c2bp/frontend/core"
	"c2bp/frontend/core/interp"
	"c2bp/internal/testkit"
	"c2bp/source"
)

// This file tests the checks of arithmetic: whether an operation is defined is told by the interpreter of
// the program with checks, by big numbers and the rules of C11, and by gcc's sanitizer.

// operand types of the cases.
var checkedTypes = []struct {
	name string
	t    core.Int
}{
	{"signed char", core.Int8}, {"unsigned short", core.Uint16}, {"int", core.Int32}, {"unsigned", core.Uint32},
	{"long", core.Int64}, {"unsigned long", core.Uint64},
}

// forms of operations on x and y, or on constants K; op is what C computes, of x (or K) and y (or 1, K).
var checkedForms = []struct {
	text string
	op   core.BinaryOp
}{
	{"x + y", core.Add}, {"x - y", core.Sub}, {"x * y", core.Mul}, {"x / y", core.Div}, {"x % y", core.Rem}, {"x << y", core.Shl}, {"x >> y", core.Shr},
	{"x + K", core.Add}, {"x - K", core.Sub}, {"x * K", core.Mul}, {"x / K", core.Div}, {"x << K", core.Shl},
	{"K + y", core.Add}, {"K - y", core.Sub}, {"K * y", core.Mul}, {"K / y", core.Div}, {"K % y", core.Rem}, {"K << y", core.Shl}, {"K >> y", core.Shr},
	{"-x", core.Sub}, {"x++", core.Add}, {"--x", core.Sub}, {"x += y", core.Add}, {"x *= y", core.Mul}, {"x <<= y", core.Shl}, {"x %= y", core.Rem},
}

// checkedCase is an operation: a form, types, and a constant in it.
type checkedCase struct {
	form, t, u int
	k          int64
}

// text returns the operation in C.
func (c checkedCase) text() string {
	k := fmt.Sprintf("(%d)", c.k)
	if c.k == -2147483648 { // else a long
		k = "(-2147483647 - 1)"
	}
	return strings.ReplaceAll(checkedForms[c.form].text, "K", k)
}

// undefined says by C11 6.3.1.8, 6.5p5, 6.5.5 and 6.5.7 whether the operation is undefined for these values.
func (c checkedCase) undefined(x, y *big.Int) bool {
	// 1. The operands and their types.
	f, t, u := checkedForms[c.form], checkedTypes[c.t].t, checkedTypes[c.u].t
	constant := core.Int32
	switch {
	case strings.HasPrefix(f.text, "K"):
		x, t = big.NewInt(c.k), constant
	case strings.HasSuffix(f.text, "K"):
		y, u = big.NewInt(c.k), constant
	case f.text == "-x":
		x, y, t, u = new(big.Int), x, core.Int32, t
	case f.text == "x++" || f.text == "--x":
		y, u = big.NewInt(1), core.Int32
	}
	// 2. The conversions, written out anew.
	rank := func(a core.Int) core.Int {
		if a.Bits < 32 {
			return core.Int32
		}
		return a
	}
	t, u = rank(t), rank(u)
	if f.op == core.Shl || f.op == core.Shr {
		if y.Sign() < 0 || y.Cmp(big.NewInt(int64(t.Bits))) >= 0 {
			return true
		}
		if f.op == core.Shr || !t.Signed {
			return false
		}
		return x.Sign() < 0 || !t.Contains(new(big.Int).Lsh(x, uint(y.Int64())))
	}
	common := t
	if u.Bits > t.Bits || u.Bits == t.Bits && !u.Signed {
		common = u
	}
	x, y = common.Convert(x), common.Convert(y)
	// 3. The result.
	z := new(big.Int)
	switch f.op {
	case core.Div, core.Rem:
		return y.Sign() == 0 || common.Signed && !common.Contains(z.Quo(x, y))
	case core.Add:
		z.Add(x, y)
	case core.Sub:
		z.Sub(x, y)
	case core.Mul:
		z.Mul(x, y)
	}
	return common.Signed && !common.Contains(z)
}

// checkedCases returns all forms for all types, with constants that matter.
func checkedCases(rng *rand.Rand) (list []checkedCase) {
	constants := []int64{-2147483648, -65536, -7, -1, 0, 1, 2, 3, 31, 32, 63, 65536, 2147483647}
	for form, f := range checkedForms {
		for t := range checkedTypes {
			for u := range checkedTypes {
				// An operand that does not occur has no type.
				if !strings.Contains(f.text, "y") && u > 0 || !strings.Contains(f.text, "x") && t > 0 {
					continue
				}
				for range 1 + 3*strings.Count(f.text, "K") {
					k := constants[rng.IntN(len(constants))]
					if strings.Contains(f.text, "K") || len(list) == 0 || list[len(list)-1].form != form || list[len(list)-1].t != t || list[len(list)-1].u != u {
						list = append(list, checkedCase{form, t, u, k})
					}
				}
			}
		}
	}
	return list
}

// pick returns a number of type t, often one near an end of a range.
func pickNumber(rng *rand.Rand, t core.Int) *big.Int {
	near := func(v *big.Int) *big.Int { return new(big.Int).Add(v, big.NewInt(int64(rng.IntN(5)-2))) }
	var v *big.Int
	switch rng.IntN(8) {
	case 0:
		v = near(t.Min())
	case 1:
		v = near(t.Max())
	case 2:
		v = near(core.Int32.Max())
	case 3:
		v = near(core.Int32.Min())
	case 4:
		v = near(new(big.Int).Lsh(big.NewInt(1), uint(rng.IntN(64))))
	case 5:
		v = big.NewInt(int64(rng.Uint64()))
	default:
		v = big.NewInt(int64(rng.IntN(70) - 5))
	}
	return t.Convert(v)
}

// operands supplies the number of a case and two operands.
type operands struct {
	noChoices
	list []*big.Int
}

func (g *operands) Value(r interp.Request) *big.Int {
	if r.Why != interp.Havocked || len(g.list) == 0 {
		return g.noChoices.Value(r)
	}
	v := g.list[0]
	g.list = g.list[1:]
	return v
}

// run is a case with values of its operands.
type checkedRun struct {
	c    int
	x, y *big.Int
}

// checkedProgram returns functions caseN for the cases, each with the operands that functions from outside
// return, and a function f(k) that calls the one of number k. With used, C computes the values.
func checkedProgram(cases []checkedCase, used bool) string {
	var b strings.Builder
	for i, n := range checkedTypes {
		fmt.Fprintf(&b, "extern %s __VERIFIER_nondet_%d(void);\n", n.name, i)
	}
	value := ""
	if used { // gcc simplifies what nobody uses before the sanitizer sees it
		value = "long long v = "
	}
	b.WriteString("extern int __VERIFIER_nondet_int(void);\n")
	for i, c := range cases {
		fmt.Fprintf(&b, "void case%d(void) { %s x = __VERIFIER_nondet_%d(); %s y = __VERIFIER_nondet_%d(); %s%s; }\n",
			i, checkedTypes[c.t].name, c.t, checkedTypes[c.u].name, c.u, value, c.text())
	}
	// A tree of conditions.
	var choose func(from, to int)
	choose = func(from, to int) {
		if to-from == 1 {
			fmt.Fprintf(&b, "case%d();\n", from)
			return
		}
		middle := (from + to) / 2
		fmt.Fprintf(&b, "if (k < %d) {\n", middle)
		choose(from, middle)
		b.WriteString("} else {\n")
		choose(middle, to)
		b.WriteString("}\n")
	}
	b.WriteString("void f(int k) {\n")
	choose(0, len(cases))
	b.WriteString("}\n")
	return b.String()
}

// interpretChecked says whether the interpreter of the program with checks fails in run r.
func interpretChecked(p *interp.Prepared, r checkedRun) (failed bool, err error) {
	event, err := p.New(&operands{list: []*big.Int{big.NewInt(int64(r.c)), r.x, r.y}}, interp.Options{}).Run(context.Background(), 100_000)
	if err == nil && event.Kind != interp.Failed && event.Kind != interp.Finished {
		err = fmt.Errorf("the run ends with %v", event.Kind)
	}
	return event.Kind == interp.Failed, err
}

// TestChecksAreExact: an assertion of a check fails if and only if C11 does not define the operation, and the
// interpreter meets no undefined behaviour after it, nor in it.
func TestChecksAreExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 3))
	cases := checkedCases(rng)
	u := mustLoad(t, checkedProgram(cases, false)+"int main(void) { f(__VERIFIER_nondet_int()); return 0; }\n", Options{Checks: checks.All})
	for _, line := range u.Program.Ledger {
		if strings.HasPrefix(line, "integers:") {
			t.Errorf("the ledger has %q", line)
		}
	}
	prepared := interp.Prepare(u.Program)
	wrong, undefined := 0, 0
	// Numbers at the ends of what is defined for each operation, then random ones.
	var runs []checkedRun
	for i, c := range cases {
		t, u := checkedTypes[c.t].t, checkedTypes[c.u].t
		common := t
		if t.Bits < 32 {
			common = core.Int32
		}
		part := new(big.Int).Quo(common.Max(), big.NewInt(max(1, c.k)))
		for _, x := range []*big.Int{t.Min(), big.NewInt(-1), part, new(big.Int).Add(part, big.NewInt(1)), t.Max()} {
			for _, y := range []*big.Int{u.Min(), big.NewInt(-1), big.NewInt(1), big.NewInt(int64(max(t.Bits, 32))), u.Max()} {
				runs = append(runs, checkedRun{i, t.Convert(x), u.Convert(y)})
			}
		}
	}
	for range testkit.Count(5_000, 1_000_000) {
		c := rng.IntN(len(cases))
		runs = append(runs, checkedRun{c, pickNumber(rng, checkedTypes[cases[c].t].t), pickNumber(rng, checkedTypes[cases[c].u].t)})
	}
	n := len(runs)
	for _, r := range runs {
		c := r.c
		want := cases[c].undefined(r.x, r.y)
		if want {
			undefined++
		}
		got, err := interpretChecked(prepared, r)
		if (err != nil || got != want) && wrong < 10 {
			wrong++
			t.Errorf("%s of %s x = %v, %s y = %v: a check fails: %v (%v), want %v", cases[c].text(),
				checkedTypes[cases[c].t].name, r.x, checkedTypes[cases[c].u].name, r.y, got, err, want)
		}
	}
	t.Logf("%d operations, %d runs, %d undefined", len(cases), n, undefined)
	if undefined < n/10 || undefined > n*9/10 {
		t.Errorf("of %d runs %d are undefined: too few of one sort", n, undefined)
	}
}

// TestChecksAgainstSanitizer: the same as gcc's sanitizer says.
func TestChecksAgainstSanitizer(t *testing.T) {
	testkit.NeedGCC(t)
	rng := rand.New(rand.NewPCG(7, 5))
	cases := checkedCases(rng)
	if k := testkit.Count(150, len(cases)); k < len(cases) {
		rng.Shuffle(len(cases), func(i, j int) { cases[i], cases[j] = cases[j], cases[i] })
		cases = cases[:k]
	}
	text := checkedProgram(cases, true)
	prepared := interp.Prepare(mustLoad(t, text+"int main(void) { f(__VERIFIER_nondet_int()); return 0; }\n", Options{Checks: checks.All}).Program)
	// 1. The runs, as a table in C. The sanitizer executes an illegal instruction, which a handler leaves.
	var b strings.Builder
	b.WriteString("#include <setjmp.h>\n#include <signal.h>\n#include <stdio.h>\nstatic sigjmp_buf out;\nstatic void trap(int s) { siglongjmp(out, 1); }\nstatic unsigned long long given[2];\nstatic int at;\n")
	for i, n := range checkedTypes {
		fmt.Fprintf(&b, "%s __VERIFIER_nondet_%d(void) { return (%s)given[at++]; }\n", n.name, i, n.name)
	}
	b.WriteString(text + "static const struct { int k; unsigned long long x, y; } runs[] = {\n")
	var runs []checkedRun
	for c := range cases {
		for range 12 {
			r := checkedRun{c, pickNumber(rng, checkedTypes[cases[c].t].t), pickNumber(rng, checkedTypes[cases[c].u].t)}
			runs = append(runs, r)
			fmt.Fprintf(&b, "{ %d, %vull, %vull },\n", c, core.Uint64.Convert(r.x), core.Uint64.Convert(r.y))
		}
	}
	b.WriteString(`};
int main(void) {
	signal(SIGILL, trap);
	for (unsigned i = 0; i < sizeof runs / sizeof *runs; i++) {
		given[0] = runs[i].x; given[1] = runs[i].y; at = 0;
		if (sigsetjmp(out, 1)) { putchar('1'); continue; }
		f(runs[i].k);
		putchar('0');
	}
	return 0;
}
`)
	dir := t.TempDir()
	file, exe := filepath.Join(dir, "runs.c"), filepath.Join(dir, "runs")
	if err := os.WriteFile(file, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("gcc", "-w", "-O0", "-fsanitize=undefined", "-fsanitize-undefined-trap-on-error", "-o", exe, file).CombinedOutput(); err != nil {
		t.Fatalf("gcc: %v\n%.2000s", err, out)
	}
	out, err := exec.Command(exe).Output()
	if err != nil || len(out) != len(runs) {
		t.Fatalf("%v; %d results of %d", err, len(out), len(runs))
	}
	// 2. Compare.
	wrong, undefined, narrowed := 0, 0, 0
	for i, r := range runs {
		got, err := interpretChecked(prepared, r)
		if out[i] == '1' {
			undefined++
		}
		// Of x += y for a narrow x gcc computes the bits that are stored, in an unsigned type, before the
		// sanitizer sees the sum.
		if c := cases[r.c]; got && out[i] == '0' && strings.Contains(c.text(), "= ") && checkedTypes[c.t].t.Bits < max(32, checkedTypes[c.u].t.Bits) {
			narrowed++
			continue
		}
		if (err != nil || got != (out[i] == '1')) && wrong < 10 {
			wrong++
			t.Errorf("%s of %s x = %v, %s y = %v: a check fails: %v (%v), the sanitizer says %c", cases[r.c].text(),
				checkedTypes[cases[r.c].t].name, r.x, checkedTypes[cases[r.c].u].name, r.y, got, err, out[i])
		}
	}
	t.Logf("%d operations, %d runs, %d undefined, %d that the sanitizer does not see", len(cases), len(runs), undefined, narrowed)
	if undefined < len(runs)/10 || narrowed > undefined/4 {
		t.Error("too few runs compare anything")
	}
}

// TestChecksChangeNothing: a random program does the same with checks as without them, until one fails; and
// one fails where the other run has undefined arithmetic.
func TestChecksChangeNothing(t *testing.T) {
	finished, undefined := 0, 0
	for seed := range testkit.Count(uint64(8), 3000) {
		text := cgen.Generate(seed, cgen.Options{Prefix: prefix(seed), Memory: seed%6 == 5})
		end := func(s checks.Set) (sum string, ub *interp.UBError, event interp.Event) {
			opts := Options{Entry: prefix(seed) + cgen.Entry, Checks: s}
			u, err := Load(context.Background(), []*source.File{source.NewFile("gen.c", []byte(text))}, opts)
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			m := interp.New(u.Program, &noChoices{}, interp.Options{})
			event, err = m.Run(context.Background(), 5_000_000)
			if err != nil && !errors.As(err, &ub) {
				t.Fatalf("seed %d: %v", seed, err)
			}
			for _, g := range u.Program.Globals {
				if g.Name == prefix(seed)+cgen.Sum && err == nil {
					sum = m.Global(g).String()
				}
			}
			return sum, ub, event
		}
		sum, ub, _ := end(0)
		other, ub2, event := end(checks.Of(checks.Division, checks.Shift, checks.Overflow))
		switch {
		case ub2 != nil && isArithmetic(ub2.Kind):
			t.Errorf("seed %d: with checks: %v", seed, ub2)
		case event.Kind == interp.Failed && ub2 == nil:
			// Operations whose value nobody uses are left out without checks.
			undefined++
		case ub != nil && isArithmetic(ub.Kind):
			t.Errorf("seed %d: %v, but no check fails", seed, ub)
		case ub == nil && (ub2 != nil || sum != other):
			t.Errorf("seed %d: %s without checks, %s with them (%v)", seed, sum, other, ub2)
		default:
			finished++
		}
	}
	t.Logf("%d programs end, in %d a check fails", finished, undefined)
	if finished == 0 {
		t.Error("no program ends")
	}
}

// isArithmetic reports whether checks of arithmetic cover u.
func isArithmetic(u interp.UB) bool {
	switch u {
	case interp.SignedOverflow, interp.DivisionByZero, interp.DivisionOverflow, interp.ShiftAmount, interp.ShiftOverflow:
		return true
	}
	return false
}

// TestChecksOfModels: models of library functions have no checks, and the ledger says so; an operation of
// the program that is checked has no line.
func TestChecksOfModels(t *testing.T) {
	const model = "int sum(int a, int b) { return a + b; }\n"
	opts := Options{Models: []*source.File{source.NewFile("m.c", []byte(model))}, Checks: checks.Of(checks.Overflow)}
	u := mustLoad(t, "extern int sum(int, int);\nint main(int argc, char **argv) { return sum(argc, 3); }\n", opts)
	checked := 0
	for _, p := range u.Program.Procs {
		for _, n := range p.Nodes {
			if a, ok := n.Stmt.(*core.Assert); ok && a.Check != nil {
				checked++
			}
		}
	}
	ledger := strings.Join(u.Program.Ledger, "\n")
	// The one that says that there is none.
	if checked != 1 || !strings.Contains(ledger, checks.DefinedInModels) || strings.Contains(ledger, checks.NoOverflow) {
		t.Errorf("%d checks, %s\n%s", checked, ledger, u.Program)
	}
	opts.Checks = 0
	u = mustLoad(t, "extern int sum(int, int);\nint main(int argc, char **argv) { return sum(argc, 3); }\n", opts)
	if ledger := strings.Join(u.Program.Ledger, "\n"); !strings.Contains(ledger, checks.NoOverflow) {
		t.Errorf("without checks: %s", ledger)
	}
}
