package concretise

import (
	"maps"
	"math/big"
	"slices"

	"c2bp/frontend/core"
	"c2bp/logic"
	"c2bp/prover"
)

// This file finds the pointers from outside that a path follows, its roots, and the integers that it follows as such.

// alone returns those of all roots that the path follows if each leads to an object of its own, as a set.
func (x *outside) alone(all []*logic.Term, first, step *big.Int) map[*logic.Term]bool {
	// 1. Numbers for the roots, and for the program's objects; a root that shares an object has no known one.
	e := &apart{x: x, pointer: x.pointerInputs(), numbers: map[*logic.Term]*big.Int{}, known: map[*logic.Term]*big.Int{}}
	for i, a := range x.addresses() {
		e.numbers[a] = new(big.Int).Mul(big.NewInt(int64(i+1)), big.NewInt(1<<12))
	}
	// 2. Follow the path: a root that is found gets the next number, and decides which writes later reads meet. Addresses
	// that depend on what has no number yet wait, as long as there are others; then integers are taken for 0, as most are
	// less than objects are apart.
	//
	//	d->ops->open      is read where d->ops leads, and that depends on d: may d->ops have been written before?
	//	p->data[n] = 1    writes no p->data, if n is small
	used, at := map[*logic.Term]bool{}, new(big.Int).Set(first)
	for waiting := slices.Clone(x.followed()); len(waiting) > 0; {
		next := slices.IndexFunc(waiting, e.leads)
		if next < 0 {
			next = 0
			e.guess(true)
		}
		for _, r := range x.pointersIn(waiting[next], e.pointer, e.value) {
			if used[r] {
				continue
			}
			used[r] = true
			if x.mate(r) == r {
				e.numbers[r] = at
				clear(e.known)
			}
			at = new(big.Int).Add(at, step)
		}
		if e.guesses {
			e.guess(false)
		}
		waiting = slices.Delete(waiting, next, next+1)
	}
	return used
}

// apart evaluates terms where some symbols and reads have known numbers.
type apart struct {
	x       *outside
	pointer map[*logic.Term]bool // inputs
	numbers map[*logic.Term]*big.Int
	known   map[*logic.Term]*big.Int // values of terms; nil if one depends on more
	guesses bool                     // see guess
}

// guess sets whether symbols and reads without a number are taken for 0 if they are no pointers.
func (e *apart) guess(yes bool) {
	e.guesses = yes
	clear(e.known)
}

// leads reports whether the roots of address f are known.
func (e *apart) leads(f *logic.Term) bool {
	known := true
	e.x.pointersIn(f, e.pointer, func(c *logic.Term) (*big.Int, bool) {
		v, ok := e.value(c)
		known = known && ok
		return v, ok
	})
	return known
}

// value returns the value of f, formulas as 0 or 1; ok is false if it depends on terms without a number.
func (e *apart) value(f *logic.Term) (v *big.Int, ok bool) {
	if v, met := e.known[f]; met {
		return v, v != nil
	}
	v = e.evaluate(f)
	e.known[f] = v
	return v, v != nil
}

// evaluate returns the value of f, nil if it is not known.
func (e *apart) evaluate(f *logic.Term) *big.Int {
	if n := e.numbers[f]; n != nil {
		return n
	}
	truth := func(yes bool) *big.Int {
		if yes {
			return big.NewInt(1)
		}
		return new(big.Int)
	}
	switch f.Op {
	case logic.OpTrue, logic.OpFalse:
		return truth(f.Op == logic.OpTrue)
	case logic.OpSum:
		sum := new(big.Int).Set(f.Val)
		for i, a := range f.Args {
			v, ok := e.value(a)
			if !ok {
				return nil
			}
			sum.Add(sum, new(big.Int).Mul(f.Coef[i], v))
		}
		return sum
	case logic.OpDiv, logic.OpMod:
		v, ok := e.value(f.Args[0])
		if !ok {
			return nil
		}
		quotient, rest := new(big.Int).DivMod(v, f.Val, new(big.Int))
		if f.Op == logic.OpDiv {
			return quotient
		}
		return rest
	case logic.OpNot, logic.OpEq, logic.OpLe:
		v, ok := e.value(f.Args[0])
		if !ok {
			return nil
		}
		return truth(v.Sign() == 0 || f.Op == logic.OpLe && v.Sign() < 0)
	case logic.OpAnd, logic.OpOr:
		// One argument may decide.
		all := true
		for _, a := range f.Args {
			v, ok := e.value(a)
			if ok && (v.Sign() != 0) == (f.Op == logic.OpOr) {
				return truth(f.Op == logic.OpOr)
			}
			all = all && ok
		}
		if all {
			return truth(f.Op == logic.OpAnd)
		}
	case logic.OpIte:
		if c, ok := e.value(f.Args[0]); ok && c.Sign() != 0 {
			return e.evaluate(f.Args[1])
		} else if ok {
			return e.evaluate(f.Args[2])
		}
	case logic.OpSym, logic.OpApp:
		if e.guesses && !f.IsAddress() && !e.pointer[f] && !(f.Op == logic.OpApp && e.x.readsPointer(f)) {
			return new(big.Int)
		}
	}
	return nil
}

// follow adds the roots that the path follows in a model to used, and reports whether some are new.
func (x *outside) follow(used map[*logic.Term]bool, model *prover.Model) (grown bool) {
	// The pointers from which addresses are computed, by the cases of conditional terms that hold in the model.
	pointer := x.pointerInputs()
	for _, f := range x.followed() {
		for _, r := range x.pointersIn(f, pointer, model.Value) {
			grown = grown || !used[r]
			used[r] = true
		}
	}
	return grown
}

// followed lists the addresses that the path accesses, computes others from, frees, and compares.
func (x *outside) followed() []*logic.Term {
	list := slices.Concat(x.Accessed, x.Bases, x.Released)
	for _, r := range x.Related {
		list = append(list, r.A, r.B)
	}
	return list
}

// roots lists the pointers from outside that the path may follow, in the order in which it does: those from
// which addresses are computed that it accesses, moves or compares.
func (x *outside) roots() (roots []*logic.Term) {
	pointer := x.pointerInputs()
	seen := map[*logic.Term]bool{}
	for _, f := range x.followed() {
		for _, r := range x.pointersIn(f, pointer, anyValue) {
			if !seen[r] {
				seen[r] = true
				roots = append(roots, r)
			}
		}
	}
	return roots
}

// pointerInputs returns the symbols of the inputs that are pointers, and the integers that are followed as such.
func (x *outside) pointerInputs() map[*logic.Term]bool {
	// Inputs of pointer type.
	pointer := maps.Clone(x.leading())
	for key, s := range x.Inputs {
		if _, ok := key.Var.Type.(core.Ptr); ok {
			pointer[s] = true
		}
	}
	return pointer
}

// leading returns the integers from outside that the path follows as pointers, inputs or read from memory: those from which
// alone, and from numbers that are known, it computes an address.
//
//	asm ("mov %%gs:%1, %0" : "=r" (n) : "p" (&current_task));
//	((struct task *)n)->status                                    n is one
//	((struct task *)(n & ~3))->status                             n is one, with marks in its last bits
//	table[n]                                                      n is none: table leads there
func (x *outside) leading() map[*logic.Term]bool {
	if x.numbers != nil {
		return x.numbers
	}
	// 1. The integers that are as wide as pointers.
	x.numbers = map[*logic.Term]bool{}
	input := map[*logic.Term]bool{}
	for key, s := range x.Inputs {
		if w, ok := key.Var.Type.(core.Int); ok && w.Bits == x.Bits {
			input[s] = true
		}
	}
	wide := func(f *logic.Term) bool {
		w, ok := x.Translator.TypeOf(f).(core.Int)
		return input[f] || f.Op == logic.OpApp && ok && w.Bits == x.Bits
	}
	// 2. The only one from which an address is computed, in a case in which no pointer is.
	seen := map[*logic.Term]bool{}
	var visit func(f *logic.Term)
	visit = func(f *logic.Term) {
		if seen[f] {
			return
		}
		seen[f] = true
		switch {
		case wide(f):
			x.numbers[f] = true
		case f.Op == logic.OpIte:
			visit(f.Args[1])
			visit(f.Args[2])
		case f.Op == logic.OpSum && len(f.Args) == 1:
			if n := unmarked(f.Coef[0], f.Args[0]); n != nil {
				visit(n)
			}
		}
	}
	for _, f := range x.Touched {
		visit(f)
	}
	return x.numbers
}

// joinRelated joins the roots that lead into one object, as the path has asked for their distance or
// order.
func (x *outside) joinRelated() {
	pointer := x.pointerInputs()
	x.mates = map[*logic.Term]*logic.Term{}
	for _, r := range x.Related {
		for _, a := range x.pointersIn(r.A, pointer, anyValue) {
			for _, b := range x.pointersIn(r.B, pointer, anyValue) {
				if a, b = x.mate(a), x.mate(b); a != b {
					x.mates[b] = a
				}
			}
		}
	}
}

// mate returns the representative of the roots that lead into one object with r.
func (x *outside) mate(r *logic.Term) *logic.Term {
	for x.mates[r] != nil {
		r = x.mates[r]
	}
	return r
}

// pointersIn returns the pointers from outside, inputs or read from memory, that address f is computed
// from, where conditions have the values that value knows, if any.
func (x *outside) pointersIn(f *logic.Term, input map[*logic.Term]bool, value func(*logic.Term) (v *big.Int, known bool)) (list []*logic.Term) {
	switch {
	// The address of an object of the program.
	case f.IsAddress():
	// A root.
	case input[f], f.Op == logic.OpApp && x.readsPointer(f):
		list = append(list, f)
	// An address that is computed from a root, or one that a condition chooses.
	case f.Op == logic.OpSum:
		for i, a := range f.Args {
			if n := unmarked(f.Coef[i], a); n != nil {
				a = n
			}
			list = append(list, x.pointersIn(a, input, value)...)
		}
	case f.Op == logic.OpIte:
		cases := f.Args[1:]
		if v, known := value(f.Args[0]); known && v.Sign() != 0 {
			cases = cases[:1]
		} else if known {
			cases = cases[1:]
		}
		for _, a := range cases {
			list = append(list, x.pointersIn(a, input, value)...)
		}
	}
	return list
}

// unmarked returns n if by*f is n, or n without its last bits, in which programs keep marks; otherwise nil.
//
//	4 * floor(n/4)        n & ~3
func unmarked(by *big.Int, f *logic.Term) *logic.Term {
	switch {
	case by.Cmp(big.NewInt(1)) == 0:
		return f
	case f.Op == logic.OpDiv && f.Val.Cmp(by) == 0:
		return f.Args[0]
	}
	return nil
}

// anyValue knows no values.
func anyValue(*logic.Term) (*big.Int, bool) { return nil, false }

// readsPointer reports whether f is a read of memory that gives a pointer.
func (x *outside) readsPointer(f *logic.Term) bool {
	_, ok := x.Translator.TypeOf(f).(core.Ptr)
	return ok
}
