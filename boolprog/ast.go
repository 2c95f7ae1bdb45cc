package boolprog

import "c2bp/source"

// This file defines the syntax trees of programs, statements and expressions.

// Program is a Boolean program. Execution starts at the procedure "main". With classes it is a
// reference Boolean program (Qadeer–Rajamani 2005, §4).
type Program struct {
	File   *source.File // the text that it was parsed from; nil if it was built
	Ledger []string     // texts of the "//@ assume" lines, in order
	// Uncalled are functions of the C program that nothing calls, of the "//@ uncalled" lines; some
	// of them are procedures here.
	Uncalled []string
	Notes    []string // texts of the "//@ note" lines: the way in which it was made
	Classes  []*Class
	Globals  []*Var
	Procs    []*Proc

	types []mention // classes that the text names as types
}

// mention is a place where the text names a class as a type.
type mention struct {
	class string
	pos   source.Pos
}

// Class is a class of objects: class C { bool x; ref C next; }
type Class struct {
	Name   string
	Pos    source.Pos
	Fields []*Field
}

// Field is a field of an object: a Boolean, or a reference to an object of class Class. In a new
// object it is 0 or null, unless Init says otherwise: a Const or, for any value, a Nondet; only
// Booleans have one.
type Field struct {
	Name  string
	Pos   source.Pos
	Class string // "" is Boolean
	Init  Expr   // nil if there is none
}

// Var is a variable: a Boolean, or a reference to an object of class Class. Its Name is
// an identifier or, with the braces, a predicate: {x == 'x + 1}.
type Var struct {
	Name  string
	Pos   source.Pos
	Class string // "" is Boolean
	Pred  string // text of its "//@ pred" annotation, e.g. "x == 1" or "t1 < 0 auto"; "" if none
}

// Proc is a procedure. Params and Locals are arbitrary at every call, except for the values that
// the caller passes; references among the locals start null.
type Proc struct {
	Name    string
	Pos     source.Pos
	Dfs     bool     // read and printed, without meaning
	Results int      // number of values returned; 0 is void
	Returns []string // the classes of these values, "" for a Boolean; nil if all are Booleans
	Params  []*Var
	Locals  []*Var
	Enforce Expr // holds in every state at every node of the procedure; nil if none
	Body    []*Stmt
}

// Stmt is a statement with its labels and annotation.
type Stmt struct {
	Labels []string
	Pos    source.Pos // in the .bp text
	Annot  *Annot     // nil if none
	Op     Op
}

// Annot is the content of the "//@" comments before a statement: its place in the C program.
type Annot struct {
	Node   string     // stable id "proc:17"
	Pos    source.Pos // in the C source
	Text   string     // the C statement, one line
	Origin string     // call, return, branch-true, branch-false, assert, assume, or ""
	Check  *Operation // of an assertion that checks an operation of C, or nil
}

// Operation describes the operation that an assertion checks.
type Operation struct {
	Name string     // of the property: "division by zero"
	Pos  source.Pos // of the operation
	Text string     // of the operation: x / y
}

// Op is the operation of a statement.
type Op interface{ isOp() }

// The statements. Lhs names are variables in scope; in a Call "_" discards.
type (
	// Skip does nothing: skip;
	Skip struct{}
	// Goto continues at any one of the labels: goto L1, L2;
	Goto struct{ Targets []*Ref }
	// Assume ends the path silently unless Cond holds: assume(e);
	Assume struct{ Cond Expr }
	// Assert fails unless Cond holds: assert(e);
	Assert struct{ Cond Expr }
	// Return leaves the procedure: return e, e;
	Return struct{ Values []Expr }
	// Assign reads everything, then writes; of the outcomes that its * allow, those remain in which
	// Constrain holds ('v is the value of v after the assignment): a, b := e, e constrain 'a | 'b;
	Assign struct {
		Lhs       []*Ref
		Rhs       []Expr
		Constrain Expr // nil if none
	}
	// Call calls a procedure: a, _ := p(e, e);
	Call struct {
		Lhs    []*Ref
		Callee *Ref
		Args   []Expr
	}
	// If is if (e) then … elsif (e) then … else … fi; Conds and Thens correspond.
	If struct {
		Conds []Expr
		Thens [][]*Stmt
		Else  []*Stmt // nil if there is none
	}
	// While is while (e) do … od;
	While struct {
		Cond Expr
		Body []*Stmt
	}
	// Dead makes variables arbitrary, and fields of all live objects of a class: dead a, b, C.f; the
	// Name of a Ref in Fields is that of the class.
	Dead struct{ Vars, Fields []*Ref }
	// Print is a skip: print(e, e);
	Print struct{ Args []Expr }
	// AbortIf is assume(!Cond): abortif e;
	AbortIf struct{ Cond Expr }

	// StartThread begins a thread that continues at a label of the procedure, with copies of the
	// parameters and locals; the thread that executes it goes on: start_thread goto L;
	StartThread struct{ Target *Ref }
	// StartCall begins a thread that calls a procedure, whose results are lost: start_thread p(e, e);
	StartCall struct {
		Callee *Ref
		Args   []Expr
	}
	// EndThread ends the thread that executes it, with all its calls: end_thread;
	EndThread struct{}
	// AtomicBegin begins a section during which no other thread runs: atomic_begin;
	AtomicBegin struct{}
	// AtomicEnd ends it: atomic_end;
	AtomicEnd struct{}
)

func (*Skip) isOp()    {}
func (*Goto) isOp()    {}
func (*Assume) isOp()  {}
func (*Assert) isOp()  {}
func (*Return) isOp()  {}
func (*Assign) isOp()  {}
func (*Call) isOp()    {}
func (*If) isOp()      {}
func (*While) isOp()   {}
func (*Dead) isOp()    {}
func (*Print) isOp()   {}
func (*AbortIf) isOp() {}

func (*StartThread) isOp() {}
func (*StartCall) isOp()   {}
func (*EndThread) isOp()   {}
func (*AtomicBegin) isOp() {}
func (*AtomicEnd) isOp()   {}

// Expr is an expression: a Boolean one, in which every * is a fresh choice at each evaluation, or a
// reference.
type Expr interface{ isExpr() }

// The expressions.
type (
	// Const is 0 or 1.
	Const struct{ Val bool }
	// Ref names a variable (or, in Goto and Call, a label or procedure). Next marks
	// 'v, the value after the assignment, in a constrain clause. The discarding "_" is a Ref too.
	// Field makes it, on the left of an assignment or call, that field of the object which the
	// variable refers to, x.f; in expressions that is a Select.
	Ref struct {
		Name  string
		Field string // "" but for x.f on the left
		Next  bool
		Pos   source.Pos
	}
	// Nondet is *.
	Nondet struct{}
	// Not is !X.
	Not struct{ X Expr }
	// Binary is X op Y.
	Binary struct {
		Op   BinOp
		X, Y Expr
	}
	// Choose is choose(P, N): 1 if P, else 0 if N, else *. With Strict it is
	// schoose[P, N] = P | (* & !N).
	Choose struct {
		P, N   Expr
		Strict bool
	}
	// Null is the reference to nothing.
	Null struct{ Pos source.Pos }
	// Select is X.Field; if X is null, the run ends with an error.
	Select struct {
		X     Expr
		Field string
		Pos   source.Pos // of the field's name
	}
	// New makes an object. It stands only as a whole right-hand side: x := new C
	New struct {
		Class string
		Pos   source.Pos
	}
	// Any is null or any live object, one that a variable leads to: x := any C. With New it may also
	// be a new object, all of whose fields are arbitrary: x := any C new. It stands only as a whole
	// right-hand side.
	Any struct {
		Class string
		New   bool
		Pos   source.Pos
	}
)

func (*Const) isExpr()  {}
func (*Ref) isExpr()    {}
func (*Nondet) isExpr() {}
func (*Not) isExpr()    {}
func (*Binary) isExpr() {}
func (*Choose) isExpr() {}
func (*Null) isExpr()   {}
func (*Select) isExpr() {}
func (*New) isExpr()    {}
func (*Any) isExpr()    {}

// BinOp is a Boolean operator; Eq and Ne compare references, too.
type BinOp int

// Loosest first; Eq and Ne share a level.
const (
	Implies BinOp = iota
	Or
	Xor
	And
	Eq
	Ne
)

// String returns the operator as it is written: => for Implies.
func (op BinOp) String() string { return [...]string{"=>", "|", "^", "&", "=", "!="}[op] }
