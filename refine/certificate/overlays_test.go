package certificate_test

import (
	"testing"

	"c2bp/frontend/cgen"
	"c2bp/frontend/core"
	"c2bp/internal/testkit"
	"c2bp/refine"
	"c2bp/refine/certificate"
	"c2bp/refine/certificate/extract"
	"c2bp/source"
	"c2bp/verdict"
)

// certificateOf audits a program, and is nil unless it is proved.
func certificateOf(t *testing.T, text string, prog *core.Program) certificate.Proof {
	t.Helper()
	o, err := refine.Audit(t.Context(), prog, refine.Options{Iterations: 8, Queries: 2000, Refs: refine.RefsNever})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if o.Result.Verdict != verdict.True {
		return nil
	}
	var parts []extract.Part
	for _, p := range o.Proof {
		parts = append(parts, extract.Part{Analysis: p.Analysis, Predicates: p.Predicates})
	}
	proof, err := extract.Proof(t.Context(), prog, parts)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return proof
}

// TestOverlaysCertified: whatever is proved of programs whose memory is written as many types
// has a valid certificate, which does not do for the assertion turned round.
func TestOverlaysCertified(t *testing.T) {
	testkit.NeedGCC(t)
	programs := testkit.Count(16, 500)
	seeds := []uint64{34, 118} // results at indices, and through pointers
	for len(seeds) < programs {
		seeds = append(seeds, uint64(len(seeds)))
	}
	proved, turned := 0, 0
	for _, seed := range seeds {
		claims, err := cgen.GenerateOverlays(seed+1000).Claims(t.TempDir(), seed)
		if err != nil {
			t.Fatal(err)
		}
		if claims == nil {
			continue
		}
		safe, unsafe := claims[0], claims[1]
		proof := certificateOf(t, safe.Text, loaded(t, safe.Text))
		if proof == nil {
			continue
		}
		proved++
		text := textOf(t, proof)
		if r := validate(t, text, safe.Text, options); r.Verdict != certificate.Valid {
			t.Errorf("seed %d: %s\n%s\n%s", seed, r.Summary(), safe.Text, text)
		}
		r, err := certificate.ValidateFile(t.Context(), source.NewFile("t.cert", []byte(text)), loaded(t, unsafe.Text), options)
		if err != nil {
			t.Fatal(err)
		}
		if r.Verdict == certificate.Valid {
			t.Errorf("seed %d: the certificate is one of a program that fails\n%s\n%s", seed, unsafe.Text, text)
		}
		turned++
	}
	t.Logf("of %d programs %d are proved, %d certificates put on programs that fail", programs, proved, turned)
	if proved < programs/2 {
		t.Errorf("of %d programs only %d are proved", programs, proved)
	}
}

// TestStructsCertified: properties of structs that are returned and copied are certified.
func TestStructsCertified(t *testing.T) {
	const head = "extern void __VERIFIER_assert(int); extern int __VERIFIER_nondet_int(void);\n"
	for _, text := range []string{
		`struct S { int b; }; static struct S mk(void) { struct S s = { 0 }; return s; }
		int main(void) { struct S r = mk(); __VERIFIER_assert(r.b == 0); return 0; }`,
		`struct S { int a[3]; } gs;
		int main(void) { struct S l = gs; __VERIFIER_assert(l.a[0] == 0); return 0; }`,
		`struct S { int i; } a, b, c; struct S *p = &c;
		static struct S mk(struct S s) { return s; }
		int main(void) { if (__VERIFIER_nondet_int()) { p = &b; *p = mk(a); } __VERIFIER_assert(p->i == 0); return 0; }`,
		// q may lead to x, which is not one of t, and is compared with &t[n].
		`extern int x; extern long __VERIFIER_nondet_long(void);
		int main(void) {
			int n = __VERIFIER_nondet_int();
			if (n < 0 || n > 3) return 0;
			x = 2;
			struct { short h; int i, j; } s = { .j = 0 };
			int t[4] = { [2] = n };
			int *p = n ? &s.j : &t[n];
			long d = __VERIFIER_nondet_long();
			if (d < (long)p || d > (long)p) return 0;
			int *q = (int *)d;
			t[n] = n & 1;
			__VERIFIER_assert(*q == 0);
			return 0;
		}`,
	} {
		text = head + text
		proof := certificateOf(t, text, loaded(t, text))
		if proof == nil {
			t.Errorf("not proved:\n%s", text)
			continue
		}
		if r := validate(t, textOf(t, proof), text, options); r.Verdict != certificate.Valid {
			t.Errorf("%s\n%s\n%s", r.Summary(), text, textOf(t, proof))
		}
	}
}
