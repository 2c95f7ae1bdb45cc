package boolprog

import (
	"fmt"
	"slices"
	"strconv"
)

// This file parses declarations and procedures, except their statements.

// decl reads "decl" a, b, c ";" and appends to vars.
func (p *parser) decl(vars []*Var) []*Var {
	p.expect("decl")
	return p.variables(vars, "")
}

// variables reads the names of variables of one type up to and including ";" and appends to vars.
func (p *parser) variables(vars []*Var, class string) []*Var {
	var room [8]*Var // for most declarations
	list := room[:0]
	for {
		list = append(list, p.variable("a variable name", class))
		if !p.accept(",") {
			break
		}
	}
	if !p.accept(";") {
		p.expected(`"," or ";"`)
	}
	// A single declaration, the usual case, gets an exact copy.
	if vars == nil {
		return p.mem.varLists.copyOf(list)
	}
	return append(vars, list...)
}

// variable reads the name of a variable that is declared here.
func (p *parser) variable(what, class string) *Var {
	if p.tok.kind != tokName {
		p.expected(what)
	}
	v := p.mem.vars.new()
	*v = Var{Name: p.tok.text, Pos: p.pos(), Class: class, Pred: p.annots.takePred()}
	p.advance()
	return v
}

// proc reads a procedure.
func (p *parser) proc() {
	proc := p.mem.procs.new()
	proc.Dfs = p.accept("dfs")
	p.results(proc)
	p.procedure(proc)
}

// procedure reads a procedure from its name on.
func (p *parser) procedure(proc *Proc) {
	// Annotations before "end" belong to no statement.
	defer func() { p.annots.stmt = nil }()
	p.open = p.open[:0]
	if p.tok.kind != tokName {
		p.expected("a procedure name")
	}
	proc.Name, proc.Pos = p.tok.text, p.pos()
	p.advance()
	p.expect("(")
	proc.Params = p.params()
	p.expect("begin")
	p.clauses = 0
	// Declarations and enforce clauses may come in any order; each recovers on its own.
	for {
		p.syncStmt(p.guard(func() { p.head(proc) }))
		if !p.tok.is("decl") && !p.tok.is("enforce") && !p.at("ref") {
			break
		}
	}
	// The body ends at "end".
	proc.Body = p.block()
	p.closeBlock("end")
	p.accept(";")
	p.prog.Procs = append(p.prog.Procs, proc)
}

// resultCount reads [ "<" n ">" ].
func (p *parser) resultCount() int {
	if !p.accept("<") {
		return 1
	}
	// More results than the limit are refused.
	n, err := strconv.Atoi(p.tok.text)
	if p.tok.kind != tokNumber || err != nil || n > maxResults {
		p.expected(fmt.Sprintf("the number of results, at most %d", maxResults))
	}
	p.advance()
	p.expect(">")
	return n
}

// params reads parameters up to and including the closing parenthesis.
func (p *parser) params() (vars []*Var) {
	if p.accept(")") {
		return nil
	}
	for {
		class := ""
		// A type may precede each name; bool is the default.
		if p.at("ref") {
			class = p.refType()
		} else {
			p.accept("bool")
		}
		vars = append(vars, p.variable("a parameter name", class))
		if !p.accept(",") {
			break
		}
	}
	if !p.accept(")") {
		p.expected(`"," or ")"`)
	}
	return vars
}

// head reads one declaration or enforce clause of a procedure, if there is one.
func (p *parser) head(proc *Proc) {
	switch {
	case p.tok.is("decl"):
		proc.Locals = p.decl(proc.Locals)
	// Several enforce clauses are one conjunction.
	case p.tok.is("enforce"):
		p.advance()
		e := p.expr()
		if !p.accept(";") {
			p.expected(`an operator or ";"`)
		}
		proc.Enforce = p.conjoin(proc.Enforce, e)
	case p.at("ref"):
		class := p.refType()
		proc.Locals = p.variables(proc.Locals, class)
	}
}

// conjoin returns the conjunction of two clauses; a may be nil.
func (p *parser) conjoin(a, b Expr) Expr {
	if a == nil {
		return b
	}
	// The left-deep chain of clauses counts as nesting, as an expression of that depth does.
	p.clauses = p.deeper(p.clauses, 1)
	return &Binary{Op: And, X: a, Y: b}
}

// closeBlock steps over the word that ends a block. If the blocks of a procedure do not match, the
// rest of it would only cause follow-up errors, so the parser abandons it.
func (p *parser) closeBlock(word string, alternatives ...string) {
	if p.accept(word) {
		return
	}
	if len(p.errs) == p.procErrs {
		// Report it only if nothing else was wrong with the procedure.
		what := `"` + word + `"`
		for _, a := range slices.Backward(alternatives) {
			what = `"` + a + `", ` + what
		}
		p.errorAt(p.tok.off, "expected a statement or %s, found %s", what, p.tok.describe())
	}
	panic(abandonProc{})
}
