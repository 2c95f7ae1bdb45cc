package core

import (
	"fmt"

	"c2bp/source"
)

// Program is a whole linked program.
type Program struct {
	Globals []*Var
	Procs   []*Proc // in source order, callees without a body included
	Entry   *Proc   // where execution starts; its nodes begin with the initialisers
	Ledger  []string
	Files   map[string]*source.File // texts by name, for quoting
}

// Proc is a procedure. Without a body (an external function) Nodes is empty.
type Proc struct {
	Name    string // distinct among the procedures; the entry is always "main"
	CName   string // as the C source calls it
	Pos     source.Pos
	Formals []*Var
	Locals  []*Var // locals and temporaries
	Result  *Var   // the variable r that Return returns; nil for void and for externals
	RetType Type
	Nodes   []*Node
}

// HasBody reports whether p is defined in the program.
func (p *Proc) HasBody() bool { return len(p.Nodes) > 0 }

// Exit is the index of the return node.
func (p *Proc) Exit() int { return len(p.Nodes) - 1 }

// NodeID is the stable name "proc:17" of node i.
func (p *Proc) NodeID(i int) string { return fmt.Sprintf("%s:%d", p.Name, i) }

// Proc returns the procedure of that name, or nil.
func (p *Program) Proc(name string) *Proc {
	for _, q := range p.Procs {
		if q.Name == name {
			return q
		}
	}
	return nil
}

// Node is a control-flow node: one statement and its successors.
type Node struct {
	Stmt   Stmt
	Succ   []int      // indices into Proc.Nodes; empty for Return
	Pos    source.Pos // of the C statement
	Text   string     // one line of C that this node comes from; "" if it has none
	Labels []string   // C labels in front of it
	Origin Origin
	// First is set on the first node of each C statement: a step of the C program
	// runs from one First node to the next.
	First bool
}

// Origin says what a node is to the C program, for traces.
type Origin int

const (
	Plain       Origin = iota
	BranchTrue         // assume on the branch taken when the condition holds
	BranchFalse        // assume on the other branch
)

func (o Origin) String() string { return [...]string{"", "branch-true", "branch-false"}[o] }

// Stmt is what a node does. See the table in the package comment.
type Stmt interface{ isStmt() }

// Skip does nothing.
type Skip struct{}

// Branch continues at any successor; those are usually Assume nodes.
type Branch struct{}

// Assume ends the execution silently unless Cond is not zero.
type Assume struct{ Cond Expr }

// Assert is a property: the execution fails unless Cond is not zero. (A failing
// one ends the execution.)
type Assert struct{ Cond Expr }

// Assign is a parallel assignment: all right sides are evaluated, then stored.
type Assign struct {
	Lhs []Loc
	Rhs []Expr // same types as Lhs
}

// Havoc gives arbitrary values of their types to the locations and, with Region,
// to every address-taken variable of the program, globals and those of all live
// frames alike.
type Havoc struct {
	Locs   []Loc
	Region bool
	Why    string // diagnostic text: "write through pointer p"
}

// Call calls Callee. The value that it returns, converted by ResultConv, is
// stored in Lhs; both may be nil. A callee without a body returns an arbitrary
// value of its return type and may write every address-taken variable.
type Call struct {
	Lhs        Loc // nil if the result is not used
	ResultConv *Int
	Callee     *Proc
	Args       []Expr // types of the callee's formals; nil for an opaque argument
}

// Return leaves the procedure with the value of Proc.Result.
type Return struct{}

func (*Skip) isStmt()   {}
func (*Branch) isStmt() {}
func (*Assume) isStmt() {}
func (*Assert) isStmt() {}
func (*Assign) isStmt() {}
func (*Havoc) isStmt()  {}
func (*Call) isStmt()   {}
func (*Return) isStmt() {}
