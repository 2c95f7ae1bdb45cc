package certificate

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"c2bp/alias"
	"c2bp/alias/devirt"
	"c2bp/frontend/core"
	"c2bp/prover"
	"c2bp/source"
	"c2bp/wp/memory"
)

// This file drives the validation: it visits all conditions in order.

// Verdict is the result of a validation.
type Verdict int

const (
	Rejected Verdict = iota // some condition does not hold, or there is nothing to prove
	Unknown                 // the prover could not decide a condition, all others hold
	Valid                   // the program is safe
)

func (v Verdict) String() string { return [...]string{"REJECTED", "UNKNOWN", "VALID"}[v] }

// Report is the result of a validation.
type Report struct {
	Verdict    Verdict
	Where      string     // the node "proc:17" of the first condition that fails or is open, a procedure, or ""
	Why        string     // in words; "" if Valid
	At         source.Pos // of the C statement, if Where is a node
	Text       string     // of the C statement
	Sites      int        // assertions and error labels
	Conditions int        // proved, or tried
	Queries    int64      // that Z3 answered for them
}

// Summary returns the verdict and the condition that it is about: REJECTED (main:3: the assertion
// does not follow).
func (r *Report) Summary() string {
	if r.Verdict == Valid {
		return r.Verdict.String()
	}
	where := r.Where
	if where != "" {
		where += ": "
	}
	return fmt.Sprintf("%v (%s%s)", r.Verdict, where, r.Why)
}

// Options select the properties that are proved.
type Options struct {
	ErrorLabels []string // labels that must not be reached
}

// ValidateFile reads certificates and validates them for prog, whose calls through pointers are
// resolved. A malformed text is an error for which source.IsInput holds; a certificate of another
// program is rejected.
func ValidateFile(ctx context.Context, f *source.File, prog *core.Program, opts Options) (*Report, error) {
	devirt.Resolve(prog)
	p, err := Read(f, prog)
	var other *MismatchError
	switch {
	case errors.As(err, &other):
		return &Report{Where: other.Where, Why: other.Why}, nil
	case err != nil:
		return nil, err
	}
	return Validate(ctx, prog, p, opts)
}

// Validate proves the conditions of p, one after the other, and stops at the first that does not
// hold. The program must have been through devirt.Resolve. The error is that of ctx, or of the
// prover.
func Validate(ctx context.Context, prog *core.Program, p Proof, opts Options) (*Report, error) {
	v := newValidator(ctx, prog, opts)
	defer v.pr.Close()
	err := p.fit(prog)
	if err == nil && v.covered(p) {
		err = v.certificates(p)
	}
	return v.outcome(err)
}

// newValidator returns a validator without a certificate yet. Its verdict is Valid until a condition
// fails.
func newValidator(ctx context.Context, prog *core.Program, opts Options) *validator {
	v := &validator{ctx: ctx, prog: prog, opts: opts, report: &Report{Verdict: Valid}}
	// The prover is fresh: nothing that the audit learned takes part.
	v.pr = prover.New(nil, prover.Options{Patience: patience})
	return v
}

// outcome returns the report of a validation that ended with err.
func (v *validator) outcome(err error) (*Report, error) {
	// 1. A certificate of another program is rejected.
	var other *MismatchError
	switch {
	case errors.As(err, &other):
		return &Report{Where: other.Where, Why: other.Why}, nil
	case err != nil:
		return nil, err
	}
	// 2. An interrupted validation, or a prover that failed, has no verdict.
	v.report.Queries = v.pr.Stats().Queries
	if err := v.ctx.Err(); err != nil {
		return nil, context.Cause(v.ctx)
	}
	var internal *prover.InternalError
	if errors.As(v.pr.Err(), &internal) {
		return nil, internal
	}
	return v.report, nil
}

// patience is the multiple of the ordinary work that a condition may take: one open condition makes
// all others worthless, whereas the search for predicates has alternatives.
const patience = 500

// validator is the state of one validation.
type validator struct {
	ctx    context.Context
	prog   *core.Program
	opts   Options
	cert   *Certificate // that is being validated
	about  string       // which it is
	procs  map[*core.Proc]*Procedure
	alias  *alias.Result
	mem    *memory.Memory
	bits   int // of pointers
	pr     *prover.Prover
	report *Report
}

// certificates validates one certificate after the other.
func (v *validator) certificates(p Proof) error {
	v.bits = v.prog.Pointer().Bits
	v.alias = alias.Analyze(v.prog)
	for i, c := range p {
		// Regions depend on the predicates, so each certificate has its own.
		v.cert, v.about = c, among(i, p)
		if err := v.prepare(); err != nil {
			return err
		}
		if !v.run() {
			return nil
		}
	}
	return nil
}

// prepare sets up the regions of memory for the present certificate, and checks its claims about
// arrays.
func (v *validator) prepare() error {
	v.procs = map[*core.Proc]*Procedure{}
	for _, p := range v.cert.Procedures {
		v.procs[p.Proc] = p
	}
	v.mem = v.newMemory()
	return v.checkArrays()
}

// run proves the conditions of the present certificate, and reports whether to continue.
func (v *validator) run() bool {
	for _, p := range v.cert.Procedures {
		if !v.procedure(p) {
			return false
		}
	}
	return true
}

// procedure proves the conditions of p, and reports whether to continue.
func (v *validator) procedure(p *Procedure) bool {
	a := v.newActivation(p)
	if p.Proc == v.prog.Entry && !a.start() {
		return false
	}
	for i := range p.Proc.Nodes {
		// Each node is proved in the same activation, whose terms are shared.
		if v.ctx.Err() != nil || !a.node(i) {
			return false
		}
	}
	return true
}

// isError reports whether n has a label that must not be reached.
func (v *validator) isError(n *core.Node) bool {
	return slices.ContainsFunc(n.Labels, func(l string) bool { return slices.Contains(v.opts.ErrorLabels, l) })
}
