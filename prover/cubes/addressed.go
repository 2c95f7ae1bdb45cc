package cubes

import "c2bp/logic"

// This file finds out where formulas compute with addresses: order them, or divide,
// multiply or mask them. Most numbers as wide as a pointer never meet an address, so
// what does not follow from equations is not taken for one: in
//
//	p == &dev,  n == size,  n <= 100
//
// p may be an address, n and size may not.

// equation is what occurs on the two sides of an equation: classes of values that are
// as wide as a pointer.
type equation struct {
	classes []string
	address bool // one of them is the address of an object
}

// appendEquations appends those in f that tell anything.
func appendEquations(list []equation, f *logic.Term) []equation {
	walk(f, func(f *logic.Term) {
		if f.Op != logic.OpEq {
			return
		}
		var e equation
		collectClasses(f.Args[0], map[*logic.Term]bool{}, &e)
		if len(e.classes) > 1 || e.address {
			list = append(list, e)
		}
	})
	return list
}

// collectClasses adds the classes of what f is computed from to e.
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
		return // where it is read is no part of the value
	}
	args := f.Args
	if f.Op == logic.OpIte {
		args = args[1:]
	}
	for _, a := range args {
		collectClasses(a, seen, e)
	}
}

// classOf names the class of an unknown that may be an address, by its range. All that
// is read from one map is in one class.
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

// isPointer reports whether the values of f may be addresses, by their range.
func isPointer(f *logic.Term) bool {
	if f.Op != logic.OpSym && f.Op != logic.OpApp || f.Lo == nil || f.Hi == nil {
		return false
	}
	return f.Lo.Sign() == 0 && (f.Hi.BitLen() == 64 || f.Hi.BitLen() == 32)
}

// computesAddresses reports whether the formulas fs order addresses or compute with
// them, if equations hold for some of the values, besides those in fs.
func computesAddresses(equations []equation, fs ...*logic.Term) bool {
	computed := map[string]bool{}
	for _, f := range fs {
		if collectComputed(f, computed) {
			return true
		}
	}
	if len(computed) == 0 {
		return false
	}
	equations = equations[:len(equations):len(equations)]
	for _, f := range fs {
		equations = appendEquations(equations, f)
	}
	for grown := true; grown; { // what computed values are equal to
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

func (e equation) anyIn(set map[string]bool) bool {
	for _, c := range e.classes {
		if set[c] {
			return true
		}
	}
	return false
}

// collectComputed puts the classes that f computes with into set; it reports whether
// f computes with the address of an object.
func collectComputed(f *logic.Term, set map[string]bool) bool {
	type visited struct {
		f      *logic.Term
		number bool
	}
	seen := map[visited]bool{}
	var visit func(f *logic.Term, number bool) bool
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

// walk calls visit for f and the terms in it, each once.
func walk(f *logic.Term, visit func(*logic.Term)) {
	seen := map[*logic.Term]bool{}
	var down func(*logic.Term)
	down = func(f *logic.Term) {
		if seen[f] {
			return
		}
		seen[f] = true
		visit(f)
		for _, a := range f.Args {
			down(a)
		}
	}
	down(f)
}
