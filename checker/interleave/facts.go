package interleave

import (
	"slices"

	"c2bp/checker/movers"
	"c2bp/checker/summaries"
	"c2bp/checker/zom"
)

// This file notes what summaries depend on. What an invocation reads is noted in it alone; when its root is used, the
// caller notes what it depends on of that.

// note adds a fact about the entry of an invocation to the pattern of its root, unless it is there.
func (r *reducer) note(v *invocation, f summaries.Fact, answer zom.Word) {
	if v.Note(r.s, f, answer) {
		r.two.changes++
	}
}

// notes notes the locations that an access in an invocation reads and writes.
func (r *reducer) notes(a zom.Access) {
	v := r.inv()
	at := zom.Loc{Obj: a.Obj, Index: a.Index}
	if a.Index == zom.Content && a.Slot != zom.Content {
		at.Index = a.Slot
	}
	whole := at.Obj != zom.Null && at.Index == zom.Content
	switch a.Use {
	case zom.ReadAt, zom.EmptyAt, zom.SizeAt:
		r.reads(at)
	case zom.WriteAt, zom.SendAt, zom.ReceiveAt:
		// A set or channel is changed: what it becomes depends on what it was. So does a place to which a condition
		// writes, as its effect is undone.
		if whole || a.Inner {
			r.reads(at)
		}
		v.Published = v.Published || r.publishes(a)
		v.Write(at)
	}
}

// reads notes that a location is read.
func (r *reducer) reads(at zom.Loc) {
	if at.Obj != zom.Null && at.Index == zom.Content {
		// Arrays are read element by element.
		class := r.model.Prog.Classes[r.s.Class(at.Obj)]
		if class.Form == zom.Array {
			for i := range len(r.s.Elements(at.Obj)) {
				r.reads(zom.Loc{Obj: at.Obj, Index: int32(i)})
			}
			return
		}
	}
	if v := r.inv(); !v.Own(at.Obj) && !v.Written(at) {
		r.note(v, summaries.Fact{Kind: summaries.Value, At: at}, 0)
	}
}

// publishes reports whether a write may make an object reachable for others that was not so.
func (r *reducer) publishes(a zom.Access) bool {
	p := r.model.Prog
	// 1. A place that others cannot reach hides what is written there.
	if a.Obj != zom.Null && !r.o.others(a.Obj) {
		return false
	}
	// 2. The value of an element is not told.
	if a.Obj != zom.Null && a.Index == zom.Content {
		return a.Use != zom.ReceiveAt && slices.ContainsFunc(p.Classes[r.s.Class(a.Obj)].Elem, func(s zom.Slot) bool { return s.Kind == zom.Ref })
	}
	slots := p.Globals
	if a.Obj != zom.Null {
		slots = p.Classes[r.s.Class(a.Obj)].Fields
	}
	return slots[a.Index].Kind == zom.Ref && a.Value != zom.Null && !r.o.others(a.Value)
}

// sharedIn reports whether others can reach an object, as far as an invocation knows; note notes that it depends
// on the answer.
func (r *reducer) sharedIn(v *invocation, obj zom.Word, note bool) bool {
	switch {
	case v == nil:
		return r.two.shared[obj-1]
	case v.Published, v.Own(obj):
		return v.Published
	}
	return r.ask(v, summaries.Fact{Kind: summaries.Shared, At: zom.Loc{Obj: obj}}, note, func() bool { return r.sharedIn(v.up, obj, false) })
}

// freshIn likewise reports whether no second process could reach an object so far.
func (r *reducer) freshIn(v *invocation, obj zom.Word, note bool) bool {
	switch {
	case v == nil:
		_, is := slices.BinarySearch(r.fresh, obj)
		return is
	case v.Published, v.Own(obj):
		return !v.Published
	}
	return r.ask(v, summaries.Fact{Kind: summaries.Fresh, At: zom.Loc{Obj: obj}}, note, func() bool { return r.freshIn(v.up, obj, false) })
}

// ask returns the answer to a question about the entry of an invocation: from the pattern, or from outside.
func (r *reducer) ask(v *invocation, f summaries.Fact, note bool, outside func() bool) bool {
	if !note {
		return outside()
	}
	if w, known := v.Known(f); known {
		return w == 1
	}
	is := outside()
	r.note(v, f, truth(is))
	return is
}

// notesHeld notes that the type of a step depends on whether the process holds a lock.
func (r *reducer) notesHeld(process int, lock int32, obj zom.Word) {
	f := summaries.Fact{Kind: summaries.Held, At: zom.Loc{Obj: obj, Index: lock}}
	if v := r.inv(); v != nil && !v.Own(obj) {
		r.note(v, f, truth(slices.Contains(v.held, hold{process, lock, obj})))
	}
}

// notesLocks notes that the process must hold the locks that protect a location.
func (r *reducer) notesLocks(process int, location int32, obj zom.Word) {
	if r.inv() == nil {
		return
	}
	for _, lock := range r.table.places[location].by {
		if r.facts.IsGlobal(lock) {
			r.notesHeld(process, lock, zom.Null)
		} else {
			r.notesHeld(process, lock, obj)
		}
	}
}

// othersUse reports whether a process other than one may still use a location in one of some ways.
func (r *reducer) othersUse(process int, location int32, list []movers.Use) bool {
	if r.inv() == nil {
		return r.othersMay(process, location, list)
	}
	return slices.ContainsFunc(list, func(u movers.Use) bool { return r.may(process, location, u) })
}

// may does so in an invocation, and notes that it depends on the answer. Other processes do nothing meanwhile, so it is
// the same at all entries.
func (r *reducer) may(process int, location int32, u movers.Use) bool {
	f := summaries.Fact{Kind: summaries.May, At: zom.Loc{Index: int32(r.facts.Bit(location, u))}}
	return r.ask(r.inv(), f, true, func() bool { return r.othersMay(process, location, []movers.Use{u}) })
}

// depends notes that the innermost invocation depends on all that a root that it uses is known to depend on.
func (r *reducer) depends(process int, u *used) {
	n := len(u.root.Pattern)
	if u.bound < n {
		u.cells = u.root.Bind(r.model.Prog, r.s, process, u.cells, u.bound, asker{r, process})
		u.bound = n
	}
	if r.inv() == nil {
		return
	}
	for _, x := range u.root.Pattern[u.noted:n] {
		at := x.At
		if at.Obj != zom.Null {
			at.Obj = u.cells[-at.Obj-1]
		}
		switch x.Kind {
		case summaries.Value:
			r.reads(at)
		case summaries.Shared:
			r.sharedIn(r.inv(), at.Obj, true)
		case summaries.Fresh:
			r.freshIn(r.inv(), at.Obj, true)
		case summaries.Held:
			r.notesHeld(process, at.Index, at.Obj)
		case summaries.May:
			location, use := r.facts.Unbit(int(at.Index))
			r.may(process, location, use)
		}
	}
	u.noted = n
}

// asker answers questions about the present state, that of a call.
type asker struct {
	r       *reducer
	process int
}

// Ask implements summaries.Asker.
func (a asker) Ask(f summaries.Fact) zom.Word {
	switch f.Kind {
	case summaries.Shared:
		return truth(a.shared(f.At.Obj))
	case summaries.Fresh:
		return truth(a.fresh(f.At.Obj))
	case summaries.Held:
		return truth(slices.Contains(a.r.held, hold{a.process, f.At.Index, f.At.Obj}))
	}
	location, use := a.r.facts.Unbit(int(f.At.Index))
	return truth(a.r.othersMay(a.process, location, []movers.Use{use}))
}

func (a asker) shared(obj zom.Word) bool {
	a.r.reach(a.process)
	return a.r.sharedIn(a.r.inv(), obj, false)
}

func (a asker) fresh(obj zom.Word) bool { return a.r.freshIn(a.r.inv(), obj, false) }

// truth returns a Boolean as a word.
func truth(b bool) zom.Word {
	if b {
		return 1
	}
	return 0
}

// statusInside returns the status of the process that makes the transaction. An invocation depends on all that it reads.
func (r *reducer) statusInside(process int) zom.Status {
	if r.inv() != nil {
		r.o.news = r.s.News()
		r.m.Observed = r.notes
	}
	st := r.m.Status(r.s, process)
	r.m.Observed = nil
	return st
}
