package samples

import (
	"context"
	"strings"
	"testing"

	"c2bp/checker"
	"c2bp/internal/testkit"
	"c2bp/refine/certificate"
	"c2bp/refine/certificate/extract"
	"c2bp/source"
	"c2bp/verdict"
)

// TestCertificates: the proofs of the safe variants by their predicates can be written, and
// validated without abstraction and checker; the invariants of the others prove nothing.
func TestCertificates(t *testing.T) {
	ctx := context.Background()
	buggy, safe := 0, 0
	each(t, func(t *testing.T, v Variant, l *Loaded) {
		r := first(t, v, l)
		if heavy(r) {
			t.Skip("its certificate has hundreds of thousands of bytes; C2BP_LONG=1 runs this")
		}
		if v.File == "buggy.c" {
			if buggy++; buggy%6 != 1 && !testkit.Long() {
				t.Skip("one in six of the certificates to be rejected is enough; C2BP_LONG=1 makes all")
			}
		}
		if v.File == "safe.c" {
			if safe++; safe%6 != 1 && !testkit.Long() {
				t.Skip("a certificate takes a second or more: one in six is validated here, C2BP_LONG=1 validates all")
			}
		}
		a, err := checker.Analyse(ctx, r.Program, checker.Options{})
		if err != nil {
			t.Fatal(err)
		}
		c, err := extract.Certificate(ctx, l.Unit.Program, a, r.Predicates)
		if err != nil {
			t.Fatal(err)
		}
		var text strings.Builder
		if err := (certificate.Proof{c}).Write(&text); err != nil {
			t.Fatal(err)
		}
		file := source.NewFile(v.Name()+".cert", []byte(text.String()))
		report, err := certificate.ValidateFile(ctx, file, l.Unit.Program, certificate.Options{ErrorLabels: checker.DefaultErrorLabels()})
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s, %d bytes, %d conditions, %d queries", report.Summary(), text.Len(), report.Conditions, report.Queries)
		want := certificate.Rejected
		if a.Result.Verdict == verdict.True {
			want = certificate.Valid
		}
		if report.Verdict != want {
			t.Errorf("%s: %s, want %s", report.At, report.Summary(), want)
		}
	})
}
