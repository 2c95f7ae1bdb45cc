package core_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"c2bp/frontend/core"
	"c2bp/frontend/core/coregen"
	"c2bp/ieee"
	"c2bp/internal/testkit"
)

// TestEqual compares all pairs of expressions in random procedures: Equal says of two that they are
// the same exactly if their texts and types are, but for the pairs that its comment lists. A copy
// of an expression equals it, and one with another number, operator, type or variable does not.
func TestEqual(t *testing.T) {
	pairs, equal, finer, changed := 0, 0, 0, 0
	for i, config := range []coregen.Config{{}, {Simple: true}, {Memory: true}} {
		for seed := range testkit.Count[uint64](100, 5000) {
			rng := rand.New(rand.NewPCG(seed, uint64(i)))
			p, preds := coregen.Generate(rng, config)
			for _, proc := range p.Procs {
				list := expressionsOf(proc, preds)
				for j, a := range list {
					if b := deepCopy(a.expr); !core.Equal(a.expr, b) {
						t.Fatalf("seed %d: %s does not equal its copy", seed, a.text)
					}
					if b := perturbed(rng, deepCopy(a.expr)); b != nil {
						changed++
						if core.Equal(a.expr, b) || core.Equal(b, a.expr) {
							t.Fatalf("seed %d: %s equals a changed copy, %s", seed, a.text, core.ExprString(b))
						}
					}
					for _, b := range list[:j] {
						pairs++
						same := a.text == b.text && a.expr.Type() == b.expr.Type()
						got := core.Equal(a.expr, b.expr)
						switch {
						case got != core.Equal(b.expr, a.expr):
							t.Fatalf("seed %d: Equal(%s, %s) is not symmetric", seed, a.text, b.text)
						case got && !same:
							t.Fatalf("seed %d: %s equals %s", seed, a.text, b.text)
						case got:
							equal++
						case same && !sharesText(a.expr, b.expr):
							t.Fatalf("seed %d: %s does not equal itself", seed, a.text)
						case same:
							finer++
						}
					}
				}
			}
		}
	}
	t.Logf("%d pairs: %d equal, %d with one text that differ; %d changed copies", pairs, equal, finer, changed)
	if pairs < 100000 || equal < 1000 || changed < 1000 {
		t.Error("the random programs are too small to tell anything")
	}
}

// printed is an expression and its text.
type printed struct {
	expr core.Expr
	text string
}

// expressionsOf lists the expressions in p and in the predicates on it, subexpressions included:
// the first few of each text.
func expressionsOf(p *core.Proc, preds []coregen.Pred) (out []printed) {
	const most = 3
	seen := map[string]int{}
	add := func(e core.Expr) {
		core.Walk(e, func(e core.Expr) bool {
			text := core.ExprString(e)
			if seen[text]++; seen[text] <= most {
				out = append(out, printed{e, text})
			}
			return true
		})
	}
	for _, n := range p.Nodes {
		core.StmtExprs(n.Stmt, add)
	}
	for _, q := range preds {
		if q.Proc == nil || q.Proc == p {
			add(q.Expr)
		}
	}
	return out
}

// deepCopy is e with new nodes throughout.
func deepCopy(e core.Expr) core.Expr {
	switch e := e.(type) {
	case *core.Const:
		return &core.Const{Val: new(big.Int).Set(e.Val), Typ: e.Typ}
	case *core.VarRef:
		return e.Var.Ref()
	case *core.AddrOf:
		return &core.AddrOf{Var: e.Var, Typ: e.Typ}
	case *core.FuncAddr:
		return &core.FuncAddr{Proc: e.Proc, Typ: e.Typ}
	}
	var operands []core.Expr
	for _, x := range core.Children(e) {
		operands = append(operands, deepCopy(x))
	}
	return core.WithChildren(e, operands)
}

// perturbed is e, which nothing else shares, with one node changed into another; nil where the node
// that luck chose cannot be changed.
func perturbed(rng *rand.Rand, e core.Expr) core.Expr {
	var nodes []core.Expr
	core.Walk(e, func(x core.Expr) bool {
		nodes = append(nodes, x)
		return true
	})
	switch x := nodes[rng.IntN(len(nodes))].(type) {
	case *core.Const:
		x.Val.Add(x.Val, big.NewInt(1))
	case *core.VarRef:
		x.Var = another(x.Var)
	case *core.AddrOf:
		x.Var = another(x.Var)
	case *core.FuncAddr:
		proc := *x.Proc
		x.Proc = &proc
	case *core.Unary:
		x.Op = (x.Op + 1) % 3
	case *core.Binary:
		x.Op = (x.Op + 1) % (core.LOr + 1)
	case *core.Conv:
		x.To.Signed = !x.To.Signed
	case *core.Float:
		x.Op = (x.Op + 1) % (ieee.Resize + 1)
	case *core.Mem:
		if rng.IntN(2) == 0 {
			x.Bit++
		} else {
			x.Typ = core.Opaque{Name: "void"}
		}
	case *core.Offset:
		if rng.IntN(2) == 0 {
			x.Off++
		} else {
			x.Field += "'"
		}
	case *core.Index:
		x.Size++
	case *core.Diff:
		x.Size++
	case *core.ToPtr:
		x.Typ.Bits++
	case *core.ToInt:
		x.To.Signed = !x.To.Signed
	default:
		return nil
	}
	return e
}

// another is a variable like v.
func another(v *core.Var) *core.Var {
	w := *v
	w.Name += "'"
	return &w
}

// sharesText reports whether a and b, of one text and type, are a pair that the comment of Equal
// lists: somewhere in them two nodes differ that print alike.
func sharesText(a, b core.Expr) bool {
	switch x := a.(type) {
	case *core.Const:
		y, ok := b.(*core.Const)
		return !ok || x.Typ != y.Typ // Unary{Neg, 5}; 1 of two types
	case *core.VarRef:
		return false
	case *core.Offset:
		y, ok := b.(*core.Offset)
		if !ok || x.Off != y.Off {
			return true
		}
	case *core.Index:
		y, ok := b.(*core.Index)
		if !ok || x.Size != y.Size {
			return true
		}
	case *core.Diff:
		y, ok := b.(*core.Diff)
		if !ok || x.Size != y.Size {
			return true
		}
	}
	p, q := core.Children(a), core.Children(b)
	if fmt.Sprintf("%T", a) != fmt.Sprintf("%T", b) || len(p) != len(q) {
		return true
	}
	for i := range p {
		if !core.Equal(p[i], q[i]) {
			return sharesText(p[i], q[i])
		}
	}
	return false
}

// TestEqualPairs compares pairs of expressions that say something about one rule of Equal each.
func TestEqualPairs(t *testing.T) {
	ptr := core.Ptr{Bits: 64}
	f, g := &core.Proc{Name: "f", CName: "f"}, &core.Proc{Name: "g", CName: "g"}
	variable := func(name string, typ core.Type, kind core.VarKind, p *core.Proc) core.Expr {
		return (&core.Var{Name: name, Type: typ, Kind: kind, Proc: p}).Ref()
	}
	x, p := variable("x", core.Int32, core.Local, f), variable("p", ptr, core.Local, f)
	one := func(t core.Int) core.Expr { return core.NewConst(1, t) }
	record := &core.Record{Name: "struct s", Size: 8}
	this := func(to *core.Record) core.Expr {
		return (&core.Var{Name: `\this(struct s)`, Type: ptr, Kind: core.Ghost, To: to}).Ref()
	}
	for _, test := range []struct {
		a, b core.Expr
		want bool
	}{
		{nil, nil, true},
		{x, nil, false},
		{nil, x, false},
		{one(core.Int32), one(core.Int32), true},
		{one(core.Int32), one(core.Uint8), false},
		{&core.Const{Typ: core.Int32}, &core.Const{Typ: core.Int32}, true},
		{&core.Const{Typ: core.Int32}, one(core.Int32), false},
		{x, variable("x", core.Int32, core.Local, g), false},
		{x, variable("x", core.Int32, core.Local, f), false},
		{variable("'x", core.Int32, core.Ghost, f), variable("'x", core.Int32, core.Ghost, f), true},
		{variable("'x", core.Int32, core.Ghost, f), variable("'x", core.Int32, core.Ghost, g), false},
		{this(record), this(record), true},
		{this(record), this(&core.Record{Name: "struct s", Size: 4}), false},
		{&core.Binary{Op: core.Shl, X: x, Y: one(core.Int32)}, &core.Binary{Op: core.Shl, X: x, Y: one(core.Uint64)}, true},
		{&core.Binary{Op: core.Shl, X: x, Y: one(core.Int32)}, &core.Binary{Op: core.Shl, X: x, Y: core.NewConst(2, core.Int32)}, false},
		{&core.Binary{Op: core.LAnd, X: x, Y: one(core.Int32)}, &core.Binary{Op: core.LAnd, X: x, Y: one(core.Uint64)}, false},
		{&core.Index{X: p, I: one(core.Int32), Size: 4}, &core.Index{X: p, I: one(core.Int64), Size: 4, Count: 7}, true},
		{&core.Index{X: p, I: one(core.Int32), Size: 4}, &core.Index{X: p, I: one(core.Int32), Size: 8}, false},
		{core.Null(ptr), &core.ToPtr{X: core.NewConst(0, core.Int32), Typ: ptr}, true},
		{core.Null(ptr), core.Null(core.Ptr{Bits: 32}), false},
		{&core.ToPtr{X: one(core.Int32), Typ: ptr}, core.Null(ptr), false},
		{&core.Offset{X: p, Off: 8, Field: "f", Of: record}, &core.Offset{X: p, Off: 8, Field: "f", Member: 8}, true},
		{&core.Offset{X: p, Off: 8, Field: "f"}, &core.Offset{X: p, Off: 16, Field: "f"}, false},
		{&core.Offset{X: p, Off: 8, Field: "f"}, &core.Offset{X: p, Off: 8, Field: "g"}, false},
		{&core.Offset{X: p, Off: 8}, &core.Index{X: p, I: core.NewConst(8, core.Int32), Size: 1}, false},
		{&core.Mem{Addr: p, Typ: core.Int32, Packed: true}, &core.Mem{Addr: p, Typ: core.Int32, Of: record, To: record}, true},
		{&core.Mem{Addr: p, Typ: core.Int32}, &core.Mem{Addr: p, Typ: core.Uint32}, false},
		{&core.Diff{X: p, Y: p, Size: 1, Typ: core.Int64}, &core.Diff{X: p, Y: p, Size: 4, Typ: core.Int64}, false},
		{&core.Conv{X: x, To: core.Float32}, &core.Float{Op: ieee.FromInt, Args: []core.Expr{x}, Typ: core.Float32}, false},
		{&core.Unary{Op: core.Neg, X: one(core.Int32)}, core.NewConst(-1, core.Int32), false},
		{&core.Cond{C: x, X: x, Y: x}, &core.Cond{C: x, X: x, Y: x}, true},
		{&core.Cond{C: x, X: x, Y: x}, &core.Cond{C: x, X: x, Y: one(core.Int32)}, false},
	} {
		if got := core.Equal(test.a, test.b); got != test.want {
			t.Errorf("Equal(%s, %s) is %v", core.ExprString(test.a), core.ExprString(test.b), got)
		}
	}
}
