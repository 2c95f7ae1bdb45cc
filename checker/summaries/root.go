package summaries

import (
	"slices"

	"c2bp/checker/zom"
)

// This file defines roots, and invocations: what a path from the entry of a root has read and written so far.

// Key is the part of a root beside its pattern.
type Key struct {
	Proc       int
	Post, Took bool // the phase of the transaction at the call; it has taken a lock
	Alone      bool // there is no second process
	Self       int  // the number of the process if the procedure may ask for it, else -1
}

// Root is an invocation of a procedure in all states that match its pattern.
type Root struct {
	Key
	Pattern []Read
	Effects []*Effect

	known map[Fact]int32      // an index of Pattern
	seen  map[string]struct{} // the forms of the effects
}

// NewRoot returns a root without pattern and effects.
func NewRoot(k Key) *Root {
	return &Root{Key: k, known: map[Fact]int32{}, seen: map[string]struct{}{}}
}

// Add adds an effect, unless it is there, and reports whether it is new.
func (r *Root) Add(e *Effect) bool {
	form := string(e.Form(nil))
	if _, old := r.seen[form]; old {
		return false
	}
	r.seen[form] = struct{}{}
	r.Effects = append(r.Effects, e)
	return true
}

// Invocation is a path from the entry of a root in a state.
type Invocation struct {
	Root  *Root
	Base  int        // the index of the frame of the procedure
	News  int        // the objects that were there at the entry have addresses up to News
	Cells []zom.Word // by name, in the pattern: the address

	Path // so far

	prog    *zom.Program
	process int
}

// Path is what a path has done.
type Path struct {
	Writes    []zom.Loc // the locations written; their objects were there at the entry
	Published bool      // others may reach an object that they could not reach at the entry, or that is new
}

// Begin returns the invocation of a root in a state, which is that of the call: the frame of the procedure is the top
// frame of the process. The asker answers for the state.
func Begin(p *zom.Program, s *zom.State, process int, r *Root, a Asker) *Invocation {
	v := &Invocation{Root: r, Base: len(s.Procs[process].Frames) - 1, News: s.News(), prog: p, process: process}
	if len(r.Pattern) == 0 {
		for i := range p.Procs[r.Proc].Params {
			v.record(s, Fact{Param, zom.Loc{Index: int32(i)}}, 0)
		}
		return v
	}
	v.Cells = r.Bind(p, s, process, nil, 0, a)
	return v
}

// Bind returns cells, extended by the addresses of the objects that the pattern names from the element with
// number from on. It panics if the state does not match.
func (r *Root) Bind(p *zom.Program, s *zom.State, process int, cells []zom.Word, from int, a Asker) []zom.Word {
	in := reader{p, s, process, a, cells}
	for _, x := range r.Pattern[from:] {
		if in.answer(x.Fact) != x.Answer {
			panic("summaries: a root is used in a state that does not match")
		}
	}
	return in.cells
}

// Note notes that the path depends on a fact about the entry, whose object is given by its address, and reports
// whether it is new in the pattern. A value is that of the present state, in which the path has not written it. The
// answer of the other kinds is given.
func (v *Invocation) Note(s *zom.State, f Fact, answer zom.Word) bool {
	f = v.named(f)
	if _, old := v.Root.known[f]; old {
		return false
	}
	v.record(s, f, answer)
	return true
}

// Known returns the answer to a question about an object that is given by its address, if it is in the pattern.
func (v *Invocation) Known(f Fact) (answer zom.Word, known bool) {
	i, known := v.Root.known[v.named(f)]
	if !known {
		return 0, false
	}
	return v.Root.Pattern[i].Word, true
}

// named returns a fact about an object that is given by its name, and not by its address any more.
func (v *Invocation) named(f Fact) Fact {
	if f.At.Obj != zom.Null {
		i := slices.Index(v.Cells, f.At.Obj)
		if i < 0 {
			panic("summaries: a use of an object that was not met")
		}
		f.At.Obj = -zom.Word(i + 1)
	}
	return f
}

// record adds a fact to the pattern.
func (v *Invocation) record(s *zom.State, f Fact, answer zom.Word) {
	a := Answer{Word: answer}
	if f.Kind <= Value {
		in := reader{v.prog, s, v.process, nil, v.Cells}
		a = in.answer(f)
		v.Cells = in.cells
	}
	v.Root.known[f] = int32(len(v.Root.Pattern))
	v.Root.Pattern = append(v.Root.Pattern, Read{f, a})
}

// Own reports whether an object was made since the entry.
func (v *Invocation) Own(obj zom.Word) bool { return obj > zom.Word(v.News) }

// Written reports whether the path has written a location.
func (v *Invocation) Written(at zom.Loc) bool { return slices.Contains(v.Writes, at) }

// Write notes that the path writes a location.
func (v *Invocation) Write(at zom.Loc) {
	if !v.Own(at.Obj) && !v.Written(at) {
		v.Writes = append(v.Writes, at)
	}
}

// Mark returns the path so far, to go back to by an assignment.
func (v *Invocation) Mark() Path {
	return Path{v.Writes[:len(v.Writes):len(v.Writes)], v.Published}
}
