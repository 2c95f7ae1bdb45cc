package boolprog

import "c2bp/source"

// Program is a whole Boolean program. Execution starts at the procedure "main".
type Program struct {
	File    *source.File // what it was parsed from; nil if it was built
	Ledger  []string     // texts of the "//@ assume" lines, in order
	Notes   []string     // texts of the "//@ note" lines: how it was made
	Globals []*Var
	Procs   []*Proc
}

// Var is a Boolean variable. Its Name is an identifier or, with the braces, a
// predicate: {x == 'x + 1}.
type Var struct {
	Name string
	Pos  source.Pos
	Pred string // text of its "//@ pred" annotation, e.g. "x == 1" or "t1 < 0 auto"; "" if none
}

// Proc is a procedure. Params and Locals start arbitrary at every call, but for
// the values that the caller passes.
type Proc struct {
	Name    string
	Pos     source.Pos
	Dfs     bool // read and printed, without meaning
	Results int  // number of values returned; 0 is void
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

// Annot is what a "//@" comment in front of a statement says about the C program.
type Annot struct {
	Node   string     // stable id "proc:17"
	Pos    source.Pos // in the C source
	Text   string     // the C statement, one line
	Origin string     // call, return, branch-true, branch-false, assert, or ""
}

// Op is what a statement does.
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
	// Assign reads everything, then writes; of the outcomes that its * allow, those
	// remain in which Constrain holds ('v is the value of v afterwards):
	// a, b := e, e constrain 'a | 'b;
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
	// Dead makes variables arbitrary: dead a, b;
	Dead struct{ Vars []*Ref }
	// Print is a skip: print(e, e);
	Print struct{ Args []Expr }
	// AbortIf is assume(!Cond): abortif e;
	AbortIf struct{ Cond Expr }
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

// Expr is a Boolean expression. Every * in it is a fresh choice at each evaluation.
type Expr interface{ isExpr() }

// The expressions.
type (
	// Const is 0 or 1.
	Const struct{ Val bool }
	// Ref names a variable (or, in Goto and Call, a label or procedure). Next marks
	// 'v, the value after the assignment, in a constrain clause. The discarding "_" is a Ref too.
	Ref struct {
		Name string
		Next bool
		Pos  source.Pos
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
)

func (*Const) isExpr()  {}
func (*Ref) isExpr()    {}
func (*Nondet) isExpr() {}
func (*Not) isExpr()    {}
func (*Binary) isExpr() {}
func (*Choose) isExpr() {}

// BinOp is a Boolean operator.
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

func (op BinOp) String() string { return [...]string{"=>", "|", "^", "&", "=", "!="}[op] }
