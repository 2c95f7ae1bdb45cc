package summaries

import (
	"encoding/binary"
	"slices"

	"c2bp/checker/zom"
)

// This file defines facts about the entry of a procedure, and evaluates them in a state.

// Kind is a kind of facts.
type Kind uint8

// The kinds of facts; see the package documentation.
const (
	Param  Kind = iota // the value of slot At.Index
	Value              // the value of a location, or the elements of a set or channel
	Shared             // other processes can reach At.Obj
	Fresh              // no second process could reach At.Obj so far
	Held               // the process holds the lock that is location At.Index of package movers, of At.Obj or global
	May                // another process may use a location: At.Index is a bit of package movers
)

// Fact is a question about the entry. At.Obj is null or, in patterns, the name of an object: -1, -2, …
type Fact struct {
	Kind Kind
	At   zom.Loc
}

// Answer is the answer to a question, in names.
type Answer struct {
	Word    zom.Word
	Shape   int64  // of a reference that names an object for the first time: its class and length
	Content string // of the elements of a set or channel
}

// Read is an element of a pattern.
type Read struct {
	Fact
	Answer
}

// Asker answers questions of the kinds from Shared on, about an object at an address.
type Asker interface {
	Ask(f Fact) zom.Word
}

// reader evaluates facts in a state.
type reader struct {
	prog    *zom.Program
	s       *zom.State
	process int
	asker   Asker
	cells   []zom.Word // by name: the address
}

// address returns the address of a name.
func (r *reader) address(name zom.Word) zom.Word {
	if name == zom.Null {
		return zom.Null
	}
	return r.cells[-name-1]
}

// name returns the name of a reference, and its shape if the name is new.
func (r *reader) name(w zom.Word) (name zom.Word, shape int64) {
	if w == zom.Null {
		return zom.Null, 0
	}
	if i := slices.Index(r.cells, w); i >= 0 {
		return -zom.Word(i + 1), 0
	}
	r.cells = append(r.cells, w)
	return -zom.Word(len(r.cells)), shapeOf(r.prog, r.s, w)
}

// shapeOf returns the class of an object with, of an array, its length, which never change.
func shapeOf(p *zom.Program, s *zom.State, w zom.Word) int64 {
	class := s.Class(w)
	shape := int64(class+1) << 32
	if p.Classes[class].Form == zom.Array {
		shape |= int64(s.Size(w))
	}
	return shape
}

// answer evaluates a fact about a name.
func (r *reader) answer(f Fact) Answer {
	switch f.Kind {
	case Param:
		frames := r.s.Procs[r.process].Frames
		slot := r.prog.Procs[frames[len(frames)-1].Proc].Slots[f.At.Index]
		return r.word(slot.Kind, r.s.Slots(r.process, len(frames)-1)[f.At.Index])
	case Value:
		return r.value(zom.Loc{Obj: r.address(f.At.Obj), Index: f.At.Index})
	}
	return Answer{Word: r.asker.Ask(Fact{f.Kind, zom.Loc{Obj: r.address(f.At.Obj), Index: f.At.Index}})}
}

// value returns the value that a location holds.
func (r *reader) value(at zom.Loc) Answer {
	switch {
	case at.Obj == zom.Null:
		return r.word(r.prog.Globals[at.Index].Kind, r.s.Globals[at.Index])
	case at.Index != zom.Content:
		return r.word(kindOf(r.prog, r.s, at), r.s.Field(at.Obj, at.Index))
	}
	// All elements, as one string.
	var text []byte
	elem := r.prog.Classes[r.s.Class(at.Obj)].Elem
	for i, w := range r.s.Elements(at.Obj) {
		a := r.word(elem[i%len(elem)].Kind, w)
		text = binary.AppendVarint(binary.AppendVarint(text, a.Word), a.Shape)
	}
	return Answer{Content: string(text)}
}

// word returns a word in names.
func (r *reader) word(kind zom.Kind, w zom.Word) Answer {
	if kind != zom.Ref {
		return Answer{Word: w}
	}
	name, shape := r.name(w)
	return Answer{Word: name, Shape: shape}
}

// kindOf returns the kind of a field of an object, or of a slot of an array.
func kindOf(p *zom.Program, s *zom.State, at zom.Loc) zom.Kind {
	class := p.Classes[s.Class(at.Obj)]
	if class.Form == zom.Fixed {
		return class.Fields[at.Index].Kind
	}
	return class.Elem[int(at.Index)%len(class.Elem)].Kind
}
