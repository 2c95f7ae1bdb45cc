package temporal

// This file brings formulas to negation normal form, and simplifies them on the way.

// term is a formula in negation normal form: its index in a table of terms. Equal terms have the same index.
type term int32

// termNode is a term: True, False, Atom, Not of an atom, Next, Until, Release, And or Or. F x is true U x, and G x
// is false R x.
type termNode struct {
	op   Op
	x, y term
	atom int

	eventual  bool // w satisfies it if a suffix of w does
	universal bool // if w satisfies it, all suffixes of w do
}

// terms is a table of terms. The first two are false and true.
type terms struct {
	nodes []termNode
	index map[termNode]term
}

const falseTerm, trueTerm term = 0, 1

// newTerms returns a table with the constants.
func newTerms() *terms {
	t := &terms{index: map[termNode]term{}}
	t.add(termNode{op: False})
	t.add(termNode{op: True})
	return t
}

// Normal returns f, or its negation, in negation normal form, simplified.
func (f *Formula) Normal(negate bool) *Formula {
	t := newTerms()
	texts := map[int]string{}
	f.texts(texts)
	return t.formula(t.normal(f, negate), texts)
}

// texts collects the texts of atoms.
func (f *Formula) texts(to map[int]string) {
	if f == nil {
		return
	}
	if f.Op == Atom {
		to[f.Atom] = f.Text
	}
	f.X.texts(to)
	f.Y.texts(to)
}

// formula returns the formula of a term, with F and G where they can be.
func (t *terms) formula(x term, texts map[int]string) *Formula {
	n := t.nodes[x]
	switch n.op {
	case True, False:
		return constant(n.op == True)
	case Atom:
		return AtomOf(n.atom, texts[n.atom])
	case Not:
		return Unary(Not, AtomOf(n.atom, texts[n.atom]))
	case Next:
		return Unary(Next, t.formula(n.x, texts))
	case Until:
		if n.x == trueTerm {
			return Unary(Finally, t.formula(n.y, texts))
		}
	case Release:
		if n.x == falseTerm {
			return Unary(Globally, t.formula(n.y, texts))
		}
	}
	return Binary(n.op, t.formula(n.x, texts), t.formula(n.y, texts))
}

// add returns the index of a node.
func (t *terms) add(n termNode) term {
	if x, ok := t.index[n]; ok {
		return x
	}
	x := term(len(t.nodes))
	t.index[n] = x
	// Etessami–Holzmann 2000, §4: formulas whose value cannot be lost, or gained, on the way.
	a, b := termNode{}, termNode{}
	if n.op > Not {
		a, b = t.nodes[n.x], t.nodes[n.y]
	}
	switch n.op {
	case True, False:
		n.eventual, n.universal = true, true
	case Next:
		n.eventual, n.universal = a.eventual, a.universal
	case And, Or:
		n.eventual, n.universal = a.eventual && b.eventual, a.universal && b.universal
	case Until:
		n.eventual = n.x == trueTerm || b.eventual
		n.universal = a.universal && b.universal
	case Release:
		n.eventual = a.eventual && b.eventual
		n.universal = n.x == falseTerm || b.universal
	}
	t.nodes = append(t.nodes, n)
	return x
}

// normal returns the term of f, or of its negation.
func (t *terms) normal(f *Formula, negate bool) term {
	switch f.Op {
	case True, False:
		if (f.Op == True) != negate {
			return trueTerm
		}
		return falseTerm
	case Atom:
		if negate {
			return t.add(termNode{op: Not, atom: f.Atom})
		}
		return t.add(termNode{op: Atom, atom: f.Atom})
	case Not:
		return t.normal(f.X, !negate)
	case Next:
		return t.next(t.normal(f.X, negate))
	// Temporal operators and their duals.
	case Finally, Globally:
		x := t.normal(f.X, negate)
		if (f.Op == Finally) != negate {
			return t.until(trueTerm, x)
		}
		return t.release(falseTerm, x)
	case Until, Release:
		x, y := t.normal(f.X, negate), t.normal(f.Y, negate)
		if (f.Op == Until) != negate {
			return t.until(x, y)
		}
		return t.release(x, y)
	case Weak:
		// a W b is b R (a | b).
		return t.normal(Binary(Release, f.Y, Binary(Or, f.X, f.Y)), negate)
	// Boolean operators.
	case And, Or:
		x, y := t.normal(f.X, negate), t.normal(f.Y, negate)
		if (f.Op == And) != negate {
			return t.and(x, y)
		}
		return t.or(x, y)
	case Implies:
		return t.normal(Binary(Or, Unary(Not, f.X), f.Y), negate)
	}
	// x <-> y is (x & y) | (!x & !y), and its negation is (x & !y) | (!x & y).
	return t.or(t.and(t.normal(f.X, false), t.normal(f.Y, negate)), t.and(t.normal(f.X, true), t.normal(f.Y, !negate)))
}

// next returns X x.
func (t *terms) next(x term) term {
	n := t.nodes[x]
	if n.eventual && n.universal {
		return x
	}
	return t.add(termNode{op: Next, x: x})
}

// until returns x U y.
func (t *terms) until(x, y term) term {
	a, b := t.nodes[x], t.nodes[y]
	switch {
	// y holds as soon as it ever will, or nothing comes before it.
	case b.eventual, x == falseTerm, x == y:
		return y
	// X a U X b is X (a U b).
	case a.op == Next && b.op == Next:
		return t.next(t.until(a.x, b.x))
	case x == trueTerm && b.op == Next:
		return t.next(t.until(x, b.x))
	// a U (a U b) is a U b; F (a U b) is F b.
	case b.op == Until && b.x == x:
		return y
	case x == trueTerm && b.op == Until:
		return t.until(x, b.y)
	// F (a | b) is F a | F b.
	case x == trueTerm && b.op == Or:
		return t.or(t.until(x, b.x), t.until(x, b.y))
	}
	return t.add(termNode{op: Until, x: x, y: y})
}

// release returns x R y.
func (t *terms) release(x, y term) term {
	a, b := t.nodes[x], t.nodes[y]
	switch {
	// The duals of the cases of until.
	case b.universal, x == trueTerm, x == y:
		return y
	case a.op == Next && b.op == Next:
		return t.next(t.release(a.x, b.x))
	case x == falseTerm && b.op == Next:
		return t.next(t.release(x, b.x))
	case b.op == Release && b.x == x:
		return y
	case x == falseTerm && b.op == Release:
		return t.release(x, b.y)
	case x == falseTerm && b.op == And:
		return t.and(t.release(x, b.x), t.release(x, b.y))
	}
	return t.add(termNode{op: Release, x: x, y: y})
}

// and returns x & y.
func (t *terms) and(x, y term) term {
	switch {
	case x == falseTerm || y == falseTerm || t.contrary(x, y):
		return falseTerm
	case x == trueTerm || x == y:
		return y
	case y == trueTerm:
		return x
	}
	return t.add(termNode{op: And, x: min(x, y), y: max(x, y)})
}

// or returns x | y.
func (t *terms) or(x, y term) term {
	switch {
	case x == trueTerm || y == trueTerm || t.contrary(x, y):
		return trueTerm
	case x == falseTerm || x == y:
		return y
	case y == falseTerm:
		return x
	}
	return t.add(termNode{op: Or, x: min(x, y), y: max(x, y)})
}

// contrary reports whether x and y are an atom and its negation.
func (t *terms) contrary(x, y term) bool {
	a, b := t.nodes[x], t.nodes[y]
	return a.atom == b.atom && (a.op == Atom && b.op == Not || a.op == Not && b.op == Atom)
}
