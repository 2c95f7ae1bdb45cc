package interp

import (
	"context"
	"errors"
	"strings"
	"testing"

	"c2bp/frontend/core"
)

// Short forms to write programs over memory with.

var ptr = core.Ptr{Bits: 64}

func addr(v *core.Var) core.Expr { return &core.AddrOf{Var: v, Typ: ptr} }

func at(p core.Expr, off int64, t core.Type) *core.Mem {
	return &core.Mem{Addr: &core.Offset{X: p, Off: off}, Typ: t}
}

func store(l core.Loc, e core.Expr) core.Stmt {
	return &core.Assign{Lhs: []core.Loc{l}, Rhs: []core.Expr{e}}
}

func c(v int64, t core.Int) core.Expr { return core.NewConst(v, t) }

func taken(v *core.Var) *core.Var { v.AddrTaken = true; return v }

func agg(size int64) core.Type { return core.Agg{Name: "struct s", Size: size} }

// lab is a program main with many variables to try statements with.
type lab struct {
	main, ext *core.Proc
	g, h      *core.Var // int32 in memory
	s, t      *core.Var // structs of 32 bytes
	p, q      *core.Var // pointers outside of memory
	r         *core.Var // a pointer in memory
	i         *core.Var // int32
	u         *core.Var // uint64
	lit       *core.Var // a string literal of 4 bytes
	globals   []*core.Var
	others    []*core.Proc
	choices   Choices
}

func newLab() *lab {
	l := &lab{
		g: taken(global("g", core.Int32)), h: taken(global("h", core.Int32)),
		s: taken(global("s", agg(32))), t: taken(global("t", agg(32))),
		p: global("p", ptr), q: global("q", ptr), r: taken(global("r", ptr)),
		i: global("i", core.Int32), u: global("u", core.Uint64),
		main: newProc("main", core.Void{}), ext: newProc("ext", ptr),
	}
	formal(l.ext, "a", ptr)
	l.lit = taken(global("lit", agg(4)))
	l.lit.Literal = true
	l.globals = []*core.Var{l.lit, l.g, l.h, l.s, l.t, l.p, l.q, l.r, l.i, l.u}
	return l
}

// run executes stmts in main; the initial values of the scalars are 0.
func (l *lab) run(t *testing.T, stmts ...core.Stmt) (*Machine, Event, error) {
	t.Helper()
	line(l.main, stmts...)
	p := program(t, l.globals, append(append([]*core.Proc{l.ext}, l.others...), l.main)...)
	if l.choices == nil {
		l.choices = &script{}
	}
	m := New(p, l.choices, Options{})
	e, err := m.Run(context.Background(), 1000)
	return m, e, err
}

// TestMemory runs statements whose effect on i is known.
func TestMemory(t *testing.T) {
	l := newLab()
	s, p := addr(l.s), core.Expr(l.p.Ref())
	i32 := func(e core.Expr) core.Expr { return &core.Conv{X: e, To: core.Int32} }
	for name, test := range map[string]struct {
		want  int64
		stmts []core.Stmt
	}{
		"*p is g": {5, []core.Stmt{set(l.p, addr(l.g)), store(at(p, 0, core.Int32), num(5)), set(l.i, l.g.Ref())}},
		"g is *p": {6, []core.Stmt{set(l.p, addr(l.g)), set(l.g, num(6)), set(l.i, at(p, 0, core.Int32))}},
		"**pp": {7, []core.Stmt{set(l.r, addr(l.g)), set(l.p, addr(l.r)), store(at(at(p, 0, ptr), 0, core.Int32), num(7)),
			set(l.i, l.g.Ref())}},
		"fields differ": {12, []core.Stmt{store(at(s, 0, core.Int32), num(1)), store(at(s, 4, core.Int32), num(2)),
			set(l.i, bin(bin(at(s, 0, core.Int32), core.Mul, num(10)), core.Add, at(s, 4, core.Int32)))}},
		"little end first": {0x44, []core.Stmt{store(at(s, 8, core.Int32), num(0x11223344)),
			set(l.i, i32(at(s, 8, core.Uint8)))}},
		"upper half": {0x1122, []core.Stmt{store(at(s, 8, core.Int32), num(0x11223344)),
			set(l.i, i32(at(s, 10, core.Uint16)))}},
		"a byte into an int": {0x112255, []core.Stmt{store(at(s, 8, core.Int32), num(0x112233)),
			store(at(s, 8, core.Uint8), c(0x55, core.Uint8)), set(l.i, at(s, 8, core.Int32))}},
		"sign of a char": {-1, []core.Stmt{store(at(s, 8, core.Int32), num(255)), set(l.i, i32(at(s, 8, core.Int8)))}},
		"a[i]": {9, []core.Stmt{set(l.i, num(3)),
			store(&core.Mem{Addr: &core.Index{X: s, I: l.i.Ref(), Size: 4}, Typ: core.Int32}, num(9)),
			set(l.i, at(s, 12, core.Int32))}},
		"a[-1] from within": {8, []core.Stmt{set(l.p, &core.Offset{X: s, Off: 32}), store(at(s, 24, core.Int64), c(8, core.Int64)),
			set(l.i, i32(&core.Mem{Addr: &core.Index{X: p, I: num(-1), Size: 8}, Typ: core.Int64}))}},
		"difference": {-3, []core.Stmt{set(l.i, i32(&core.Diff{X: &core.Offset{X: s, Off: 4}, Y: &core.Offset{X: s, Off: 17}, Size: 4, Typ: core.Int64}))}},
		"order":      {1, []core.Stmt{set(l.i, bin(s, core.Lt, &core.Offset{X: s, Off: 32}))}},
		"a swap through pointers": {21, []core.Stmt{set(l.g, num(1)), set(l.h, num(2)), set(l.p, addr(l.g)), set(l.q, addr(l.h)),
			&core.Assign{Lhs: []core.Loc{at(p, 0, core.Int32), at(l.q.Ref(), 0, core.Int32)},
				Rhs: []core.Expr{at(l.q.Ref(), 0, core.Int32), at(p, 0, core.Int32)}},
			set(l.i, bin(bin(l.g.Ref(), core.Mul, num(10)), core.Add, l.h.Ref()))}},
		"in order into one place": {2, []core.Stmt{set(l.p, addr(l.g)),
			&core.Assign{Lhs: []core.Loc{l.g.Ref(), at(p, 0, core.Int32)}, Rhs: []core.Expr{num(1), num(2)}}, set(l.i, l.g.Ref())}},
		"addresses before stores": {4, []core.Stmt{set(l.r, addr(l.g)), set(l.g, num(3)), set(l.h, num(3)),
			&core.Assign{Lhs: []core.Loc{l.r.Ref(), at(l.r.Ref(), 0, core.Int32)}, Rhs: []core.Expr{addr(l.h), num(4)}},
			set(l.i, l.g.Ref())}},
		"bit-field": {-2, []core.Stmt{&core.Fill{Dst: s, Size: num(32), Byte: c(0xff, core.Uint8)},
			store(&core.Mem{Addr: s, Typ: core.Int{Bits: 3, Signed: true}, Bit: 6}, c(-2, core.Int{Bits: 3, Signed: true})),
			set(l.i, &core.Conv{X: &core.Mem{Addr: s, Typ: core.Int{Bits: 3, Signed: true}, Bit: 6}, To: core.Int32})}},
		"beside a bit-field": {0x1bf, []core.Stmt{&core.Fill{Dst: s, Size: num(2), Byte: c(0xff, core.Uint8)},
			store(&core.Mem{Addr: s, Typ: core.Int{Bits: 3}, Bit: 6}, c(6, core.Int{Bits: 3})),
			set(l.i, bin(i32(at(s, 0, core.Uint16)), core.And, num(0x1ff)))}},
		"wide bit-field": {0xa0, []core.Stmt{&core.Fill{Dst: s, Size: num(16), Byte: c(0, core.Uint8)},
			store(&core.Mem{Addr: s, Typ: core.Int{Bits: 63}, Bit: 7}, c(1<<62+1, core.Int{Bits: 63})),
			set(l.i, bin(i32(at(s, 0, core.Uint8)), core.Add, i32(at(s, 8, core.Uint8))))}},
		"packed": {5, []core.Stmt{store(&core.Mem{Addr: &core.Offset{X: s, Off: 3}, Typ: core.Int32, Packed: true}, num(5)),
			set(l.i, &core.Mem{Addr: &core.Offset{X: s, Off: 3}, Typ: core.Int32, Packed: true})}},
		"a bool": {1, []core.Stmt{store(at(s, 3, core.Bool), c(1, core.Bool)), set(l.i, i32(at(s, 3, core.Bool)))}},
		"copy": {17, []core.Stmt{store(at(s, 4, core.Int32), num(17)),
			&core.Copy{Dst: addr(l.t), Src: s, Size: num(32)}, set(l.i, at(addr(l.t), 4, core.Int32))}},
		"overlapping copy": {0x020101, []core.Stmt{store(at(s, 0, core.Int32), num(0x030201)), store(at(s, 4, core.Int32), num(0)),
			&core.Copy{Dst: &core.Offset{X: s, Off: 1}, Src: s, Size: num(2)},
			set(l.i, at(s, 0, core.Int32))}},
		"fill":            {0x06060606, []core.Stmt{&core.Fill{Dst: s, Size: num(32), Byte: c(6, core.Uint8)}, set(l.i, at(s, 28, core.Int32))}},
		"fill of no byte": {3, []core.Stmt{&core.Fill{Dst: core.Null(ptr), Size: num(0), Byte: c(6, core.Uint8)}, set(l.i, num(3))}},
		"data":            {'b', []core.Stmt{&core.Data{Dst: s, Bytes: []byte("abc")}, set(l.i, i32(at(s, 1, core.Uint8)))}},
		"alloc": {4, []core.Stmt{&core.Alloc{Lhs: l.p.Ref(), Size: num(8)}, &core.Alloc{Lhs: l.r.Ref(), Size: num(8)},
			store(at(p, 0, core.Int32), num(4)), store(at(l.r.Ref(), 0, core.Int32), num(5)), set(l.i, at(p, 0, core.Int32))}},
		"two allocs differ": {1, []core.Stmt{&core.Alloc{Lhs: l.p.Ref(), Size: num(8)}, &core.Free{Ptr: p},
			&core.Alloc{Lhs: l.q.Ref(), Size: num(8)}, set(l.i, bin(p, core.Ne, l.q.Ref()))}},
		"free of null": {2, []core.Stmt{&core.Free{Ptr: core.Null(ptr)}, set(l.i, num(2))}},
		"pointer to int and back": {5, []core.Stmt{set(l.u, &core.ToInt{X: addr(l.g), To: core.Uint64}), set(l.g, num(5)),
			set(l.i, at(&core.ToPtr{X: l.u.Ref(), Typ: ptr}, 0, core.Int32))}},
		"pointer bytes": {5, []core.Stmt{store(at(s, 8, ptr), addr(l.g)), set(l.g, num(5)), store(at(s, 16, core.Uint64), at(s, 8, core.Uint64)),
			set(l.i, at(at(s, 16, ptr), 0, core.Int32))}},
		"tagged pointer": {5, []core.Stmt{set(l.u, bin(&core.ToInt{X: addr(l.g), To: core.Uint64}, core.Or, c(1, core.Uint64))), set(l.g, num(5)),
			set(l.i, at(&core.ToPtr{X: bin(l.u.Ref(), core.Xor, c(1, core.Uint64)), Typ: ptr}, 0, core.Int32))}},
		"not of a pointer":  {1, []core.Stmt{set(l.i, &core.Unary{Op: core.Not, X: core.Null(ptr)})}},
		"null plus nothing": {1, []core.Stmt{set(l.i, bin(&core.Offset{X: core.Null(ptr)}, core.Eq, core.Null(ptr)))}},
	} {
		l.choices = nil
		m, e, err := l.run(t, test.stmts...)
		if err != nil || e.Kind != Finished {
			t.Errorf("%s: %v, %v", name, e.Kind, err)
			continue
		}
		wantValue(t, name, m.Global(l.i), test.want)
	}
}

// TestUndefinedMemory has one statement list for each kind of undefined behaviour.
func TestUndefinedMemory(t *testing.T) {
	l := newLab()
	s, p := addr(l.s), core.Expr(l.p.Ref())
	f := newProc("f", ptr)
	x, result := taken(local(f, "x", core.Int32)), local(f, `\result`, ptr)
	f.Result = result
	line(f, set(result, addr(x)))
	stack := newProc("stack", ptr)
	result = local(stack, `\result`, ptr)
	stack.Result = result
	line(stack, &core.Alloc{Lhs: result.Ref(), Size: num(8), Stack: true})
	takesInt := newProc("takes", core.Void{})
	formal(takesInt, "n", core.Int32)
	line(takesInt)
	l.others = []*core.Proc{f, stack, takesInt}
	read := func(a core.Expr, off int64, t core.Int) core.Stmt {
		return set(l.i, &core.Conv{X: at(a, off, t), To: core.Int32})
	}
	alloc := &core.Alloc{Lhs: l.p.Ref(), Size: num(8)}
	function := &core.FuncAddr{Proc: f, Typ: ptr}
	for name, test := range map[string]struct {
		want  string
		stmts []core.Stmt
	}{
		"null":            {"access outside of a live object in", []core.Stmt{set(l.p, core.Null(ptr)), read(p, 0, core.Int32)}},
		"null write":      {"access outside of a live object in", []core.Stmt{set(l.p, core.Null(ptr)), store(at(p, 0, core.Int32), num(1))}},
		"wild":            {"access outside of a live object", []core.Stmt{set(l.p, &core.ToPtr{X: c(12345, core.Uint64), Typ: ptr}), read(p, 0, core.Int32)}},
		"at the end":      {"access outside of a live object", []core.Stmt{read(s, 32, core.Uint8)}},
		"over the end":    {"access outside of a live object", []core.Stmt{&core.Alloc{Lhs: l.p.Ref(), Size: num(12)}, read(p, 8, core.Int64)}},
		"a procedure":     {"access outside of a live object", []core.Stmt{set(l.p, function), read(p, 0, core.Uint8)}},
		"freed":           {"access outside of a live object", []core.Stmt{alloc, &core.Free{Ptr: p}, read(p, 0, core.Int32)}},
		"dead frame":      {"access outside of a live object", []core.Stmt{&core.Call{Lhs: l.p.Ref(), Callee: f}, read(p, 0, core.Int32)}},
		"dead stack":      {"access outside of a live object", []core.Stmt{&core.Call{Lhs: l.p.Ref(), Callee: stack}, read(p, 0, core.Int32)}},
		"misaligned":      {"misaligned access", []core.Stmt{read(s, 2, core.Int32)}},
		"misaligned long": {"misaligned access", []core.Stmt{read(s, 4, core.Int64)}},
		"past the end":    {"pointer outside of a live object", []core.Stmt{set(l.p, &core.Offset{X: s, Off: 33})}},
		"before":          {"pointer outside of a live object", []core.Stmt{set(l.p, &core.Index{X: s, I: num(-1), Size: 1})}},
		"huge index":      {"pointer outside of a live object", []core.Stmt{set(l.p, &core.Index{X: s, I: c(-1, core.Int64), Size: 1 << 60})}},
		"great index": {"pointer outside of a live object", []core.Stmt{
			set(l.u, bin(c(0, core.Uint64), core.Sub, c(1, core.Uint64))), // 2^64 - 1 is not -1
			set(l.p, &core.Index{X: &core.Offset{X: s, Off: 8}, I: l.u.Ref(), Size: 1})}},
		"null plus 1":        {"pointer outside of a live object", []core.Stmt{set(l.p, &core.Offset{X: core.Null(ptr), Off: 1})}},
		"dead plus 1":        {"pointer outside of a live object", []core.Stmt{alloc, &core.Free{Ptr: p}, set(l.p, &core.Offset{X: p, Off: 1})}},
		"order":              {"pointers into different objects", []core.Stmt{set(l.i, bin(addr(l.g), core.Lt, addr(l.h)))}},
		"difference":         {"pointers into different objects", []core.Stmt{set(l.i, &core.Conv{X: &core.Diff{X: addr(l.g), Y: addr(l.h), Size: 4, Typ: core.Int64}, To: core.Int32})}},
		"free of the middle": {"free of no allocated object in p + 4", []core.Stmt{alloc, &core.Free{Ptr: &core.Offset{X: p, Off: 4}}}},
		"free twice":         {"free of no allocated object", []core.Stmt{alloc, &core.Free{Ptr: p}, &core.Free{Ptr: p}}},
		"free of a variable": {"free of no allocated object in &g", []core.Stmt{&core.Free{Ptr: addr(l.g)}}},
		"free of the stack":  {"free of no allocated object", []core.Stmt{&core.Alloc{Lhs: l.p.Ref(), Size: num(8), Stack: true}, &core.Free{Ptr: p}}},
		"bool":               {"bool that is neither 0 nor 1", []core.Stmt{store(at(s, 0, core.Uint8), c(2, core.Uint8)), read(s, 0, core.Bool)}},
		"literal":            {"change of a string literal", []core.Stmt{set(l.p, addr(l.lit)), store(at(p, 0, core.Uint8), c(1, core.Uint8))}},
		"fill of a literal":  {"change of a string literal in &lit", []core.Stmt{&core.Fill{Dst: addr(l.lit), Size: num(1)}}},
		"negative size":      {"negative size", []core.Stmt{&core.Alloc{Lhs: l.p.Ref(), Size: num(-1)}}},
		"copy too much":      {"access outside of a live object in &t", []core.Stmt{&core.Copy{Dst: addr(l.t), Src: s, Size: num(33)}}},
		"copy from null":     {"access outside of a live object in null", []core.Stmt{&core.Copy{Dst: s, Src: core.Null(ptr), Size: num(1)}}},
		"fill huge":          {"access outside of a live object in &s", []core.Stmt{&core.Fill{Dst: s, Size: c(1<<62, core.Int64), Byte: c(0, core.Uint8)}}},
		"data at the end":    {"access outside of a live object", []core.Stmt{&core.Data{Dst: &core.Offset{X: s, Off: 31}, Bytes: []byte("ab")}}},
		"call of null":       {"call of no such procedure in p", []core.Stmt{set(l.p, core.Null(ptr)), &core.Call{Target: p, RetType: core.Void{}}}},
		"call of data":       {"call of no such procedure", []core.Stmt{set(l.p, s), &core.Call{Target: p, RetType: core.Void{}}}},
		"few arguments":      {"call of no such procedure", []core.Stmt{set(l.p, &core.FuncAddr{Proc: takesInt, Typ: ptr}), &core.Call{Target: p, RetType: core.Void{}}}},
		"wrong argument": {"call of no such procedure", []core.Stmt{set(l.p, &core.FuncAddr{Proc: takesInt, Typ: ptr}),
			&core.Call{Target: p, RetType: core.Void{}, Args: []core.Expr{c(1, core.Int64)}}}},
		"wrong result": {"call of no such procedure", []core.Stmt{set(l.p, function), &core.Call{Target: p, RetType: core.Void{}}}},
		"extra argument": {"call of no such procedure", []core.Stmt{set(l.p, &core.FuncAddr{Proc: takesInt, Typ: ptr}),
			&core.Call{Target: p, RetType: core.Void{}, Args: []core.Expr{num(1)}, Extra: []core.Expr{num(1)}}}},
	} {
		l.choices = nil
		_, e, err := l.run(t, test.stmts...)
		var ub *UBError
		if !errors.As(err, &ub) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, %v; want %s", name, e.Kind, err, test.want)
			continue
		}
		if last := len(test.stmts) - 1; ub.Node != last || ub.Proc != l.main {
			t.Errorf("%s: found at %s", name, ub.Proc.NodeID(ub.Node))
		}
	}
}

// TestUndefinedConditions: a condition that holds by wrapping around is undefined all
// the same.
func TestUndefinedConditions(t *testing.T) {
	for name, stmt := range map[string]func(core.Expr) core.Stmt{
		"assert": func(e core.Expr) core.Stmt { return &core.Assert{Cond: e} },
		"assume": func(e core.Expr) core.Stmt { return &core.Assume{Cond: e} },
	} {
		p := newProc("main", core.Void{})
		v := local(p, "v", core.Int32)
		line(p, set(v, num(-5)), stmt(bin(v.Ref(), core.Lt, bin(v.Ref(), core.Add, num(-2147483648)))))
		prog := program(t, nil, p)
		m := New(prog, NewRandom(prog, 1), Options{})
		_, err := m.Run(context.Background(), 10)
		var ub *UBError
		if !errors.As(err, &ub) || ub.Kind != SignedOverflow {
			t.Errorf("%s: %v", name, err)
		}
	}
}
