package temporal

import (
	"strings"

	"c2bp/source"
)

// This file defines formulas.

// Op is the operator of a formula.
type Op uint8

// The operators, from the constants to the binary ones.
const (
	True Op = iota
	False
	Atom
	Not
	Next     // X
	Finally  // F
	Globally // G
	Until    // U
	Release  // R
	Weak     // W: a W b is (a U b) | G a
	And
	Or
	Implies
	Iff
)

// String returns the operator as it is written.
func (op Op) String() string {
	return [...]string{"true", "false", "atom", "!", "X", "F", "G", "U", "R", "W", "&", "|", "->", "<->"}[op]
}

// Formula is a formula of linear temporal logic. Formulas are not changed after they are made, and may
// share parts.
type Formula struct {
	Op   Op
	X, Y *Formula   // the operands; a unary operator has X
	Atom int        // of an Atom: its number, below MaxAtoms
	Text string     // of an Atom: as it was written, with its braces
	Pos  source.Pos // of the operator or atom in the text; zero if there is none
}

// Unary returns op applied to x.
func Unary(op Op, x *Formula) *Formula { return &Formula{Op: op, X: x} }

// Binary returns x op y.
func Binary(op Op, x, y *Formula) *Formula { return &Formula{Op: op, X: x, Y: y} }

// AtomOf returns the formula of an atom with a number and the text by which it is printed.
func AtomOf(atom int, text string) *Formula { return &Formula{Op: Atom, Atom: atom, Text: text} }

// constant returns true or false.
func constant(val bool) *Formula {
	if val {
		return &Formula{Op: True}
	}
	return &Formula{Op: False}
}

// level returns how tightly an operator binds, the tightest last. U, R and W share a level, and so do unary
// operators.
func (op Op) level() int {
	switch op {
	case Iff:
		return 1
	case Implies:
		return 2
	case Or:
		return 3
	case And:
		return 4
	case Until, Release, Weak:
		return 5
	}
	return 6
}

// associates reports whether x op (y op z) and (x op y) op z are the same, so that neither needs parentheses.
func (op Op) associates() bool { return op == And || op == Or }

// String returns the formula with as few parentheses as Parse needs to read it back: G (p -> X !q U r).
func (f *Formula) String() string {
	var b strings.Builder
	f.print(&b)
	return b.String()
}

func (f *Formula) print(b *strings.Builder) {
	switch {
	case f.Op == Atom:
		b.WriteString(f.Text)
	case f.Op <= False:
		b.WriteString(f.Op.String())
	// A unary operator: ! stands at its operand, a letter apart from it.
	case f.Y == nil:
		b.WriteString(f.Op.String())
		if f.Op != Not {
			b.WriteByte(' ')
		}
		f.X.within(b, f.X.Op.level() < 6)
	// A binary one: the left operand of operators that associate to the right binds tighter.
	default:
		same := f.X.Op.level() == f.Op.level() && !(f.X.Op == f.Op && f.Op.associates())
		f.X.within(b, f.X.Op.level() < f.Op.level() || same)
		b.WriteString(" " + f.Op.String() + " ")
		f.Y.within(b, f.Y.Op.level() < f.Op.level())
	}
}

// within prints an operand, in parentheses if it needs them.
func (f *Formula) within(b *strings.Builder, parentheses bool) {
	if !parentheses {
		f.print(b)
		return
	}
	b.WriteByte('(')
	f.print(b)
	b.WriteByte(')')
}
