package cubes

import "c2bp/logic"

// This file determines where formulas compute with addresses: order them, or divide, multiply or
// mask them. Most numbers as wide as a pointer never meet an address, so a value is taken for an
// address only if equations make it one. In
//
//	p == &dev,  n == size,  n <= 100
//
// p may be an address; n and size may not.

// equation lists the classes of values as wide as a pointer that occur on the two sides of an
// equation.
type equation struct {
	classes []string
	address bool // one of them is the address of an object
}

// appendEquations appends the equations in f that relate two classes, or one with an address.
func appendEquations(list []equation, f *logic.Term) []equation {
	for f := range logic.Subterms(f) {
		if f.Op != logic.OpEq {
			continue
		}
		var e equation
		collectClasses(f.Args[0], map[*logic.Term]bool{}, &e)
		if len(e.classes) > 1 || e.address {
			list = append(list, e)
		}
	}
	return list
}

// collectClasses adds to e the classes of the values that f is computed from.
func collectClasses(f *logic.Term, seen map[*logic.Term]bool, e *equation) {
	if seen[f] {
		return
	}
	seen[f] = true
	if c, ok := classOf(f); ok {
		e.classes = append(e.classes, c)
		e.address = e.address || f.IsAddress()
	}
	if f.Op == logic.OpApp && !logic.HasMeaning(f.Name) {
		return // the address of a read is no part of its value
	}
	args := f.Args
	// The condition of a case distinction is no part of its value.
	if f.Op == logic.OpIte {
		args = args[1:]
	}
	for _, a := range args {
		collectClasses(a, seen, e)
	}
}

// classOf names the class of an unknown that may be an address, judging by its range; ok is false
// for any other term. All values read from one map are in one class, a symbol is in one of its own.
func classOf(f *logic.Term) (string, bool) {
	switch {
	case f.IsAddress():
	case !isPointer(f):
		return "", false
	case f.Op == logic.OpApp:
		return "f" + f.Name, true
	}
	h := f.Hash()
	return "s" + string(h[:]), true
}

// isPointer reports whether the values of f may be addresses, judging by its range.
func isPointer(f *logic.Term) bool {
	if f.Op != logic.OpSym && f.Op != logic.OpApp || f.Lo == nil || f.Hi == nil {
		return false
	}
	return f.Lo.Sign() == 0 && (f.Hi.BitLen() == 64 || f.Hi.BitLen() == 32)
}

// computesAddresses reports whether the formulas fs order addresses or compute with them, given
// that equations, and the equations in fs, may hold for some of the values.
func computesAddresses(equations []equation, fs ...*logic.Term) bool {
	// 1. Collect the classes that fs compute with; done if one is the address of an object.
	computed := map[string]bool{}
	for _, f := range fs {
		if collectComputed(f, computed) {
			return true
		}
	}
	if len(computed) == 0 {
		return false
	}
	// 2. Close the set under equations, until an address is in it or it grows no more.
	// Limit the capacity: the equations of fs must not be written into the caller's slice.
	equations = equations[:len(equations):len(equations)]
	for _, f := range fs {
		equations = appendEquations(equations, f)
	}
	for grown := true; grown; {
		grown = false
		for _, e := range equations {
			if !e.anyIn(computed) {
				continue
			}
			if e.address {
				return true
			}
			for _, c := range e.classes {
				grown = grown || !computed[c]
				computed[c] = true
			}
		}
	}
	return false
}

// anyIn reports whether one of the classes of e is in set.
func (e equation) anyIn(set map[string]bool) bool {
	for _, c := range e.classes {
		if set[c] {
			return true
		}
	}
	return false
}

// collectComputed adds the classes that f computes with to set; it reports whether f computes with
// the address of an object.
func collectComputed(f *logic.Term, set map[string]bool) bool {
	type visited struct {
		f      *logic.Term
		number bool
	}
	seen := map[visited]bool{}
	var visit func(f *logic.Term, number bool) bool
	// number says that f is used as a number: ordered, divided, or an operand of an operation
	// with a fixed meaning. Sums, case distinctions and equations pass on how they are used;
	// the address of a read is no number.
	visit = func(f *logic.Term, number bool) bool {
		if seen[visited{f, number}] {
			return false
		}
		seen[visited{f, number}] = true
		if c, ok := classOf(f); ok && number {
			if f.IsAddress() {
				return true
			}
			set[c] = true
		}
		switch f.Op {
		case logic.OpLe, logic.OpDiv, logic.OpMod:
			number = true
		case logic.OpApp:
			number = logic.HasMeaning(f.Name)
		}
		for _, a := range f.Args {
			if visit(a, number) {
				return true
			}
		}
		return false
	}
	return visit(f, false)
}
