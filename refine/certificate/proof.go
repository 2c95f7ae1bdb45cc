package certificate

import (
	"fmt"
	"slices"

	"c2bp/frontend/core"
)

// This file combines certificates that each prove some of the properties.

// Proof is a list of certificates of one program that together prove all its properties. None
// depends on the others: each holds of every run up to the first assertion that fails, whichever
// that is.
type Proof []*Certificate

// Annotate sets the note of each predicate, for people.
func (p Proof) Annotate(note func(core.Expr) string) {
	for _, c := range p {
		c.Annotate(note)
	}
}

// fit checks that all certificates are well formed for prog.
func (p Proof) fit(prog *core.Program) error {
	for _, c := range p {
		if err := c.fit(prog); err != nil {
			return err
		}
	}
	return nil
}

// fitProves checks that the nodes whose properties c claims to prove are nodes of prog.
func (c *Certificate) fitProves(prog *core.Program) error {
	unknown := map[string]bool{}
	for _, at := range c.Proves {
		unknown[at] = true
	}
	for _, q := range prog.Procs {
		for i := range q.Nodes {
			// Whatever is left is no node.
			delete(unknown, q.NodeID(i))
		}
	}
	for _, at := range c.Proves {
		if unknown[at] {
			return mismatch("", "the program has no node %s", at)
		}
	}
	return nil
}

// proves reports whether c claims to prove the properties at a node.
func (c *Certificate) proves(node string) bool {
	return c.Proves == nil || slices.Contains(c.Proves, node)
}

// covered counts the properties, and checks that each is proved by some certificate. It reports
// whether to continue.
func (v *validator) covered(p Proof) bool {
	// 1. Each property needs a certificate that names it.
	uncalled, called := v.prog.Uncalled().Procs, false
	for _, q := range v.prog.Procs {
		for i, n := range q.Nodes {
			sites := v.sites(n)
			v.report.Sites += sites
			called = called || sites > 0 && !slices.Contains(uncalled, q.Name)
			if sites == 0 {
				continue
			}
			if !slices.ContainsFunc(p, func(c *Certificate) bool { return c.proves(q.NodeID(i)) }) {
				return v.blame(q, i, Rejected, "no certificate proves this property")
			}
		}
	}
	// 2. A program without properties, or with none in called functions, is not proved to be safe.
	switch {
	case v.report.Sites == 0:
		v.report.Verdict, v.report.Why = Rejected, "vacuous: no assertion and no error label in the program"
		return false
	case !called:
		v.report.Verdict, v.report.Why = Rejected, "vacuous: no assertion and no error label in a function that is called"
		return false
	}
	return true
}

// sites returns the number of properties of n: an assertion, an error label.
func (v *validator) sites(n *core.Node) (count int) {
	if _, ok := n.Stmt.(*core.Assert); ok {
		count++
	}
	if v.isError(n) {
		count++
	}
	return count
}

// among returns the prefix of messages about certificate i of p.
func among(i int, p Proof) string {
	if len(p) == 1 {
		return ""
	}
	return fmt.Sprintf("certificate %d of %d: ", i+1, len(p))
}

// proof reads one certificate, or a list of several.
func (r *reader) proof(x *sexpr) (p Proof) {
	_, parts := r.parts(x)
	for _, y := range parts {
		r.proc = nil
		p = append(p, r.certificate(y))
	}
	return p
}
