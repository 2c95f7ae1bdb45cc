package core

import (
	"os"
	"strings"
	"testing"

	"c2bp/internal/testkit"
	"c2bp/source"
)

var update = testkit.Update

// golden compares got with a file in testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := "testdata/" + name
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; got:\n%s\nwant:\n%s", path, got, want)
	}
}

// incProgram is the example of the package comment.
func incProgram() *Program {
	inc := &Proc{Name: "inc", CName: "inc", RetType: Int32}
	x := &Var{Name: "x", Type: Int32, Kind: Formal, Proc: inc}
	result := &Var{Name: `\result`, Type: Int32, Kind: Local, Proc: inc}
	inc.Formals, inc.Locals, inc.Result = []*Var{x}, []*Var{result}, result
	limit := &Binary{Op: Lt, X: x.Ref(), Y: NewConst(9, Int32)}
	plus := func(n int64) Expr { return &Binary{Op: Add, X: x.Ref(), Y: NewConst(n, Int32)} }
	inc.Nodes = []*Node{
		{Stmt: &Branch{}, Succ: []int{1, 3}, First: true},
		{Stmt: &Assume{Cond: limit}, Succ: []int{2}, Origin: BranchTrue},
		{Stmt: set(x, plus(1)), Succ: []int{4}, First: true},
		{Stmt: &Assume{Cond: &Unary{Op: Not, X: limit}}, Succ: []int{4}, Origin: BranchFalse},
		{Stmt: set(result, plus(0)), Succ: []int{5}, First: true},
		{Stmt: &Return{}},
	}
	main := &Proc{Name: "main", CName: "main", RetType: Void{}, Pos: source.Pos{}}
	main.Nodes = []*Node{
		{Stmt: &Call{Callee: inc, Args: []Expr{NewConst(3, Int32)}}, Succ: []int{1}, First: true},
		{Stmt: &Return{}},
	}
	return &Program{Procs: []*Proc{inc, main}, Entry: main}
}

func set(v *Var, e Expr) *Assign { return &Assign{Lhs: []Loc{v.Ref()}, Rhs: []Expr{e}} }

// wideProgram has every kind of statement, variable and type.
func wideProgram() *Program {
	g := &Var{Name: "g", Type: Int32, Kind: Global, AddrTaken: true}
	port := &Var{Name: "port", Type: Uint8, Kind: Global, Volatile: true}
	ext := &Proc{Name: "read", CName: "read", RetType: Int32}
	ext.Formals = []*Var{
		{Name: "fd", Type: Int32, Kind: Formal, Proc: ext},
		{Name: "buf", Type: Opaque{Name: "char *"}, Kind: Formal, Proc: ext},
	}
	main := &Proc{Name: "main", CName: "main", RetType: Int32}
	r := &Var{Name: "r", Type: Int32, Kind: Local, Proc: main}
	c := &Var{Name: "c", Type: Uint8, Kind: Local, Proc: main, AddrTaken: true}
	q := &Var{Name: "q", Type: Opaque{Name: "char *"}, Kind: Local, Proc: main}
	tmp := &Var{Name: "$1", Type: Int32, Kind: Temp, Proc: main, Logical: true}
	ghost := &Var{Name: "'g", Type: Int32, Kind: Ghost, Proc: main, Init: g.Ref()}
	main.Locals, main.Result = []*Var{r, c, q, tmp, ghost}, r
	u8 := Uint8
	zero := NewConst(0, Int32)
	wide := &Conv{X: c.Ref(), To: Int32}
	main.Nodes = []*Node{
		{Stmt: set(ghost, g.Ref()), Succ: []int{1}},
		{Stmt: set(port, NewConst(255, Uint8)), Succ: []int{2}, First: true},
		{Stmt: &Assign{Lhs: []Loc{r.Ref(), g.Ref()}, Rhs: []Expr{g.Ref(), r.Ref()}}, Succ: []int{3}, First: true},
		{Stmt: &Call{Lhs: c.Ref(), ResultConv: &u8, Callee: ext, Args: []Expr{r.Ref(), nil}}, Succ: []int{4}, Labels: []string{"again", "AGAIN"}, First: true},
		{Stmt: &Call{Callee: ext, Args: []Expr{zero, nil}}, Succ: []int{5}, First: true},
		{Stmt: &Havoc{Locs: []Loc{r.Ref(), q.Ref()}}, Succ: []int{6}, First: true},
		{Stmt: &Havoc{Locs: []Loc{r.Ref()}, Region: true, Why: "write through pointer q"}, Succ: []int{7}, First: true},
		{Stmt: &Branch{}, Succ: []int{8, 9}, First: true},
		{Stmt: &Assume{Cond: &Binary{Op: Eq, X: wide, Y: g.Ref()}}, Succ: []int{3}, Origin: BranchTrue},
		{Stmt: &Assume{Cond: &Binary{Op: Ne, X: wide, Y: g.Ref()}}, Succ: []int{10}, Origin: BranchFalse},
		{Stmt: set(tmp, &Unary{Op: Not, X: r.Ref()}), Succ: []int{11}, First: true},
		{Stmt: &Assert{Cond: tmp.Ref()}, Succ: []int{12}, Labels: []string{"ERROR"}},
		{Stmt: &Skip{}, Succ: []int{13}, First: true},
		{Stmt: &Return{}},
	}
	return &Program{
		Globals: []*Var{g, port}, Procs: []*Proc{ext, main}, Entry: main,
		Ledger: []string{"integers: signed overflow does not occur"},
	}
}

func TestPrint(t *testing.T) {
	golden(t, "inc.golden", incProgram().String())
	golden(t, "wide.golden", wideProgram().String())
}

// TestDocExample keeps the example of the package comment true.
func TestDocExample(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSpace(incProgram().Procs[0].String()), "\n") {
		if !strings.Contains(string(doc), strings.TrimSpace(line)) {
			t.Errorf("doc.go lacks the line %q", line)
		}
	}
}

func TestExprString(t *testing.T) {
	x := &Var{Name: "x", Type: Int32}
	y := &Var{Name: "y", Type: Int32}
	entry := &Var{Name: "'x", Type: Int32, Kind: Ghost}
	c := &Var{Name: "c", Type: Uint8}
	bin := func(op BinaryOp, a, b Expr) Expr { return &Binary{Op: op, X: a, Y: b} }
	un := func(op UnaryOp, a Expr) Expr { return &Unary{Op: op, X: a} }
	n := func(v int64) Expr { return NewConst(v, Int32) }
	X, Y := x.Ref(), y.Ref()
	wide := &Conv{X: c.Ref(), To: Int32}
	for _, test := range []struct {
		e       Expr
		core, c string
	}{
		{bin(Add, bin(Sub, X, Y), n(1)), "x - y + 1", ""},
		{bin(Sub, X, bin(Sub, Y, n(1))), "x - (y - 1)", ""},
		{bin(Mul, bin(Add, X, Y), n(2)), "(x + y) * 2", ""},
		{bin(Add, X, bin(Mul, Y, n(2))), "x + y * 2", ""},
		{bin(Sub, X, n(-1)), "x - -1", ""},
		{un(Neg, n(-1)), "-(-1)", ""},
		{un(Neg, un(Neg, X)), "-(-x)", ""},
		{un(Neg, &Conv{X: un(Neg, X), To: Int8}), "-(int8)-x", "-(-x)"},
		{un(Not, bin(Lt, X, Y)), "!(x < y)", ""},
		{un(Not, un(BitNot, X)), "!~x", ""},
		{bin(Eq, bin(And, X, n(1)), n(0)), "(x & 1) == 0", ""},
		{bin(And, X, bin(Eq, n(1), n(0))), "x & 1 == 0", ""},
		{bin(Or, bin(Xor, X, bin(And, X, Y)), Y), "x ^ x & y | y", ""},
		{bin(Shl, X, bin(Add, Y, n(1))), "x << y + 1", ""},
		{bin(LOr, bin(LAnd, X, Y), bin(LAnd, bin(LOr, X, Y), Y)), "x && y || (x || y) && y", ""},
		{&Cond{C: X, X: Y, Y: &Cond{C: Y, X: n(1), Y: n(2)}}, "x ? y : y ? 1 : 2", ""},
		{&Cond{C: &Cond{C: Y, X: n(1), Y: n(2)}, X: bin(LOr, X, Y), Y: n(0)}, "(y ? 1 : 2) ? x || y : 0", ""},
		{bin(Add, n(1), &Cond{C: X, X: Y, Y: X}), "1 + (x ? y : x)", ""},
		{bin(Lt, bin(Add, wide, n(1)), X), "(int32)c + 1 < x", "c + 1 < x"},
		{&Conv{X: bin(Add, wide, n(1)), To: Uint8}, "(uint8)((int32)c + 1)", "c + 1"},
		{bin(Mul, &Conv{X: bin(Add, X, Y), To: Uint32}, &Conv{X: n(2), To: Uint32}), "(uint32)(x + y) * (uint32)2", "(x + y) * 2"},
		{bin(Eq, X, bin(Add, entry.Ref(), n(1))), "x == 'x + 1", ""},
		{&Conv{X: n(-1), To: Bool}, "(bool)-1", "-1"},
		{&Const{Val: Int64.Min(), Typ: Int64}, "-9223372036854775808", ""},
		{nil, "?", ""},
	} {
		if test.c == "" {
			test.c = test.core
		}
		if got := ExprString(test.e); got != test.core {
			t.Errorf("ExprString: got %s, want %s", got, test.core)
		}
		if got := CString(test.e); got != test.c {
			t.Errorf("CString: got %s, want %s", got, test.c)
		}
	}
}

// TestDeepExpr prints, checks and evaluates expressions of 10,000 nested
// operators, nested to the right and to the left.
func TestDeepExpr(t *testing.T) {
	const depth = 10000
	zero := NewConst(0, Int32)
	right, left := Expr(NewConst(1, Int32)), Expr(NewConst(1, Int32))
	for range depth {
		right = &Binary{Op: Sub, X: zero, Y: right}
		left = &Binary{Op: Add, X: left, Y: NewConst(1, Int32)}
	}
	if got := ExprString(right); strings.Count(got, "(") != depth-1 {
		t.Errorf("%d parentheses, want %d", strings.Count(got, "("), depth-1)
	}
	if got := ExprString(left); strings.Count(got, "(") != 0 {
		t.Errorf("%d parentheses, want none", strings.Count(got, "("))
	}
	for e, want := range map[Expr]int64{right: 1, left: depth + 1} {
		if err := ValidatePredicate(incProgram(), nil, e); err != nil {
			t.Error(err)
		}
		if got := EvalMath(e, nil); got.Int64() != want {
			t.Errorf("the value is %s, want %d", got, want)
		}
	}
}
