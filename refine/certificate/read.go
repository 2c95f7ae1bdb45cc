package certificate

import (
	"math/big"
	"strconv"

	"c2bp/frontend/core"
	"c2bp/source"
)

// This file reads certificates.

// Read reads certificates about prog, which must have been through devirt.Resolve. The error is a
// source diagnostic if the text is malformed, and a *MismatchError if it is about another program.
func Read(f *source.File, prog *core.Program) (p Proof, err error) {
	top, err := parseSexpr(f)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err = recovered(recover(), err); err != nil {
			p = nil
		}
	}()
	p = (&reader{file: f, prog: prog}).proof(top)
	return p, p.fit(prog)
}

// recovered returns the error of the reader's panic, if there was one, else err. Other panics
// continue.
func recovered(panicked any, err error) error {
	switch e := panicked.(type) {
	case nil:
		return err
	case unreadable:
		return e.err
	}
	panic(panicked)
}

// unreadable is the value with which the reader panics.
type unreadable struct{ err error }

// reader turns S-expressions into certificates, predicates and formulas.
type reader struct {
	file *source.File
	prog *core.Program
	vars map[string]*core.Var // in scope
	proc *core.Proc           // nil for the global section
	pred map[string]int       // predicates in scope, by name

	pointees map[member]*core.Record // see owner.go; nil before the first use

	formulas map[string]*defined // in scope, by name
	depth    int                 // of the definitions in the formula that is being read
}

// fail stops reading with a diagnostic at x.
func (r *reader) fail(x *sexpr, format string, args ...any) {
	panic(unreadable{r.file.Errorf(x.pos, format, args...)})
}

// foreign stops reading because the text names something that the program does not have.
func (r *reader) foreign(format string, args ...any) {
	where := ""
	if r.proc != nil {
		where = r.proc.Name
	}
	panic(unreadable{mismatch(where, format, args...)})
}

// want checks that x is a list with that head and between min and max operands, any number if max
// is -1. It returns the operands.
func (r *reader) want(x *sexpr, head string, min, max int) []*sexpr {
	n := len(x.list) - 1
	if x.head() != head || n < min || max >= 0 && n > max {
		r.fail(x, "expected (%s …)%s", head, counts(min, max))
	}
	return x.list[1:]
}

// counts describes a number of operands, for messages.
func counts(min, max int) string {
	switch {
	case max < 0:
		return ""
	case min == max:
		return " with " + strconv.Itoa(min) + " operands"
	}
	return " with " + strconv.Itoa(min) + " to " + strconv.Itoa(max) + " operands"
}

// name reads an atom.
func (r *reader) name(x *sexpr) string {
	if x.isList {
		r.fail(x, "expected a name")
	}
	return x.atom
}

// number reads a decimal number of 64 bits.
func (r *reader) number(x *sexpr) int64 {
	n, err := strconv.ParseInt(x.atom, 10, 64)
	if x.isList || err != nil {
		r.fail(x, "expected a number")
	}
	return n
}

// certificate reads (certificate VERSION (proves …) (global …) (procedure …) …).
func (r *reader) certificate(x *sexpr) *Certificate {
	items := r.want(x, "certificate", 2, -1)
	if v := r.number(items[0]); v != Version {
		r.fail(items[0], "version %d of the format; this program reads version %d", v, Version)
	}
	// 1. Globals are in scope everywhere.
	r.vars, r.pred, r.formulas = map[string]*core.Var{}, map[string]int{}, nil
	for _, g := range r.prog.Globals {
		r.vars[g.Name] = g
	}
	// 2. The properties that are proved: without the list, all.
	c := &Certificate{}
	if items[1].head() == "proves" {
		c.Proves = []string{}
		for _, y := range items[1].list[1:] {
			c.Proves = append(c.Proves, r.name(y))
		}
		if items = items[1:]; len(items) < 2 {
			r.fail(x, "expected (global …)")
		}
	}
	// 3. Predicates over globals.
	for _, y := range r.want(items[1], "global", 0, -1) {
		c.Globals = append(c.Globals, r.predicate(y))
	}
	// 4. Procedures; the names of one are not in scope in the next.
	vars, pred := r.vars, r.pred
	for _, y := range items[2:] {
		r.vars, r.pred = copied(vars), copied(pred)
		c.Procedures = append(c.Procedures, r.procedure(y))
	}
	return c
}

// copied returns a copy of m.
func copied[T any](m map[string]T) map[string]T {
	out := make(map[string]T, len(m))
	for k, v := range m {
		out[k] = v
	}
	return out
}

// predicate reads (predicate NAME EXPR), and brings the name into scope.
func (r *reader) predicate(x *sexpr) *Predicate {
	items := r.want(x, "predicate", 2, 2)
	name := r.name(items[0])
	if r.taken(name) {
		r.fail(items[0], "the name %s is taken", name)
	}
	r.pred[name] = len(r.pred)
	return &Predicate{Name: name, Expr: r.expr(items[1])}
}

// taken reports whether a predicate or a formula of that name is in scope, or a constant is called
// so.
func (r *reader) taken(name string) bool {
	_, ok := r.pred[name]
	return ok || r.formulas[name] != nil || name == "true" || name == "false"
}

// procedure reads (procedure NAME …); its items may come in any order in which names are defined
// before they are used.
func (r *reader) procedure(x *sexpr) *Procedure {
	items := r.want(x, "procedure", 1, -1)
	r.proc = r.prog.Proc(r.name(items[0]))
	if r.proc == nil {
		r.foreign("the program has no procedure %s", items[0].atom)
	}
	for _, list := range [][]*core.Var{r.proc.Formals, r.proc.Locals} {
		for _, v := range list {
			r.vars[v.Name] = v
		}
	}
	r.formulas = map[string]*defined{}
	p := &Procedure{Proc: r.proc, Invariants: make([]*Formula, len(r.proc.Nodes))}
	for _, y := range items[1:] {
		switch y.head() {
		case "constant":
			p.Ghosts = append(p.Ghosts, r.constant(y))
		case "predicate":
			p.Predicates = append(p.Predicates, r.predicate(y))
		case "formula":
			r.define(y)
		case "node":
			r.node(y, p)
		default:
			r.fail(y, "expected (constant …), (predicate …), (formula …) or (node …)")
		}
	}
	return p
}

// constant reads (constant NAME EXPR), a symbolic constant and its value at the entry.
func (r *reader) constant(x *sexpr) *core.Var {
	items := r.want(x, "constant", 2, 2)
	name := r.name(items[0])
	if r.vars[name] != nil {
		r.fail(items[0], "the name %s is taken", name)
	}
	init := r.expr(items[1])
	g := &core.Var{Name: name, Type: init.Type(), Kind: core.Ghost, Proc: r.proc, Init: init}
	r.vars[name] = g
	return g
}

// node reads (node NUMBER FORMULA), the invariant of a node.
func (r *reader) node(x *sexpr, p *Procedure) {
	items := r.want(x, "node", 2, 2)
	i := r.number(items[0])
	if i < 0 || i >= int64(len(p.Invariants)) {
		r.foreign("the procedure has no node %d", i)
	}
	if p.Invariants[i] != nil {
		r.fail(items[0], "node %d is there twice", i)
	}
	p.Invariants[i] = r.formula(items[1])
}

// big reads a decimal number of any size.
func (r *reader) big(x *sexpr) *big.Int {
	n, ok := new(big.Int).SetString(x.atom, 10)
	if x.isList || !ok {
		r.fail(x, "expected a number")
	}
	return n
}
