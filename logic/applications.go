package logic

import (
	"bytes"
	"crypto/sha256"
	"iter"
	"math/big"
	"slices"
)

// This file defines queries on terms that the prover and the search for cubes share.

// Subterms yields the terms in formulas, the formulas among them, each once and before its
// arguments.
func Subterms(fs ...*Term) iter.Seq[*Term] {
	return func(yield func(*Term) bool) {
		seen := map[*Term]bool{}
		var visit func(*Term) bool
		visit = func(f *Term) bool {
			if seen[f] {
				return true
			}
			seen[f] = true
			if !yield(f) {
				return false
			}
			for _, a := range f.Args {
				if !visit(a) {
					return false
				}
			}
			return true
		}
		for _, f := range fs {
			if !visit(f) {
				return
			}
		}
	}
}

// Applications lists the applications, quotients and remainders in f, each once, arguments first:
// for f(x div 2) + f(f(y)) <= 0 these are x div 2 before f(x div 2), and f(y) before f(f(y)).
func (f *Term) Applications() []*Term {
	var apps []*Term
	seen := map[*Term]bool{}
	var visit func(*Term)
	visit = func(f *Term) {
		if len(f.Args) == 0 && f.Op != OpApp || seen[f] {
			return
		}
		seen[f] = true
		for _, a := range f.Args {
			visit(a)
		}
		switch f.Op {
		case OpApp, OpDiv, OpMod:
			apps = append(apps, f)
		}
	}
	visit(f)
	return apps
}

// Clamp returns the value nearest to v in the range of f, an integer term.
func (f *Term) Clamp(v *big.Int) *big.Int {
	switch {
	case f.Lo != nil && v.Cmp(f.Lo) < 0:
		return f.Lo
	case f.Hi != nil && v.Cmp(f.Hi) > 0:
		return f.Hi
	}
	return v
}

// SetHash identifies a list of formulas, whatever their order. Repetitions count: a caller that
// means a set drops them before.
func SetHash(fs []*Term) Hash {
	hashes := make([]Hash, len(fs))
	for i, f := range fs {
		hashes[i] = f.Hash()
	}
	slices.SortFunc(hashes, func(a, b Hash) int { return bytes.Compare(a[:], b[:]) })
	h := sha256.New()
	for i := range hashes {
		h.Write(hashes[i][:])
	}
	return Hash(h.Sum(nil)[:16])
}
