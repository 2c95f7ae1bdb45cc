package zing

// This file defines statements.

// Stmt is a statement.
type Stmt interface {
	Node
	isStmt()
}

// StmtBase is common to all statements.
type StmtBase struct{ Span }

func (s *StmtBase) isStmt() {}

// The statements. Attributes before them are not kept.
type (
	// Empty does nothing, as a step of its own: ;
	Empty struct{ StmtBase }
	// Block is { … }
	Block struct {
		StmtBase
		Stmts []Stmt
		Scope *Scope // checked
	}
	// Declare declares a variable: int x; int x = 5;
	Declare struct {
		StmtBase
		Local *Local
		Init  Expr // nil if there is none; checked: converted to the type of Local
	}
	// AssignStmt is an assignment without call and choose: lhs = e;
	AssignStmt struct {
		StmtBase
		Lhs Expr // a place
		Rhs Expr // checked: converted to the type of Lhs, unless Set is set

		Set *SetUpdate // checked: the statement changes the set Lhs; else nil
	}
	// CallStmt is a call: f(…); lhs = f(…);
	CallStmt struct {
		StmtBase
		Lhs     Expr // a place; nil if the result is dropped
		Call    *Call
		Convert bool // checked: the result is converted to the type of Lhs as a Convert does
	}
	// ChooseStmt is a choice: lhs = choose(…);
	ChooseStmt struct {
		StmtBase
		Lhs     Expr
		Choose  *Choose
		Convert bool // checked: the value is converted to the type of Lhs as a Convert does
	}
	// If is if (e) S else S; Else is nil if there is none.
	If struct {
		StmtBase
		Cond       Expr
		Then, Else Stmt
	}
	// While is while (e) S
	While struct {
		StmtBase
		Cond Expr
		Body Stmt
	}
	// Foreach is foreach (T v in coll) S, or foreach (v in coll) S
	Foreach struct {
		StmtBase
		Local *Local // the variable that is declared; nil in the second form
		Var   Expr   // the place that is assigned; checked: in the first form the Name of Local
		Coll  Expr   // an array or a set
		Body  Stmt

		// Checked.

		Counter *Local // hidden, of type Int: the index of the next element
		Scope   *Scope // around the statement: of Local and Counter
	}
	// Goto is goto L;
	Goto struct {
		StmtBase
		Label  Ident
		Target *Labeled // checked
	}
	// Labeled is L: S
	Labeled struct {
		StmtBase
		Label Ident
		Stmt  Stmt
		Used  bool // checked: a goto names it
	}
	// Return is return; or return e; with X nil in the first form.
	Return struct {
		StmtBase
		X Expr // checked: converted to the type of the result
	}
	// Assert is assert(e); or assert(e, "text"); with Text nil in the first form.
	Assert struct {
		StmtBase
		Cond Expr
		Text *StringLit
	}
	// Assume is assume(e);
	Assume struct {
		StmtBase
		Cond Expr
	}
	// Atomic is atomic { … }
	Atomic struct {
		StmtBase
		Body *Block
	}
	// Async creates a process that runs the call: async f(…);
	Async struct {
		StmtBase
		Call *Call
	}
	// Send appends to a channel: send(ch, e);
	Send struct {
		StmtBase
		Chan, X Expr
	}
	// Select is select end first visible { … }, with the join statements as they stand in the text.
	Select struct {
		StmtBase
		End, First, Visible bool
		Joins               []*Join
	}
	// Try is try { … } with { E -> S  * -> S }
	Try struct {
		StmtBase
		Body     *Block
		Handlers []*Handler
	}
	// Raise is raise E;
	Raise struct {
		StmtBase
		Exception Ident
	}
	// Yield is yield;
	Yield struct{ StmtBase }
	// Trace is trace("format", args…);
	Trace struct {
		StmtBase
		Format *StringLit
		Args   []Expr
	}
	// Accept is accept(e);
	Accept struct {
		StmtBase
		Cond Expr
	}
	// EventStmt is event(chan, msg, dir);
	EventStmt struct {
		StmtBase
		Event
	}
	// InvokePlugin is invokeplugin("dll", …);
	InvokePlugin struct {
		StmtBase
		Args []Expr
	}
	// InvokeScheduler is invokescheduler(…);
	InvokeScheduler struct {
		StmtBase
		Args []Expr
	}
)

// SetUpdate is the effect of s = s + x; or s = s - x; on the set s, whose object is changed in place.
type SetUpdate struct {
	Remove bool
	X      Expr // an element, converted to the type of elements; or a set of the same type
	Whole  bool // X is a set
}

// Event is an observable action.
type Event struct {
	Chan, Msg, Dir Expr // checked: of types Int, Int, Bool
}

// Join is a join statement of a select: patterns -> S
type Join struct {
	Span
	Patterns []Pattern
	Body     Stmt
}

// Pattern is a condition of a join statement: *WaitPattern, *ReceivePattern, *EventPattern or
// *TimeoutPattern.
type Pattern interface {
	Node
	isPattern()
}

// The patterns.
type (
	// WaitPattern is wait(e)
	WaitPattern struct {
		Span
		Cond Expr
	}
	// ReceivePattern is receive(ch, lhs)
	ReceivePattern struct {
		Span
		Chan, Lhs Expr
	}
	// EventPattern is event(chan, msg, dir)
	EventPattern struct {
		Span
		Event
	}
	// TimeoutPattern is timeout; it is alone in its join statement.
	TimeoutPattern struct{ Span }
)

func (*WaitPattern) isPattern()    {}
func (*ReceivePattern) isPattern() {}
func (*EventPattern) isPattern()   {}
func (*TimeoutPattern) isPattern() {}

// Handler is an entry of the with part of a try.
type Handler struct {
	Span
	Any       bool // * takes every exception
	Exception Ident
	Body      Stmt
}

// IsTimeout reports whether j is timeout -> S
func (j *Join) IsTimeout() bool {
	_, is := j.Patterns[0].(*TimeoutPattern)
	return is
}

// Deterministic reports whether the first join statement that can run is taken: there is first, or
// only one join statement.
func (s *Select) Deterministic() bool { return s.First || len(s.Joins) == 1 }

// Ordered returns the join statements in the order in which they are tried and listed: as in the
// text, but the one with timeout changes places with the last.
func (s *Select) Ordered() []*Join {
	list := append([]*Join{}, s.Joins...)
	last := len(list) - 1
	for i, j := range list {
		if j.IsTimeout() {
			list[i], list[last] = list[last], list[i]
			break
		}
	}
	return list
}
