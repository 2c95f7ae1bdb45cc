package unset

import (
	"slices"

	"c2bp/frontend/core"
)

// This file executes statements: which bytes of the variable or object they read and set, and where
// its address goes.

// step executes node k in state s, which it does not change. Its results are noted in x, the state
// after it in the step.
func (x *life) step(k int, s *state) *step {
	w := &step{life: x, state: s.clone()}
	if k == x.begin {
		w.again()
	} else {
		w.node(x.proc.Nodes[k].Stmt)
	}
	return w
}

// step is the execution of one node.
type step struct {
	*life
	*state
	over bool // the life has ended, or the rest of the path has no further results
}

// again executes the beginning of another life of the kind. An object that is still known may be
// read later.
func (w *step) again() {
	if w.alloc != nil {
		if delete(w.names, w.alloc.Lhs.(*core.VarRef).Var); len(w.names) > 0 {
			w.expose()
		}
	}
	w.over = true
}

// expose notes that from now on anybody may read the bytes that are not set.
func (w *step) expose() {
	w.read(w.whole)
	w.over, w.exposed = true, true
}

// read notes a read of bytes: those that no path has set before are unset.
func (w *step) read(list ...core.Range) {
	w.unset = w.unset.With(core.Ranges(list).Common(core.Ranges{w.whole}).Without(w.set)...)
}

// node executes s: operands are read before destinations are set.
func (w *step) node(s core.Stmt) {
	switch s := s.(type) {
	case *core.Assume:
		w.value(s.Cond)
	case *core.Assert:
		w.value(s.Cond)
	case *core.Assign:
		w.assign(s)
	case *core.Copy:
		w.value(s.Size)
		if p, ok := w.place(s.Src); ok {
			w.read(w.bytes(p, s.Size))
		} else {
			w.value(s.Src)
		}
		w.store(s.Dst, s.Size)
	case *core.Fill:
		w.value(s.Size)
		w.value(s.Byte)
		w.store(s.Dst, s.Size)
	case *core.Data:
		w.store(s.Dst, core.NewConst(int64(len(s.Bytes)), core.Int64))
	case *core.Alloc:
		w.value(s.Size)
		w.destination(s.Lhs)
	case *core.Free:
		// The life ends if this is the only name; with others it may be another object that is
		// freed.
		if ref, ok := s.Ptr.(*core.VarRef); ok && w.names[ref.Var] {
			w.over = w.alloc != nil && len(w.names) == 1
			return
		}
		w.value(s.Ptr)
	case *core.Havoc:
		w.havoc(s)
	case *core.Call:
		w.call(s)
	case *core.Return:
		w.leave()
	}
}

// assign executes s: a variable that gets the address of the object is a further name of it.
func (w *step) assign(s *core.Assign) {
	// 1. Copies of the address to other registers are names; other right sides are read.
	named := make([]bool, len(s.Lhs))
	for i, e := range s.Rhs {
		from, isRef := e.(*core.VarRef)
		to, isVar := s.Lhs[i].(*core.VarRef)
		if named[i] = isRef && isVar && w.names[from.Var] && isRegister(to.Var); !named[i] {
			w.value(e)
		}
	}
	// 2. Destinations are set.
	for _, l := range s.Lhs {
		w.destination(l)
	}
	for i, l := range s.Lhs {
		if named[i] {
			w.names[l.(*core.VarRef).Var] = true
		}
	}
	// 3. Without a name, nobody can reach the object.
	if w.alloc != nil && len(w.names) == 0 {
		w.over = true // nobody knows the object; one that a formal pointed to is known to callers
	}
}

// destination executes the store to l; the stored value was examined before. A variable that is
// written is no name of the object any more.
func (w *step) destination(l core.Loc) {
	switch l := l.(type) {
	case *core.VarRef:
		if l.Var == w.v {
			w.set = w.set.With(w.whole)
		}
		delete(w.names, l.Var)
	case *core.Mem:
		if p, ok := w.place(l.Addr); ok {
			w.set = w.set.With(w.bytesOf(p, l))
		} else {
			w.value(l.Addr)
		}
	}
}

// store sets size bytes at an address. A store to elsewhere may still use the object's address.
func (w *step) store(addr, size core.Expr) {
	if p, ok := w.place(addr); ok {
		w.set = w.set.With(w.bytes(p, size))
	} else {
		w.value(addr)
	}
}

// havoc executes s: to make locations arbitrary is to set them.
func (w *step) havoc(s *core.Havoc) {
	if s.Region && (w.v == nil || w.v.InMemory()) {
		w.expose()
		return
	}
	for _, x := range s.From {
		w.value(x.Value)
		w.value(x.At)
		w.value(x.Size)
	}
	if s.Reads != nil {
		w.value(s.Reads)
	}
	for _, l := range s.Locs {
		if ref, ok := l.(*core.VarRef); ok && s.Begin && ref.Var == w.v {
			w.over = true // by another statement
			return
		}
		w.destination(l)
	}
}

// leave executes the return. Returning the address exposes the object; otherwise the bytes that are
// set are those of the summary.
func (w *step) leave() {
	if r := w.proc.Result; r != nil {
		w.value(r.Ref())
	}
	if !w.over { // not exposed by the result
		w.left, w.returns = w.left.With(w.set...), true
	}
	w.over = true
}

// call executes a call: a procedure that is given the address may read and set the object.
func (w *step) call(s *core.Call) {
	w.value(s.Target)
	// 1. Find the argument that is the address. Anything but one plain pointer exposes the object.
	var given *core.Var
	var at int64
	for i, a := range slices.Concat(s.Args, s.Extra) {
		if a == nil {
			continue
		}
		p, ok := w.place(a)
		if !ok {
			w.value(a)
			continue
		}
		// A procedure without a body may set all; an unknown one, or extra arguments, may read all.
		switch {
		case s.Callee != nil && !s.Callee.HasBody() && w.extern != core.ExternPure:
			w.over, w.exposed = true, true // it may set all of it
			return
		case s.Callee == nil || !s.Callee.HasBody() || i >= len(s.Callee.Formals):
			w.expose()
			return
		}
		formal := s.Callee.Formals[i]
		// A struct by value is read. Of pointers, one plain one can be followed into the callee.
		switch _, byValue := formal.Type.(core.Agg); {
		case byValue:
			w.read(w.bytesOf(p, &core.Mem{Typ: formal.Type}))
		case given != nil || p.width > 0 || !isRegister(formal):
			w.expose()
			return
		default:
			given, at = formal, p.off
		}
	}
	// 2. Apply the summary of the callee.
	if given != nil && !w.over {
		w.pass(w.summary(s.Callee, given), at)
	}
	if s.Lhs != nil && !w.over {
		w.destination(s.Lhs)
	}
}

// pass applies the summary x of a procedure that is given the address of byte off. If the procedure
// never returns with the object unexposed, the path has no further results.
func (w *step) pass(x *life, off int64) {
	if x.open { // it calls itself
		w.expose()
		return
	}
	shifted := func(list core.Ranges) (out core.Ranges) {
		for _, r := range list {
			out = append(out, core.Range{Off: r.Off + off, End: r.End + off})
		}
		return out
	}
	w.read(shifted(x.unset)...) // where it is exposed, too
	w.exposed, w.over = w.exposed || x.exposed, !x.returns
	w.set = w.set.With(shifted(x.left)...)
}
