package frontend

import (
	"iter"

	"modernc.org/cc/v4"

	"c2bp/frontend/ccfix"
	"c2bp/frontend/core"
	"c2bp/frontend/predicate"
)

// This file resolves predicates about a program, see package predicate.

// Resolve implements core.Resolver.
func (u *Unit) Resolve(texts []core.PredicateText) ([]core.ResolvedPredicate, error) {
	defer u.linker.forgetting()()
	return u.predicates.Resolve(texts)
}

// forgetting replaces the memos that are keyed by nodes of cc until the function that it returns is
// called; otherwise they would keep every second parse alive.
func (l *typing) forgetting() (end func()) {
	types, again := l.types, l.layouts.Forgetting()
	l.types = map[cc.ExpressionNode]integerType{}
	return func() {
		l.types = types
		again()
	}
}

// forPredicates gives the resolver of predicates what it needs of the linker.
type forPredicates struct {
	l *linker
	// Made once for each function.
	functions map[*function]*predicate.Function
}

// Parser returns the parser of the program, whose work-arounds apply to predicates as well.
func (p forPredicates) Parser() *ccfix.Parser { return p.l.Parser }

// Core returns the program that predicates are about.
func (p forPredicates) Core() *core.Program { return p.l.prog }

// Files are in the order of the command line; a built-in file that was linked comes last.
func (p forPredicates) Units() (list []predicate.Unit) {
	for _, tu := range p.l.tus {
		list = append(list, predicate.Unit{File: tu.file, AST: tu.ast, Options: tu.opts.compiler()})
	}
	return list
}

// Functions yields all functions, in the order of their first appearance.
func (p forPredicates) Functions() iter.Seq[*predicate.Function] {
	return func(yield func(*predicate.Function) bool) {
		for _, f := range p.l.order {
			known := p.functions[f]
			if known == nil {
				known = &predicate.Function{Name: f.name, Key: f.key, Def: f.def, Type: f.typ, Proc: f.proc}
				if f.tu != nil {
					known.Unit = f.tu.index
				}
				p.functions[f] = known
			}
			if !yield(known) {
				return
			}
		}
	}
}

// Globals yields the variables of static storage duration that are part of the program.
func (p forPredicates) Globals() iter.Seq[*core.Var] {
	return func(yield func(*core.Var) bool) {
		for _, o := range p.l.ordered {
			if p.l.present(o) && !yield(o.v) {
				return
			}
		}
	}
}

// Variables returns the variables of all declarators of the program; the caller must not change it.
func (p forPredicates) Variables() map[*cc.Declarator]*core.Var { return p.l.vars }

// InProgram reports whether the global v is reached.
func (p forPredicates) InProgram(v *core.Var) bool { return p.l.reached[v] }

// Defines reports whether a variable of that key is defined, and not only declared.
func (p forPredicates) Defines(name string) bool {
	return p.l.objects[name] != nil && p.l.objects[name].defined
}

// Procedure returns the procedure of the function that d names; for an alias it is that of the
// target.
func (p forPredicates) Procedure(d *cc.Declarator) *core.Proc {
	f := p.l.functionOf(d)
	if t := p.l.aliasTarget(f); t != nil {
		f = t
	}
	return f.proc
}

// Pure lowers e, see pure.
func (p forPredicates) Pure(e cc.ExpressionNode, ident func(*cc.PrimaryExpression) (core.Expr, error)) (core.Expr, error) {
	return p.l.pure(e, ident)
}

// Record returns the record of t, see recordType.
func (p forPredicates) Record(t cc.Type) *core.Record { return p.l.recordType(t) }

// Truth returns the condition that x is not zero or not null.
func (p forPredicates) Truth(x core.Expr) core.Expr { return isTrue(x) }
