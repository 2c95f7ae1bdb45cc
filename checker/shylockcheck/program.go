package shylockcheck

import (
	"c2bp/frontend/shylock"
	"c2bp/source"
)

// This file translates programs to points and moves.
//
// A point stands for the rest of a body. Its moves are the first basic statements of the branches among which
// a run chooses there; so neither a sequence nor a choice is a step of its own. From
//
//	x := new; (p + [x = g] skip); g := x
//
// come, from the end, the points
//
//	2  g := x → exit
//	1  p → 2, [x = g] → 3        3  skip → 2
//	0  x := new → 1

// Op is the kind of a move.
type Op int

// The kinds of moves.
const (
	Copy   Op = iota // X := Y
	Load             // X := Y.Field
	Store            // X.Field := Y
	New              // X := new
	Skip             //
	Assert           // Cond must hold
	Test             // enabled if Cond is Holds
	Call             // Callee(Args), the result of which goes to X
	Return           // the result of the procedure is Y
)

// exit is the point after the last statement of a body; nilSlot the slot of nil, noSlot that of no variable.
const (
	exit    = -1
	nilSlot = -1
	noSlot  = -2
)

// Move is a step from a point to the next one.
type Move struct {
	Op     Op
	X, Y   int // slots: indices of Heap.Vars, nilSlot or noSlot
	Field  int
	Cond   shylock.Cond
	Holds  bool
	Callee *shylock.Proc
	Args   []int
	Next   int

	Text string // as a trace shows it
	Pos  source.Pos
}

// Point is a place in a body.
type Point struct {
	Proc  *shylock.Proc
	Moves []Move
}

// Program is a translated program.
type Program struct {
	Layout
	Source *shylock.Program
	Points []Point
	Entry  []int // by procedure: the first point of its body

	proc *shylock.Proc // the present one
}

// Translate translates a program that shylock.Check has accepted.
func Translate(src *shylock.Program) *Program {
	p := &Program{Layout: layoutOf(src), Source: src}
	for _, proc := range src.Procs {
		p.proc = proc
		p.Entry = append(p.Entry, p.point(p.moves(proc.Body, exit)))
	}
	return p
}

// layoutOf returns the layout of the heaps of a program. There is a transfer variable for each argument, and one for
// the result.
func layoutOf(src *shylock.Program) Layout {
	most := 0
	for _, proc := range src.Procs {
		most = max(most, len(proc.Params))
	}
	return Layout{Globals: len(src.Globals), Transfers: most + 1, Locals: len(src.Locals), Fields: len(src.Fields)}
}

// point adds a point.
func (p *Program) point(moves []Move) int {
	p.Points = append(p.Points, Point{p.proc, moves})
	return len(p.Points) - 1
}

// slot returns the slot of a variable.
func (l *Layout) slot(v *shylock.Var) int {
	switch v.Kind {
	case shylock.Global:
		return v.Index
	case shylock.Local:
		return l.shared() + v.Index
	}
	return nilSlot
}

// argument and result return the slots of transfer variables.
func (p *Program) argument(i int) int { return p.Globals + i }
func (p *Program) result() int        { return p.shared() - 1 }

// moves returns the moves with which a statement begins, after which a run goes on at next.
func (p *Program) moves(s shylock.Stmt, next int) []Move {
	m := Move{X: noSlot, Y: noSlot, Next: next}
	switch s := s.(type) {
	case *shylock.Assign:
		if s.Call != nil {
			return p.moves(s.Call, next)
		}
		return p.assign(s, next)
	case *shylock.New:
		m.Op, m.X = New, p.slot(s.X.Var)
	case *shylock.Store:
		m.Op, m.X, m.Y, m.Field = Store, p.slot(s.X.Var), p.slot(s.Y.Var), s.Field.Var.Index
	case *shylock.Skip:
		m.Op = Skip
	case *shylock.Assert:
		m.Op, m.Cond = Assert, s.Cond
	case *shylock.Return:
		m.Op, m.Y = Return, p.slot(s.Y.Var)
	case *shylock.Call:
		m.Op, m.Callee = Call, s.Proc
		for i := range s.Args {
			m.Args = append(m.Args, p.slot(s.Args[i].Var))
		}
		if s.Result != nil {
			m.X = p.slot(s.Result.Var)
		}
	case *shylock.Seq:
		// From the end: each statement leads to the point of the one after it.
		for i := len(s.List) - 1; i > 0; i-- {
			next = p.point(p.moves(s.List[i], next))
		}
		return p.moves(s.List[0], next)
	case *shylock.Choice:
		var list []Move
		for _, t := range s.List {
			list = append(list, p.moves(t, next)...)
		}
		return list
	case *shylock.Test:
		return []Move{p.test(s, s.Cond, true, p.point(p.moves(s.Body, next)), "["+shylock.CondString(s.Cond)+"]")}
	case *shylock.While:
		return p.loop(s, next)
	case *shylock.If:
		other := next
		if s.Else != nil {
			other = p.point(p.moves(s.Else, next))
		}
		text := "if (" + shylock.CondString(s.Cond) + ")"
		return []Move{p.test(s, s.Cond, true, p.point(p.moves(s.Then, next)), text), p.test(s, s.Cond, false, other, text)}
	}
	m.Text, m.Pos = shylock.StmtString(s), p.pos(s)
	return []Move{m}
}

// pos returns the place of a statement.
func (p *Program) pos(s shylock.Stmt) source.Pos {
	off, _ := s.Span()
	return p.Source.File.Pos(off)
}

// test returns the move of a condition.
func (p *Program) test(s shylock.Stmt, c shylock.Cond, holds bool, next int, text string) Move {
	return Move{Op: Test, X: noSlot, Y: noSlot, Cond: c, Holds: holds, Next: next, Text: text, Pos: p.pos(s)}
}

// loop returns the moves of a loop. Its body leads back to a point with the same moves.
func (p *Program) loop(s *shylock.While, next int) []Move {
	head := p.point(nil)
	body := p.point(p.moves(s.Body, head))
	text := "while (" + shylock.CondString(s.Cond) + ")"
	moves := []Move{p.test(s, s.Cond, true, body, text), p.test(s, s.Cond, false, next, text)}
	p.Points[head].Moves = moves
	return moves
}

// assign returns the moves of an assignment: x := y.f.g is x := y.f; x := x.g.
func (p *Program) assign(s *shylock.Assign, next int) []Move {
	x, pos := p.slot(s.X.Var), p.pos(s)
	text := shylock.StmtString(s)
	if len(s.Fields) == 0 {
		return []Move{{Op: Copy, X: x, Y: p.slot(s.Y.Var), Next: next, Text: text, Pos: pos}}
	}
	for i := len(s.Fields) - 1; i > 0; i-- {
		f := s.Fields[i].Var
		part := s.X.Name + " := " + s.X.Name + "." + f.Name
		at := p.Source.File.Pos(s.Fields[i].Off)
		next = p.point([]Move{{Op: Load, X: x, Y: x, Field: f.Index, Next: next, Text: part, Pos: at}})
	}
	f := s.Fields[0].Var
	text = s.X.Name + " := " + s.Y.Name + "." + f.Name
	return []Move{{Op: Load, X: x, Y: p.slot(s.Y.Var), Field: f.Index, Next: next, Text: text, Pos: pos}}
}
