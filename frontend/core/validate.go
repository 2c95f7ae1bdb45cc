package core

import (
	"fmt"
	"strings"
)

// This file checks the internal form of a program: its variables, procedures and
// graph. validate_stmt.go checks statements and expressions.

// Violation is one breach of the internal form.
type Violation struct {
	Proc *Proc  // nil where no procedure is concerned
	Node int    // index of the node, or -1
	Text string // what is wrong
}

// InvalidError lists everything wrong with a program. It is a defect of the code that built the
// program, never of the user's source.
type InvalidError struct {
	Violations []Violation
}

// Error lists the violations, procedure by procedure, each list followed by the
// procedure it is about.
func (e *InvalidError) Error() string {
	var b strings.Builder
	b.WriteString("invalid core program:\n")
	for i, v := range e.Violations {
		switch {
		case v.Proc == nil:
			fmt.Fprintf(&b, "  %s\n", v.Text)
		case v.Node < 0:
			fmt.Fprintf(&b, "  %s: %s\n", v.Proc.Name, v.Text)
		default:
			fmt.Fprintf(&b, "  %s: %s\n", v.Proc.NodeID(v.Node), v.Text)
		}
		// The text of a procedure after the last of its violations.
		last := i+1 == len(e.Violations) || e.Violations[i+1].Proc != v.Proc
		if last && v.Proc != nil {
			b.WriteString(v.Proc.String())
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// Validate checks the internal form that the package comment describes, and the promises of each
// field's comment. It returns nil or an *[InvalidError] with every violation found.
//
// A ghost variable may occur in nodes only if Proc.Locals lists it: the front end lists none, and a
// stage that materialises symbolic constants does.
func Validate(p *Program) error {
	v := &validator{prog: p, globals: map[*Var]bool{}, procs: map[*Proc]bool{}}
	v.program()
	for _, q := range p.Procs {
		v.procedure(q)
	}
	if len(v.found) == 0 {
		return nil
	}
	return &InvalidError{Violations: v.found}
}

// ValidatePredicate checks a predicate of procedure proc, or a global one if proc
// is nil, as [Validate] checks the expressions in nodes. Besides what nodes may
// contain, a predicate may use ?:, && and || over any operands, and the ghosts of
// its procedure, listed in Proc.Locals or not.
func ValidatePredicate(p *Program, proc *Proc, e Expr) error {
	v := &validator{prog: p, globals: map[*Var]bool{}, scope: map[*Var]bool{}, node: -1, proc: proc, predicate: true}
	for _, g := range p.Globals {
		v.globals[g] = true
	}
	if proc != nil {
		for _, x := range append(proc.Formals[:len(proc.Formals):len(proc.Formals)], proc.Locals...) {
			v.scope[x] = true
		}
	}
	v.condition(e)
	if len(v.found) == 0 {
		return nil
	}
	return &InvalidError{Violations: v.found}
}

// validator collects the violations of one program.
type validator struct {
	prog    *Program
	globals map[*Var]bool
	procs   map[*Proc]bool
	found   []Violation

	proc  *Proc         // being checked, or nil
	node  int           // being checked, or -1
	scope map[*Var]bool // formals and locals of proc

	predicate bool // by ValidatePredicate
	check     bool // the condition of an Assert with a Check
}

// errorf adds a violation at the present place.
func (v *validator) errorf(format string, args ...any) {
	v.found = append(v.found, Violation{Proc: v.proc, Node: v.node, Text: fmt.Sprintf(format, args...)})
}

// program checks the globals, the names of procedures and the entry.
func (v *validator) program() {
	v.node = -1
	// 1. Globals.
	names := map[string]bool{}
	for _, g := range v.prog.Globals {
		v.variable(g, names, Global)
		v.globals[g] = true
		if g.Proc != nil {
			v.errorf("global %s belongs to procedure %s", g.Name, g.Proc.Name)
		}
	}
	// 2. Names of procedures.
	procNames := map[string]bool{}
	for _, q := range v.prog.Procs {
		if procNames[q.Name] {
			v.errorf("two procedures are named %s", q.Name)
		}
		procNames[q.Name], v.procs[q] = true, true
	}
	// 3. The entry.
	switch e := v.prog.Entry; {
	case e == nil:
		v.errorf("no entry procedure")
	case !v.procs[e]:
		v.errorf("the entry %s is not among the procedures", e.Name)
	case e.Name != "main":
		v.errorf("the entry is named %s, not main", e.Name)
	case !e.HasBody():
		v.errorf("the entry has no body")
	}
}

// variable checks a declaration; names holds the names seen in its scope, to which it adds this
// one. kinds are those that may be declared there.
func (v *validator) variable(x *Var, names map[string]bool, kinds ...VarKind) {
	if x.Name == "" {
		v.errorf("a %s without a name", x.Kind)
	}
	if names[x.Name] {
		v.errorf("two variables are named %s", x.Name)
	}
	names[x.Name] = true
	// The kind must be one that the list of the declaration allows.
	ok := false
	for _, k := range kinds {
		ok = ok || x.Kind == k
	}
	if !ok {
		v.errorf("%s is declared among the %ss but its kind is %s", x.Name, kinds[0], x.Kind)
	}
	// Properties that exclude each other.
	v.valueType(x.Name, x.Type)
	if x.AddrTaken && (x.Kind == Temp || x.Kind == Ghost) {
		v.errorf("the address of the %s %s is taken", x.Kind, x.Name)
	}
	if x.Logical && x.Kind != Temp {
		v.errorf("%s is logical but no temp", x.Name)
	}
	if (x.Init != nil) != (x.Kind == Ghost) {
		v.errorf("%s: a ghost, and nothing else, has an Init", x.Name)
	}
}

// valueType checks that t is a type that a variable can have.
func (v *validator) valueType(name string, t Type) {
	switch t := t.(type) {
	case Int:
		v.intType(name, t)
	case Ptr:
		v.ptrType(t)
	case Agg, Opaque:
	default:
		v.errorf("%s has no type of values: %v", name, t)
	}
}

// intType checks that t is a proper integer type.
func (v *validator) intType(name string, t Int) {
	if t.Bits < 1 || t.Bits > 64 || t.Bool && (t.Signed || t.Bits != 8) {
		v.errorf("%s has no proper integer type: %+v", name, t)
	}
}

// procedure checks p: its declaration, its variables, its graph, its statements. The names of
// globals count as seen: a name has one meaning in a procedure.
func (v *validator) procedure(p *Proc) {
	v.proc, v.node, v.scope = p, -1, map[*Var]bool{}
	names := map[string]bool{}
	for g := range v.globals {
		names[g.Name] = true
	}
	// 1. Variables and the return type.
	for _, x := range p.Formals {
		v.local(x, names, Formal)
	}
	for _, x := range p.Locals {
		v.local(x, names, Local, Temp, Ghost)
	}
	if p.RetType == nil {
		v.errorf("no return type")
	} else if p.RetType != Type(Void{}) {
		v.valueType("the result", p.RetType)
	}
	// 2. A procedure without a body has nothing else.
	if !p.HasBody() {
		if len(p.Locals) > 0 || p.Result != nil || p.Variadic != nil {
			v.errorf("an external procedure has locals or a result variable")
		}
		return
	}
	// 3. The result, the variadic arguments, the graph, the statements.
	v.result()
	if x := p.Variadic; x != nil && (!v.scope[x] || x.Kind != Local || !x.InMemory()) {
		v.errorf("the variable of variadic arguments, %s, is no local in memory", x.Name)
	}
	v.graph()
	for i, n := range p.Nodes {
		v.node = i
		if n.Stmt != nil {
			v.stmt(n.Stmt)
		}
	}
}

// local checks a formal or local, and puts it in scope.
func (v *validator) local(x *Var, names map[string]bool, kinds ...VarKind) {
	v.variable(x, names, kinds...)
	v.scope[x] = true
	if x.Proc != v.proc {
		v.errorf("%s belongs to another procedure", x.Name)
	}
}

// result checks the variable that is returned. The return must be able to read it, and only
// statements of the procedure may change it.
func (v *validator) result() {
	r, t := v.proc.Result, v.proc.RetType
	_, scalar := Word(t)
	switch {
	case r == nil && scalar:
		v.errorf("no result variable, but the return type is %s", t)
	case r == nil:
	case !v.scope[r]:
		v.errorf("the result variable %s is no formal or local", r.Name)
	case r.Type != t:
		v.errorf("the result variable %s has type %s, not the return type %s", r.Name, r.Type, t)
	case r.Kind != Formal && r.Kind != Local:
		v.errorf("the result variable %s is a %s", r.Name, r.Kind)
	case r.AddrTaken:
		v.errorf("the address of the result variable %s is taken", r.Name)
	case r.Volatile:
		v.errorf("the result variable %s is volatile", r.Name)
	}
}

// graph checks the successors of every node and the place of the return node.
func (v *validator) graph() {
	p := v.proc
	for i, n := range p.Nodes {
		v.node = i
		// Successors must exist, and there must be as many as the statement has.
		for _, s := range n.Succ {
			if s < 0 || s >= len(p.Nodes) {
				v.errorf("successor %d is out of range", s)
			}
		}
		switch n.Stmt.(type) {
		case nil:
			v.errorf("no statement")
		case *Return:
			if i != p.Exit() {
				v.errorf("a return that is not the last node")
			}
			if len(n.Succ) > 0 {
				v.errorf("a return with successors")
			}
		case *Branch:
			if len(n.Succ) == 0 {
				v.errorf("no successor")
			}
		default:
			if len(n.Succ) != 1 {
				v.errorf("%d successors; only a branch may have other than one", len(n.Succ))
			}
		}
	}
	v.node = p.Exit()
	if _, ok := p.Nodes[p.Exit()].Stmt.(*Return); !ok {
		v.errorf("the last node is not a return")
	}
}
