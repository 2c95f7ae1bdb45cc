package alias

import (
	"os"
	"testing"

	"c2bp/frontend/core"
	"c2bp/frontend/core/coretest"
	"c2bp/internal/testkit"
)

// This file defines what the tests write programs with.

var update = testkit.Update

func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; got:\n%s", path, got)
	}
}

// world is a program under construction.
type world struct{ *coretest.World }

func newWorld() *world { return &world{coretest.NewWorld()} }

// The parts of programs, by short names.
var (
	ptr, null         = coretest.Ptr, coretest.Null
	formal, local, do = coretest.Formal, coretest.Local, coretest.Do
	num, num64, agg   = coretest.Num, coretest.Num64, coretest.Agg
	addr, fn          = coretest.Addr, coretest.Func
	plus, elem, mem   = coretest.Plus, coretest.Elem, coretest.Mem
	set, callTo       = coretest.Set, coretest.CallTo
)

// analyze validates the program and analyses it.
func (w *world) analyze(t testing.TB) *Result {
	t.Helper()
	if err := core.Validate(w.Prog); err != nil {
		t.Fatal(err)
	}
	return Analyze(w.Prog)
}

// Expressions and statements.

func toInt(x core.Expr, t core.Int) core.Expr { return &core.ToInt{X: x, To: t} }

func toPtr(x core.Expr) core.Expr { return &core.ToPtr{X: x, Typ: ptr} }

func bin(x core.Expr, op core.BinaryOp, y core.Expr) core.Expr {
	return &core.Binary{Op: op, X: x, Y: y}
}

func alloc(l core.Loc, size int64) core.Stmt { return &core.Alloc{Lhs: l, Size: num64(size)} }

func call(p *core.Proc, args ...core.Expr) *core.Call { return &core.Call{Callee: p, Args: args} }

// points checks what e may point to, as Set.String shows it.
func points(t *testing.T, r *Result, e core.Expr, want string) {
	t.Helper()
	if got := r.PointsTo(e).String(); got != want {
		t.Errorf("%s -> %s, want %s", core.ExprString(e), got, want)
	}
}

func aliases(t *testing.T, r *Result, a, b *core.Mem, want bool) {
	t.Helper()
	if r.MayAlias(a, b) != want || r.MayAlias(b, a) != want {
		t.Errorf("MayAlias(%s, %s) is not %v: %s, %s", core.ExprString(a), core.ExprString(b), want,
			r.PointsTo(a.Addr), r.PointsTo(b.Addr))
	}
}

func affected(t *testing.T, r *Result, c *core.Call, l core.Loc, want bool) {
	t.Helper()
	if r.Affected(c, l) != want {
		t.Errorf("Affected(%s, %s) is not %v", core.StmtString(c), core.ExprString(l), want)
	}
}
