package backward

import (
	"c2bp/frontend/core"
	"c2bp/logic"
	"c2bp/refine/algebra"
	"c2bp/refine/cex"
)

// This file states the effects of an activation on places in memory: targets of pointers that were
// passed, and members of structs that are passed and returned by value. (In swap, the value of *q at
// the return is that of *p at the entry.)

// effects executes the steps of activation f alone, from an open state, but for pointers to variables
// that the call passes: these have their values.
func (w *Walk) effects(call *core.Call, f *cex.Frame) *cex.Execution {
	x := w.Execute(logic.NewTable(), w.Path, f.Call+1, f.Call+1)
	// A formal that gets the address of a variable holds that address.
	for i, v := range f.Proc.Formals {
		if call.Args[i] == nil || v.InMemory() || !algebra.IsScalar(v.Type) {
			continue
		}
		if base, _ := algebra.Base(call.Args[i]); algebra.IsAddress(base) {
			start := x.In(f.Caller, f.Call).Value(call.Args[i])
			x.Inputs[cex.Input{Step: -1, Frame: f, Var: v}] = start
			x.Values[cex.SlotOf(f, v)] = start
		}
	}
	for i := f.Call + 1; i < f.Return; i++ {
		x.Step(w.Path, i)
	}
	return x
}

// isResult reports whether an address is that of the result variable of f, a struct.
func isResult(address core.Expr, f *cex.Frame) bool {
	a, ok := address.(*core.AddrOf)
	return ok && a.Var == f.Proc.Result
}

// ofResult returns e with the result variable of f for the variable that stands for it (returned).
func (w *Walk) ofResult(e core.Expr, f *cex.Frame) core.Expr {
	return core.Replace(e, func(x core.Expr) core.Expr {
		switch x := x.(type) {
		case *core.VarRef:
			if x.Var == w.result {
				return f.Proc.Result.Ref()
			}
		case *core.AddrOf:
			if x.Var == w.result {
				return &core.AddrOf{Var: f.Proc.Result, Typ: x.Typ}
			}
		}
		return nil
	})
}

// member returns l, a place in the destination of a call that returns a struct, as a place in the
// result; nil if l is not such a place.
func (w *Walk) member(l core.Loc, call *core.Call, q *core.Proc) core.Loc {
	if call.Lhs == nil || q.Result == nil || !q.Result.InMemory() || algebra.IsScalar(q.Result.Type) || algebra.Address(l, w.Bits) == nil || !algebra.IsScalar(l.Type()) {
		return nil
	}
	if v := algebra.Variable(l); v != nil && !v.InMemory() {
		return nil
	}
	base, at := algebra.Base(algebra.Address(call.Lhs, w.Bits))
	b, off := algebra.Base(algebra.Address(l, w.Bits))
	if !core.Equal(b, base) || off < at || off+core.Bytes(l.Type()) > at+core.Bytes(q.Result.Type) {
		return nil
	}
	object := &core.AddrOf{Var: w.returned(q), Typ: core.Ptr{Bits: w.Bits}}
	m := &core.Mem{Addr: rebased(algebra.Address(l, w.Bits), algebra.Address(call.Lhs, w.Bits), object, off-at), Typ: l.Type()}
	if old, ok := l.(*core.Mem); ok {
		m.Bit, m.Packed = old.Bit, old.Packed
	}
	return m
}

// rebased returns address, which is off bytes after from, relative to to instead. If address is spelt
// with from inside, the names of members are kept.
func rebased(address, from, to core.Expr, off int64) core.Expr {
	spelt := false
	e := core.Replace(address, func(x core.Expr) core.Expr {
		if !core.Equal(x, from) {
			return nil
		}
		spelt = true
		return to
	})
	if spelt {
		return e
	}
	return algebra.Displace(to, off)
}

// asVariables returns e with variables for dereferences of their addresses.
func asVariables(e core.Expr) core.Expr {
	return core.Replace(e, func(x core.Expr) core.Expr {
		if m, ok := x.(*core.Mem); ok && m.Bit == 0 {
			if a, ok := m.Addr.(*core.AddrOf); ok && a.Var.Type == m.Typ {
				return a.Var.Ref()
			}
		}
		return nil
	})
}
