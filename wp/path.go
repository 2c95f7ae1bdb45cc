package wp

import (
	"math/big"
	"strings"

	"c2bp/frontend/core"
	"c2bp/logic"
)

// This file follows a path through several statements and activations of procedures. A formula
// about the state after a step is carried back to the start of the path, one step after the other.
// To keep things apart on the way, an activation has its own addresses of local variables, and a
// step its own unknowns.

// On returns a translator for the activation called frame and for the step called step.
func (tr *Translator) On(frame, step string) *Translator {
	out := *tr
	out.frame, out.step = frame, step
	return &out
}

// In is On for an activation whose enclosing activations are known: calls are these and that one,
// as in [logic.Storage].
func (tr *Translator) In(calls, frame, step string) *Translator {
	out := tr.On(frame, step)
	out.calls = calls
	return out
}

// Store returns WP(l := v, φ) as a function of φ; v is about the state before, nil is arbitrary. l
// lives in memory.
func (tr *Translator) Store(l core.Loc, v *logic.Term) func(phi *logic.Term) *logic.Term {
	e := effect{tr: tr, vars: map[*logic.Term]*logic.Term{}}
	e.store(l, v)
	return func(phi *logic.Term) *logic.Term { return tr.after(phi, e.vars, e.writes) }
}

// Forget returns WP(s, φ) as a function of φ for a statement s that makes arbitrary the places in
// memory that are affected.
func (tr *Translator) Forget(affected func(core.Loc) bool) func(phi *logic.Term) *logic.Term {
	return tr.forget(func(f, _ *logic.Term) bool { return tr.mem.anyPlace(f, affected) })
}

// ForgetOutside is Forget for a call of a function without a body. Such a function changes no string literal (C11
// 6.4.5p7), by whatever pointer the program reads it: the address of a read may say that it is of one. Nor does it change
// memory at addresses that are hidden from it.
func (tr *Translator) ForgetOutside(affected func(core.Loc) bool, hidden func(address *logic.Term) bool) func(phi *logic.Term) *logic.Term {
	return tr.forget(func(f, address *logic.Term) bool {
		return !tr.mem.ofLiteral(f, address) && !hidden(address) && tr.mem.anyPlace(f, affected)
	})
}

// forget returns WP(s, φ) as a function of φ for a statement s that makes arbitrary the reads for which changed holds,
// given with their addresses in the state before.
func (tr *Translator) forget(changed func(f, address *logic.Term) bool) func(phi *logic.Term) *logic.Term {
	return func(phi *logic.Term) *logic.Term {
		return tr.T.Rewrite(phi, nil, tr.mem.settled, func(f *logic.Term, args []*logic.Term) *logic.Term {
			// Places that are not affected keep their value.
			if tr.mem.isUnknown(f) || !changed(f, args[0]) {
				return tr.reread(f, args[0])
			}
			return tr.unknownAt(f, args[0])
		})
	}
}

// ofLiteral reports whether f, a read of memory at an address, reads characters of a string literal.
func (m *memory) ofLiteral(f, address *logic.Term) bool {
	// The address is that of the literal, or a number of bytes after it.
	symbol, off := address.Displaced()
	if !m.literals[symbol] {
		return false
	}
	end := new(big.Int).Add(off, big.NewInt((m.kinds[f.Name].bits()+7)/8))
	return off.Sign() >= 0 && end.Cmp(symbol.Val) <= 0
}

// isUnknown reports whether f reads a value that a step made arbitrary: not a state of memory.
func (m *memory) isUnknown(f *logic.Term) bool { return strings.Contains(f.Name, SuffixNew) }

// anyPlace reports whether g may hold of a place that f reads.
func (m *memory) anyPlace(f *logic.Term, g func(core.Loc) bool) bool {
	for _, p := range m.places[f] {
		if g(p) {
			return true
		}
	}
	return len(m.places[f]) == 0
}

// settled reports whether all reads in f are of values that a step made arbitrary, so that no step changes f. Most of the
// terms that are carried back over the steps of a path are so but for one read: the answers are kept.
func (m *memory) settled(f *logic.Term) bool {
	if !f.HasMaps() {
		return true
	}
	yes, known := m.unchanging[f]
	if !known {
		yes = f.Op != logic.OpApp || logic.HasMeaning(f.Name) || m.isUnknown(f)
		for i := 0; yes && i < len(f.Args); i++ {
			yes = m.settled(f.Args[i])
		}
		m.unchanging[f] = yes
	}
	return yes
}

// Settled reports whether no step changes f: all that it reads in memory is open.
func (tr *Translator) Settled(f *logic.Term) bool { return tr.mem.settled(f) }

// Open reports whether f, a read of memory, reads a value that a step made arbitrary: not a state
// of memory, but a value that no step changes.
func (tr *Translator) Open(f *logic.Term) bool { return tr.mem.isUnknown(f) }

// Places returns the places that f, a read of memory, is known to be of.
func (tr *Translator) Places(f *logic.Term) []core.Loc { return tr.mem.places[f] }

// Reread returns f, a read of memory, at another spelling of its address.
func (tr *Translator) Reread(f, address *logic.Term) *logic.Term { return tr.reread(f, address) }

// reread returns f at another spelling of its address, for the same places.
func (tr *Translator) reread(f, address *logic.Term) *logic.Term {
	x := tr.at(f.Name, address)
	if x != f {
		tr.mem.samePlaces(x, f)
	}
	return x
}

// samePlaces notes that x reads the places that f reads.
func (m *memory) samePlaces(x, f *logic.Term) {
	for _, p := range m.places[f] {
		m.addPlace(x, p)
	}
}

// addPlace notes that x reads the place l.
func (m *memory) addPlace(x *logic.Term, l core.Loc) {
	for _, p := range m.places[x] {
		if p == l || isSameVar(p, l) {
			return
		}
	}
	m.places[x] = append(m.places[x], l)
}

// isSameVar reports whether l and m are one variable.
func isSameVar(l, m core.Loc) bool {
	v, ok := l.(*core.VarRef)
	w, isVar := m.(*core.VarRef)
	return ok && isVar && v.Var == w.Var
}

// unknownAt returns the value of the read f after the present step made it arbitrary.
func (tr *Translator) unknownAt(f, address *logic.Term) *logic.Term {
	name := f.Name + SuffixNew + tr.step
	tr.mem.kinds[name] = tr.mem.kinds[f.Name]
	x := tr.at(name, address)
	tr.mem.samePlaces(x, f)
	return x
}

// Stored returns the value of a variable that lives in memory.
func (tr *Translator) Stored(v *core.Var) *logic.Term {
	return tr.load(v.Ref(), tr.address(v), v.Type, 0)
}

// Address returns the address of a place in memory.
func (tr *Translator) Address(l core.Loc) *logic.Term {
	a, _, _ := tr.placeOf(l)
	return a
}

// Allocated returns the address of the object that s makes, when the objects at the addresses freed
// no longer live.
func (tr *Translator) Allocated(s *core.Alloc, freed ...*logic.Term) *logic.Term {
	return tr.AllocatedBytes(s, constant(s.Size), freed...)
}

// AllocatedBytes is Allocated for an object that is known to have size bytes, more than the text of s may say; 0 says
// nothing.
func (tr *Translator) AllocatedBytes(s *core.Alloc, size int64, freed ...*logic.Term) *logic.Term {
	size = max(size, 1) // an object without bytes has an address of its own, too (C17 7.22.3)
	var storage logic.Storage
	if !s.Stack { // malloc's alignment serves any scalar type
		storage.Align = int64(tr.mem.bits / 8)
	}
	for _, a := range freed {
		storage.Freed = append(storage.Freed, a.Name)
	}
	return tr.T.Addr("new"+tr.step, size, tr.mem.bits, storage)
}

// Convert returns v converted to typ, an integer or pointer type.
func (tr *Translator) Convert(v *logic.Term, typ core.Type) *logic.Term {
	w, ok := core.Word(typ)
	if !ok {
		panic("wp: no conversion to " + typ.String())
	}
	return tr.convert(v, w)
}

// TypeOf returns the type of the values that f, a read of memory, reads.
func (tr *Translator) TypeOf(f *logic.Term) core.Type {
	if k, ok := tr.mem.kinds[f.Name]; ok {
		return k.typ
	}
	return core.Void{}
}

// BitOf returns the bit of the byte at its address at which the value of f, a read of memory,
// begins.
func (tr *Translator) BitOf(f *logic.Term) int { return tr.mem.kinds[f.Name].bit }

// CopyTo returns WP(s, φ) as a function of φ, with the place l, at address addr, as the destination
// of s: l may belong to another activation than the source.
func (tr *Translator) CopyTo(l core.Loc, addr *logic.Term, s *core.Copy) func(phi *logic.Term) *logic.Term {
	x := &extent{loc: l, addr: addr, size: tr.Value(s.Size), value: tr.copied(s)}
	return func(phi *logic.Term) *logic.Term { return tr.after(phi, nil, []write{x}) }
}
