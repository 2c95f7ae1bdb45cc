package certificate_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"c2bp/frontend/core"
	"c2bp/refine/certificate"
	"c2bp/source"
)

// This file changes certificates at random.

// Whatever is done to a certificate, it is never valid for an unsafe program; and an
// invariant that an assertion needs cannot be left out.
func TestChangedCertificates(t *testing.T) {
	var valid, changes int
	for i, p := range pairs {
		cert := certified(t, p.text)
		c, prog := read(t, cert, p.text)
		unsafe, wrong := read2(t, cert, p.unsafe(t))
		rng := rand.New(rand.NewPCG(uint64(i), 1))
		for range 8 {
			changes++
			m, what := changed(rng, c)
			r, err := certificate.Validate(context.Background(), prog, certificate.Proof{m}, options)
			if err != nil {
				t.Fatalf("%s: %s: %v", p.name, what, err)
			}
			if r.Verdict == certificate.Valid {
				valid++
			}
			if unsafe == nil {
				continue
			}
			m, what = changed(rng, unsafe)
			r, err = certificate.Validate(context.Background(), wrong, certificate.Proof{m}, options)
			if err != nil || r.Verdict == certificate.Valid {
				t.Errorf("%s, unsafe: %s: %v, %v", p.name, what, r, err)
			}
		}
		for _, q := range c.Procedures {
			for j, n := range q.Proc.Nodes {
				if _, ok := n.Stmt.(*core.Assert); !ok || q.Invariants[j].IsFalse() {
					continue
				}
				old := q.Invariants[j]
				q.Invariants[j] = certificate.True()
				r, err := certificate.Validate(context.Background(), prog, certificate.Proof{c}, options)
				q.Invariants[j] = old
				if err != nil || r.Verdict != certificate.Rejected {
					t.Errorf("%s: true at %s: %v, %v", p.name, q.Proc.NodeID(j), r, err)
				}
			}
		}
	}
	t.Logf("of %d changed certificates, %d are certificates too", changes, valid)
	if valid == 0 || valid > changes*3/4 {
		t.Errorf("of %d changed certificates %d are valid: the test shows little", changes, valid)
	}
}

// read2 is read; nil if the certificate does not fit.
func read2(t testing.TB, cert, text string) (*certificate.Certificate, *core.Program) {
	prog := loaded(t, text)
	p, err := certificate.Read(source.NewFile("t.cert", []byte(cert)), prog)
	if _, other := err.(*certificate.MismatchError); other {
		return nil, nil
	}
	if err != nil {
		t.Fatal(err)
	}
	return p[0], prog
}

// changed is c with one invariant changed, or said to hold after its node, too.
func changed(rng *rand.Rand, c *certificate.Certificate) (*certificate.Certificate, string) {
	out := &certificate.Certificate{Globals: c.Globals}
	at := rng.IntN(len(c.Procedures))
	what := ""
	for i, p := range c.Procedures {
		q := *p
		q.Invariants = append([]*certificate.Formula(nil), p.Invariants...)
		if i == at {
			n := rng.IntN(len(q.Invariants))
			keep := rng.IntN(3) == 0
			for tries := 0; keep && tries < 20 && !isCall(p.Proc.Nodes[n]); tries++ {
				n = rng.IntN(len(q.Invariants)) // preferably a call
			}
			if succ := p.Proc.Nodes[n].Succ; keep && len(succ) > 0 {
				m := succ[rng.IntN(len(succ))]
				q.Invariants[m] = &certificate.Formula{Op: certificate.And, Args: []*certificate.Formula{q.Invariants[m], q.Invariants[n]}}
				what = fmt.Sprintf("invariant of %s kept for %s", p.Proc.NodeID(n), p.Proc.NodeID(m))
			} else {
				q.Invariants[n] = changedFormula(rng, q.Invariants[n], len(c.Scope(p)))
				what = fmt.Sprintf("invariant of %s changed", p.Proc.NodeID(n))
			}
		}
		out.Procedures = append(out.Procedures, &q)
	}
	return out, what
}

func isCall(n *core.Node) bool {
	_, ok := n.Stmt.(*core.Call)
	return ok
}

// changedFormula is f weakened, strengthened or turned somewhere.
func changedFormula(rng *rand.Rand, f *certificate.Formula, preds int) *certificate.Formula {
	if len(f.Args) > 0 && rng.IntN(3) > 0 {
		out := *f
		i := rng.IntN(len(f.Args))
		out.Args = append([]*certificate.Formula(nil), f.Args...)
		if (f.Op == certificate.And || f.Op == certificate.Or) && rng.IntN(2) == 0 {
			out.Args = append(out.Args[:i], out.Args[i+1:]...)
		} else {
			out.Args[i] = changedFormula(rng, f.Args[i], preds)
		}
		return &out
	}
	switch k := rng.IntN(4); {
	case k == 0:
		return certificate.True()
	case k == 1:
		return certificate.False()
	case k == 2 && preds > 0:
		return &certificate.Formula{Op: certificate.And, Args: []*certificate.Formula{f, {Op: certificate.Holds, Pred: rng.IntN(preds)}}}
	}
	return &certificate.Formula{Op: certificate.Not, Args: []*certificate.Formula{f}}
}
