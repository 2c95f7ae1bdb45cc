package certificate_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"c2bp/refine/certificate"
	"c2bp/source"
)

// This file reads texts that are no certificates, or certificates of something else.

const tiny = `int g; void f(int n) { g = n; } int main(void) { f(1); assert(g == 1); return 0; }`

func TestUnreadable(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "t.cert:1:1: error: expected a certificate"},
		{"; nothing\n", "t.cert:2:1: error: expected a certificate"},
		{")", "t.cert:1:1: error: expected a certificate"},
		{"(certificate 1\n  (global)", "t.cert:1:1: error: this parenthesis is not closed"},
		{"(certificate 1 (global)) x", "t.cert:1:26: error: expected the end"},
		{"(certificate 2 (global))", "t.cert:1:14: error: version 2 of the format; this program reads version 1"},
		{"(proof 1 (global))", "t.cert:1:1: error: expected (certificate …)"},
		{"(certificates)", "t.cert:1:1: error: expected (certificates …)"},
		{"(certificates (certificate 1 (global)) (global))", "t.cert:1:40: error: expected (certificate …)"},
		{"(certificate 1 (proves))", "t.cert:1:1: error: expected (global …)"},
		{"(certificate 1 (proves (var g)) (global))", "t.cert:1:24: error: expected a name"},
		{"(certificate 1 (globals))", "t.cert:1:16: error: expected (global …)"},
		{"(certificate 1 (global (predicate p)))", "t.cert:1:24: error: expected (predicate …) with 2 operands"},
		{"(certificate 1 (global (predicate p (!! (var g)))))", "t.cert:1:37: error: expected an expression"},
		{"(certificate 1 (global (predicate p (== (var g) (const int33x 1)))))", "t.cert:1:56: error: expected an integer type"},
		{"(certificate 1 (global (predicate true (var g))))", "t.cert:1:35: error: the name true is taken"},
		{"(certificate 1 (global) (procedure main (edge 0 true)))", "t.cert:1:41: error: expected (constant …)"},
		{"(certificate 1 (global) (procedure main (node 0 p)))", "t.cert:1:49: error: there is no predicate or formula p in scope"},
		{"(certificate 1 (global) (procedure main (node 0 (xor))))", "t.cert:1:49: error: expected a formula"},
		{"(certificate 1 (global) (procedure main (node 0 true) (node 0 true)))", "t.cert:1:61: error: node 0 is there twice"},
		{"(certificate 1 (global) (procedure main (node zero true)))", "t.cert:1:47: error: expected a number"},
		{`(certificate 1 (global) (procedure "main (node 0 true)))`, "t.cert:1:36: error: this string is not closed"},
		{"(certificate 1 (global) (procedure main (node 0 f0) (formula f0 true)))", "t.cert:1:49: error: there is no predicate or formula f0 in scope"},
		{"(certificate 1 (global) (procedure f (formula f0 true)) (procedure main (node 0 f0)))", "t.cert:1:81: error: there is no predicate or formula f0 in scope"},
		{"(certificate 1 (global) (procedure main (formula f0 (not f0))))", "t.cert:1:58: error: there is no predicate or formula f0 in scope"},
		{"(certificate 1 (global) (procedure main (formula f0 true) (formula f0 false)))", "t.cert:1:68: error: the name f0 is taken"},
		{"(certificate 1 (global (predicate f0 (var g))) (procedure main (formula f0 false)))", "t.cert:1:73: error: the name f0 is taken"},
		{"(certificate 1 (global) (procedure main (formula f0 false) (predicate f0 (var g))))", "t.cert:1:71: error: the name f0 is taken"},
		{"(certificate 1 (global) (procedure main (formula true false)))", "t.cert:1:50: error: the name true is taken"},
		{"(certificate 1 (global) (procedure main (formula f0 true) (node 0 (entry f0))))", "t.cert:1:74: error: there is no predicate f0 in scope"},
		{"(certificate 1 (global) (procedure main (formula f0)))", "t.cert:1:41: error: expected (formula …) with 2 operands"},
		{"(certificate 1 (global) (procedure main (formula (f0) true)))", "t.cert:1:50: error: expected a name"},
		{"(certificate 1 (global) (procedure main (formula f0 true)" + deep(10_001) + "))", "more than 10000 formulas inside each other"},
		{strings.Repeat("(", 20_000), "lists inside each other"},
	} {
		_, err := certificate.Read(source.NewFile("t.cert", []byte(c.text)), loaded(t, tiny))
		if err == nil || !source.IsInput(err) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.60q: %v, want %s", c.text, err, c.want)
		}
	}
}

// deep defines formulas f1, f2, … each by the one before it.
func deep(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "(formula f%d (not f%d))", i+1, i)
	}
	return b.String()
}

func TestMismatch(t *testing.T) {
	cert := certified(t, tiny)
	other := func(old, new string) string {
		if !strings.Contains(cert, old) {
			t.Fatalf("no %q in\n%s", old, cert)
		}
		return strings.Replace(cert, old, new, 1)
	}
	// claiming returns a certificate with the given claims only.
	claiming := func(proc, predicates, invariant string) string {
		return claims(loaded(t, tiny), "", map[string]claim{proc: {predicates, always(invariant)}})
	}
	for _, c := range []struct{ text, want string }{
		{other("(var g)", "(var h)"), "the program has no variable h"},
		{other("(procedure f", "(procedure h"), "the program has no procedure h"},
		{other("(node 0", "(node 99"), "f: the procedure has no node 99"},
		{other("(const int32 1)", "(const int64 1)"), "operands of types int32 and int64"},
		{"(certificate 1 (global))", "f: the certificate does not have this procedure"},
		{"(certificate 1 (global) (procedure f))", "f:0: no invariant"},
		{claiming("f", "(predicate p (var m))", "p"), "f: the program has no variable m here"},
		{claiming("f", "(predicate p (== (var n) (var 'g)))", "p"), "f: the program has no variable 'g here"},
		{claiming("main", "(predicate p (var \\result))", "(entry p)"), "main:0: predicate p has no truth at the entry"},
		{claiming("main", "(constant 'r (var \\result))", "true"), "main: 'r has no value at the entry"},
		{claiming("f", "(constant 'n (+ (var n) (const int8 1)))", "true"), "f: 'n: "},
	} {
		_, err := certificate.Read(source.NewFile("t.cert", []byte(c.text)), loaded(t, tiny))
		var e *certificate.MismatchError
		if !errors.As(err, &e) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s\n%s", err, c.want, c.text)
			continue
		}
		r := validate(t, c.text, tiny, options)
		if r.Verdict != certificate.Rejected || !strings.Contains(r.Summary(), c.want) {
			t.Errorf("%s, want %s", r.Summary(), c.want)
		}
	}
}

// A program without a property is not certified, whatever the certificate.
func TestVacuous(t *testing.T) {
	const text = `int main(void) { return 0; }`
	cert := claims(loaded(t, text), "", nil)
	if r := validate(t, cert, text, options); r.Verdict != certificate.Rejected || !strings.Contains(r.Why, "vacuous") {
		t.Error(r.Summary())
	}
}

// FuzzRead: no text makes the reader or the validation panic, and what is read is read the
// same again from what is written.
func FuzzRead(f *testing.F) {
	f.Add(certified(f, tiny))
	f.Add(certified(f, pairs[5].text))
	f.Add("(certificate 1 (global (predicate \"a b\" (if (var g) (neg (var g)) (bitnot (ones (var g)))))) (procedure f (constant 'n (var n))))")
	f.Add("(certificate 1 (global (predicate p (mem uint2 (offset (toptr ptr64 (var g)) 8 next) bit 3 packed))))")
	f.Add("(certificate 1 (global (predicate f1 (var g))) (procedure f (formula f0 (iff f1 (entry f1))) (formula f2 (or f0 (and f0 f1) (not f0))) (node 0 f2) (node 1 f2)))")
	f.Add("(certificates (subject (flag --open) (source a.c 00) (source \"b c\" 11) (assuming \"\")) (certificate 1 (global)))")
	prog := loaded(f, tiny)
	written := func(t *testing.T, text string) (string, certificate.Proof, error) {
		file := source.NewFile("t.cert", []byte(text))
		c, err := certificate.Read(file, prog)
		if err != nil {
			return "", nil, err
		}
		about, err := certificate.ReadSubject(file)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := certificate.Write(&b, about, c); err != nil {
			t.Fatal(err)
		}
		return b.String(), c, nil
	}
	f.Fuzz(func(t *testing.T, text string) {
		once, c, err := written(t, text)
		if err != nil {
			return
		}
		if again, _, err := written(t, once); err != nil || again != once {
			t.Fatalf("%v\n%s", err, once)
		}
		if _, err := certificate.Validate(context.Background(), prog, c, options); err != nil {
			t.Fatal(err)
		}
	})
}
