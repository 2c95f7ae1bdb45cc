package certificate_test

import (
	"strings"
	"testing"

	"c2bp/abstract"
	"c2bp/alias/devirt"
	"c2bp/boolprog"
	"c2bp/checker"
	"c2bp/frontend"
	"c2bp/refine/certificate"
	"c2bp/refine/certificate/extract"
	"c2bp/source"
	"c2bp/verdict"
)

// What the callee knows of its predicates at the entry, that u->status is that of port.out
// if u is &port.out, its callers can show, although to them p, which they pass on, leads to
// one place only and to the callee it may lead to two.
func TestEntryOfCallee(t *testing.T) {
	const text = `
		struct request { int status; };
		struct port { int open; struct request in, out; };
		static struct port port;
		static void fill(struct request *u) { BODY }
		static int submit(struct port *p) { fill(&p->in); return p->open; }
		static int send(struct port *p) { fill(&p->out); return p->open; }
		int main(void) {
			port.in.status = 1;
			port.out.status = 0;
			submit(&port);
			port.out.status = 1;
			send(&port);
			return 0;
		}`
	const preds = `
global:
	port.in.status == 1, port.out.status == 1
fill:
	u == &port.in, u == &port.out, u->status == 1
submit:
	p == &port
send:
	p == &port
`
	for _, body := range []string{
		"assert(u->status == 1);",
		"while (__VERIFIER_nondet_int()) { assert(u->status == 1); }", // back to the first node
	} {
		text := strings.Replace(text, "BODY", body, 1)
		unit, err := frontend.Load(t.Context(), []*source.File{source.NewFile("t.c", []byte(text))}, frontend.Options{})
		if err != nil {
			t.Fatal(err)
		}
		texts, err := abstract.ParsePredicates(source.NewFile("t.preds", []byte(preds)))
		if err != nil {
			t.Fatal(err)
		}
		prog := unit.Program
		devirt.Resolve(prog)
		r, err := abstract.Abstract(t.Context(), prog, texts, unit, abstract.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := boolprog.Check(r.Program); err != nil {
			t.Fatal(err)
		}
		a, err := checker.Analyse(t.Context(), r.Program, checker.Options{})
		if err != nil || a.Result.Verdict != verdict.True {
			t.Fatal(err, a.Result)
		}
		c, err := extract.Certificate(t.Context(), prog, a, r.Predicates)
		if err != nil {
			t.Fatal(err)
		}
		cert := textOf(t, certificate.Proof{c})
		if r := validate(t, cert, text, options); r.Verdict != certificate.Valid {
			t.Errorf("%s: %s\n%s", body, r.Summary(), cert)
		}
	}
}
