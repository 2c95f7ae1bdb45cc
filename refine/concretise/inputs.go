package concretise

import (
	"math/big"
	"slices"
	"strings"

	"c2bp/frontend/core"
	"c2bp/frontend/core/interp"
	"c2bp/logic"
	"c2bp/prover"
	"c2bp/refine/algebra"
	"c2bp/refine/cex"
)

// This file reads the inputs of a run off a model of the conditions of its path. Objects have other
// addresses in the model than in the run.

// mapReads lists the reads of memory that formulas depend on, inner ones first.
func mapReads(formulas []*logic.Term) (reads []*logic.Term) {
	seen := map[*logic.Term]bool{}
	var visit func(f *logic.Term)
	visit = func(f *logic.Term) {
		if seen[f] || !f.HasMaps() {
			return
		}
		seen[f] = true
		for _, a := range f.Args {
			visit(a)
		}
		if f.Op == logic.OpApp && !logic.HasMeaning(f.Name) {
			reads = append(reads, f)
		}
	}
	for _, f := range formulas {
		visit(f)
	}
	return reads
}

// decidingReads lists the reads of memory on which the values of formulas in the model depend. A read
// after writes is a case distinction over those that may have been to its place; the value of a case
// whose condition is false says nothing of the run.
func decidingReads(formulas []*logic.Term, model *prover.Model) (reads []*logic.Term) {
	seen := map[*logic.Term]bool{}
	truth := func(f *logic.Term) (value, known bool) {
		v, ok := model.Value(f)
		return ok && v.Sign() != 0, ok
	}
	var visit func(f *logic.Term)
	visit = func(f *logic.Term) {
		if seen[f] || !f.HasMaps() {
			return
		}
		seen[f] = true
		args := f.Args
		switch f.Op {
		// The case that the model takes.
		case logic.OpIte:
			if yes, known := truth(args[0]); known && yes {
				args = args[:2]
			} else if known {
				args = []*logic.Term{args[0], args[2]}
			}
		case logic.OpAnd, logic.OpOr:
			// One argument that decides is enough: one that reads nothing, if there is any.
			if all, known := truth(f); known && all == (f.Op == logic.OpOr) {
				deciding := slices.DeleteFunc(slices.Clone(args), func(a *logic.Term) bool {
					v, ok := truth(a)
					return !ok || v != all
				})
				if i := slices.IndexFunc(deciding, func(a *logic.Term) bool { return !a.HasMaps() }); i >= 0 {
					args = nil
				} else if len(deciding) > 0 {
					args = deciding[:1]
				}
			}
		}
		for _, a := range args {
			visit(a)
		}
		if f.Op == logic.OpApp && !logic.HasMeaning(f.Name) {
			reads = append(reads, f)
		}
	}
	for _, f := range formulas {
		visit(f)
	}
	return reads
}

// modelled returns the value of an input in the model, nil if the model says nothing of it. Inputs in
// memory are reads of the path formula; others are open values of its execution.
func (r *replayer) modelled(q interp.Request) *big.Int {
	if q.Object != nil {
		return r.contents(q)
	}
	// Which open value of the execution is asked for?
	key := cex.Input{Step: -1, Var: q.Var}
	switch q.Why {
	// An initial value, of a global unless the request says otherwise.
	case interp.InitFormal, interp.InitLocal:
		key.Frame = r.frame(q)
	// A value that the present step makes arbitrary.
	case interp.Havocked, interp.RegionHavocked:
		key.Step = r.at
		if q.Var.Kind != core.Global {
			key.Frame = r.frame(q)
		}
	// The result of a procedure without a body, in the variable that gets it.
	case interp.ExternalResult:
		c, ok := r.path.Steps[r.at].Stmt().(*core.Call)
		if !ok || c.Lhs == nil {
			return nil
		}
		if algebra.Variable(c.Lhs) == nil {
			return r.stored(q, c.Lhs)
		}
		key = cex.Input{Step: r.at, Frame: cex.SlotOf(r.path.Steps[r.at].Frame, algebra.Variable(c.Lhs)).Frame, Var: algebra.Variable(c.Lhs)}
	}
	term := r.exec.Inputs[key]
	if term == nil {
		return nil
	}
	v, _ := r.model.Value(term)
	r.from = term
	return v
}

// stored returns the value of a result that the present step stores in memory, at l, nil if the model has none.
func (r *replayer) stored(q interp.Request, l core.Loc) *big.Int {
	m, ok := l.(*core.Mem)
	if !ok || r.machine == nil {
		return nil
	}
	// The place becomes arbitrary now.
	q.Addr = core.EvalIn(m.Addr, r.machine.Top().State()).Uint64()
	if q.Object = r.machine.Object(q.Addr); q.Object == nil {
		return nil
	}
	q.Why = interp.Havocked
	return r.contents(q)
}

// frame returns the activation whose variable is asked for.
func (r *replayer) frame(q interp.Request) *cex.Frame {
	if q.Owner < 0 || q.Owner >= len(r.stack) {
		return nil
	}
	return r.stack[q.Owner]
}

// contents returns the value of a place in memory in the model, nil if there is none.
func (r *replayer) contents(q interp.Request) *big.Int {
	// 1. Where is the place in the model?
	start := r.startOf(q.Object)
	if start == nil {
		return nil
	}
	addr := new(big.Int).Add(start, new(big.Int).SetUint64(q.Addr-q.Object.Start()))
	// 2. Put together the bits that are known; later knowledge replaces earlier.
	var best *big.Int
	for _, p := range r.parts(q, addr) {
		switch {
		case p.lo == 0 && p.typ.Bits == q.Type.Bits:
			// Signed and unsigned numbers share a map, as signed ones: -1 there is 2^32 - 1 in an unsigned int. Not each is
			// a truth value.
			if !q.Type.Bool || q.Type.Contains(p.value) {
				best, r.from = q.Type.Convert(p.value), p.term
			}
		case !p.pointer && !q.Pointer:
			best = p.in(best, q.Type)
		}
	}
	return best
}

// part is the value in the model of some bits of a place that a run reads.
type part struct {
	typ     core.Int
	pointer bool
	lo      int // the first bit, counted from the first of the place; it may be less than 0
	step    int // the step that made them arbitrary
	value   *big.Int
	term    *logic.Term
}

// parts lists the known bits of the place at addr that q asks for, ordered by step.
func (r *replayer) parts(q interp.Request, addr *big.Int) (list []part) {
	for _, f := range r.reads {
		// 1. A read of memory that is arbitrary since a step before the present one; of one that becomes so now,
		// since this step.
		p := part{step: cex.StepOpened(f), term: f}
		if q.Why == interp.Havocked && p.step != r.at || p.step > r.at {
			continue
		}
		typ := r.exec.Translator.TypeOf(f)
		w, isWord := core.Word(typ)
		a, known := r.model.Value(f.Args[0])
		if !isWord || !known {
			continue
		}
		// 2. At overlapping bits.
		d := a.Sub(a, addr)
		if !d.IsInt64() || d.Int64() < -8 || d.Int64() > 8 { // none has more than 8 bytes
			continue
		}
		p.typ, p.lo = w, int(8*d.Int64())+r.exec.Translator.BitOf(f)
		if p.lo >= q.Type.Bits || p.lo+w.Bits <= 0 {
			continue
		}
		_, p.pointer = typ.(core.Ptr)
		if p.value, known = r.model.Value(f); known {
			list = append(list, p)
		}
	}
	slices.SortStableFunc(list, func(a, b part) int { return a.step - b.step })
	return list
}

// in returns old, a value of type t or nil, with the bits of p where they are. Bits of which
// nothing is known are 0.
func (p part) in(old *big.Int, t core.Int) *big.Int {
	// 1. The bits of old, and those of p in their places.
	all := core.Int{Bits: t.Bits}
	out := new(big.Int)
	if old != nil {
		out.Set(all.Convert(old))
	}
	bits := core.Int{Bits: p.typ.Bits}.Convert(p.value)
	for i := range p.typ.Bits {
		if at := p.lo + i; at >= 0 && at < t.Bits {
			out.SetBit(out, at, bits.Bit(i))
		}
	}
	// 2. A truth value of more than one bit is none.
	if t.Bool && out.BitLen() > 1 {
		return old
	}
	return t.Convert(out)
}

// External returns the memory that a procedure without a body writes: as much as the conditions read of
// it.
func (r *replayer) External(c interp.ExternalCall) (out []interp.Write) {
	if c.Callee.Assembly { // nobody could supply that
		return nil
	}
	for _, f := range r.reads {
		w, isWord := core.Word(r.exec.Translator.TypeOf(f))
		if cex.StepOpened(f) != r.at || !strings.Contains(f.Name, "#") || !isWord {
			continue
		}
		bit := r.exec.Translator.BitOf(f)
		// A read of memory that this call has made arbitrary: where in the model, and which value?
		size := int64(bit+w.Bits+7) / 8
		a, ok := r.model.Value(f.Args[0])
		v, ok2 := r.model.Value(f)
		if !ok || !ok2 {
			continue
		}
		// The object of the run that it lies in. Those of the environment are wide in the run, and close to each other in
		// the model.
		lent := r.environment.near(a)
		for _, o := range c.All() {
			start := r.startOf(o)
			if start == nil || o.Environment() && (lent == nil || lent.home != o.Home()) {
				continue
			}
			off := new(big.Int).Sub(a, start)
			if off.Sign() < 0 || !off.IsInt64() || off.Int64()+size > o.Size() {
				continue
			}
			write := interp.Write{Addr: o.Start() + off.Uint64(), Size: size}
			if bit == 0 && w.Bits%8 == 0 { // else the bits beside it count, too, when they are read
				write.Bytes = littleEndian(v, w)
			}
			// A pointer is an address in the run.
			if _, isPtr := r.exec.Translator.TypeOf(f).(core.Ptr); (isPtr || r.environment.isAddress(f)) && v.Sign() != 0 {
				to := r.address(v)
				if write.Bytes = littleEndian(to, w); to == v && r.environment.has(v) {
					write.Bytes = nil // an object is made when it is read
				}
			}
			out = append(out, write)
		}
	}
	return out
}

// littleEndian returns the bytes of a value of type w.
func littleEndian(v *big.Int, w core.Int) []byte {
	out := make([]byte, w.Bits/8)
	u := core.Int{Bits: w.Bits}.Convert(v)
	for i := range out {
		out[i] = byte(new(big.Int).Rsh(u, uint(8*i)).Uint64())
	}
	return out
}

// symbol returns the symbol of the address of an object, nil if it is not the program's.
func (r *replayer) symbol(o *interp.Object) *logic.Term {
	switch {
	// A variable of an activation of the path, or a global.
	case o.Var() != nil:
		var f *cex.Frame
		if d := o.Depth(); o.Var().Kind != core.Global && d >= 0 && d < len(r.stack) {
			f = r.stack[d]
		}
		return r.exec.In(f, 0).Address(o.Var().Ref())
	// An allocation, by its step.
	case o.Alloc() != nil && o.Born() < len(r.path.Steps):
		if a := r.exec.Made[o.Born()]; a != nil {
			return a
		}
		return r.exec.In(nil, o.Born()).Allocated(o.Alloc())
	// A function.
	case o.Proc() != nil:
		return r.exec.Translator.Value(&core.FuncAddr{Proc: o.Proc(), Typ: core.Ptr{Bits: r.exec.Bits}})
	}
	return nil
}

// startOf returns the address of an object in the model, nil if it has none.
func (r *replayer) startOf(o *interp.Object) *big.Int {
	term := r.symbol(o)
	if term == nil { // it is of the environment
		return r.environment.startOf(o)
	}
	// The model says nothing of an object that no condition mentions, and may have put another one there.
	if !r.mentions(term) {
		return nil
	}
	v, ok := r.model.Value(term)
	if !ok {
		return nil
	}
	return v
}

// mentions reports whether the conditions, or the places that the path reads and writes, depend on an
// address symbol.
func (r *replayer) mentions(symbol *logic.Term) bool {
	yes, known := r.mentioned[symbol]
	if !known {
		yes = slices.ContainsFunc(append(cex.Terms(r.exec.Conds), r.exec.Accessed...), func(f *logic.Term) bool { return f.Mentions(symbol) })
		r.mentioned[symbol] = yes
	}
	return yes
}

// pointer returns the address in the run for address v in the model.
func (r *replayer) pointer(q interp.Request, v *big.Int) *big.Int {
	if v.Sign() == 0 {
		return v
	}
	// 1. In an object of the run.
	if a := r.address(v); a != v {
		return a
	}
	// 2. In an object of the environment, which may have to be made.
	if r.environment != nil {
		return r.addressOutside(q, v)
	}
	// 3. In some object that is not the program's.
	if targets := q.Targets(); len(targets) > 0 {
		return new(big.Int).SetUint64(targets[0].Start())
	}
	return v
}

// address returns the address in the run of the place in an object at v in the model; v if there is no
// such object. The run must have started: before, there are no objects.
func (r *replayer) address(v *big.Int) *big.Int {
	if r.machine == nil {
		return v
	}
	// 1. An object of the program that has an address in the model.
	for _, o := range r.machine.Objects() {
		start := r.startOf(o)
		if start == nil || o.Environment() {
			continue
		}
		off := new(big.Int).Sub(v, start)
		if off.Sign() >= 0 && off.Cmp(big.NewInt(max(o.Size(), 1))) < 0 {
			return off.Add(off, new(big.Int).SetUint64(o.Start()))
		}
	}
	// 2. An object of the environment that was made before.
	if l := r.environment.near(v); l != nil {
		return r.environment.address(v, l)
	}
	return v
}
