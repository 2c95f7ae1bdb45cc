package shylock

import (
	"fmt"
	"strings"
)

// This file resolves names. Errors are reported in the order of the text, except that those of
// declarations come first.

// Check resolves the names of a program that Parse has returned, and reports errors in names and calls. It
// adds parameters to the locals.
func Check(p *Program) error {
	c := &checker{
		errors: &errors{file: p.File}, prog: p, procs: map[string]*Proc{}, fields: map[string]*Var{},
		vars: map[string]*Var{"nil": {Kind: Nil, Name: "nil"}},
	}
	c.limited(c.program)
	return c.list.Err()
}

// checker is the state of a check.
type checker struct {
	*errors
	prog   *Program
	vars   map[string]*Var
	fields map[string]*Var
	procs  map[string]*Proc
	proc   *Proc // the present one
}

// program checks everything.
func (c *checker) program() {
	// 1. Declarations.
	for _, list := range [][]*Var{c.prog.Globals, c.prog.Locals} {
		for _, v := range list {
			c.declare(c.vars, v)
		}
	}
	for _, v := range c.prog.Fields {
		c.declare(c.fields, v)
	}
	// 2. The heads of procedures: calls may stand before them.
	for _, p := range c.prog.Procs {
		if c.procs[p.Name] != nil {
			c.at(p.Off, "procedure %q is defined twice", p.Name)
			continue
		}
		c.procs[p.Name] = p
		c.params(p)
		p.Returns = returns(p.Body)
	}
	c.initial()
	// 3. The bodies.
	for _, p := range c.prog.Procs {
		c.proc = p
		c.stmt(p.Body, true)
	}
}

// declare enters a variable or field.
func (c *checker) declare(scope map[string]*Var, v *Var) {
	if old := scope[v.Name]; old != nil {
		c.at(v.Off, "%q is declared twice: it is a %s already", v.Name, old.Kind)
		return
	}
	scope[v.Name] = v
}

// String returns the name of a kind in messages.
func (k VarKind) String() string { return [...]string{"constant", "global", "local", "field"}[k] }

// params declares the parameters of a procedure that are not locals already.
func (c *checker) params(p *Proc) {
	seen := map[string]bool{}
	for i := range p.Params {
		r := &p.Params[i]
		v := c.vars[r.Name]
		switch {
		case seen[r.Name]:
			c.at(r.Off, "parameter %q stands twice", r.Name)
			continue
		case v == nil:
			v = &Var{Kind: Local, Name: r.Name, Index: len(c.prog.Locals), Off: r.Off, Param: true}
			c.prog.Locals = append(c.prog.Locals, v)
			c.vars[r.Name] = v
		case v.Kind == Global:
			c.at(r.Off, "parameter %q is a global already", r.Name)
			continue
		}
		seen[r.Name] = true
		r.Var = v
	}
}

// returns reports whether there is a return in s.
func returns(s Stmt) bool {
	found := false
	Walk(s, func(s Stmt) {
		_, is := s.(*Return)
		found = found || is
	})
	return found
}

// initial finds the initial procedure.
func (c *checker) initial() {
	c.prog.Main = c.prog.Procs[0]
	if p := c.procs["main"]; p != nil {
		c.prog.Main = p
	}
	if p := c.prog.Main; len(p.Params) > 0 {
		c.at(p.Params[0].Off, "%q is the initial procedure: it has no parameters", p.Name)
	}
}

// variable resolves a variable.
func (c *checker) variable(r *Ref) {
	v := c.vars[r.Name]
	if v == nil || v.Param && !c.hasParam(r.Name) {
		hint := ""
		if v != nil {
			hint = ": it is a parameter of another procedure"
		}
		c.at(r.Off, "variable %q is not declared%s", r.Name, hint)
		return
	}
	r.Var = v
}

// hasParam reports whether the present procedure has a parameter.
func (c *checker) hasParam(name string) bool {
	for _, r := range c.proc.Params {
		if r.Name == name {
			return true
		}
	}
	return false
}

// field resolves a field.
func (c *checker) field(r *Ref) {
	if r.Var = c.fields[r.Name]; r.Var == nil {
		c.at(r.Off, "field %q is not declared", r.Name)
	}
}

// stmt checks a statement. Nothing follows it in the procedure if it is last.
func (c *checker) stmt(s Stmt, last bool) {
	switch s := s.(type) {
	case *Assign:
		c.assign(s)
	case *New:
		c.variable(&s.X)
	case *Store:
		c.variable(&s.X)
		c.field(&s.Field)
		c.variable(&s.Y)
	case *Assert:
		c.cond(s.Cond)
	case *Call:
		c.call(s)
	case *Return:
		c.variable(&s.Y)
		if !last {
			c.at(s.off, "return is not the last statement of the body")
		}
	case *Test:
		c.cond(s.Cond)
		c.stmt(s.Body, last)
	case *Seq:
		for i, t := range s.List {
			c.stmt(t, last && i == len(s.List)-1)
		}
	case *Choice:
		for _, t := range s.List {
			c.stmt(t, last)
		}
	case *While:
		c.cond(s.Cond)
		c.stmt(s.Body, false)
	case *If:
		c.cond(s.Cond)
		c.stmt(s.Then, last)
		if s.Else != nil {
			c.stmt(s.Else, last)
		}
	}
}

// assign checks an assignment, which is a call if its right side is the name of a procedure alone.
func (c *checker) assign(s *Assign) {
	if len(s.Fields) == 0 && c.vars[s.Y.Name] == nil && c.procs[s.Y.Name] != nil {
		s.Call = &Call{span: s.span, Name: s.Y, Result: &s.X}
		c.call(s.Call)
		return
	}
	c.variable(&s.X)
	c.variable(&s.Y)
	for i := range s.Fields {
		c.field(&s.Fields[i])
	}
}

// call checks a call.
func (c *checker) call(s *Call) {
	if s.Result != nil {
		c.variable(s.Result)
	}
	for i := range s.Args {
		c.variable(&s.Args[i])
	}
	p := c.procs[s.Name.Name]
	switch {
	case p == nil && c.vars[s.Name.Name] != nil:
		c.at(s.Name.Off, "%q is a variable, not a procedure", s.Name.Name)
	case p == nil:
		c.at(s.Name.Off, "procedure %q is not defined", s.Name.Name)
	case len(p.Params) != len(s.Args):
		c.at(s.Name.Off, "%s, not %d", signature(p), len(s.Args))
	case s.Result != nil && !p.Returns:
		c.at(s.Name.Off, "procedure %q returns no value: there is no return in it", p.Name)
	}
	s.Proc = p
}

// signature says how many parameters a procedure has.
func signature(p *Proc) string {
	names := make([]string, len(p.Params))
	for i, r := range p.Params {
		names[i] = r.Name
	}
	plural := "s"
	if len(names) == 1 {
		plural = ""
	}
	return fmt.Sprintf("%s(%s) takes %d argument%s", p.Name, strings.Join(names, ", "), len(names), plural)
}

// cond checks a condition.
func (c *checker) cond(e Cond) {
	switch e := e.(type) {
	case *Compare:
		c.variable(&e.X)
		c.variable(&e.Y)
	case *Not:
		c.cond(e.X)
	case *And:
		c.cond(e.X)
		c.cond(e.Y)
	case *Or:
		c.cond(e.X)
		c.cond(e.Y)
	}
}

// Walk calls visit for s and the statements in it, outer ones first, in the order of the text.
func Walk(s Stmt, visit func(Stmt)) {
	visit(s)
	switch s := s.(type) {
	case *Test:
		Walk(s.Body, visit)
	case *Seq:
		for _, t := range s.List {
			Walk(t, visit)
		}
	case *Choice:
		for _, t := range s.List {
			Walk(t, visit)
		}
	case *While:
		Walk(s.Body, visit)
	case *If:
		Walk(s.Then, visit)
		if s.Else != nil {
			Walk(s.Else, visit)
		}
	}
}
