package abstract

import (
	"slices"

	"c2bp/abstract/refs"
	"c2bp/boolprog"
	"c2bp/frontend/core"
	"c2bp/logic"
)

// This file lists the formulas that can be tested at a node, besides the predicates in scope: object predicates
// of the objects that it follows pointers to, and comparisons of references. They are what its weakest
// preconditions are strengthened over.

// atom is a formula that the Boolean program can test where fs are followed: an object predicate of one
// of them, or that two references are equal.
type atom struct {
	expr   core.Expr
	read   boolprog.Expr
	target *boolprog.Ref // the field, for object predicates; else nil

	// The object predicate, and the pointer to the object.
	pred    *Predicate
	pointer core.Expr
}

// mostCompared bounds the references that are compared in pairs at a node.
const mostCompared = 6

// atoms lists the atoms at a node. compared are pointers of which it may matter whether they are equal.
func (h *heap) atoms(fs []follow, compared []core.Expr) (list []atom) {
	// 1. Object predicates.
	for _, f := range fs {
		for _, p := range h.preds[f.class] {
			list = append(list, atom{
				expr:   h.of(p, f.pointer),
				read:   &boolprog.Select{X: &boolprog.Ref{Name: f.name}, Field: p.Var()},
				target: &boolprog.Ref{Name: f.name, Field: p.Var()},
				pred:   p, pointer: f.pointer,
			})
		}
	}
	// 2. Comparisons, with null and with each other.
	if len(compared) > mostCompared {
		compared = compared[:mostCompared]
	}
	for i, x := range compared {
		if _, isVar := core.Base(x).(*core.AddrOf); !isVar {
			list = append(list, h.equal(x, core.Null(pointerOf(x)), fs))
		}
		for _, y := range compared[:i] {
			if slices.ContainsFunc(h.classes(x, fs), func(c *refs.Class) bool { return slices.Contains(h.classes(y, fs), c) }) {
				list = append(list, h.equal(x, y, fs))
			}
		}
	}
	return list
}

// pointerOf returns the type of a pointer.
func pointerOf(e core.Expr) core.Ptr { return e.Type().(core.Ptr) }

// equal returns the atom x == y: the references of all classes are equal.
func (h *heap) equal(x, y core.Expr, fs []follow) atom {
	var read boolprog.Expr
	classes := h.classes(x, fs)
	for _, c := range h.classes(y, fs) {
		if !slices.Contains(classes, c) {
			classes = append(classes[:len(classes):len(classes)], c)
		}
	}
	part := func(e core.Expr, c *refs.Class) boolprog.Expr {
		if slices.Contains(h.classes(e, fs), c) {
			return h.read(e, c, fs)
		}
		return &boolprog.Null{}
	}
	for _, c := range classes {
		var same boolprog.Expr = &boolprog.Binary{Op: boolprog.Eq, X: part(x, c), Y: part(y, c)}
		if read == nil {
			read = same
		} else {
			read = &boolprog.Binary{Op: boolprog.And, X: read, Y: same}
		}
	}
	return atom{expr: &core.Binary{Op: core.Eq, X: x, Y: y}, read: read}
}

// compared lists the kept pointers that a statement compares or assigns, and those variables that
// predicates in scope follow: an alias among these decides a weakest precondition. What the statement
// writes is not read for that, and no variable is that may not have been set: it is null in the Boolean
// program then.
func (h *heap) compared(p *core.Proc, node int, fs []follow, preds []*Predicate) (list []core.Expr) {
	st := p.Nodes[node].Stmt
	add := func(e core.Expr) {
		if len(h.classes(e, fs)) == 0 || slices.ContainsFunc(list, func(x core.Expr) bool { return core.Equal(x, e) }) {
			return
		}
		_, isVar := core.Base(e).(*core.AddrOf)
		from, _, _ := h.plan.Step(e)
		if (isVar || from != nil) && h.plan.Spot(e) == nil {
			if _, followed := find(fs, e); !followed {
				return // an object without a name
			}
		}
		list = append(list, e)
	}
	// 1. Operands of comparisons.
	written := core.Destinations(st)
	for _, e := range h.operands(st) {
		if l, ok := e.(core.Loc); ok && slices.Contains(written, l) {
			continue
		}
		core.Walk(e, func(e core.Expr) bool {
			if b, ok := e.(*core.Binary); ok && (b.Op == core.Eq || b.Op == core.Ne) {
				for _, x := range h.alike(b, known(fs)) {
					add(x)
				}
			}
			return true
		})
		if e != nil {
			add(h.plan.Object(e)) // if (p)
		}
	}
	// 2. Variables in predicates.
	for _, q := range preds {
		for _, v := range q.vars {
			if len(h.plan.Var(v)) > 0 && h.isSet(p, node, v) {
				add(v.Ref())
			}
		}
	}
	return list
}

// preOf returns the weakest precondition of atom i as an object predicate: of the object to which its pointer leads
// before a statement. p = p->next changes p, and not the object that p led to.
func (s *scope) preOf(i int, pre func(*logic.Term) *logic.Term) *logic.Term {
	x := s.atoms[i-len(s.preds)]
	// 1. The statement leaves the pointer as it is.
	old := &core.Var{Name: "old", Type: pointerOf(x.pointer), Kind: core.Ghost, Init: x.pointer}
	same := s.tr.Cond(&core.Binary{Op: core.Eq, X: old.Ref(), Y: x.pointer})
	if pre(same) == same {
		return pre(s.terms[i])
	}
	// 2. It changes the pointer: old = pointer comes before.
	wlp := pre(s.tr.Cond(s.a.heap.of(x.pred, old.Ref())))
	return s.tr.Pre(&core.Assign{Lhs: []core.Loc{old.Ref()}, Rhs: []core.Expr{x.pointer}})(wlp)
}

// withHeap returns s with the atoms of a node as further predicates.
func (s *scope) withHeap(list []atom) *scope {
	x := *s
	if len(list) == 0 {
		return &x
	}
	x.names, x.reads, x.terms = slices.Clone(s.names), slices.Clone(s.reads), slices.Clone(s.terms)
	x.atoms = list
	for _, a := range list {
		x.names = append(x.names, boolprog.ExprString(a.read))
		x.reads = append(x.reads, a.read)
		x.terms = append(x.terms, s.tr.Cond(a.expr))
	}
	x.space = x.newSpace(x.terms)
	return &x
}
