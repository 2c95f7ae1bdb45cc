package concretise

import (
	"math/big"
	"slices"

	"c2bp/frontend/core/interp"
	"c2bp/logic"
)

// This file makes the objects of the environment in a run, when it first asks for a pointer to them.

// environment is the numbers that a model has for objects which are not the program's.
type environment struct {
	first *big.Int     // the least number
	width *big.Int     // the least distance between two of them
	lent  []lentObject // the objects that the run has met

	numbers map[*logic.Term]bool // integers that are addresses
	likely  bool                 // pointers that the model leads nowhere lead to objects of their own, but for null and error numbers
}

// lentObject is an object of the environment: a place in it by its address in the model, and in the run. It is made in
// the run when a pointer to it is first asked for, which leads to that place.
type lentObject struct {
	model, run *big.Int
	home       uint64 // the object's (interp.Object.Home), less than strictest bytes before
}

// isAddress reports whether f is an integer that is an address.
func (e *environment) isAddress(f *logic.Term) bool { return e != nil && e.numbers[f] }

// again returns e without objects, for another replay.
func (e *environment) again() *environment {
	if e == nil {
		return nil
	}
	return &environment{first: e.first, width: e.width, numbers: e.numbers, likely: e.likely}
}

// near returns the object of the environment that number v is in, nil if there is none yet. An object
// reaches half a width to both sides of its number: pointers into its middle may be met first.
func (e *environment) near(v *big.Int) *lentObject {
	if e == nil {
		return nil
	}
	for i := range e.lent {
		d := new(big.Int).Sub(v, e.lent[i].model)
		if d.Lsh(d.Abs(d), 1).Cmp(e.width) < 0 {
			return &e.lent[i]
		}
	}
	return nil
}

// has reports whether v is the number of a place in an object of the environment. Pointers that the path
// does not follow may be any numbers.
func (e *environment) has(v *big.Int) bool {
	if e == nil {
		return false
	}
	// n is the number of widths after the first one.
	n := new(big.Int).Sub(v, e.first)
	n.Div(n, e.width)
	return n.Cmp(big.NewInt(-1)) >= 0 && n.Cmp(big.NewInt(mostApart)) <= 0
}

// addressOutside returns the address in the run for number v, which lies in no object of the program: in
// an object of the environment, which is made if it is new. It is v if that is no such number: a pointer that the path does not
// follow may be 1. Where that is unlikely, there is an object, unless v is an error number.
func (r *replayer) addressOutside(q interp.Request, v *big.Int) *big.Int {
	isError := new(big.Int).Rsh(v, uint(r.exec.Bits)-12).Cmp(big.NewInt(1<<12-1)) >= 0
	has := r.environment.has(v)
	if !has && (!r.environment.likely || isError) {
		return v
	}
	// An object of the environment for v: one that was met, or a new one.
	l := r.environment.near(v)
	if l != nil && !has && l.model.Cmp(v) != 0 {
		l = nil
	}
	if l == nil {
		a, ok := q.Fresh()
		if !ok {
			return v
		}
		run := new(big.Int).SetUint64(uint64(a) + r.aligning(v))
		r.environment.lent = append(r.environment.lent, lentObject{v, run, uint64(a)})
		l = &r.environment.lent[len(r.environment.lent)-1]
	}
	return r.environment.address(v, l)
}

// aligning returns how many bytes after a multiple of strictest the place with number v has to be in the run, for the scalars that
// the path accesses in its object to be where their sizes allow it: the object may be met by a pointer into its middle.
//
//	lock = &d->lock        byte 4 of a struct dev, met first: at 16k + 4, as d->next is at a multiple of 8
//	spin_lock(lock);  d->next->…
//
// It is 0 if that is impossible. The last bits of integers, in which there may be marks, are kept.
func (r *replayer) aligning(v *big.Int) uint64 {
	if r.environment.isAddress(r.from) {
		return new(big.Int).Mod(v, big.NewInt(strictest)).Uint64()
	}
	// 1. How far are the scalars from the place?
	type scalar struct{ after, to *big.Int }
	var list []scalar
	for _, a := range r.exec.Aligned {
		if at, ok := r.model.Value(a.At); ok {
			if after := new(big.Int).Sub(at, v); new(big.Int).Lsh(after, 1).CmpAbs(r.environment.width) < 0 {
				list = append(list, scalar{after, big.NewInt(a.To)})
			}
		}
	}
	// 2. The first place that suits them all.
	for k := range uint64(strictest) {
		if !slices.ContainsFunc(list, func(s scalar) bool {
			at := new(big.Int).SetUint64(k)
			return at.Mod(at.Add(at, s.after), s.to).Sign() != 0
		}) {
			return k
		}
	}
	return 0
}

// address returns the address in the run of number v, which lies in l.
func (e *environment) address(v *big.Int, l *lentObject) *big.Int {
	d := new(big.Int).Sub(v, l.model)
	return d.Add(d, l.run)
}

// startOf returns the number of the first byte of o in the model, nil if o is not the environment's.
func (e *environment) startOf(o *interp.Object) *big.Int {
	if e == nil || !o.Environment() {
		return nil
	}
	for _, l := range e.lent {
		if l.home == o.Home() {
			// An object may begin before the place that the model has a number of.
			below := new(big.Int).SetUint64(l.run.Uint64() - o.Start())
			return below.Sub(l.model, below)
		}
	}
	return nil
}
