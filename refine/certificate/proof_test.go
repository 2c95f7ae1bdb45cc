package certificate_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"c2bp/abstract"
	"c2bp/alias/devirt"
	"c2bp/boolprog"
	"c2bp/checker"
	"c2bp/frontend/core"
	"c2bp/frontend/core/coregen"
	"c2bp/internal/testkit"
	"c2bp/refine/certificate"
	"c2bp/refine/certificate/extract"
)

// This file validates certificates that prove some of the properties each.

// properties lists the nodes of prog that have one.
func properties(prog *core.Program) (nodes []string) {
	for _, p := range prog.Procs {
		for i, n := range p.Nodes {
			if _, ok := n.Stmt.(*core.Assert); ok || slices.Contains(n.Labels, "ERROR") {
				nodes = append(nodes, p.NodeID(i))
			}
		}
	}
	return nodes
}

// proving is c as one that proves these properties alone.
func proving(c *certificate.Certificate, nodes ...string) *certificate.Certificate {
	out := *c
	out.Proves = append([]string{}, nodes...)
	return &out
}

// A certificate is as good as one for each property; none of these can be left out; and of
// an unsafe program they prove nothing.
func TestSplit(t *testing.T) {
	for _, p := range pairs {
		c, prog := read(t, certified(t, p.text), p.text)
		nodes := properties(prog)
		for left := -1; left < len(nodes); left++ {
			var proof certificate.Proof
			for i, node := range nodes {
				if i != left {
					proof = append(proof, proving(c, node))
				}
			}
			if len(proof) == 0 {
				proof = certificate.Proof{proving(c)}
			}
			text := textOf(t, proof)
			r := validate(t, text, p.text, options)
			if left < 0 && (r.Verdict != certificate.Valid || r.Sites == 0) {
				t.Errorf("%s: %s\n%s", p.name, r.Summary(), text)
			}
			if want := "no certificate proves this property"; left >= 0 && (r.Verdict != certificate.Rejected || r.Why != want || r.Where != nodes[left]) {
				t.Errorf("%s: without %s: %s\n%s", p.name, nodes[left], r.Summary(), text)
			}
			if r := validate(t, text, p.unsafe(t), options); r.Verdict != certificate.Rejected {
				t.Errorf("%s: for the unsafe program: %s\n%s", p.name, r.Summary(), text)
			}
		}
	}
}

// at is f at the nodes with that text, and true elsewhere.
func at(text, f string) func(int, *core.Node) string {
	return func(_ int, n *core.Node) string {
		if _, ok := n.Stmt.(*core.Assert); ok && strings.Contains(n.Text, text) {
			return f
		}
		return "true"
	}
}

// Certificates that know different things, what they may take from each other, and what not.
func TestTogether(t *testing.T) {
	const globals = "(predicate x1 (== (var x) (const int32 1))) (predicate y2 (== (var y) (const int32 2)))"
	const straight = `int x, y; int main(void) { x = 1; y = 2; assert(x == 1); assert(y == 2); return 0; }`
	const twice = `int x, y; int main(void) { x = __VERIFIER_nondet_int(); assert(1 == x); assert(x == 1); return 0; }`
	const round = `int x, y; int main(void) { x = __VERIFIER_nondet_int(); while (__VERIFIER_nondet_int()) { assert(1 == x); assert(x == 1); } return 0; }`
	for _, c := range []struct {
		name, text string
		parts      []string // the number of the property, and what holds after the last node with a text, or at (@) it
		want       string
	}{
		{"each its own", straight, []string{"0 x = 1:x1", "1 y = 2:y2"}, "VALID"},
		{"each the other's", straight, []string{"1 x = 1:x1", "0 y = 2:y2"}, "certificate 1 of 2: the invariant does not exclude that the assertion fails"},
		{"the second is the first", straight, []string{"0 x = 1:x1", "0 x = 1:x1"}, "no certificate proves this property"},
		{"what is not there", straight, []string{"0 x = 1:x1", "9 y = 2:y2"}, "the program has no node main:99"},
		{"the second invariant does not hold", straight, []string{"0 x = 1:x1", "1 x = 1:y2"}, "certificate 2 of 2: the invariant of"},
		{"nobody proves the first", twice, []string{"1 @x == 1:x1", "1 @x == 1:x1"}, "no certificate proves this property"},
		{"the first cannot be proved", twice, []string{"1 @x == 1:x1", "0 @1 == x:true"}, "certificate 2 of 2: the invariant does not exclude that the assertion fails"},
		{"each assumes the other", round, []string{"1 @x == 1:x1", "0 @1 == x:x1"}, "certificate 2 of 2: the invariant of main:"},
	} {
		prog := loaded(t, c.text)
		nodes := append(properties(prog), slices.Repeat([]string{"main:99"}, 9)...)
		var b strings.Builder
		b.WriteString("(certificates\n")
		for _, part := range c.parts {
			number, says, _ := strings.Cut(part, " ")
			text, f, _ := strings.Cut(says, ":")
			proves := nodes[number[0]-'0']
			main := claim{"", after(prog.Proc("main"), text, f)}
			if text, ok := strings.CutPrefix(text, "@"); ok {
				main.invariant = at(text, f)
			}
			b.WriteString(strings.Replace(claims(prog, globals, map[string]claim{"main": main}),
				"(certificate 1", fmt.Sprintf("(certificate 1 (proves %s)", proves), 1))
		}
		b.WriteString(")\n")
		if r := validate(t, b.String(), c.text, options); !strings.Contains(r.Summary(), c.want) {
			t.Errorf("%s: %s, want %s\n%s", c.name, r.Summary(), c.want, b.String())
		}
	}
}

// abstraction is a program abstracted by predicates, and checked.
func abstraction(t *testing.T, prog *core.Program, gen []coregen.Pred) extract.Part {
	ctx := context.Background()
	var preds []*abstract.Predicate
	for _, g := range gen {
		preds = append(preds, abstract.NewPredicate(g.Proc, g.Expr, core.CString(g.Expr)))
	}
	r, err := abstract.Program(ctx, prog, preds, abstract.Options{Jobs: 1, MaxExact: 4, MaxCube: 2})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := boolprog.Check(r.Program); err != nil {
		t.Fatal(err)
	}
	a, err := checker.Analyse(ctx, r.Program, checker.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return extract.Part{Analysis: a, Predicates: r.Predicates}
}

// together makes a proof of a random program by two abstractions, each by some of the
// predicates, validates it, and runs the program; and the same when the first certificate
// says that it proves something else, too. It reports how many properties are proved by the
// one and not by the other.
func (n *campaign) together(t *testing.T, seed uint64, config coregen.Config, runs int) (shared int) {
	prog, gen := coregen.Generate(rand.New(rand.NewPCG(seed, 21)), config)
	devirt.Resolve(prog)
	rng := rand.New(rand.NewPCG(seed, 22))
	var some [2][]coregen.Pred
	for _, g := range gen {
		i := rng.IntN(2)
		some[i] = append(some[i], g)
	}
	parts := []extract.Part{abstraction(t, prog, some[0]), abstraction(t, prog, some[1])}
	nodes := properties(prog)
	if len(nodes) == 0 {
		return 0
	}
	n.programs++
	proof, err := extract.Proof(context.Background(), prog, parts)
	if err != nil {
		t.Fatal(err)
	}
	said := func(c *certificate.Certificate, node string) bool {
		return c.Proves == nil || slices.Contains(c.Proves, node)
	}
	proved := func(node string) bool { return said(proof[0], node) || said(proof[1], node) }
	for _, c := range proof {
		if n.proof(t, prog, certificate.Proof{c}, certificate.ValidateUncovered).Verdict == certificate.Rejected {
			n.rejected++ // it needs that what is assigned fits its variable
			return 0
		}
	}
	r := n.proof(t, prog, proof, certificate.Validate)
	uncovered := slices.IndexFunc(nodes, func(node string) bool { return !proved(node) })
	switch {
	case uncovered < 0 && r.Verdict == certificate.Rejected, uncovered >= 0 && r.Where != nodes[uncovered]:
		t.Errorf("program %d: %s, the first uncovered is %d\n%s\n%s", seed, r.Summary(), uncovered, prog, textOf(t, proof))
	}
	n.hold(prog, proof[0], seed, runs, proved)
	n.hold(prog, proof[1], seed, runs, proved)
	if uncovered >= 0 { // more is said than is so
		proof[0] = proving(proof[0], append(proof[0].Proves, nodes[uncovered])...)
		if n.proof(t, prog, proof, certificate.ValidateUncovered).Verdict == certificate.Valid {
			n.valid++
			n.hold(prog, proof[0], seed, runs, proved)
		}
	}
	for _, node := range nodes {
		if said(proof[0], node) != said(proof[1], node) {
			shared++
		}
	}
	return shared
}

func (n *campaign) proof(t *testing.T, prog *core.Program, p certificate.Proof,
	by func(context.Context, *core.Program, certificate.Proof, certificate.Options) (*certificate.Report, error)) *certificate.Report {
	r, err := by(context.Background(), prog, p, options)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestRandomProofs(t *testing.T) {
	programs := testkit.Count[uint64](40, 1500)
	var n campaign
	shared := 0
	for seed := uint64(0); seed < programs && n.violation == nil; seed++ {
		shared += n.together(t, seed, coregen.Config{}, 10)
	}
	t.Logf("%+v, %d shared", n, shared)
	if n.violation != nil {
		t.Error(n.violation)
	}
	if shared < 3 || n.states < 1000 || n.rejected > n.programs/10 {
		t.Errorf("too little was tested: %+v, %d shared", n, shared)
	}
}
