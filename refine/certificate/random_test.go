package certificate_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"c2bp/alias/devirt"
	"c2bp/checker"
	"c2bp/frontend/core"
	"c2bp/frontend/core/coregen"
	"c2bp/frontend/core/interp"
	"c2bp/internal/testkit"
	"c2bp/refine/certificate"
	"c2bp/refine/certificate/extract"
)

// This file makes certificates of random programs with random predicates. Whatever the
// checker found is inductive, so all conditions but assertions hold; and validated
// invariants hold in each state of random runs, be the certificate as it was made or
// changed at random.

// campaign counts programs, certificates and runs.
type campaign struct {
	programs, safe, unknown, rejected, changes, valid, runs, states int
	violation                                                       error // the first
}

// random returns a random program, and the certificate of its analysis.
func random(t *testing.T, seed uint64, config coregen.Config) (*core.Program, *certificate.Certificate, *checker.Analysis) {
	prog, gen := coregen.Generate(rand.New(rand.NewPCG(seed, 11)), config)
	devirt.Resolve(prog)
	p := abstraction(t, prog, gen)
	if p.Analysis.Solution == nil { // nothing to check
		return prog, nil, p.Analysis
	}
	c, err := extract.Certificate(context.Background(), prog, p.Analysis, p.Predicates)
	if err != nil {
		t.Fatal(err)
	}
	return prog, c, p.Analysis
}

// try validates the certificate of a random program and some changed ones, and runs the program
// against those that are valid.
func (n *campaign) try(t *testing.T, seed uint64, config coregen.Config, changes, runs int) {
	prog, c, a := random(t, seed, config)
	if c == nil {
		return
	}
	n.programs++
	r := n.validate(t, prog, c, certificate.ValidateInduction)
	if r.Verdict == certificate.Rejected {
		t.Errorf("program %d: %s\n%s\n%s", seed, r.Summary(), prog, textOf(t, certificate.Proof{c}))
		return
	}
	if r.Verdict == certificate.Unknown {
		n.unknown++
	}
	// Now with assertions: safe programs have a certificate, others have none.
	r = n.validate(t, prog, c, validateOne)
	if a.Result.Verdict.String() == "TRUE" {
		n.safe++
		if r.Verdict == certificate.Rejected {
			t.Errorf("program %d is safe: %s", seed, r.Summary())
		}
	}
	valid := r.Verdict == certificate.Valid
	n.hold(prog, c, seed, runs, func(string) bool { return valid })
	rng := rand.New(rand.NewPCG(seed, 12))
	for i := range changes {
		m, what := changed(rng, c)
		n.changes++
		if r := n.validate(t, prog, m, certificate.ValidateInduction); r.Verdict == certificate.Valid {
			n.valid++
			before := n.violation
			n.hold(prog, m, seed*1000+uint64(i), runs, func(string) bool { return false })
			if before == nil && n.violation != nil {
				n.violation = fmt.Errorf("%s: %w", what, n.violation)
			}
		}
	}
}

// validateOne validates a proof by one certificate.
func validateOne(ctx context.Context, prog *core.Program, c *certificate.Certificate, opts certificate.Options) (*certificate.Report, error) {
	return certificate.Validate(ctx, prog, certificate.Proof{c}, opts)
}

func (n *campaign) validate(t *testing.T, prog *core.Program, c *certificate.Certificate,
	by func(context.Context, *core.Program, *certificate.Certificate, certificate.Options) (*certificate.Report, error)) *certificate.Report {
	r, err := by(context.Background(), prog, c, options)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// hold runs prog and evaluates the invariant of each node that is reached; no assertion may
// fail at a node that is safe.
func (n *campaign) hold(prog *core.Program, c *certificate.Certificate, seed uint64, runs int, safe func(node string) bool) {
	for i := range runs {
		n.runs++
		if err := n.run(prog, c, seed*1000+uint64(i), safe); err != nil && n.violation == nil {
			n.violation = fmt.Errorf("random run %d: %w", seed, err)
		}
	}
}

// frame is an activation: the truth of predicates when it was entered.
type frame struct {
	proc  *certificate.Procedure
	scope []*certificate.Predicate
	entry []bool
}

func (n *campaign) run(prog *core.Program, c *certificate.Certificate, seed uint64, safe func(node string) bool) error {
	var ghosts []*core.Var
	for _, p := range c.Procedures {
		ghosts = append(ghosts, p.Ghosts...)
	}
	m := interp.New(prog, interp.NewRandom(prog, seed), interp.Options{Ghosts: ghosts})
	var stack []*frame
	enter := func() {
		top := m.Top()
		f := &frame{}
		for _, p := range c.Procedures {
			if p.Proc == top.Proc() {
				f.proc, f.scope = p, c.Scope(p)
			}
		}
		f.entry = truth(top, f.scope)
		stack = append(stack, f)
	}
	enter()
	for range 150 {
		f, top := stack[len(stack)-1], m.Top()
		n.states++
		at := top.Proc().NodeID(top.Node())
		if now := truth(top, f.scope); !holds(f.proc.Invariants[top.Node()], now, f.entry) {
			return fmt.Errorf("the invariant of %s does not hold", at)
		}
		ev, err := m.Step()
		var ub *interp.UBError
		var limit *interp.LimitError
		if errors.As(err, &ub) || errors.As(err, &limit) {
			return nil
		}
		if err != nil {
			return err
		}
		switch {
		case ev.Kind == interp.Failed && safe(at):
			return fmt.Errorf("the assertion at %s fails", at)
		case ev.Kind.Final():
			return nil
		case ev.Kind == interp.Entered:
			enter()
		case ev.Kind == interp.Left:
			stack = stack[:len(stack)-1]
		}
	}
	return nil
}

func truth(f *interp.Frame, scope []*certificate.Predicate) []bool {
	out := make([]bool, len(scope))
	for i, p := range scope {
		out[i] = core.EvalIn(p.Expr, f.State()).Sign() != 0
	}
	return out
}

// holds evaluates a formula.
func holds(f *certificate.Formula, now, entry []bool) bool {
	switch f.Op {
	case certificate.Holds:
		return now[f.Pred]
	case certificate.Held:
		return entry[f.Pred]
	case certificate.Not:
		return !holds(f.Args[0], now, entry)
	case certificate.Iff:
		return holds(f.Args[0], now, entry) == holds(f.Args[1], now, entry)
	}
	for _, x := range f.Args {
		if holds(x, now, entry) != (f.Op == certificate.And) {
			return f.Op == certificate.Or
		}
	}
	return f.Op == certificate.And
}

func TestRandomPrograms(t *testing.T) {
	randomPrograms(t, coregen.Config{}, testkit.Count[uint64](25, 1000))
}

// TestRandomProgramsMemory is TestRandomPrograms for programs with pointers.
func TestRandomProgramsMemory(t *testing.T) {
	randomPrograms(t, coregen.Config{Memory: true}, testkit.Count[uint64](8, 320))
}

func randomPrograms(t *testing.T, config coregen.Config, programs uint64) {
	var n campaign
	for seed := uint64(0); seed < programs && n.violation == nil; seed++ {
		n.try(t, seed, config, 6, 10)
	}
	t.Logf("%+v", n)
	if n.violation != nil {
		t.Error(n.violation)
	}
	if n.valid == 0 || n.states < 1000 || n.unknown > n.programs/10 {
		t.Errorf("too little was tested: %+v", n)
	}
}
