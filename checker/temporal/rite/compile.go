package rite

// This file makes automata of expressions.

// Matcher is the automaton of an expression.
type Matcher struct {
	expr       *Expr
	states     [][]edge
	start, end int
}

// edge is a step to a state: an expression without operands.
type edge struct {
	expr *Expr
	to   int
}

// Compile returns the automaton of an expression.
func Compile(e *Expr) *Matcher {
	m := &Matcher{expr: e, states: make([][]edge, 1)}
	m.start = m.add(e, m.end)
	return m
}

// Expr returns the expression.
func (m *Matcher) Expr() *Expr { return m.expr }

// add adds states from which e leads to a state, and returns the first one.
func (m *Matcher) add(e *Expr, to int) int {
	switch e.Kind {
	case Seq:
		return m.add(e.X, m.add(e.Y, to))
	case Alt:
		return m.state(edge{&Expr{}, m.add(e.X, to)}, edge{&Expr{}, m.add(e.Y, to)})
	case Star:
		// The loop leaves to what follows, or goes round.
		loop := m.state(edge{&Expr{}, to})
		m.states[loop] = append(m.states[loop], edge{&Expr{}, m.add(e.X, loop)})
		return loop
	}
	return m.state(edge{e, to})
}

// state adds a state.
func (m *Matcher) state(edges ...edge) int {
	m.states = append(m.states, edges)
	return len(m.states) - 1
}
