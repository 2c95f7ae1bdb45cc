package abstract

import (
	"fmt"
	"regexp"
	"slices"

	"c2bp/abstract/refs"
	"c2bp/boolprog"
	"c2bp/frontend/core"
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

	pointer core.Ptr // the type of pointers
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
	h := &heap{plan: refs.New(prog, opts.Alias, wants), preds: map[*refs.Class][]*Predicate{}, pointer: prog.Pointer()}
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

// notes says which types are kept, and why others are not.
func (h *heap) notes() (list []string) {
	for _, c := range h.plan.Classes {
		text := fmt.Sprintf("%s is kept as class %s: %s", c.Record.Name, c.Name, c.Why)
		for i, f := range c.Fields {
			text += [...]string{"; its pointers ", ", "}[min(i, 1)] + f.Name
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
			freed[h.plan.Object(v)] = true
		}
		for _, n := range p.Nodes {
			if free, ok := n.Stmt.(*core.Free); ok {
				for _, t := range a.alias.PointsTo(free.Ptr).Targets() {
					freed[h.plan.Of(t.Object)] = true
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
	class   *refs.Class
	name    string // of the reference
	kept    bool   // the reference holds it anyway; else it is assigned to it before
	sure    bool   // it is the address of a variable, and not null
}

// follows lists the kept pointers that the evaluation of expressions follows, each after those that it is
// read through: q and q->next for q->next->state.
func (h *heap) follows(exprs []core.Expr) (list []follow) {
	var add func(pointer core.Expr)
	inside := func(e core.Expr) {
		core.Walk(e, func(e core.Expr) bool {
			switch e := e.(type) {
			case *core.Mem:
				add(core.Base(e.Addr))
			case *core.VarRef:
				if h.plan.Object(e.Var) != nil { // a whole object
					add(&core.AddrOf{Var: e.Var, Typ: h.pointer})
				}
			}
			return true
		})
	}
	temps := map[*refs.Class]int{}
	add = func(pointer core.Expr) {
		class := h.plan.Class(pointer)
		if class == nil || slices.ContainsFunc(list, func(f follow) bool { return core.Equal(f.pointer, pointer) }) {
			return
		}
		inside(pointer)
		f := follow{pointer: pointer, class: class}
		switch p := pointer.(type) {
		case *core.VarRef:
			f.name, f.kept = refName(p.Var), true
		case *core.AddrOf:
			f.name, f.kept, f.sure = objectName(p.Var), true, true
		default:
			temps[class]++
			f.name = tempName(class, temps[class])
		}
		list = append(list, f)
	}
	for _, e := range exprs {
		inside(e)
	}
	return list
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
			for _, f := range h.follows(exprs) {
				with(f.pointer, f.class)
			}
		}
	}
	return list
}

// likeOther matches names that the Boolean program has for other things.
var likeOther = regexp.MustCompile(`^(prm|ret)[0-9]+$`)

// refName returns the name of the reference for a pointer variable.
func refName(v *core.Var) string {
	if boolprog.ValidName(v.Name) && !boolprog.IsReferenceWord(v.Name) && !likeOther.MatchString(v.Name) && v.Name[0] != '{' && v.Name != "_" {
		return v.Name
	}
	return "{ref " + v.Name + "}"
}

// objectName returns the name of the reference to the object that a variable is.
func objectName(v *core.Var) string { return "{&" + v.Name + "}" }

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

// reference returns the reference that stands for a pointer, as the right side of an assignment to one of
// a class; ok is false if it may be any.
func (h *heap) reference(e core.Expr, class *refs.Class, fs []follow) (ref boolprog.Expr, ok bool) {
	if core.IsNull(e) {
		return &boolprog.Null{}, true
	}
	e = firstMember(e)
	if h.plan.Class(e) != class {
		return &boolprog.Any{Class: class.Name, New: true}, false
	}
	return h.read(e, fs), true
}

// firstMember returns the pointer to an object if e is the address of its first member, &p->f; else e.
func firstMember(e core.Expr) core.Expr {
	if off, constant := refs.Displacement(e); constant && off == 0 {
		return core.Base(e)
	}
	return e
}

// read returns the expression for a kept pointer.
func (h *heap) read(e core.Expr, fs []follow) boolprog.Expr {
	switch e := e.(type) {
	case *core.VarRef:
		return &boolprog.Ref{Name: refName(e.Var)}
	case *core.AddrOf:
		return &boolprog.Ref{Name: objectName(e.Var)}
	}
	m := e.(*core.Mem)
	return &boolprog.Select{X: &boolprog.Ref{Name: find(fs, core.Base(m.Addr)).name}, Field: h.plan.Member(m).Name}
}

// find returns the element of list for a pointer, which it has.
func find(list []follow, pointer core.Expr) follow {
	i := slices.IndexFunc(list, func(f follow) bool { return core.Equal(f.pointer, pointer) })
	return list[i]
}

// enter returns the statements before a node that follows pointers: none of them is null, since a run
// that follows null ends there.
func (h *heap) enter(fs []follow) (out []*boolprog.Stmt) {
	for _, f := range fs {
		ref := &boolprog.Ref{Name: f.name}
		if !f.kept {
			out = append(out, &boolprog.Stmt{Op: &boolprog.Assign{Lhs: []*boolprog.Ref{ref}, Rhs: []boolprog.Expr{h.read(f.pointer, fs)}}})
		}
		if !f.sure {
			out = append(out, &boolprog.Stmt{Op: &boolprog.Assume{Cond: notNull(f.name)}})
		}
	}
	return out
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
		class := h.plan.Class(x)
		if _, isAddress := x.(*core.AddrOf); !isAddress {
			list = append(list, h.equal(x, core.Null(pointerOf(x)), fs, &boolprog.Null{}))
		}
		for _, y := range compared[:i] {
			if h.plan.Class(y) == class {
				list = append(list, h.equal(x, y, fs, h.read(y, fs)))
			}
		}
	}
	return list
}

// pointerOf returns the type of a pointer.
func pointerOf(e core.Expr) core.Ptr { return e.Type().(core.Ptr) }

// equal returns the atom x == y; read is the expression for y.
func (h *heap) equal(x, y core.Expr, fs []follow, read boolprog.Expr) atom {
	return atom{
		expr: &core.Binary{Op: core.Eq, X: x, Y: y},
		read: &boolprog.Binary{Op: boolprog.Eq, X: h.read(x, fs), Y: read},
	}
}

// compared lists the kept pointers that a statement compares or assigns, and those variables that
// predicates in scope follow: an alias among these decides a weakest precondition. What the statement
// writes is not read for that: it may not have been set, and is null in the Boolean program then.
func (h *heap) compared(st core.Stmt, fs []follow, preds []*Predicate) (list []core.Expr) {
	add := func(e core.Expr) {
		_, isField := e.(*core.Mem)
		if h.plan.Class(e) == nil || slices.ContainsFunc(list, func(x core.Expr) bool { return core.Equal(x, e) }) {
			return
		}
		if isField && !slices.ContainsFunc(fs, func(f follow) bool { return core.Equal(f.pointer, core.Base(e.(*core.Mem).Addr)) }) {
			return // it is not followed here
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
	for _, p := range preds {
		for _, v := range p.vars {
			if h.plan.Var(v) != nil {
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
