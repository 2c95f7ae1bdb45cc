package shylock

import "c2bp/source"

// This file defines the syntax trees.

// Program is a program. The fields after "checked" are set by Check.
type Program struct {
	File    *source.File
	Globals []*Var // without nil
	Locals  []*Var // declared ones; after the check, parameters that are not declared follow
	Fields  []*Var
	Procs   []*Proc

	Main *Proc // checked: the initial procedure
}

// VarKind is the kind of a variable.
type VarKind int

const (
	Nil    VarKind = iota // the constant
	Global                // Program.Globals[Index]
	Local                 // Program.Locals[Index]
	Field                 // Program.Fields[Index]
)

// Var is a declared variable or field.
type Var struct {
	Kind  VarKind
	Name  string
	Index int // in the list of its kind
	Off   int // offset of its declaration

	Param bool // only of the procedures that have a parameter of this name
}

// Ref is a name in a statement.
type Ref struct {
	Name string
	Off  int

	Var *Var // checked
}

// Proc is a procedure.
type Proc struct {
	Name   string
	Off    int
	Params []Ref
	Body   Stmt
	End    int // offset after the last token

	Index   int  // in Program.Procs
	Returns bool // checked: there is a return in it
}

// Stmt is a statement.
type Stmt interface {
	// Span returns the offsets of the statement and of the first byte after it.
	Span() (off, end int)
}

// span is a part of the text.
type span struct{ off, end int }

func (s span) Span() (off, end int) { return s.off, s.end }

// The statements.
type (
	// Assign is "x := y", with fields "x := y.f.g".
	Assign struct {
		span
		X, Y   Ref
		Fields []Ref

		Call *Call // checked: if Y is no variable but a procedure, the call that this is
	}
	// New is "x := new".
	New struct {
		span
		X Ref
	}
	// Store is "x.f := y".
	Store struct {
		span
		X, Field, Y Ref
	}
	// Skip is "skip".
	Skip struct{ span }
	// Assert is "assert(c)".
	Assert struct {
		span
		Cond Cond
	}
	// Call is "p", "p(x, y)" or "z := p(x, y)".
	Call struct {
		span
		Name   Ref
		Args   []Ref
		Result *Ref // nil if the result is not used

		Proc *Proc // checked
	}
	// Return is "return y".
	Return struct {
		span
		Y Ref
	}
	// Test is "[c] B".
	Test struct {
		span
		Cond Cond
		Body Stmt
	}
	// Seq is "B; B; B", of at least two statements, none of which is a Seq.
	Seq struct {
		span
		List []Stmt
	}
	// Choice is "B + B + B", of at least two branches, none of which is a Choice.
	Choice struct {
		span
		List []Stmt
	}
	// While is "while (c) do B od".
	While struct {
		span
		Cond Cond
		Body Stmt
	}
	// If is "if (c) then B else B fi".
	If struct {
		span
		Cond       Cond
		Then, Else Stmt // Else may be nil
	}
)

// Cond is a condition.
type Cond interface{ cond() }

// The conditions.
type (
	// Compare is "x = y" or "x != y".
	Compare struct {
		X, Y  Ref
		Equal bool
	}
	// Not is "!(c)".
	Not struct{ X Cond }
	// And is "c & d".
	And struct{ X, Y Cond }
	// Or is "c | d".
	Or struct{ X, Y Cond }
)

func (*Compare) cond() {}
func (*Not) cond()     {}
func (*And) cond()     {}
func (*Or) cond()      {}

// Text returns the text of a statement as it stands in the file.
func (p *Program) Text(s Stmt) string {
	off, end := s.Span()
	return string(p.File.Text[off:end])
}
