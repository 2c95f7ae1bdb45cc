package boolprog

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"c2bp/source"
)

// This file checks names, types, arities and labels. A program that passes has a control-flow
// graph: see BuildGraph.

// Check resolves the names of p and reports every violation of the language's rules as a
// source.List. The warnings concern legal programs that are perhaps not intended: a local variable
// that hides a global one, a procedure whose results are arbitrary because control can fall off its
// end. Check removes the primes of variables in a constrain clause that the assignment does not
// write: these keep their values.
func Check(p *Program) (warnings source.List, err error) {
	c := &checker{
		quote: quoter{file: p.File}, procs: make(map[string]*Proc, len(p.Procs)), globals: map[string]*Var{},
		references: p.HasReferences(), classes: map[string]*Class{}, unknown: map[string]bool{},
		locals: map[string]*Var{}, labels: map[string]source.Pos{}, targets: map[string]bool{}, atomic: map[*Proc]bool{},
	}
	// 1. Check everything, and report all errors.
	c.program(p)
	// 2. Only a correct program has graphs, in which atomic sections must end, and control can fall off an
	// end.
	if len(c.errs) == 0 {
		c.sections(p)
	}
	c.errs.Sort()
	if err := c.errs.Err(); err != nil {
		return c.warns, err
	}
	c.fallOff(p)
	c.warns.Sort()
	return c.warns, nil
}

// checker is the state of a check.
type checker struct {
	quote       quoter
	errs, warns source.List
	full        bool             // maxErrors reached
	procs       map[string]*Proc // by name; of several with one name, the first
	globals     map[string]*Var
	references  bool // the program has them
	classes     map[string]*Class
	unknown     map[string]bool // classes that are not declared, and were reported

	proc    *Proc                 // the procedure that is checked, and its declarations
	locals  map[string]*Var       // parameters among them
	labels  map[string]source.Pos // where they are set
	targets map[string]bool       // of the assignment or call that is checked
	primes  bool                  // primed variables are allowed: this is its constrain clause
	atomic  map[*Proc]bool        // procedures with atomic sections
}

// errorf reports an error, up to a limit, from which on c.full stops the check.
func (c *checker) errorf(pos source.Pos, format string, args ...any) {
	if len(c.errs) == maxErrors {
		c.full = true
		return
	}
	c.errs.Add(c.quote.diagnostic(source.Error, pos, fmt.Sprintf(format, args...)))
}

// warnf reports a warning; those beyond the limit are dropped.
func (c *checker) warnf(pos source.Pos, format string, args ...any) {
	if len(c.warns) < maxWarn {
		c.warns.Add(c.quote.diagnostic(source.Warning, pos, fmt.Sprintf(format, args...)))
	}
}

// program checks a program: declarations first, since procedures may call later ones.
func (c *checker) program(p *Program) {
	c.declareClasses(p)
	c.declare(c.globals, p.Globals)
	// Procedures may be used before they are declared, so collect them first.
	for _, proc := range p.Procs {
		c.name(proc.Name, proc.Pos)
		if first, ok := c.procs[proc.Name]; ok {
			// The first definition is the one that calls see.
			c.errorf(proc.Pos, `procedure "%s" is defined twice: first at %s`, proc.Name, first.Pos)
			continue
		}
		c.procs[proc.Name] = proc
	}
	// Execution starts at main.
	if main, ok := c.procs["main"]; !ok {
		pos := source.Pos{}
		if p.File != nil {
			pos = source.Pos{File: p.File.Name}
		}
		c.errorf(pos, `there is no procedure "main": expected the one where execution starts%s`, nearest("main", c.procNames()))
	} else if main.Results > maxResults {
		c.errorf(main.Pos, "more than %d results", maxResults)
	}
	for _, proc := range p.Procs {
		if c.full {
			return
		}
		c.procedure(proc)
	}
}

// name checks that a declared name can be read back.
func (c *checker) name(name string, pos source.Pos) {
	switch {
	case name == "_":
		c.errorf(pos, `"_" cannot be declared: it stands for a result that a call discards`)
	case !ValidName(name), c.references && slices.Contains(referenceWords, name):
		c.errorf(pos, `%q is not a valid name: expected an identifier that is no keyword, or a predicate in balanced braces`, name)
	}
}

// declare adds vars to a scope. A name that is not valid is reported and declared all the same: its
// uses cause no further errors.
func (c *checker) declare(scope map[string]*Var, vars []*Var) {
	for _, v := range vars {
		c.name(v.Name, v.Pos)
		c.known(v.Class, v.Pos)
		if first, ok := scope[v.Name]; ok {
			c.errorf(v.Pos, `variable "%s" is declared twice: first at %s`, v.Name, first.Pos)
		} else if v.Name != "_" {
			scope[v.Name] = v
		}
	}
}

// procedure checks a procedure: declarations, labels, then statements, since a goto may jump
// forwards.
func (c *checker) procedure(p *Proc) {
	c.proc = p
	c.locals, c.labels = emptied(c.locals), emptied(c.labels)
	// Parameters and locals share a scope.
	c.declare(c.locals, p.Params)
	c.declare(c.locals, p.Locals)
	// Locals that hide a global are legal, but seldom meant.
	for _, vars := range [][]*Var{p.Params, p.Locals} {
		for _, v := range vars {
			if g, ok := c.globals[v.Name]; ok {
				c.warnf(v.Pos, `variable "%s" of procedure "%s" hides the global one declared at %s`, v.Name, p.Name, g.Pos)
			}
		}
	}
	c.resultTypes(p)
	// The enforce clause may use parameters and locals.
	c.expr(p.Enforce, condition(p.Pos))
	InspectStmts(p.Body, c.stmtLabels)
	InspectStmts(p.Body, c.stmt)
}

// stmtLabels collects the labels of a statement.
func (c *checker) stmtLabels(s *Stmt) {
	for _, l := range s.Labels {
		c.name(l, s.Pos)
		if first, ok := c.labels[l]; ok {
			c.errorf(s.Pos, `label "%s" is set twice in procedure "%s": first at %s`, l, c.proc.Name, first)
			continue
		}
		c.labels[l] = s.Pos
		// The parser of that dialect leaves no such label.
		if strings.HasPrefix(l, asyncLabel) {
			c.warnf(s.Pos, `label "%s" begins a thread in Boppo's dialect only`, l)
		}
	}
}

// stmt checks a statement without the blocks in it.
func (c *checker) stmt(s *Stmt) {
	if c.full {
		return
	}
	switch op := s.Op.(type) {
	case *Skip:
	case *Goto:
		for _, l := range op.Targets {
			c.label(l)
		}
	// Conditions are Boolean.
	case *Assume:
		c.expr(op.Cond, condition(s.Pos))
	case *Assert:
		c.expr(op.Cond, condition(s.Pos))
	case *AbortIf:
		c.expr(op.Cond, condition(s.Pos))
	case *While:
		c.expr(op.Cond, condition(s.Pos))
	case *If:
		c.exprs(op.Conds, condition(s.Pos))
	case *Print:
		c.exprs(op.Args, need{any: true})
	// As many values as results, each of its type.
	case *Return:
		if len(op.Values) != c.proc.Results {
			c.errorf(s.Pos, `"return" with %s in procedure "%s", which returns %s`, count(len(op.Values), "value"), c.proc.Name, count(c.proc.Results, "result"))
		}
		for i, e := range op.Values {
			// If the type is unknown, that was reported at the declaration.
			t, ok := c.result(c.proc, i)
			c.expr(e, need{Type: t, any: !ok, pos: s.Pos, role: `as result %d of "%s"`, i: i + 1, name: c.proc.Name})
		}
	case *Assign:
		c.assign(s, op)
	case *Call:
		c.call(op)
	// Only Boolean variables can be arbitrary, but all fields.
	case *Dead:
		for _, r := range op.Vars {
			if t, ok := c.variable(r); ok && t.Ref {
				c.errorf(r.Pos, `"%s" is a reference: expected a Boolean variable, or write "%s := any %s new;"`, r.Name, r.Name, t.Class)
			}
		}
		for _, r := range op.Fields {
			if c.known(r.Name, r.Pos) {
				c.field(typeOf(r.Name), r.Name, r.Field, r.Pos)
			}
		}
	// Threads; atomic sections are checked on the graph.
	case *StartThread:
		c.label(op.Target)
	case *StartCall:
		c.call(&Call{Callee: op.Callee, Args: op.Args})
	case *EndThread:
	case *AtomicBegin, *AtomicEnd:
		c.atomic[c.proc] = true
	default:
		panic(fmt.Sprintf("boolprog: statement of type %T", s.Op))
	}
}

// label checks that the procedure has a label.
func (c *checker) label(l *Ref) {
	if _, ok := c.labels[l.Name]; !ok {
		c.errorf(l.Pos, `there is no label "%s" in procedure "%s"%s`, l.Name, c.proc.Name, nearest(l.Name, slices.Collect(maps.Keys(c.labels))))
	}
}

// procNames lists the names of the procedures, in any order.
func (c *checker) procNames() []string { return slices.Collect(maps.Keys(c.procs)) }
