package certificate

// This file reads formulas. Each use of a name is the one Formula that it was defined as.

// defined is a formula that has a name.
type defined struct {
	formula *Formula
	depth   int // of the definitions that it is made of, one inside the other
}

// define reads (formula NAME F).
func (r *reader) define(x *sexpr) {
	items := r.want(x, "formula", 2, 2)
	name := r.name(items[0])
	if r.taken(name) {
		r.fail(items[0], "the name %s is taken", name)
	}
	// A definition may use others: their nesting is bounded like that of lists.
	r.depth = 0
	d := &defined{formula: r.formula(items[1])}
	if d.depth = r.depth + 1; d.depth > maxDepth {
		r.fail(x, "more than %d formulas inside each other", maxDepth)
	}
	r.formulas[name] = d
}

// formula reads a formula: a list or a word.
func (r *reader) formula(x *sexpr) *Formula {
	if !x.isList {
		return r.named(x)
	}
	switch x.head() {
	case "entry":
		return &Formula{Op: Held, Pred: r.index(r.want(x, "entry", 1, 1)[0], "predicate")}
	case "not":
		return r.compound(Not, r.want(x, "not", 1, 1))
	case "iff":
		return r.compound(Iff, r.want(x, "iff", 2, 2))
	case "and":
		return r.compound(And, x.list[1:])
	case "or":
		return r.compound(Or, x.list[1:])
	}
	r.fail(x, "expected a formula: true, false, a predicate, a name, (entry …), (not …), (and …), (or …), (iff …)")
	return nil
}

// named returns the formula that a word stands for: a constant, a definition or a predicate.
func (r *reader) named(x *sexpr) *Formula {
	switch x.atom {
	case "true":
		return True()
	case "false":
		return False()
	}
	if d := r.formulas[x.atom]; d != nil {
		r.depth = max(r.depth, d.depth)
		return d.formula
	}
	return &Formula{Op: Holds, Pred: r.index(x, "predicate or formula")}
}

// compound reads the operands of a connective.
func (r *reader) compound(op Op, items []*sexpr) *Formula {
	f := &Formula{Op: op}
	for _, y := range items {
		f.Args = append(f.Args, r.formula(y))
	}
	return f
}

// index returns the index of predicate x in the scope; kind says which names are expected, for the
// message.
func (r *reader) index(x *sexpr, kind string) int {
	i, ok := r.pred[r.name(x)]
	if !ok {
		r.fail(x, "there is no %s %s in scope", kind, x.atom)
	}
	return i
}
