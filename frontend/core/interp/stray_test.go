package interp

import (
	"context"
	"errors"
	"strings"
	"testing"

	"c2bp/frontend/core"
)

// TestStrays has walks out of objects and back, each with the kind of undefined behaviour that it ends with in a
// program whose pointers may stray, "" for none.
func TestStrays(t *testing.T) {
	l := newLab()
	s, p := addr(l.s), core.Expr(l.p.Ref())
	moved := func(x core.Expr, n int64) core.Stmt { return set(l.p, &core.Offset{X: x, Off: n}) }
	read := set(l.i, at(p, 0, core.Int32))
	alloc := &core.Alloc{Lhs: l.p.Ref(), Size: num(8)}
	for name, test := range map[string]struct {
		want  string
		stmts []core.Stmt
	}{
		"back":                   {"", []core.Stmt{store(at(s, 0, core.Int32), num(5)), moved(s, -16), moved(p, 16), read}},
		"back from after":        {"", []core.Stmt{store(at(s, 0, core.Int32), num(5)), moved(s, 40), moved(p, -40), read}},
		"back by an index":       {"", []core.Stmt{store(at(s, 0, core.Int32), num(5)), moved(s, -16), set(l.p, &core.Index{X: p, I: num(4), Size: 4}), read}},
		"compared":               {"", []core.Stmt{moved(s, -16), set(l.i, &core.Conv{X: bin(p, core.Ne, s), To: core.Int32}), set(l.i, num(5))}},
		"read outside":           {"access outside of a live object", []core.Stmt{moved(s, -16), read}},
		"over the start":         {"access outside of a live object", []core.Stmt{moved(s, -2), read}},
		"on and on":              {"pointer outside of a live object", []core.Stmt{moved(s, -16), moved(p, -16)}},
		"to a member outside":    {"pointer outside of a live object", []core.Stmt{moved(s, -16), moved(p, 8)}},
		"far away":               {"pointer outside of a live object", []core.Stmt{moved(s, -1<<19)}},
		"into the next object":   {"pointer outside of a live object", []core.Stmt{moved(s, 1<<20+32)}},
		"from null":              {"pointer outside of a live object", []core.Stmt{moved(core.Null(ptr), -16)}},
		"from where nothing is":  {"pointer outside of a live object", []core.Stmt{moved(&core.ToPtr{X: c(12345, core.Uint64), Typ: ptr}, 16)}},
		"from a function":        {"pointer outside of a live object", []core.Stmt{moved(&core.FuncAddr{Proc: l.ext, Typ: ptr}, -16)}},
		"from a dead object":     {"pointer outside of a live object", []core.Stmt{alloc, &core.Free{Ptr: p}, moved(p, -16)}},
		"back to a dead object":  {"pointer outside of a live object", []core.Stmt{alloc, set(l.q, p), moved(p, -16), &core.Free{Ptr: l.q.Ref()}, moved(p, 16)}},
		"order of pointers":      {"pointers into different objects", []core.Stmt{moved(s, -16), set(l.i, &core.Conv{X: bin(p, core.Lt, s), To: core.Int32})}},
		"a distance from inside": {"pointers into different objects", []core.Stmt{moved(s, -16), set(l.i, &core.Conv{X: &core.Diff{X: s, Y: p, Size: 1, Typ: core.Int64}, To: core.Int32})}},
	} {
		for _, strays := range []bool{true, false} {
			m, err := l.runWith(t, func(p *core.Program) { p.Strays = strays }, test.stmts...)
			want := test.want
			if want == "" || strings.HasPrefix(want, "access") || strings.HasPrefix(want, "pointers into") {
				if !strays {
					want = BadPointer.String()
				}
			}
			var ub *UBError
			switch {
			case want == "" && err == nil:
				wantValue(t, name, m.Global(l.i), 5)
			case want == "" || !errors.As(err, &ub) || !strings.Contains(ub.Kind.String(), want):
				t.Errorf("%s, strays %v: %v; want %q", name, strays, err, want)
			}
		}
	}
}

// runWith runs stmts in a program that set changes.
func (l *lab) runWith(t *testing.T, set func(*core.Program), stmts ...core.Stmt) (*Machine, error) {
	t.Helper()
	line(l.main, stmts...)
	p := program(t, l.globals, append(append([]*core.Proc{l.ext}, l.others...), l.main)...)
	set(p)
	m := New(p, &script{}, Options{})
	_, err := m.Run(context.Background(), 1000)
	return m, err
}

// TestNumbersWrap: signed numbers wrap around where that is defined, and only there.
func TestNumbersWrap(t *testing.T) {
	l := newLab()
	most, least := num(1<<31-1), num(-1<<31)
	for name, test := range map[string]struct {
		e     core.Expr
		want  int64
		never UB // undefined in any case
	}{
		"sum":                  {bin(most, core.Add, num(2)), -1<<31 + 1, Defined},
		"difference":           {bin(least, core.Sub, num(1)), 1<<31 - 1, Defined},
		"product":              {bin(num(1<<16), core.Mul, num(1<<16+3)), 3 << 16, Defined},
		"negation":             {&core.Unary{Op: core.Neg, X: least}, -1 << 31, Defined},
		"shift into the sign":  {bin(num(3), core.Shl, num(30)), -1 << 30, Defined},
		"shift out":            {bin(num(5), core.Shl, num(31)), -1 << 31, Defined},
		"shift of a negative":  {bin(num(-1), core.Shl, num(4)), -16, Defined},
		"shift by the width":   {bin(num(1), core.Shl, num(32)), 0, ShiftAmount},
		"division":             {bin(least, core.Div, num(-1)), 0, DivisionOverflow},
		"an undefined operand": {bin(bin(most, core.Add, num(1)), core.Div, num(0)), 0, DivisionByZero},
	} {
		for _, wraps := range []bool{true, false} {
			m, err := l.runWith(t, func(p *core.Program) { p.NumbersWrap = wraps }, set(l.i, test.e))
			var ub *UBError
			switch {
			case wraps && test.never == Defined && err == nil:
				wantValue(t, name, m.Global(l.i), test.want)
			case !errors.As(err, &ub) || wraps && ub.Kind != test.never:
				t.Errorf("%s, wraps %v: %v", name, wraps, err)
			}
		}
	}
}
