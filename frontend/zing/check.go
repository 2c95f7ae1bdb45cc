package zing

import (
	"fmt"

	"c2bp/source"
)

// This file defines the frame of the type checker: its phases, its context and its errors.

// Check resolves the names of a program and checks its types and statements. It fills in the checked
// parts of the tree and puts conversions into it, so it is called once. An error is a source.List.
func Check(p *Program) (warnings source.List, err error) {
	c := &checker{prog: p, types: map[string]*Type{}}
	c.program()
	c.errs.Sort()
	c.warns.Sort()
	return c.warns, c.errs.Err()
}

// checker is the state of a check.
type checker struct {
	prog        *Program
	types       map[string]*Type // the declared ones
	errs, warns source.List

	// The context of an expression or statement.

	class  *Type   // the class around it
	method *Method // nil in the initialiser of a field
	static bool    // there is no this
	names  *names  // the variables of the blocks around it; nil outside a method
	wait   bool    // in the condition of a wait
	atomic bool    // in an atomic statement
}

// names are the variables of a scope.
type names struct {
	outer  *names
	scope  *Scope
	locals map[string]*Local
}

// program runs the phases. Each needs the results of the ones before it.
func (c *checker) program() {
	// The check ends when there are too many errors.
	defer func() {
		if r := recover(); r != nil && r != (abandonAll{}) {
			panic(r)
		}
	}()
	if len(c.prog.Decls) == 0 {
		c.errs.Add(&source.Diagnostic{Pos: c.firstFile(), Severity: source.Error, Msg: "the program is empty: expected declarations of types"})
		return
	}
	// 1. Names of types.
	for _, d := range c.prog.Decls {
		c.declareType(d)
	}
	// 2. Types of elements, fields, methods and parameters.
	for _, d := range c.prog.Decls {
		c.declareMembers(d)
	}
	// 3. Rules about whole declarations.
	for _, d := range c.prog.Decls {
		c.declaration(d)
	}
	// 4. Initialisers and bodies.
	for _, d := range c.prog.Decls {
		if d, ok := d.(*ClassDecl); ok && d.Type != nil {
			c.bodies(d)
		}
	}
	if len(c.prog.Activate) == 0 {
		c.warns.Add(&source.Diagnostic{Pos: c.firstFile(), Severity: source.Warning, Msg: "no method is activate: no process runs, and the model ends where it starts"})
	}
}

// firstFile returns the place of an error that concerns the whole program.
func (c *checker) firstFile() source.Pos {
	if len(c.prog.Files) == 0 {
		return source.Pos{}
	}
	return source.Pos{File: c.prog.Files[0].Name}
}

// errorf reports an error at the start of n, unless there is one at the same place, of which it
// would be a consequence.
func (c *checker) errorf(n Node, format string, args ...any) {
	c.errorAt(n.Pos(), format, args...)
}

func (c *checker) errorAt(pos source.Pos, format string, args ...any) {
	for _, d := range c.errs {
		if d.Pos == pos {
			return
		}
	}
	if c.errs.AddError(c.diagnostic(source.Error, pos, format, args...)) {
		panic(abandonAll{})
	}
}

// warnf reports a warning at the start of n.
func (c *checker) warnf(n Node, format string, args ...any) {
	c.warns.Add(c.diagnostic(source.Warning, n.Pos(), format, args...))
}

// diagnostic returns a diagnostic that quotes its line.
func (c *checker) diagnostic(s source.Severity, pos source.Pos, format string, args ...any) *source.Diagnostic {
	var file *source.File
	for _, f := range c.prog.Files {
		if f.Name == pos.File {
			file = f
		}
	}
	d := file.Errorf(pos, "%s", fmt.Sprintf(format, args...))
	d.Severity = s
	return d
}

// invalid is the type of an expression in which an error was reported. Nothing more is said about it.
var invalid = &Type{Kind: KindVoid, Name: "?"}

// typed gives e a type.
func typed(e Expr, t *Type) Expr {
	e.exprBase().Type = t
	return e
}

// fail reports an error at the start of e and makes e invalid.
func (c *checker) fail(e Expr, format string, args ...any) Expr {
	c.errorf(e, format, args...)
	return typed(e, invalid)
}
