package prover

import (
	"maps"
	"math/big"
	"runtime"
	"slices"
	"strconv"

	"github.com/aclements/go-z3/z3"

	"c2bp/logic"
)

// This file reads models from Z3 and completes them. A model is kept as plain numbers, because
// later formulas are evaluated in it, too.

// Universe numbers the symbols that models give values to. It knows them by hash, because the
// encoder remembers terms of several tables. Models that share a universe share compiled programs.
type Universe struct {
	index map[logic.Hash]int
	syms  []*logic.Term
	point []byte // for the keys of points
}

// NewUniverse returns a universe without symbols.
func NewUniverse() *Universe { return &Universe{index: map[logic.Hash]int{}} }

// symbol returns the number of s, a new one if s is new.
func (u *Universe) symbol(s *logic.Term) int {
	i, ok := u.index[s.Hash()]
	if !ok {
		i = len(u.syms)
		u.index[s.Hash()] = i
		u.syms = append(u.syms, s)
	}
	return i
}

// Model is an interpretation of symbols and functions, a state: the values that Z3 chose, and for
// the rest values within the known ranges, chosen when they are first asked for.
type Model struct {
	u    *Universe
	syms []*big.Int                 // by number of the universe; nil or missing: not chosen
	apps map[string]*big.Int        // by function and values of the arguments
	pick func(*logic.Term) *big.Int // chooses the values that Z3 left open; nil: see choose

	claimed map[string]*big.Int // like apps: the values that Z3 takes counts of ones for, right or wrong
}

// NewModel returns a model in which nothing is chosen. For each symbol that is no address, and for
// each point of a function without a fixed meaning, pick chooses the value; if pick is nil, that is
// the number of the range next to 0.
func (u *Universe) NewModel(pick func(*logic.Term) *big.Int) *Model { return &Model{u: u, pick: pick} }

// Copy returns a model with the values chosen in m so far; pick chooses the others.
func (m *Model) Copy(pick func(*logic.Term) *big.Int) *Model {
	return &Model{u: m.u, pick: pick, syms: slices.Clone(m.syms), apps: maps.Clone(m.apps)}
}

// Symbols lists the symbols of the universe that may have a value in m: the first ones, by number.
func (m *Model) Symbols() []*logic.Term { return m.u.syms[:len(m.syms)] }

// Value returns the value of f, of sort Int or Bool (0 and 1), in the model; a symbol that no
// literal mentions has a number of its range. It fails if the model and f do not fit.
func (m *Model) Value(f *logic.Term) (*big.Int, bool) {
	v, ok := m.run(m.u.Compile(f))
	if !ok {
		return nil, false
	}
	return new(big.Int).Set(v), true
}

// satisfies reports whether all formulas are true in the model.
func (m *Model) satisfies(lits []*logic.Term) bool {
	for _, f := range lits {
		if v, ok := m.Truth(m.u.Compile(f)); !ok || !v {
			return false
		}
	}
	return true
}

// choose returns a value for a symbol or application that Z3 left open: that of pick or, without
// one, the number of the range next to 0.
func (m *Model) choose(f *logic.Term) *big.Int {
	if m.pick != nil {
		return m.pick(f)
	}
	return f.Clamp(new(big.Int))
}

// read copies the values of the symbols and applications of the literals from a model of Z3.
func (z *encoder) read(from *z3.Model, lits []*literal, to *Model) {
	// 1. Copy the values of symbols. Operands of floating-point operations have the bits of the
	// number that Z3 chose, not the integer that it took for the bits.
	numbers := z.numbers(from, lits)
	for _, l := range lits {
		for _, s := range l.syms {
			// A symbol that an earlier literal mentions has its value already.
			if i := to.u.symbol(s); to.known(i) == nil {
				v := z.value(from, z.int(s))
				if bits, ok := numbers[s]; ok {
					v = bits
				}
				to.Set(i, v)
			}
		}
	}
	// 2. Copy the values of applications, inner ones first, at the values of their arguments: Z3
	// would evaluate an inner one again for each that contains it. Floating-point operations and
	// population counts get their real value; Z3's claim about a count is kept, to find wrong ones.
	p, done := &Program{}, map[*logic.Term]int{}
	for _, l := range lits {
		for _, a := range l.apps {
			args := make([]*big.Int, len(a.Args))
			for i, arg := range a.Args {
				r, ok := to.extend(p, arg, done)
				if !ok {
					return // an inner application out of range: the rest stays open
				}
				args[i] = r
			}
			point := appendPoint(to.u.point[:0], a, args)
			to.u.point = point
			// The point was met before: in another literal, or as equal arguments of
			// another application.
			if to.apps[string(point)] != nil {
				continue
			}
			key := string(point)
			v := z.value(from, z.applyAt(a, args))
			if bits, ok := numbers[a]; ok && !logic.HasMeaning(a.Name) {
				v = bits
			} else if _, _, ok := a.Float(); ok {
				v = logic.Meaning(a.Name, args)
			} else if _, ok := a.Ones(); ok {
				to.claim(key, v)
				v = logic.Meaning(a.Name, args)
			}
			to.define(key, v)
		}
	}
}

// numbers returns the bits of the floating-point numbers that operands are in a model of Z3: Z3
// knows the numbers, and takes any integers for their bits.
func (z *encoder) numbers(from *z3.Model, lits []*literal) map[*logic.Term]*big.Int {
	if z.floats == nil {
		return nil
	}
	var apps []*logic.Term
	for _, l := range lits {
		apps = append(apps, l.apps...)
	}
	var out map[*logic.Term]*big.Int
	for _, o := range operandsOf(apps) {
		if bits, ok := z.floats.bitsIn(from, o); ok {
			if out == nil {
				out = map[*logic.Term]*big.Int{}
			}
			out[o.term] = bits
		}
	}
	return out
}

// applyAt returns the function of application a, applied to numbers.
func (z *encoder) applyAt(a *logic.Term, args []*big.Int) z3.Int {
	vs := make([]z3.Value, len(args))
	for i, v := range args {
		vs[i] = z.number(v)
	}
	defer runtime.KeepAlive(vs)
	return z.function(a).Apply(vs...).(z3.Int)
}

// value returns the number that f is in a model of Z3.
func (z *encoder) value(from *z3.Model, f z3.Int) *big.Int {
	// The model is completed: a term that Z3 left open gets a number, too.
	v, ok := from.Eval(f, true).(z3.Int)
	if ok {
		if n, literal := v.AsBigInt(); literal {
			return n
		}
	}
	panic("a model without a number for a term") // as package z3 does
}

// known returns the value chosen for symbol number i, or nil.
func (m *Model) known(i int) *big.Int {
	if i < len(m.syms) {
		return m.syms[i]
	}
	return nil
}

// Set gives symbol number i the value v.
func (m *Model) Set(i int, v *big.Int) {
	for len(m.syms) <= i {
		m.syms = append(m.syms, nil)
	}
	m.syms[i] = v
}

// Symbol returns the value of symbol number i, chosen now if it was not before.
func (m *Model) Symbol(i int) *big.Int {
	v := m.known(i)
	if v == nil {
		// Objects must not overlap; other symbols may have any value of their range.
		if f := m.u.syms[i]; f.IsAddress() {
			v = m.place(f)
		} else {
			v = m.choose(f)
		}
		m.Set(i, v)
	}
	return v
}

// place returns an address for object f away from the objects that have an address in m: the facts
// about addresses must hold in every model.
func (m *Model) place(f *logic.Term) *big.Int {
	// Start after 0. Move the object past each that it would overlap, to the next multiple of step.
	const step = 1 << 16
	v := big.NewInt(step)
	for again := true; again; {
		again = false
		for i, s := range m.u.syms {
			a := m.known(i)
			if a == nil || !s.IsAddress() {
				continue
			}
			end := new(big.Int).Add(a, s.Val)
			if new(big.Int).Add(v, f.Val).Cmp(a) > 0 && v.Cmp(end) < 0 {
				// The next multiple of step that lies at least one byte after the
				// object.
				v = end.Add(end, big.NewInt(step))
				v.And(v, big.NewInt(-step))
				again = true
			}
		}
	}
	return v
}

// define sets the value of an application at a point.
func (m *Model) define(key string, v *big.Int) {
	if m.apps == nil {
		m.apps = map[string]*big.Int{}
	}
	m.apps[key] = v
}

// pointKey identifies the application a of a function to the values args.
func pointKey(a *logic.Term, args []*big.Int) string { return string(appendPoint(nil, a, args)) }

// appendPoint appends the key that pointKey returns to b.
func appendPoint(b []byte, a *logic.Term, args []*big.Int) []byte {
	b = append(b, a.Name...)
	for _, v := range args {
		b = append(b, ' ')
		if v.IsInt64() { // which is faster
			b = strconv.AppendInt(b, v.Int64(), 36)
		} else {
			b = v.Append(b, 36)
		}
	}
	return b
}

// application returns the value of a at a point. Where Z3 chose none, it is the meaning of the
// function, if it has one, so that the axioms hold; otherwise any value in range. It fails if the
// value is outside the range of a: then the interpretation is not one of all formulas in sight.
func (m *Model) application(a *logic.Term, args []*big.Int) (*big.Int, bool) {
	// 1. The value that was chosen at the point, or else one that is chosen now.
	point := appendPoint(m.u.point[:0], a, args)
	m.u.point = point
	v := m.apps[string(point)]
	if v == nil {
		key := string(point) // before a choice asks for other points
		if logic.HasMeaning(a.Name) {
			v = logic.Meaning(a.Name, args)
		} else {
			v = m.choose(a)
		}
		m.define(key, v)
	}
	// 2. Check the range that this application has.
	outside := a.Lo != nil && v.Cmp(a.Lo) < 0 || a.Hi != nil && v.Cmp(a.Hi) > 0
	return v, !outside
}
