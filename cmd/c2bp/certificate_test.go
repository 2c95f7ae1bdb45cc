package main

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"c2bp/checker"
	"c2bp/frontend"
	"c2bp/report"
	"c2bp/source"
	"c2bp/verdict"
)

// TestInvalidCertificate: of a TRUE whose certificate is not valid the output says so.
func TestInvalidCertificate(t *testing.T) {
	text := "extern void __VERIFIER_assert(int); int main(void) { int x = 1; __VERIFIER_assert(x == 1); return 0; }"
	unit, err := frontend.Load(t.Context(), []*source.File{source.NewFile("in.c", []byte(text))}, frontend.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const head = "(certificate 1 (global) (procedure main (predicate p (== (var x) (const int32 1))) (node 0 true) (node 1 "
	const tail = ") (node 2 true) (node 3 true)))"
	stopped, stop := context.WithCancelCause(t.Context())
	stop(errStopped{})
	for _, c := range []struct {
		name, invariant string
		ctx             context.Context
		want            string
	}{
		{"valid", "p", t.Context(), ""},
		{"weakened", "true", t.Context(), "Certificate: REJECTED (main:1: the invariant does not exclude that the assertion fails)"},
		{"wrong", "(not p)", t.Context(), "Certificate: REJECTED (main:0: the invariant of main:1 does not follow)"},
		{"stopped", "p", stopped, "Certificate: UNKNOWN (time is up)"},
	} {
		f := &auditFlags{certificate: "in.cert", errorLabels: checker.DefaultErrorLabels()}
		r := &verdict.Result{Verdict: verdict.True}
		if err := f.validate(c.ctx, []byte(head+c.invariant+tail), unit.Program, r); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		var out bytes.Buffer
		if err := report.Text(&out, r); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(out.String(), "\n")
		if got := lines[0]; c.want != got && (c.want != "" || got != "Verification result: TRUE") {
			t.Errorf("%s: the output is %q", c.name, out.String())
		}
	}
}

type errStopped struct{}

func (errStopped) Error() string { return "time is up" }
