package abstract

import (
	"context"
	"fmt"
	"regexp"
	"slices"

	"c2bp/abstract/refs"
	"c2bp/boolprog"
	"c2bp/frontend/core"
	"c2bp/prover/cubes"
	"c2bp/source"
)

// This file adds references to an abstraction: package refs says which pointers are kept. For
//
//	class dev { bool {state == 1} := *; ref dev next; }
//
// and kept pointers p and q, a statement becomes
//
//	core node            Boolean program
//	x = p->state         assume(p != null); … := …         p.{state == 1} may be read
//	p->state = e         assume(p != null); p.{state == 1} := choose(F(WP(p->state == 1)), …)
//	p = q->next          assume(q != null); p := q.next
//	p = alloc            p := new dev
//	p = e                p := any dev new                   where no reference expresses e
//	p = &tab[i]          if (*) then assume({i == 0}); p := {&tab[0]}; else … fi
//	*i = e               dead dev.{state == 1}              where i may lead to some dev's state
//	assume(p == q)       assume(p = q)
//
// The predicate φ of an object becomes φ[p], with p for the object, wherever it is strengthened or read:
// its weakest preconditions are those of an ordinary predicate. That an object other than p's does not
// change by p->state = e needs no case distinction: it is another object.

// heap is the references of an abstraction.
type heap struct {
	plan  *refs.Plan
	preds map[*refs.Class][]*Predicate // the object predicates, over Class.This
	cubes map[*refs.Class][]cubes.Cube // infeasible ones of these

	pointer core.Ptr                            // the type of pointers
	set     map[*core.Proc][]map[*core.Var]bool // by node: setBefore
	weak    *weakWrites
	vague   string // a comparison of references that says more as a predicate; "" if there is none
}

// newHeap plans the references of a program, and collects the object predicates. It fails with a
// source.List if a type that is to be kept does not exist.
func newHeap(prog *core.Program, opts Options, preds []*Predicate) (*heap, error) {
	// 1. The types that are wanted.
	var wants []refs.Want
	for _, p := range preds {
		if p.This != nil && !slices.ContainsFunc(wants, func(w refs.Want) bool { return w.This == p.This }) {
			wants = append(wants, refs.Want{Record: p.This.To, This: p.This, Why: "it has object predicates"})
		}
	}
	more := slices.Clone(opts.kept)
	for _, name := range opts.Keep {
		r := refs.Record(prog, name)
		if r == nil {
			return nil, source.List{{Severity: source.Error, Msg: fmt.Sprintf("the program has no %s, which is to be kept", name)}}
		}
		more = append(more, r)
	}
	for _, r := range more {
		if !slices.ContainsFunc(wants, func(w refs.Want) bool { return w.Record == r }) {
			wants = append(wants, refs.Want{Record: r, Why: "it was asked for"})
		}
	}
	// 2. The plan, and the predicates of each class. A set of its own drops constants and duplicates.
	h := &heap{plan: refs.New(prog, opts.Alias, wants), preds: map[*refs.Class][]*Predicate{}, cubes: map[*refs.Class][]cubes.Cube{}, pointer: prog.Pointer(), set: map[*core.Proc][]map[*core.Var]bool{}}
	for _, p := range prog.Procs {
		h.set[p] = h.setBefore(p)
	}
	for _, c := range h.plan.Classes {
		set := newPredSet()
		for _, p := range preds {
			if p.This == c.This {
				set.add(p)
			}
		}
		h.preds[c] = set.global
	}
	return h, nil
}

// ordinary lists the predicates that are Boolean variables of the program. Those that speak of an object are
// not among them, where its class has them as fields, and none that only compares references: unless the
// places that they read are written otherwise than through references, or the pointer to the object is not
// kept. An index that chooses the object is compared with each number that it may be.
func (h *heap) ordinary(preds []*Predicate) (list []*Predicate) {
	for _, p := range preds {
		object := p.This != nil && slices.ContainsFunc(h.plan.Classes, func(c *refs.Class) bool { return c.This == p.This })
		switch {
		case p.plain != nil: // it was made of another one
			plain := p.plain
			if object && h.ofObject(plain.Expr) {
				list = append(list, h.indexPredicates(plain)...)
				if !h.weak.change(p.Expr) {
					continue
				}
			}
			list = append(list, plain)
		case p.This != nil:
		case !p.Pos.IsValid() && h.compares(p.Expr):
			list = append(list, h.indexPredicates(p)...)
			if h.weak.change(p.Expr) {
				list = append(list, p)
				h.vague = p.Name
			}
		default:
			list = append(list, p)
		}
	}
	return list
}

// indexPredicates compares the indices in p that choose objects with the numbers of these.
func (h *heap) indexPredicates(p *Predicate) (list []*Predicate) {
	core.Walk(p.Expr, func(e core.Expr) bool {
		index, choices := h.plan.Choices(e)
		for i := range choices {
			q := NewPredicate(p.Proc, indexIs(index, i), fmt.Sprintf("%s == %d", core.CString(index.I), i))
			q.Auto = true
			list = append(list, q)
		}
		return true
	})
	return list
}

// ofObject reports whether e says something of one object to which a kept pointer leads.
func (h *heap) ofObject(e core.Expr) bool {
	object, _, ok := objectOf(e)
	return ok && len(h.plan.ClassesOf(h.plan.Object(object), nil)) > 0
}

// compares reports whether e compares a pointer that is kept with another one, or with null.
func (h *heap) compares(e core.Expr) bool {
	b, ok := e.(*core.Binary)
	if !ok || b.Op != core.Eq && b.Op != core.Ne {
		return false
	}
	reference := func(e core.Expr) bool {
		_, isPointer := e.Type().(core.Ptr)
		return isPointer && (core.IsNull(e) || len(h.plan.ClassesOf(h.plan.Object(e), nil)) > 0)
	}
	return reference(b.X) && reference(b.Y)
}

// notes says which types are kept, and why others are not.
func (h *heap) notes() (list []string) {
	for _, c := range h.plan.Classes {
		text := fmt.Sprintf("%s is kept as class %s: %s", c.Record.Name, c.Name, c.Why)
		for i, f := range c.Fields {
			text += [...]string{"; its pointers ", ", "}[min(i, 1)] + f.Name
		}
		for i, f := range h.weakFields(c) {
			text += [...]string{"; written through pointers to them, too, and forgotten then: ", ", "}[min(i, 1)] + f.Name
		}
		for i, o := range h.plan.Unnamed(c) {
			text += [...]string{"; objects without names of their own, since there are many, in ", ", "}[min(i, 1)] + o.Name
		}
		list = append(list, text)
	}
	for _, r := range h.plan.Refused {
		list = append(list, fmt.Sprintf("%s is not kept: %s", r.Record.Name, r.Why))
	}
	return list
}

// Assumptions returns the lines of the ledger that the references need. An object whose life has ended is
// still one of the Boolean program, and different from all others, while a new one may have its address
// in C.
func (h *heap) Assumptions(a *abstraction) (lines []string) {
	// 1. The classes of objects that are freed, or are variables of a procedure.
	freed := map[*refs.Class]bool{}
	for _, p := range a.procs {
		for _, v := range slices.Concat(p.Formals, p.Locals) {
			for _, c := range h.plan.In(v) {
				freed[c] = true
			}
		}
		for _, n := range p.Nodes {
			if free, ok := n.Stmt.(*core.Free); ok {
				for _, t := range a.alias.PointsTo(free.Ptr).Targets() {
					for _, c := range h.plan.Of(t.Object) {
						freed[c] = true
					}
				}
			}
		}
	}
	// 2. A line for each.
	for _, c := range h.plan.Classes {
		if freed[c] {
			lines = append(lines, fmt.Sprintf("pointers: one to an object of %s whose life has ended is not compared with others", c.Record.Name))
		}
	}
	return lines
}

// of returns object predicate p of the object at an address.
func (p *Predicate) of(address core.Expr) core.Expr {
	return core.Replace(p.Expr, func(e core.Expr) core.Expr {
		if v, ok := e.(*core.VarRef); ok && v.Var == p.This {
			return address
		}
		return nil
	})
}

// follow is a kept pointer that a node follows, and the reference that holds it then.
type follow struct {
	pointer core.Expr
	class   *refs.Class // of the object that it leads to
	name    string      // of the reference
	kept    bool        // the reference holds it anyway; else it is assigned to it before
	sure    bool        // it is the address of a variable, and not null
	inside  bool        // something is read or written there, so that it leads to an object
}

// role says to objects of which class a pointer leads that may lead to those of several; nil if that is left
// open, and it is not followed.
type role struct {
	pointer core.Expr
	class   *refs.Class
}

// mostRoles bounds the combinations of classes that are told apart at a node.
const mostRoles = 8

// roles lists the combinations of classes of the pointers that expressions follow.
func (h *heap) roles(exprs []core.Expr) (list [][]role) {
	// 1. Each class of each pointer that has several.
	for todo := [][]role{nil}; len(todo) > 0 && len(list)+len(todo) <= mostRoles; {
		roles := todo[0]
		todo = todo[1:]
		_, open, classes := h.follow(exprs, roles)
		if open == nil {
			list = append(list, roles)
			if len(todo) == 0 {
				return list
			}
		}
		for _, c := range classes {
			todo = append(todo, append(roles[:len(roles):len(roles)], role{open, c}))
		}
	}
	// 2. Too many: those pointers are not followed.
	var none []role
	for {
		_, open, _ := h.follow(exprs, none)
		if open == nil {
			return [][]role{none}
		}
		none = append(none, role{pointer: open})
	}
}

// follow lists the kept pointers that the evaluation of expressions follows, each after those that it is
// read through: q and q->next for q->next->state. If one may lead to objects of several classes, and roles
// does not say to which, it is returned with these.
func (h *heap) follow(exprs []core.Expr, roles []role) (list []follow, open core.Expr, several []*refs.Class) {
	var add func(pointer core.Expr, read bool)
	inside := func(e core.Expr) {
		core.Walk(e, func(e core.Expr) bool {
			switch e := e.(type) {
			case *core.Mem:
				for _, x := range h.plan.Places(e.Addr, core.Bytes(e.Typ)) {
					add(x.Pointer, true)
				}
			case *core.VarRef:
				for _, x := range h.plan.Spots(e.Var) { // a whole object
					add(x.Address, true)
				}
			case *core.Index: // the address of an element
				add(e, false)
			}
			return true
		})
	}
	temps := map[*refs.Class]int{}
	add = func(pointer core.Expr, read bool) {
		if i := slices.IndexFunc(list, func(f follow) bool { return core.Equal(f.pointer, pointer) }); i >= 0 {
			list[i].inside = list[i].inside || read
			return
		}
		// 1. Those that it is read through.
		switch x := pointer.(type) {
		case *core.Index:
			inside(x.X)
			inside(x.I)
		default:
			inside(pointer)
		}
		// 2. The class of its object.
		classes := h.classes(pointer, list)
		if len(classes) > 1 {
			i := slices.IndexFunc(roles, func(r role) bool { return core.Equal(r.pointer, pointer) })
			switch {
			case i >= 0 && roles[i].class == nil:
				return
			case i >= 0:
				classes = []*refs.Class{roles[i].class}
			case open == nil:
				open, several = pointer, classes
				return
			}
		}
		if len(classes) != 1 {
			return
		}
		// 3. The reference.
		f := follow{pointer: pointer, class: classes[0], inside: read}
		spot := h.plan.Spot(pointer)
		switch p := pointer.(type) {
		case *core.VarRef:
			f.name, f.kept = h.refName(p.Var, f.class), true
		default:
			if spot != nil {
				f.name, f.kept, f.sure = objectName(*spot), true, true
				break
			}
			temps[f.class]++
			f.name = tempName(f.class, temps[f.class])
		}
		list = append(list, f)
	}
	for _, e := range exprs {
		inside(e)
	}
	return list, open, several
}

// follows is follow where roles says all.
func (h *heap) follows(exprs []core.Expr, roles []role) []follow {
	list, _, _ := h.follow(exprs, roles)
	return list
}

// classes returns the classes of the objects that a pointer leads to which a node has that follows fs.
func (h *heap) classes(pointer core.Expr, fs []follow) []*refs.Class {
	return h.plan.ClassesOf(pointer, func(inner core.Expr) *refs.Class {
		if f, ok := find(fs, inner); ok {
			return f.class
		}
		return nil
	})
}

// places lists the object predicates with all pointers that procedures follow, and with any, and the
// members that are kept.
func (h *heap) places(procs []*core.Proc) (list []core.Expr) {
	with := func(pointer core.Expr, c *refs.Class) {
		for _, p := range h.preds[c] {
			list = append(list, p.of(pointer))
		}
	}
	for _, c := range h.plan.Classes {
		with(c.This.Ref(), c)
		for _, f := range c.Fields {
			list = append(list, c.Place(f))
		}
	}
	for _, p := range procs {
		for _, n := range p.Nodes {
			exprs := operands(n.Stmt)
			if c, ok := n.Stmt.(*core.Call); ok && c.Lhs != nil {
				exprs = append(exprs, c.Lhs)
			}
			for _, roles := range h.roles(exprs) {
				for _, f := range h.follows(exprs, roles) {
					with(f.pointer, f.class)
				}
			}
		}
	}
	return list
}

// likeOther matches names that the Boolean program has for other things.
var likeOther = regexp.MustCompile(`^(prm|ret)[0-9]+$`)

// refName returns the name of the reference for a pointer variable, as far as it leads to objects of a class.
func (h *heap) refName(v *core.Var, c *refs.Class) string {
	switch {
	case len(h.plan.Var(v)) > 1:
		return refs.RoleName(v.Name, c)
	case boolprog.ValidName(v.Name) && !boolprog.IsReferenceWord(v.Name) && !likeOther.MatchString(v.Name) && v.Name[0] != '{' && v.Name != "_":
		return v.Name
	}
	return "{ref " + v.Name + "}"
}

// objectName returns the name of the reference to an object with a name.
func objectName(x refs.Spot) string { return "{&" + x.Name + "}" }

// tempName returns the name of reference i of a node for pointers that no variable holds.
func tempName(c *refs.Class, i int) string { return fmt.Sprintf("{ref %d to %s}", i, c.Name) }

// operands lists the expressions that a node evaluates before it changes anything: of a call, not the
// place of its result, which it writes afterwards.
func operands(s core.Stmt) (list []core.Expr) {
	switch s := s.(type) {
	case *core.Call:
		core.StmtExprs(s, func(e core.Expr) {
			if s.Lhs == nil || e != core.Expr(s.Lhs) {
				list = append(list, e)
			}
		})
	// No execution evaluates From.
	case *core.Havoc:
		for _, l := range s.Locs {
			list = append(list, l)
		}
		if s.Reads != nil {
			list = append(list, s.Reads)
		}
	default:
		core.StmtExprs(s, func(e core.Expr) { list = append(list, e) })
	}
	// Bytes at an address, if there are any.
	bytes := func(address core.Expr, n int64) {
		if n > 0 {
			list = append(list, &core.Mem{Addr: address, Typ: core.Agg{Size: n}})
		}
	}
	switch s := s.(type) {
	case *core.Copy:
		bytes(s.Dst, constantOf(s.Size))
		bytes(s.Src, constantOf(s.Size))
	case *core.Fill:
		bytes(s.Dst, constantOf(s.Size))
	case *core.Data:
		bytes(s.Dst, int64(len(s.Bytes)))
	}
	return list
}

// reference returns the reference that stands for a pointer, as the right side of an assignment to the one
// of a class among those of a pointer with several; ok is false if it may be any.
func (h *heap) reference(e core.Expr, class *refs.Class, among []*refs.Class, fs []follow) (ref boolprog.Expr, ok bool) {
	// 1. The pointer to an object is the address of its first member, too: &p->f.
	if core.IsNull(e) {
		return &boolprog.Null{}, true
	}
	e = h.plan.Object(e)
	classes := h.classes(e, fs)
	if len(classes) == 0 || slices.ContainsFunc(classes, func(c *refs.Class) bool { return !slices.Contains(among, c) }) {
		return &boolprog.Any{Class: class.Name, New: true}, false
	}
	// 2. It leads to an object of another class only.
	if !slices.Contains(classes, class) {
		return &boolprog.Null{}, true
	}
	ref = h.read(e, class, fs)
	_, choice := ref.(*boolprog.Any)
	return ref, !choice
}

// read returns the expression for a kept pointer, as far as it leads to objects of a class.
func (h *heap) read(e core.Expr, class *refs.Class, fs []follow) boolprog.Expr {
	switch x := e.(type) {
	case *core.VarRef:
		return &boolprog.Ref{Name: h.refName(x.Var, class)}
	case *core.Mem:
		pointer, at := h.plan.Locate(x.Addr, core.Bytes(x.Typ))
		base, _ := find(fs, pointer)
		for _, f := range base.class.At(at.Off) {
			if f.Class == class {
				return &boolprog.Select{X: &boolprog.Ref{Name: base.name}, Field: f.Name}
			}
		}
	}
	if spot := h.plan.Spot(e); spot != nil {
		return &boolprog.Ref{Name: objectName(*spot)}
	}
	if f, ok := find(fs, e); ok {
		return &boolprog.Ref{Name: f.name}
	}
	return &boolprog.Any{Class: class.Name, New: true} // an object without a name
}

// find returns the element of list for a pointer.
func find(list []follow, pointer core.Expr) (f follow, ok bool) {
	i := slices.IndexFunc(list, func(f follow) bool { return core.Equal(f.pointer, pointer) })
	if i < 0 {
		return follow{}, false
	}
	return list[i], true
}

// enter returns the statements before a node that follows pointers: none of them is null, since a run
// that follows null ends there.
func (s *scope) enter(ctx context.Context, fs []follow) (out []*boolprog.Stmt, err error) {
	for i, f := range fs {
		load, err := s.load(ctx, f, fs[:i])
		if err != nil {
			return nil, err
		}
		out = append(out, load...)
		if !f.sure {
			out = append(out, &boolprog.Stmt{Op: &boolprog.Assume{Cond: notNull(f.name)}})
		}
	}
	return out, nil
}

// load returns the statements that assign the reference of a follow, where no other holds the pointer.
func (s *scope) load(ctx context.Context, f follow, before []follow) ([]*boolprog.Stmt, error) {
	if f.kept {
		return nil, nil
	}
	ref := &boolprog.Ref{Name: f.name}
	index, choices := s.a.heap.plan.Choices(f.pointer)
	switch {
	case len(choices) > 0:
		st, err := s.choose(ctx, f, index, choices, before)
		return []*boolprog.Stmt{st}, err
	case index != nil:
		return []*boolprog.Stmt{assignRef(ref, &boolprog.Any{Class: f.class.Name, New: true})}, nil
	}
	return []*boolprog.Stmt{assignRef(ref, s.a.heap.read(f.pointer, f.class, before))}, nil
}

// choose returns the statement that makes the reference of a follow the element of an array that an index
// chooses:
//
//	if (*) then assume({i == 0}); ref := {&tab[0]};
//	else assume({i == 1}); ref := {&tab[1]};
//	fi
func (s *scope) choose(ctx context.Context, f follow, index *core.Index, choices []refs.Spot, before []follow) (*boolprog.Stmt, error) {
	x := s.withHeap(s.a.heap.atoms(before, nil))
	var arms [][]*boolprog.Stmt
	ref := &boolprog.Ref{Name: f.name}
	add := func(cond core.Expr, value boolprog.Expr) error {
		when, err := x.assume(ctx, s.tr.Cond(cond))
		if err != nil {
			return err
		}
		arms = append(arms, append(withoutSkips(when), assignRef(ref, value)))
		return nil
	}
	// 1. Each element.
	for i, c := range choices {
		if err := add(indexIs(index, i), &boolprog.Ref{Name: objectName(c)}); err != nil {
			return nil, err
		}
	}
	// 2. The address just after the last one, which may be computed.
	if !f.inside && index.Count != int64(len(choices)) {
		if err := add(indexIs(index, len(choices)), &boolprog.Any{Class: choices[0].Class.Name, New: true}); err != nil {
			return nil, err
		}
	}
	s.limited = s.limited || x.limited
	return oneOf(arms), nil
}

// indexIs returns the condition that an index is i.
func indexIs(index *core.Index, i int) core.Expr {
	number, typ := index.I, index.I.Type().(core.Int)
	if typ.Bits < 8 { // it need not have the value
		typ = core.Int32
		number = &core.Conv{X: number, To: typ}
	}
	return &core.Binary{Op: core.Eq, X: number, Y: core.NewConst(int64(i), typ)}
}

// withoutSkips returns the statements that are no skips.
func withoutSkips(list []*boolprog.Stmt) []*boolprog.Stmt {
	return slices.DeleteFunc(list, func(st *boolprog.Stmt) bool { _, is := st.Op.(*boolprog.Skip); return is })
}

// notNull returns the condition that a reference is not null.
func notNull(name string) boolprog.Expr {
	return &boolprog.Binary{Op: boolprog.Ne, X: &boolprog.Ref{Name: name}, Y: &boolprog.Null{}}
}

// atom is a formula that the Boolean program can test where fs are followed: an object predicate of one
// of them, or that two references are equal.
type atom struct {
	expr   core.Expr
	read   boolprog.Expr
	target *boolprog.Ref // the field, for object predicates; else nil
}

// mostCompared bounds the references that are compared in pairs at a node.
const mostCompared = 6

// atoms lists the atoms at a node. compared are pointers of which it may matter whether they are equal.
func (h *heap) atoms(fs []follow, compared []core.Expr) (list []atom) {
	// 1. Object predicates.
	for _, f := range fs {
		for _, p := range h.preds[f.class] {
			list = append(list, atom{
				expr:   p.of(f.pointer),
				read:   &boolprog.Select{X: &boolprog.Ref{Name: f.name}, Field: p.Var()},
				target: &boolprog.Ref{Name: f.name, Field: p.Var()},
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
		if e = h.plan.Object(e); len(h.classes(e, fs)) == 0 || slices.ContainsFunc(list, func(x core.Expr) bool { return core.Equal(x, e) }) {
			return
		}
		if _, isVar := core.Base(e).(*core.AddrOf); isVar && h.plan.Spot(e) == nil {
			if _, followed := find(fs, e); !followed {
				return // an object without a name
			}
		}
		list = append(list, e)
	}
	// 1. Operands of comparisons.
	written := core.Destinations(st)
	for _, e := range operands(st) {
		if l, ok := e.(core.Loc); ok && slices.Contains(written, l) {
			continue
		}
		core.Walk(e, func(e core.Expr) bool {
			if b, ok := e.(*core.Binary); ok && (b.Op == core.Eq || b.Op == core.Ne) {
				add(b.X)
				add(b.Y)
			}
			return true
		})
		add(e) // if (p)
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

// withHeap returns s with the atoms of a node as further predicates.
func (s *scope) withHeap(list []atom) *scope {
	x := *s
	if len(list) == 0 {
		return &x
	}
	x.names, x.reads, x.terms = slices.Clone(s.names), slices.Clone(s.reads), slices.Clone(s.terms)
	x.targets = make([]*boolprog.Ref, len(s.names))
	for _, a := range list {
		x.names = append(x.names, boolprog.ExprString(a.read))
		x.reads = append(x.reads, a.read)
		x.targets = append(x.targets, a.target)
		x.terms = append(x.terms, s.tr.Cond(a.expr))
	}
	x.space = x.newSpace(x.terms)
	return &x
}

// reads returns the expressions that read the variables of predicates.
func readsOf(names []string) []boolprog.Expr {
	list := make([]boolprog.Expr, len(names))
	for i, n := range names {
		list[i] = &boolprog.Ref{Name: n}
	}
	return list
}
