package certificate

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"c2bp/alias"
	"c2bp/frontend/core"
	"c2bp/logic"
	"c2bp/prover"
	"c2bp/source"
	"c2bp/wp"
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
}

// ValidateFile reads a certificate and validates it for prog, whose calls through
// pointers are resolved. An error that source.IsInput knows says that the text is no
// certificate; a certificate of another program is rejected.
func ValidateFile(ctx context.Context, f *source.File, prog *core.Program, opts Options) (*Report, error) {
	prog = alias.Resolve(prog)
	c, err := Read(f, prog)
	var other *MismatchError
	switch {
	case errors.As(err, &other):
		return &Report{Where: other.Where, Why: other.Why}, nil
	case err != nil:
		return nil, err
	}
	return Validate(ctx, prog, c, opts)
}

// Validate proves the conditions of c, one after the other, and stops at the first that
// does not hold. The program must have been through alias.Resolve. The error is that of
// ctx, or of the prover.
func Validate(ctx context.Context, prog *core.Program, c *Certificate, opts Options) (*Report, error) {
	v := &validator{ctx: ctx, prog: prog, cert: c, opts: opts, procs: map[*core.Proc]*Procedure{}, report: &Report{Verdict: Valid}}
	err := c.fit(prog)
	if err == nil {
		err = v.prepare()
	}
	var other *MismatchError
	switch {
	case errors.As(err, &other):
		return &Report{Where: other.Where, Why: other.Why}, nil
	case err != nil:
		return nil, err
	}
	v.pr = prover.New(nil, prover.Options{})
	defer v.pr.Close()
	v.run()
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

// validator is one validation.
type validator struct {
	ctx    context.Context
	prog   *core.Program
	cert   *Certificate
	opts   Options
	procs  map[*core.Proc]*Procedure
	alias  *alias.Result
	mem    *memory
	bits   int // of pointers
	pr     *prover.Prover
	report *Report
}

func (v *validator) prepare() error {
	for _, p := range v.cert.Procedures {
		v.procs[p.Proc] = p
	}
	if v.bits = v.prog.PtrBits; v.bits == 0 {
		v.bits = 64
	}
	v.alias = alias.Analyze(v.prog)
	v.mem = v.newMemory()
	if v.opts.mutate.trustCounts {
		return nil
	}
	return v.checkArrays()
}

func (v *validator) run() {
	for _, p := range v.cert.Procedures {
		if !v.procedure(p) {
			return
		}
	}
	if v.report.Sites == 0 && v.report.Verdict == Valid {
		*v.report = Report{Why: "vacuous: no assertion and no error label in the program", Conditions: v.report.Conditions}
	}
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

// activation is a procedure of which the conditions are proved: its predicates as terms
// of a table of its own.
type activation struct {
	*validator
	p     *Procedure
	scope []*Predicate
	tr    *wp.Translator
	now   []*logic.Term // by predicate: it holds
}

func (v *validator) newActivation(p *Procedure) *activation {
	a := &activation{validator: v, p: p, scope: v.cert.Scope(p), tr: wp.New(logic.NewTable(), v.mem, v.bits)}
	for _, q := range a.scope {
		a.now = append(a.now, a.tr.Cond(q.Expr))
	}
	return a
}

// unknown is a truth value that nothing is known of; no variable of C has such a name.
func (a *activation) unknown(kind string, i int) *logic.Term {
	t := a.tr.T
	return t.Not(t.Eq(t.Sym(fmt.Sprintf("?%s %d", kind, i), t.Int(0).Val, t.Int(1).Val), t.Int(0)))
}

// held is the truth of predicate i at the entry of this activation: it does not change.
func (a *activation) held(i int) *logic.Term { return a.unknown("entry", i) }

// under is the invariant of node i with predicates read by now.
func (a *activation) under(i int, now func(int) *logic.Term) *logic.Term {
	return a.p.Invariants[i].under(a.tr.T, reading{now, a.held})
}

// invariant is that of node i in the present state.
func (a *activation) invariant(i int) *logic.Term {
	return a.under(i, func(j int) *logic.Term { return a.now[j] })
}

// after is the invariant of node i behind a statement: pre maps a formula to its weakest
// precondition. Being a substitution, it commutes with the connectives.
func (a *activation) after(i int, pre func(*logic.Term) *logic.Term) *logic.Term {
	return a.under(i, func(j int) *logic.Term { return pre(a.now[j]) })
}

// refute proves that the facts exclude each other; node i is to blame if they do not, and
// why says what does not follow. It reports whether to go on.
func (a *activation) refute(i int, why string, facts ...*logic.Term) bool {
	a.report.Conditions++
	switch a.pr.Check(a.ctx, facts, a.tr.T) {
	case prover.Unsat:
		return true
	case prover.Unknown:
		if a.report.Verdict == Valid {
			a.blame(i, Unknown, "the prover cannot tell whether this holds: "+why)
		}
		return a.pr.Err() == nil
	}
	return a.blame(i, Rejected, why)
}

// blame reports that it is node i for which the verdict is not Valid. It returns false:
// there is no need to go on.
func (a *activation) blame(i int, verdict Verdict, why string) bool {
	n := a.p.Proc.Nodes[i]
	r := a.report
	r.Verdict, r.Where, r.Why, r.At, r.Text = verdict, a.p.Proc.NodeID(i), why, n.Pos, n.Text
	return false
}
