package certificate_test

import (
	"fmt"
	"math/big"
	"regexp"
	"strings"
	"testing"

	"c2bp/frontend/core"
	"c2bp/frontend/core/coregen"
	"c2bp/refine/certificate"
	"c2bp/refine/certificate/extract"
)

// This file certifies a program whose invariants have no short disjunction.

// parity is a program in which p tells whether an odd number of n variables is 1.
func parity(n int) string {
	var b strings.Builder
	b.WriteString("int p;\nint main(void) {\n")
	for i := range n {
		fmt.Fprintf(&b, "int x%d = 0;\n", i)
	}
	b.WriteString("p = 0;\n")
	for i := range n {
		fmt.Fprintf(&b, "if (__VERIFIER_nondet_int()) { x%d = 1; p = 1 - p; }\n", i)
	}
	for i := range n {
		fmt.Fprintf(&b, "if (x%d == 1) { p = 1 - p; }\n", i)
	}
	return b.String() + "assert(p == 0);\nreturn 0; }\n"
}

// parityCertificate is the certificate of parity(n) by the predicates that it takes.
func parityCertificate(t *testing.T, n int) string {
	t.Helper()
	prog := loaded(t, parity(n))
	var preds []coregen.Pred
	is := func(v *core.Var, value int64) core.Expr {
		return &core.Binary{Op: core.Eq, X: v.Ref(), Y: &core.Const{Typ: v.Type.(core.Int), Val: big.NewInt(value)}}
	}
	for _, g := range prog.Globals {
		if g.Name == "p" {
			preds = append(preds, coregen.Pred{Expr: is(g, 0)}, coregen.Pred{Expr: is(g, 1)})
		}
	}
	main := prog.Proc("main")
	for _, v := range main.Locals {
		if strings.HasPrefix(v.Name, "x") {
			preds = append(preds, coregen.Pred{Proc: main, Expr: is(v, 1)})
		}
	}
	c, err := extract.Proof(t.Context(), prog, []extract.Part{abstraction(t, prog, preds)})
	if err != nil {
		t.Fatal(err)
	}
	return textOf(t, c)
}

// definition is one in the text of a certificate: the name and the formula.
var definition = regexp.MustCompile(`(?m)^    \(formula (\S+) (.*)\)$`)

// The invariant that says what a parity is has 2^n conjunctions, and n definitions. If one
// of these is wrong, the certificate is.
func TestParity(t *testing.T) {
	const n = 16
	cert := parityCertificate(t, n)
	if len(cert) > 200_000 {
		t.Errorf("%d bytes", len(cert))
	}
	if r := validate(t, cert, parity(n), options); r.Verdict != certificate.Valid {
		t.Error(r.Summary())
	}
	definitions := definition.FindAllStringSubmatch(cert, -1)
	if len(definitions) < n {
		t.Fatalf("%d definitions\n%s", len(definitions), cert)
	}
	for i := 0; i < len(definitions); i += len(definitions) / 4 {
		line, name, formula := definitions[i][0], definitions[i][1], definitions[i][2]
		for _, wrong := range []string{"true", "(not " + formula + ")"} {
			wrongly := strings.Replace(cert, line, "    (formula "+name+" "+wrong+")", 1)
			if r := validate(t, wrongly, parity(n), options); r.Verdict != certificate.Rejected {
				t.Errorf("with %s as %s: %s", name, wrong, r.Summary())
			}
		}
	}
}
