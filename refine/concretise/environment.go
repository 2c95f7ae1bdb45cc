package concretise

import (
	"context"
	"maps"
	"math/big"
	"slices"

	"c2bp/frontend/core"
	"c2bp/frontend/core/interp"
	"c2bp/logic"
	"c2bp/prover"
	"c2bp/refine/cex"
)

// This file gives a run memory that the program did not make. Where a path follows pointers that came
// from outside, its conditions leave open where they lead: any numbers do that make them hold, also
// such as put one struct into the middle of another. So the prover is asked for numbers that are far
// apart: each pointer then has an object of its own, made in the replay when it is first needed
// (interp.Request.Fresh; Khurshid–Păsăreanu–Visser 2003), and the contents that a model has at a number
// are those of this object.
//
//	d = get_dev();                get_dev() = 2^40          → environment object 1
//	b = d->bus;                   [2^40 + 8] = 2^40 + 2^24  → environment object 2
//	if (b->irq == 3) …            [2^40 + 2^24 + 4] = 3
//
// If that is impossible, because the path has found two of them equal or one object in another, they
// may be as their types allow: equal, or one a member of the other, or else far apart. Pointers whose
// difference or order the path asks for are always in one object: buf->end - buf->tail.

// outside is a path with the pointers from outside that it follows, its roots.
type outside struct {
	*cex.Execution
	mates   map[*logic.Term]*logic.Term // union-find of the roots that lead into one object
	like    *prover.Model               // of the path's conditions, with its pointers anywhere; nil if there is none
	numbers map[*logic.Term]bool        // integers among the roots; nil before they are looked for
}

// environment is the numbers that a model has for objects which are not the program's.
type environment struct {
	first *big.Int     // the least number
	width *big.Int     // the least distance between two of them
	lent  []lentObject // the objects that the run has met

	numbers map[*logic.Term]bool // integers that are addresses
	likely  bool                 // pointers of which the model says nothing lead to objects of their own, and not nowhere
}

// lentObject is an object of the environment: a place in it by its address in the model, and in the run. It is made in
// the run when a pointer to it is first asked for, which leads to that place.
type lentObject struct {
	model, run *big.Int
	home       uint64 // the object's (interp.Object.Home), less than strictest bytes before
}

// layout returns the numbers of objects of the environment: the first, and the distance between two. The
// program's objects are below the first.
func (c *Confirmer) layout() (first, step *big.Int) {
	if c.Bits == 32 {
		return big.NewInt(1 << 31), big.NewInt(1 << 20)
	}
	return big.NewInt(1 << 40), big.NewInt(1 << 24)
}

// mostApart bounds the roots of a path. mostNested bounds those whose positions are considered in pairs.
const mostApart, mostNested = 256, 48

// mostModels bounds the models of a path with its roots in one way.
const mostModels = 8

// environmentModels yields models of a feasible path in which its roots lie as their types allow, each
// with the environment for its replay: first one in which all are far apart; then one in which some are
// equal, or lead into each other's objects or to functions; then one in which some lead to the
// program's objects. In each, the formulas also hold. It yields none if the path follows no pointer from
// outside, or too many. yield says whether to go on, and returns conditions that further models have to keep.
func (c *Confirmer) environmentModels(ctx context.Context, pr *prover.Prover, x *outside, also []*logic.Term, yield func(cex.Feasibility, *environment) (away []*logic.Term, more bool)) {
	// 1. The roots that there may be, and which of them are in one object for sure.
	all := x.roots()
	if len(all) == 0 {
		return
	}
	first, step := c.layout()
	x.joinRelated()
	conds := slices.Concat(cex.Terms(x.Conds), x.wholeElements(), x.alignment(), also)
	// 2. The ways in which they may lie. The program's objects are below them.
	used := x.alone(all, first, step)
	ways := []struct {
		most int // roots
		lie  func(roots []*logic.Term) []*logic.Term
	}{
		{mostApart, func(roots []*logic.Term) []*logic.Term { return x.inRow(roots, first, step) }},
		{mostNested, func(roots []*logic.Term) []*logic.Term {
			return x.nestedOrApart(roots, c.functions(x), nil, first, step)
		}},
		{mostNested, func(roots []*logic.Term) []*logic.Term {
			return x.nestedOrApart(roots, x.addresses(), x.addresses(), first, step)
		}},
	}
	conds = append(conds, x.below(new(big.Int).Sub(first, step), conds)...)
	kept := x.numbersKept(conds)
	models := mostModels
	if c.brief {
		ways, models = ways[:1], 1
	}
	for _, w := range ways {
		// 3. A model of each that is possible; and more, as long as a replay finds addresses that no run has.
		for range models {
			var lits []*logic.Term
			var model *prover.Model
			if len(kept) > 0 {
				lits, model = x.growing(ctx, pr, slices.Concat(conds, kept), all, used, w.most, w.lie)
			}
			if model == nil {
				lits, model = x.growing(ctx, pr, conds, all, used, w.most, w.lie)
			}
			if model == nil {
				break
			}
			model, err := c.Realistic(ctx, pr, x.Execution, lits, model)
			if err != nil || model == nil {
				break
			}
			away, more := yield(cex.Feasibility{Exec: x.Execution, Model: model}, &environment{first: first, width: step, numbers: x.leading()})
			if !more {
				return
			}
			if len(away) == 0 {
				break
			}
			conds = append(conds, away...)
		}
	}
}

// numbersKept returns equations by which the arguments of products, shifts and the like keep the values that they have in
// the model without objects. Where pointers lead seldom depends on numbers, and all the rest is linear:
//
//	1 << d->irq % 64 & d->enabled      d->irq == 3, d->enabled == 8
func (x *outside) numbersKept(conds []*logic.Term) (kept []*logic.Term) {
	if x.like == nil {
		return nil
	}
	for _, f := range cex.Meaningful(conds) {
		for _, a := range f.Args {
			if v, ok := x.like.Value(a); ok && !a.IsConst() {
				kept = append(kept, x.Table.Eq(a, x.Table.Big(v)))
			}
		}
	}
	return kept
}

// growing returns a model of conds in which those of all roots that it follows, and those in used, lie in a way; and
// the literals. It adds these roots to used. It returns nil if there is none, or if there are more than most.
// A read after many writes is one of many reads before them: only the write that it meets in the model says which.
func (x *outside) growing(ctx context.Context, pr *prover.Prover, conds, all []*logic.Term, used map[*logic.Term]bool, most int, lie func(roots []*logic.Term) []*logic.Term) ([]*logic.Term, *prover.Model) {
	for {
		// 1. A model in which the roots that are known lie so.
		roots := slices.DeleteFunc(slices.Clone(all), func(r *logic.Term) bool { return !used[r] })
		if len(roots) > most {
			return nil, nil
		}
		lits := append(conds[:len(conds):len(conds)], lie(roots)...)
		answer, model := pr.Model(ctx, lits, x.Table)
		if answer != prover.Sat {
			return nil, nil
		}
		// 2. Does it follow others?
		if !x.follow(used, model) {
			return lits, model
		}
	}
}

// alone returns those of all roots that the path follows if each leads to an object of its own, as a set.
func (x *outside) alone(all []*logic.Term, first, step *big.Int) map[*logic.Term]bool {
	// 1. Numbers for the roots, and for the program's objects; a root that shares an object has no known one.
	e := &apart{x: x, numbers: map[*logic.Term]*big.Int{}, known: map[*logic.Term]*big.Int{}}
	for i, a := range x.addresses() {
		e.numbers[a] = new(big.Int).Mul(big.NewInt(int64(i+1)), big.NewInt(1<<12))
	}
	// 2. Follow the path: a root that is found gets the next number, and decides which writes later reads meet.
	used, pointer, at := map[*logic.Term]bool{}, x.pointerInputs(), new(big.Int).Set(first)
	for _, f := range x.followed() {
		for _, r := range x.pointersIn(f, pointer, e.value) {
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
	}
	return used
}

// apart evaluates terms where some symbols and reads have known numbers.
type apart struct {
	x       *outside
	numbers map[*logic.Term]*big.Int
	known   map[*logic.Term]*big.Int // values of terms; nil if one depends on more
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

// followed lists the addresses that the path accesses, computes others from, and compares.
func (x *outside) followed() []*logic.Term {
	list := append(x.Accessed[:len(x.Accessed):len(x.Accessed)], x.Bases...)
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
	// 2. The only one in an address in which there is no pointer.
	pointer := x.pointerInputs()
	var visit func(f *logic.Term)
	visit = func(f *logic.Term) {
		switch {
		case wide(f):
			x.numbers[f] = true
		case f.Op == logic.OpIte:
			visit(f.Args[1])
			visit(f.Args[2])
		case f.Op == logic.OpSum && len(f.Args) == 1 && f.Coef[0].Cmp(big.NewInt(1)) == 0:
			visit(f.Args[0])
		}
	}
	for _, f := range x.Touched {
		if len(x.pointersIn(f, pointer, anyValue)) == 0 {
			visit(f)
		}
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

// beside returns the formula that r is as near to s as places in one object are: at most an eighth of the
// distance between two objects away.
func (x *outside) beside(r, s *logic.Term, step *big.Int) *logic.Term {
	t := x.Table
	// An eighth of the distance between two objects.
	near := t.Big(new(big.Int).Rsh(step, 3))
	return t.And(t.Le(t.Sub(s, near), r), t.Le(r, t.Add(s, near)))
}

// wholeElements returns the formulas that pointers are whole elements apart where the path asks how many.
func (x *outside) wholeElements() (out []*logic.Term) {
	for _, r := range x.Related {
		if r.Size > 1 {
			out = append(out, x.Table.Eq(x.Table.Mod(x.Table.Sub(r.A, r.B), big.NewInt(r.Size)), x.Table.Int(0)))
		}
	}
	return out
}

// alignment returns the formulas that scalars are where their sizes allow it, if their addresses are computed from numbers
// that are open. The pointers in them are multiples of these sizes in the run, if not in the model; of integers that are
// addresses, the last bits in the run are those in the model.
func (x *outside) alignment() (out []*logic.Term) {
	t, pointer := x.Table, x.pointerInputs()
	for _, a := range x.Aligned {
		distance := t.Int(0) // from all pointers
		add := func(by *big.Int, f *logic.Term) {
			roots := x.pointersIn(f, pointer, anyValue)
			if !f.IsAddress() && !slices.ContainsFunc(roots, func(r *logic.Term) bool { return !x.leading()[r] }) {
				distance = t.Add(distance, t.Scale(by, f))
			}
		}
		switch {
		case a.At.Op == logic.OpSum:
			distance = t.Big(a.At.Val)
			for i, f := range a.At.Args {
				add(a.At.Coef[i], f)
			}
		case len(x.leading()) > 0:
			add(big.NewInt(1), a.At)
		}
		out = append(out, t.Eq(t.Mod(distance, big.NewInt(a.To)), t.Int(0)))
	}
	return out
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
		for _, a := range f.Args {
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

// anyValue knows no values.
func anyValue(*logic.Term) (*big.Int, bool) { return nil, false }

// readsPointer reports whether f is a read of memory that gives a pointer.
func (x *outside) readsPointer(f *logic.Term) bool {
	_, ok := x.Translator.TypeOf(f).(core.Ptr)
	return ok
}

// functions returns those of x's addresses at which functions are.
func (c *Confirmer) functions(x *outside) []*logic.Term {
	// The addresses of all functions, of which the path uses some.
	procs := map[*logic.Term]bool{}
	for _, p := range c.Prog.Procs {
		procs[x.Translator.Value(&core.FuncAddr{Proc: p, Typ: core.Ptr{Bits: x.Bits}})] = true
	}
	return slices.DeleteFunc(x.addresses(), func(a *logic.Term) bool { return !procs[a] })
}

// inRow returns the formulas that the roots lie one after the other, each with an object of its own, but
// for those that lead into one object.
func (x *outside) inRow(roots []*logic.Term, first, step *big.Int) (out []*logic.Term) {
	// A root that shares the object of an earlier one is near it; the numbers of the others are fixed.
	at := new(big.Int).Set(first)
	met := map[*logic.Term]*logic.Term{} // by the representative
	for _, r := range roots {
		if s := met[x.mate(r)]; s == nil {
			met[x.mate(r)] = r
			out = append(out, x.starts(r, at))
		} else {
			out = append(out, x.beside(r, s, step))
		}
		at = new(big.Int).Add(at, step)
	}
	return out
}

// starts returns the formula that r leads to an object at a number: to its first byte, or if r is an integer, near that,
// as programs keep marks in the last bits of addresses.
func (x *outside) starts(r *logic.Term, at *big.Int) *logic.Term {
	t := x.Table
	if !x.leading()[r] {
		return t.Eq(r, t.Big(at))
	}
	return t.And(t.Le(t.Big(at), r), t.Lt(r, t.Add(t.Big(at), t.Int(strictest))))
}

// strictest is the number of bytes of which all objects begin at multiples, in a run.
const strictest = 16

// nestedOrApart returns the formulas that two roots are far apart, or as far from each other as their
// types allow, or lead to something of the program's, which is below first: to functions if no memory is
// accessed through them, otherwise to objects.
func (x *outside) nestedOrApart(roots, functions, objects []*logic.Term, first, step *big.Int) (out []*logic.Term) {
	t := x.Table
	d, last := t.Big(step), new(big.Int).Mul(step, big.NewInt(mostApart))
	last.Add(last, first)
	// 1. Does a root lead to something of the program's? To an object that has room for all that is accessed there.
	touched := map[*logic.Term]bool{}
	pointer := x.pointerInputs()
	for _, f := range x.Touched {
		for _, r := range x.pointersIn(f, pointer, anyValue) {
			touched[r] = true
		}
	}
	inside := func(r *logic.Term) *logic.Term {
		var in []*logic.Term
		addresses := objects
		if !touched[r] {
			addresses = functions
		}
		for _, a := range addresses {
			end := t.Add(a, t.Big(a.Val))
			fits := []*logic.Term{t.Le(a, r), t.Lt(r, end)}
			for _, o := range x.Owners[r] {
				fits = append(fits, t.Le(a, t.Add(r, t.Int(o.Off))), t.Le(t.Add(r, t.Int(o.Off+o.Shape.Size)), end))
			}
			in = append(in, t.And(fits...))
		}
		return t.Or(in...)
	}
	// 2. If not, it is in the range of the environment, and in one of the allowed distances from each other.
	for i, r := range roots {
		out = append(out, t.Or(inside(r), t.And(t.Le(t.Big(first), r), t.Le(r, t.Big(last)))))
		for _, s := range roots[:i] {
			if x.mate(r) == x.mate(s) {
				out = append(out, t.Or(inside(r), inside(s), x.beside(r, s, step)))
				continue
			}
			ways := []*logic.Term{inside(r), inside(s), t.Le(t.Add(r, d), s), t.Le(t.Add(s, d), r)}
			for _, k := range x.distances(r, s) {
				ways = append(ways, t.Eq(r, t.Add(s, t.Int(k))))
			}
			out = append(out, t.Or(ways...))
		}
	}
	return out
}

// distances lists how far r may be after s, if they lead into one object: by the places in the shape of
// one at which there may be the other. Two roots that nothing is accessed through, or one, may be equal.
//
//	s leads to a struct dev, r to its member bus at offset 8        8
//	both lead to a struct dev of 24 bytes                           0, 24, -24
func (x *outside) distances(r, s *logic.Term) (list []int64) {
	// 1. A pointer that no memory is accessed through may equal any other.
	mine, other := x.Owners[r], x.Owners[s]
	if len(mine) == 0 || len(other) == 0 {
		list = []int64{0}
	}
	// 2. For each object that r is known to be a part of, and each of s: where one is inside the other, or next
	// to it in an array.
	for _, a := range mine {
		for _, b := range other {
			away := b.Off - a.Off
			for _, k := range b.Shape.Places(a.Shape) {
				list = append(list, away+k)
			}
			for _, k := range a.Shape.Places(b.Shape) {
				list = append(list, away-k)
			}
			if a.Shape.Is(b.Shape) { // two elements of an array
				list = append(list, away+a.Shape.Size, away-a.Shape.Size)
			}
		}
	}
	slices.Sort(list)
	list = slices.Compact(list)
	// 3. Where two of their structs would overlap although neither nests in the other, they are not.
	//
	//	s leads to a struct dev, r to the member link of a struct job      not where s has a member link, too
	return slices.DeleteFunc(list, func(k int64) bool {
		for _, a := range mine {
			for _, b := range other {
				d := k + a.Off - b.Off // how far a is after b
				if a.Shape.Record != nil && b.Shape.Record != nil && d < b.Shape.Size && -d < a.Shape.Size &&
					!b.Shape.Holds(d, a.Shape) && !a.Shape.Holds(-d, b.Shape) {
					return true
				}
			}
		}
		return false
	})
}

// page is the distance of which objects of the program that nothing is asked of are at multiples.
const page = 1 << 12

// below returns the formulas that the objects of the program which the path uses are below a number. Those of
// which conds say nothing have known places there, one below the other: hundreds of objects, each two of which must
// not overlap, are much for the prover.
func (x *outside) below(number *big.Int, conds []*logic.Term) (out []*logic.Term) {
	t := x.Table
	asked := map[*logic.Term]bool{}
	for f := range logic.Subterms(conds...) {
		asked[f] = true
	}
	at, least := number, new(big.Int).Rsh(number, 1)
	for _, a := range x.addresses() {
		// The next place below those that are taken, if that is in the upper half of what there is.
		place := new(big.Int).Sub(at, a.Val)
		place.Sub(place, big.NewInt(1))
		place.Sub(place, new(big.Int).Mod(place, big.NewInt(page)))
		if asked[a] || place.Cmp(least) < 0 {
			out = append(out, t.Lt(t.Add(a, t.Big(a.Val)), t.Big(number)))
			continue
		}
		out, at = append(out, t.Eq(a, t.Big(place))), place
	}
	return out
}

// addresses lists the addresses of objects and functions of the program that the path uses.
func (x *outside) addresses() (list []*logic.Term) {
	for f := range logic.Subterms(append(cex.Terms(x.Conds), x.Accessed...)...) {
		if f.IsAddress() {
			list = append(list, f)
		}
	}
	return list
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
// an object of the environment, which is made if it is new. It is v if that is no such number.
func (r *replayer) addressOutside(q interp.Request, v *big.Int) *big.Int {
	if !r.environment.has(v) {
		return v
	}
	// An object of the environment for v: one that was met, or a new one.
	l := r.environment.near(v)
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
