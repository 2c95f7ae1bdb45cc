package main

import (
	"context"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"c2bp/frontend"
	"c2bp/frontend/cgen"
	"c2bp/frontend/core/interp"
	"c2bp/internal/testkit"
	"c2bp/prover"
	"c2bp/source"
	"c2bp/verdict"
)

// This file uses the programs that the lowering is compared with gcc on. They have
// all of C's operators and control flow, and no inputs: executing one tells the final
// values of its globals. That a global ends with another value must not be provable.

// fixed answers for what such a program leaves open and never looks at.
type fixedChoices struct{}

func (fixedChoices) Branch(_ interp.Place, next []int) int { return next[0] }
func (fixedChoices) Value(r interp.Request) *big.Int {
	if r.Var != nil && r.Var.Logical {
		return big.NewInt(1)
	}
	return r.Type.Convert(big.NewInt(77))
}

// finalValues executes the program of a seed and returns the values of its integer
// globals; ok is false if it has undefined behaviour.
func finalValues(t *testing.T, text, entry string) (values map[string]*big.Int, names []string, ok bool) {
	t.Helper()
	u, err := frontend.Load(context.Background(), []*source.File{source.NewFile("in.c", []byte(text))}, frontend.Options{Entry: entry})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	m := interp.New(u.Program, fixedChoices{}, interp.Options{})
	if e, err := m.Run(context.Background(), 1_000_000); err != nil || e.Kind != interp.Finished {
		return nil, nil, false
	}
	values = map[string]*big.Int{}
	for _, g := range u.Program.Globals {
		if v := m.Global(g); v != nil && !strings.Contains(g.Name, "::") {
			values[g.Name] = v
			names = append(names, g.Name)
		}
	}
	return values, names, true
}

// spelled is a value as a C constant expression.
func spelled(v *big.Int) string {
	switch {
	case v.IsInt64() && v.Int64() == -1<<63:
		return "(-9223372036854775807L - 1)"
	case v.IsInt64():
		return v.String() + "L"
	}
	return v.String() + "UL"
}

// exactProgram is a program whose assertions all fail, and predicates for it; "" if its
// execution has undefined behaviour.
func exactProgram(t *testing.T, seed uint64) (text, preds string) {
	t.Helper()
	text = cgen.Generate(seed, cgen.Options{Prefix: "p_", Functions: 1})
	values, names, ok := finalValues(t, text, "p_"+cgen.Entry)
	if !ok {
		return "", ""
	}
	var b strings.Builder
	var list []string
	for _, name := range names {
		if name != "p_"+cgen.Sum {
			v := spelled(values[name])
			fmt.Fprintf(&b, "    if (k == %d) assert(%s != %s);\n", len(list), name, v)
			list = append(list, fmt.Sprintf("%s == %s", name, v))
		}
	}
	text += "extern void assert(int);\nextern int __VERIFIER_nondet_int(void);\n" +
		"int main(void)\n{\n    int k = __VERIFIER_nondet_int();\n    p_" + cgen.Entry + "();\n" + b.String() + "    return 0;\n}\n"
	return text, "global:\n    " + strings.Join(list, ",\n    ") + "\n"
}

// provedSites are the assertions that are said to hold.
func provedSites(r *verdict.Result) (list []string) {
	for _, s := range r.Sites {
		if !s.Failed {
			list = append(list, s.Text)
		}
	}
	return list
}

func TestExactValues(t *testing.T) {
	t.Parallel()
	n := testkit.Count(10, 400)
	programs, discarded := 0, 0
	memo := prover.NewMemo()
	for seed := uint64(1); programs < n; seed++ {
		text, preds := exactProgram(t, seed)
		if text == "" {
			discarded++
			continue
		}
		programs++
		r := decideUnit(t, loadText(t, text), preds, memo)
		if proved := provedSites(r); r.Verdict != verdict.False || len(proved) > 0 {
			t.Errorf("program %d: %s; fails in an execution and is proved: %q\n%s", seed, r.Summary(), proved, text)
		}
	}
	t.Logf("%d programs, %d discarded for undefined behaviour", programs, discarded)
}
