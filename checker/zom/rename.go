package zom

import "encoding/binary"

// This file gives the objects in one part of a canonical form other numbers.

// Part is the kind of a part of the form that Multi writes.
type Part uint8

// The kinds of parts, in the order in which they stand in a form.
const (
	GlobalsPart Part = iota
	ProcessPart
	ObjectPart
	Parts int = iota // the number of kinds
)

// Rename appends to out a part of a form in which object n has number name(n). It calls name for each reference that is
// not null, in the order of the form.
func (p *Program) Rename(out []byte, kind Part, part []byte, name func(n uint64) uint64) []byte {
	r := renamer{Reader{part}, out, name}
	switch kind {
	case GlobalsPart:
		r.words(p.kinds)
		r.number()
		r.number()
	case ProcessPart:
		for range r.number() {
			r.words(p.Procs[p.Places[r.number()].Proc].kinds)
		}
	default:
		c, n := p.Classes[r.number()], int32(0)
		if c.Form != Fixed {
			n = int32(r.number())
		}
		for range c.repeats(n) {
			r.words(c.kinds)
		}
	}
	return r.out
}

// renamer copies a part.
type renamer struct {
	in   Reader
	out  []byte
	name func(n uint64) uint64
}

// number copies a number that is no reference.
func (r *renamer) number() uint64 {
	n := r.in.Uint()
	r.out = binary.AppendUvarint(r.out, n)
	return n
}

// words copies words of kinds.
func (r *renamer) words(kinds []Kind) {
	for _, kind := range kinds {
		before := r.in.In
		w := r.in.compact(kind)
		if kind != Ref || w == Null {
			r.out = append(r.out, before[:len(before)-len(r.in.In)]...)
		} else {
			r.out = binary.AppendUvarint(r.out, r.name(uint64(w)))
		}
	}
}
