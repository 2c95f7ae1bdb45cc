package harness

import (
	"math/big"
	"slices"

	"c2bp/frontend/core"
	"c2bp/frontend/core/interp"
	driver "c2bp/frontend/harness"
	"c2bp/source"
)

// This file finds the pointers that functions without a body replace in a run: the program has stored a pointer in
// a member, or has read one there, and after such a call reads another one.
//
//	mutex_lock(&d->bus->lock);
//	reset(d);                       a function without a body, which reaches d
//	mutex_unlock(&d->bus->lock);    d->bus is another one
//
// They are what a reader doubts first about a failing run: most functions leave the pointers of others alone. One that
// is given the address of the pointer, find(&d->bus), does not count: it is there to set it. So are variables of other
// files that change between two tests, since a function without a body was called: most are set when the kernel starts.

// Replaced is a member of a struct in which a function without a body replaces a pointer, or a variable of other files
// that it changes.
type Replaced struct {
	Var    *core.Var    // nil of a member
	Record *core.Record // nil of a variable
	Member core.Member  // of Record, or of a struct in it: its offset is from the start of Record; of an array all elements
	Place  string       // in C: d->bus
	By     string       // the function, as in C
	Pos    source.Pos   // of the call
}

// Is reports whether p is the same member or variable as q.
func (p Replaced) Is(q Replaced) bool {
	return p.Var == q.Var && p.Record == q.Record && p.Member == q.Member
}

// slot is a place in memory.
type slot struct {
	object *interp.Object
	addr   uint64
}

// held is what the program knows of a pointer in memory.
type held struct {
	value  uint64
	stored bool       // the program has stored it
	by     string     // the function without a body that has changed it since; "" if there is none
	pos    source.Pos // of its call
}

// watcher finds the pointers that are replaced.
type watcher struct {
	known map[slot]held
	now   []touched // by the node under way
}

// touched is a place that a node accesses.
type touched struct {
	slot
	loc   core.Loc
	wrote bool
}

// access notes an access to memory. passes reports whether the call under way passes an address.
func (w *watcher) access(a interp.Access, passes func(addr uint64) bool) {
	if a.Extern != nil {
		// 1. A function without a body writes there.
		if a.Write {
			for s, h := range w.known {
				if s.object == a.Object && a.Addr < s.addr+8 && s.addr < a.Addr+uint64(a.Size) && !passes(s.addr) {
					h.by, h.pos = a.Extern.CName, a.Proc.Nodes[a.Node].Pos
					w.known[s] = h
				}
			}
		}
		return
	}
	// 2. The program accesses a pointer in a struct, or a variable of others.
	if a.Object == nil || !isWatched(a.Loc) {
		return
	}
	if w.known == nil {
		w.known = map[slot]held{}
	}
	s := slot{a.Object, a.Addr}
	i := slices.IndexFunc(w.now, func(t touched) bool { return t.slot == s })
	if i < 0 {
		i, w.now = len(w.now), append(w.now, touched{slot: s, loc: a.Loc})
	}
	w.now[i].wrote = w.now[i].wrote || a.Write
}

// isWatched reports whether l is a pointer in a struct, or a scalar variable of other files.
func isWatched(l core.Loc) bool {
	switch l := l.(type) {
	case *core.Mem:
		if _, isPointer := l.Typ.(core.Ptr); !isPointer {
			return false
		}
		r, _ := core.OwningMember(l)
		return r != nil
	case *core.VarRef:
		_, isScalar := core.Word(l.Var.Type)
		return isScalar && l.Var.Foreign
	}
	return false
}

// after looks at the places that a node has accessed, after it was executed, and returns those where a pointer was
// replaced.
func (w *watcher) after(m *interp.Machine) (list []Replaced) {
	if len(w.now) == 0 {
		return nil
	}
	load := m.State().Load
	for _, t := range w.now {
		v := load(new(big.Int).SetUint64(t.addr), t.loc.Type(), 0).Uint64()
		old := w.known[t.slot]
		if changed := !t.wrote && old.by != "" && v != old.value; changed {
			p := Replaced{Place: core.CString(t.loc), By: old.by, Pos: old.pos}
			switch l := t.loc.(type) {
			case *core.VarRef:
				p.Var = l.Var
			case *core.Mem:
				p.Record, p.Member = core.OwningMember(l)
			}
			// A pointer that the program has made null is set, not replaced; and between two calls of the driver the variables
			// of others may well change.
			if p.Var == nil && (old.value != 0 || !old.stored) || p.Var != nil && old.pos.File != driver.FileName {
				list = append(list, p)
			}
		}
		w.known[t.slot] = held{value: v, stored: t.wrote || old.stored && v == old.value}
	}
	w.now = w.now[:0]
	return list
}

// passes reports whether the call under way passes addr as an argument.
func (r *Recorder) passes(addr uint64) bool {
	f := r.machine.Top()
	c, ok := f.Proc().Nodes[f.Node()].Stmt.(*core.Call)
	return ok && slices.ContainsFunc(c.Args, func(e core.Expr) bool {
		if e == nil {
			return false
		}
		v, err := f.Eval(e)
		return err == nil && v.IsUint64() && v.Uint64() == addr
	})
}
