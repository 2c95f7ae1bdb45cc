package devirt

import (
	"fmt"

	"c2bp/frontend/core"
)

// This file makes a call through a pointer a direct one. Operands whose types are not those of the
// callee are converted as compilers do:
//
//	0: c := (ops->get)(d, 1)     get is int (*)(struct dev *, int)
//
//	0: $r0 := get_a(d, 1)        get_a returns a char
//	1: c := (int)$r0

// direct returns a call of f in the place of c, with the statements that adapt its operands.
func (r *resolver) direct(c *core.Call, f *core.Proc) []core.Stmt {
	d := &core.Call{Callee: f, By: c.By}
	if !f.HasBody() {
		d.Through = c.Target
	}
	// 1. Adapt the arguments. An external gets the variable ones, too.
	a := &adapter{resolver: r}
	all := append(c.Args[:len(c.Args):len(c.Args)], c.Extra...)
	for i, v := range f.Formals {
		d.Args = append(d.Args, a.argument(all[i], v.Type))
	}
	if f.Variadic != nil || !f.HasBody() {
		d.Extra = append(d.Extra, all[len(f.Formals):]...)
	}
	// 2. Adapt the result.
	after := a.result(c, d, f)
	return append(append(a.before, d), after...)
}

// adapter collects the statements before a call.
type adapter struct {
	*resolver
	before []core.Stmt
}

// argument returns e, an argument or nil, as an argument for a formal of type t.
func (a *adapter) argument(e core.Expr, t core.Type) core.Expr {
	switch t := t.(type) {
	// A scalar is converted, and arbitrary if there is none.
	case core.Int, core.Ptr:
		if e != nil {
			return converted(e, t)
		}
		v := a.temp(t)
		a.before = append(a.before, &core.Havoc{Locs: []core.Loc{v.Ref()}, Why: "an argument of another type"})
		return v.Ref()
	// The argument for an aggregate is its address; a number is of another type.
	case core.Agg:
		if e != nil && !isInt(e.Type()) {
			return e // the address of an aggregate
		}
		v := a.temp(t)
		at := &core.AddrOf{Var: v, Typ: a.pointer()}
		size := core.NewConst(t.Size, core.Uint64)
		a.before = append(a.before, &core.Fill{Dst: at, Size: size, Why: "an argument of another type"})
		return at
	}
	return nil
}

// result makes d deliver the result that c expects, and returns the statements after it.
func (a *adapter) result(c, d *core.Call, f *core.Proc) []core.Stmt {
	switch {
	case c.Lhs == nil:
		return nil
	case f.RetType == c.RetType:
		d.Lhs, d.ResultConv = c.Lhs, c.ResultConv
		return nil
	}
	// The types differ. The callee may change the address of the destination, so take it before the
	// call.
	lhs := a.fixed(c.Lhs)
	switch t := lhs.Type().(type) {
	case core.Int, core.Ptr:
		if !isScalar(f.RetType) {
			return []core.Stmt{&core.Havoc{Locs: []core.Loc{lhs}, Why: "a result of another type"}}
		}
		v := a.temp(f.RetType)
		d.Lhs = v.Ref()
		e := v.Ref()
		// Converted to the type that c expects, and then to that of the destination.
		return []core.Stmt{&core.Assign{Lhs: []core.Loc{lhs}, Rhs: []core.Expr{
			converted(converted(e, declared(c, t)), t)}}}
	case core.Agg:
		if u, ok := f.RetType.(core.Agg); ok && u.Size == t.Size {
			d.Lhs = &core.Mem{Addr: lhs.(*core.Mem).Addr, Typ: u}
			return nil
		}
		size := core.NewConst(t.Size, core.Uint64)
		return []core.Stmt{&core.Fill{Dst: lhs.(*core.Mem).Addr, Size: size, Why: "a result of another type"}}
	}
	return []core.Stmt{&core.Havoc{Locs: []core.Loc{lhs}, Why: "a result of another type"}}
}

// declared returns the type that c expects of its result, t if that is no scalar.
func declared(c *core.Call, t core.Type) core.Type {
	if c.RetType != nil && isScalar(c.RetType) {
		return c.RetType
	}
	return t
}

// fixed returns the location l with its address evaluated before the call.
func (a *adapter) fixed(l core.Loc) core.Loc {
	m, ok := l.(*core.Mem)
	if !ok || isRoot(m.Addr) {
		return l
	}
	v := a.temp(m.Addr.Type())
	a.before = append(a.before, &core.Assign{Lhs: []core.Loc{v.Ref()}, Rhs: []core.Expr{m.Addr}})
	return m.At(v.Ref())
}

// isRoot reports whether a is the address of a variable, or of a fixed place in one.
func isRoot(a core.Expr) bool {
	for {
		switch x := a.(type) {
		case *core.AddrOf:
			return true
		case *core.Offset:
			a = x.X
		default:
			return false
		}
	}
}

// converted returns e converted to the scalar type t.
func converted(e core.Expr, t core.Type) core.Expr {
	from := e.Type()
	switch to := t.(type) {
	// To an integer, from one or from a pointer.
	case core.Int:
		if from == t {
			return e
		}
		if isInt(from) {
			return &core.Conv{X: e, To: to}
		}
		return &core.ToInt{X: e, To: to}
	// To a pointer; all pointers are of one width.
	case core.Ptr:
		if isInt(from) {
			return &core.ToPtr{X: e, Typ: to}
		}
	}
	return e
}

// isScalar reports whether t is an integer, a pointer or a floating-point number.
func isScalar(t core.Type) bool {
	_, ok := core.Word(t)
	return ok
}

// isInt reports whether t is an integer.
func isInt(t core.Type) bool {
	_, ok := t.(core.Int)
	return ok
}

// pointer returns the type of pointers in the program.
func (r *resolver) pointer() core.Ptr { return r.result.Pointer() }

// temp declares a temporary of the procedure.
func (r *resolver) temp(t core.Type) *core.Var {
	// 1. Collect the names that the procedure sees, once.
	if r.taken == nil {
		r.taken = map[string]bool{}
		for _, list := range [][]*core.Var{r.prog.Globals, r.proc.Formals, r.proc.Locals} {
			for _, v := range list {
				r.taken[v.Name] = true
			}
		}
	}
	// 2. Take the next name that is free.
	name := ""
	for ok := true; ok; ok = r.taken[name] {
		name = fmt.Sprintf("$r%d", r.temps)
		r.temps++
	}
	v := &core.Var{Name: name, Kind: core.Temp, Proc: r.proc, Type: t}
	r.proc.Locals = append(r.proc.Locals, v)
	return v
}
