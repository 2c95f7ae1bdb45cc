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

// This file drives the validation.

// Verdict is what a validation finds.
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

// Summary is the verdict with what it is about: REJECTED (main:3: the assertion does not
// follow).
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

// Options select what is proved.
type Options struct {
	ErrorLabels []string // labels that must not be reached

	mutate mutations
}

// mutations are rules that the tests break, to see that it shows.
type mutations struct {
	skipEntry      bool // the invariant of the entry of main is taken for granted
	skipCallEntry  bool // those of the entries of procedures are, too
	skipLabels     bool // error labels may be reached
	skipAssertions bool // assertions may fail
	callsKeepAll   bool // calls change nothing
	lateEntry      bool // what callees say of their entry is read after the call
	keepResult     bool // the result is not stored
	trustCounts    bool // what predicates say of the lengths of arrays is taken for granted
	skipCoverage   bool // a property that no certificate proves may be left to luck
}

// ValidateFile reads certificates and validates them for prog, whose calls through
// pointers are resolved. An error that source.IsInput knows says that the text is none; a
// certificate of another program is rejected.
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

// Validate proves the conditions of p, one after the other, and stops at the first that
// does not hold. The program must have been through devirt.Resolve. The error is that of
// ctx, or of the prover.
func Validate(ctx context.Context, prog *core.Program, p Proof, opts Options) (*Report, error) {
	v := &validator{ctx: ctx, prog: prog, opts: opts, report: &Report{Verdict: Valid}}
	v.pr = prover.New(nil, prover.Options{Patience: patience})
	defer v.pr.Close()
	err := p.fit(prog)
	if err == nil {
		err = v.all(p)
	}
	var other *MismatchError
	switch {
	case errors.As(err, &other):
		return &Report{Where: other.Where, Why: other.Why}, nil
	case err != nil:
		return nil, err
	}
	v.report.Queries = v.pr.Stats().Queries
	if err := ctx.Err(); err != nil {
		return nil, context.Cause(ctx)
	}
	var internal *prover.InternalError
	if errors.As(v.pr.Err(), &internal) {
		return nil, internal
	}
	return v.report, nil
}

// patience is how many times the ordinary work a condition may take: one that is left open
// makes all others worth nothing, while the search for predicates can go another way.
const patience = 500

// validator is one validation.
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

// all validates all certificates, and that they are enough.
func (v *validator) all(p Proof) error {
	v.bits = v.prog.Pointer().Bits
	v.alias = alias.Analyze(v.prog)
	if !v.covered(p) {
		return nil
	}
	for i, c := range p {
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

func (v *validator) prepare() error {
	v.procs = map[*core.Proc]*Procedure{}
	for _, p := range v.cert.Procedures {
		v.procs[p.Proc] = p
	}
	v.mem = v.newMemory()
	if v.opts.mutate.trustCounts {
		return nil
	}
	return v.checkArrays()
}

// run proves the conditions of one certificate, and reports whether to go on.
func (v *validator) run() bool {
	for _, p := range v.cert.Procedures {
		if !v.procedure(p) {
			return false
		}
	}
	return true
}

// procedure proves the conditions of p, and reports whether to go on.
func (v *validator) procedure(p *Procedure) bool {
	a := v.newActivation(p)
	if p.Proc == v.prog.Entry && !v.opts.mutate.skipEntry && !a.start() {
		return false
	}
	for i := range p.Proc.Nodes {
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
