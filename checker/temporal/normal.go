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
	known map[signed]term // of formulas
}

// signed is a formula, or its negation.
type signed struct {
	f      *Formula
	negate bool
}

const falseTerm, trueTerm term = 0, 1

// newTerms returns a table with the constants.
func newTerms() *terms {
	t := &terms{index: map[termNode]term{}, known: map[signed]term{}}
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

// normal returns the term of f, or of its negation. The operands of some operators stand in it twice: each is
// brought to normal form once.
func (t *terms) normal(f *Formula, negate bool) term {
	key := signed{f, negate}
	x, ok := t.known[key]
	if !ok {
		x = t.normalise(f, negate)
		t.known[key] = x
	}
	return x
}

// normalise returns the term of a formula that is met for the first time.
func (t *terms) normalise(f *Formula, negate bool) term {
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
			return t.combine(And, x, y)
		}
		return t.combine(Or, x, y)
	case Implies:
		return t.normal(Binary(Or, Unary(Not, f.X), f.Y), negate)
	}
	// x <-> y is (x & y) | (!x & !y), and its negation is (x & !y) | (!x & y).
	return t.combine(Or,
		t.combine(And, t.normal(f.X, false), t.normal(f.Y, negate)),
		t.combine(And, t.normal(f.X, true), t.normal(f.Y, !negate)))
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
func (t *terms) until(x, y term) term { return t.promise(Until, Or, x, y) }

// release returns x R y.
func (t *terms) release(x, y term) term { return t.promise(Release, And, x, y) }

// promise returns x op y, where op is Until and over is Or. Of Release and And all cases are the duals.
func (t *terms) promise(op, over Op, x, y term) term {
	a, b := t.nodes[x], t.nodes[y]
	always, never, settled := trueTerm, falseTerm, b.eventual
	if op == Release {
		always, never, settled = falseTerm, trueTerm, b.universal
	}
	switch {
	// y holds as soon as it ever will, or nothing comes before it.
	case settled, x == never, x == y:
		return y
	// X a U X b is X (a U b).
	case a.op == Next && b.op == Next:
		return t.next(t.promise(op, over, a.x, b.x))
	case x == always && b.op == Next:
		return t.next(t.promise(op, over, x, b.x))
	// a U (a U b) is a U b; F (a U b) is F b.
	case b.op == op && b.x == x:
		return y
	case x == always && b.op == op:
		return t.promise(op, over, x, b.y)
	// F (a | b) is F a | F b.
	case x == always && b.op == over:
		return t.combine(over, t.promise(op, over, x, b.x), t.promise(op, over, x, b.y))
	}
	return t.add(termNode{op: op, x: x, y: y})
}

// combine returns x & y or x | y.
func (t *terms) combine(op Op, x, y term) term {
	// x & true is x, and x & false is false; the duals of |.
	unit, zero := trueTerm, falseTerm
	if op == Or {
		unit, zero = falseTerm, trueTerm
	}
	switch {
	case x == zero || y == zero || t.contrary(x, y):
		return zero
	case x == unit || x == y:
		return y
	case y == unit:
		return x
	}
	return t.add(termNode{op: op, x: min(x, y), y: max(x, y)})
}

// contrary reports whether x and y are an atom and its negation.
func (t *terms) contrary(x, y term) bool {
	a, b := t.nodes[x], t.nodes[y]
	return a.atom == b.atom && (a.op == Atom && b.op == Not || a.op == Not && b.op == Atom)
}
