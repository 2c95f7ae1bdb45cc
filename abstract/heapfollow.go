package abstract

import (
	"slices"

	"c2bp/abstract/refs"
	"c2bp/frontend/core"
)

// This file finds the kept pointers that a node follows, and has references for them: those of variables,
// and others, to which they are assigned before the node.

// follow is a kept pointer that a node follows, and the reference that holds it then.
type follow struct {
	pointer core.Expr
	class   *refs.Class // of the object that it leads to
	name    string      // of the reference
	kept    bool        // the reference holds it anyway; else it is assigned to it before
	sure    bool        // it is the address of a variable, and not null
	inside  bool        // something is read or written there, so that it leads to an object
	steps   *step       // the pointer is a way to it from another object; nil if it is none
}

// step is a way from an object to a part of it, or to its owner. The two have the same address if mayBeNull is set,
// and the first pointer may be null then.
type step struct {
	*refs.Inner
	from      core.Expr
	down      bool
	mayBeNull bool
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
				// The class of the first object says which parts it has.
				for n := 0; ; {
					places := h.plan.Places(e.Addr, core.Bytes(e.Typ), known(list))
					for _, x := range places {
						add(x.Pointer, true)
					}
					if len(places) <= n {
						break
					}
					n = len(places)
				}
			case *core.VarRef:
				for _, x := range h.plan.Spots(e.Var) { // a whole object
					add(x.Address, true)
				}
			case *core.Index: // the address of an element
				add(e, false)
			case *core.Offset:
				if from, _, _ := h.plan.Step(e); from != nil {
					add(e, false)
					return false
				}
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
		from, in, down := h.plan.Step(pointer)
		_, isRef := from.(*core.VarRef)
		mayBeNull := isRef && in.Off == 0 && !read
		switch x := pointer.(type) {
		case *core.Index:
			inside(x.X)
			inside(x.I)
		default:
			switch {
			case in == nil:
				inside(pointer)
			case h.plan.Spot(pointer) == nil && !mayBeNull:
				add(from, read)
			}
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
			if in != nil {
				f.steps = &step{in, from, down, mayBeNull}
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
	return h.plan.ClassesOf(pointer, known(fs))
}

// known returns the classes of the objects that fs lead to.
func known(fs []follow) refs.Classes {
	return func(pointer core.Expr) *refs.Class {
		f, _ := find(fs, pointer)
		return f.class
	}
}

// find returns the element of list for a pointer.
func find(list []follow, pointer core.Expr) (f follow, ok bool) {
	i := slices.IndexFunc(list, func(f follow) bool { return core.Equal(f.pointer, pointer) })
	if i < 0 {
		return follow{}, false
	}
	return list[i], true
}

// operands lists the expressions that a node evaluates before it changes anything, with the ways from one object to
// another: of a call, not the place of its result, which it writes afterwards.
func (h *heap) operands(s core.Stmt) []core.Expr {
	list, ok := h.known[s]
	if !ok {
		list = h.operandsOf(s)
	}
	return list[:len(list):len(list)]
}

// operandsOf finds the operands of a statement.
func (h *heap) operandsOf(s core.Stmt) []core.Expr {
	list := evaluated(s)
	return append(list, h.ways(s, list)...)
}

// evaluated is operands without ways.
func evaluated(s core.Stmt) (list []core.Expr) {
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
