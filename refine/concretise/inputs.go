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

// This file finds the inputs of a run in a model of the conditions of its path. Objects have
// other addresses in the model than in the run.

// mapReads lists the reads of memory that formulas depend on.
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

// decidingReads lists the reads of memory that what formulas are in the model depends on. A
// read of memory is one of each that may have written the place, with the place's conditions
// around it: what the model has for those whose condition is false says nothing of the run.
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

// modelled is what the model says about an input, nil if it says nothing.
func (r *replayer) modelled(q interp.Request) *big.Int {
	if q.Object != nil {
		return r.contents(q)
	}
	key := cex.Input{Step: -1, Var: q.Var}
	switch q.Why {
	case interp.InitFormal, interp.InitLocal:
		key.Frame = r.frame(q)
	case interp.Havocked, interp.RegionHavocked:
		key.Step = r.at
		if q.Var.Kind != core.Global {
			key.Frame = r.frame(q)
		}
	case interp.ExternalResult:
		c, ok := r.path.Steps[r.at].Stmt().(*core.Call)
		if !ok || c.Lhs == nil || algebra.Variable(c.Lhs) == nil {
			return nil
		}
		key = cex.Input{Step: r.at, Frame: cex.SlotOf(r.path.Steps[r.at].Frame, algebra.Variable(c.Lhs)).Frame, Var: algebra.Variable(c.Lhs)}
	}
	term := r.exec.Inputs[key]
	if term == nil {
		return nil
	}
	v, _ := r.model.Value(term)
	return v
}

// frame is the activation whose variable is asked for.
func (r *replayer) frame(q interp.Request) *cex.Frame {
	if q.Owner < 0 || q.Owner >= len(r.stack) {
		return nil
	}
	return r.stack[q.Owner]
}

// contents is what the model says of a place in memory.
func (r *replayer) contents(q interp.Request) *big.Int {
	start := r.startOf(q.Object)
	if start == nil {
		return nil
	}
	addr := new(big.Int).Add(start, new(big.Int).SetUint64(q.Addr-q.Object.Start()))
	var best *big.Int
	for _, p := range r.parts(q, addr) {
		switch {
		case p.lo == 0 && p.typ.Bits == q.Type.Bits:
			if q.Type.Contains(p.value) {
				best = p.value
			}
		case !p.pointer && !q.Pointer:
			best = p.in(best, q.Type)
		}
	}
	return best
}

// part is what the model says of bits of a place that a run reads.
type part struct {
	typ     core.Int
	pointer bool
	lo      int // the first bit, counted from that of the place; it may be less than 0
	step    int // that has made it arbitrary
	value   *big.Int
}

// parts lists what is known of the place at addr that q asks for, what counts for less first.
func (r *replayer) parts(q interp.Request, addr *big.Int) (list []part) {
	for _, f := range r.reads {
		p := part{step: cex.StepOpened(f)}
		if q.Why == interp.Havocked && p.step != r.at || p.step > r.at {
			continue
		}
		typ := r.exec.Translator.TypeOf(f)
		w, isWord := core.Word(typ)
		a, known := r.model.Value(f.Args[0])
		if !isWord || !known {
			continue
		}
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

// in is old, a value of type t or nil, with the bits of p where they are.
func (p part) in(old *big.Int, t core.Int) *big.Int {
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
	if t.Bool && out.BitLen() > 1 {
		return old
	}
	return t.Convert(out)
}

// External says what a procedure without a body writes: what the conditions say is read
// of it.
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
		size := int64(bit+w.Bits+7) / 8
		a, ok := r.model.Value(f.Args[0])
		v, ok2 := r.model.Value(f)
		if !ok || !ok2 {
			continue
		}
		for _, o := range c.Reached {
			start := r.startOf(o)
			if start == nil {
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
			if _, isPtr := r.exec.Translator.TypeOf(f).(core.Ptr); isPtr && v.Sign() != 0 {
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

// littleEndian is the bytes of a value of type w.
func littleEndian(v *big.Int, w core.Int) []byte {
	out := make([]byte, w.Bits/8)
	u := core.Int{Bits: w.Bits}.Convert(v)
	for i := range out {
		out[i] = byte(new(big.Int).Rsh(u, uint(8*i)).Uint64())
	}
	return out
}

// startOf is the address of an object in the model, nil if it has none.
func (r *replayer) startOf(o *interp.Object) *big.Int {
	var term *logic.Term
	switch {
	case o.Var() != nil:
		var f *cex.Frame
		if d := o.Depth(); o.Var().Kind != core.Global && d >= 0 && d < len(r.stack) {
			f = r.stack[d]
		}
		term = r.exec.In(f, 0).Address(o.Var().Ref())
	case o.Alloc() != nil && o.Born() < len(r.path.Steps):
		term = r.exec.In(nil, o.Born()).Allocated(o.Alloc())
	case o.Proc() != nil:
		term = r.exec.Translator.Value(&core.FuncAddr{Proc: o.Proc(), Typ: core.Ptr{Bits: r.exec.Bits}})
	default:
		return r.environment.startOf(o)
	}
	if !r.mentions(term) { // the model says nothing of it, and may have put something else there
		return nil
	}
	v, ok := r.model.Value(term)
	if !ok {
		return nil
	}
	return v
}

// mentions reports whether the conditions, or the places that the path reads and writes, depend
// on the address symbol.
func (r *replayer) mentions(symbol *logic.Term) bool {
	yes, known := r.mentioned[symbol]
	if !known {
		yes = slices.ContainsFunc(append(cex.Terms(r.exec.Conds), r.exec.Accessed...), func(f *logic.Term) bool { return f.Mentions(symbol) })
		r.mentioned[symbol] = yes
	}
	return yes
}

// pointer is the address in the run for an address in the model.
func (r *replayer) pointer(q interp.Request, v *big.Int) *big.Int {
	if v.Sign() == 0 {
		return v
	}
	if a := r.address(v); a != v {
		return a
	}
	if r.environment != nil {
		return r.addressOutside(q, v)
	}
	if targets := q.Targets(); len(targets) > 0 { // some object that is not the program's
		return new(big.Int).SetUint64(targets[0].Start())
	}
	return v
}

// address is the address in the run of the object that v points into in the model; v if
// there is none.
func (r *replayer) address(v *big.Int) *big.Int {
	if r.machine == nil {
		return v
	}
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
	if l := r.environment.near(v); l != nil {
		return r.environment.address(v, l)
	}
	return v
}
