package zing

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"c2bp/internal/testkit"
)

// TestRandom prints random trees of expressions and parses them, in each place where an expression
// stands.
func TestRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range testkit.Count(1000, 200_000) {
		e := func() string { return ExprString(randomExpr(r, 4)) }
		place := ExprString(randomOperand(r, 3))
		p, err := parseText(fmt.Sprintf("class A { int x = %s; void f() { %s = %s; while (%s) ; send(%s, %s); foreach (%s in %s) ; y = (%s) in s; } };",
			e(), place, e(), e(), e(), e(), place, e(), e()))
		if err != nil {
			t.Fatal(err)
		}
		roundTrip(t, p)
		// The tree is the random one.
		want := randomExpr(r, 5)
		text := ExprString(want)
		p, err = parseText("class A { int x = " + text + "; };")
		if err != nil {
			t.Fatal(err)
		}
		p2 := &Program{Decls: []Decl{&ClassDecl{DeclBase: DeclBase{Name: Ident{Name: "A"}}, Members: []Member{
			&Field{Name: Ident{Name: "x"}, Of: &TypeRef{Name: "int", Type: Int}, Init: want}}}}}
		if got, want := treeString(p), treeString(p2); got != want {
			t.Fatalf("%s has the tree\n%s\nwant\n%s", text, got, want)
		}
	}
}

// randomExpr makes an expression of a depth; types and names do not matter.
func randomExpr(r *rand.Rand, depth int) Expr {
	sub := func() Expr { return randomExpr(r, depth-1) }
	if depth == 0 {
		return randomOperand(r, 0)
	}
	switch r.IntN(8) {
	case 0:
		return &Assign{Lhs: randomOperation(r, depth-1), Rhs: sub()}
	case 1:
		return &Unary{Op: UnaryOp(r.IntN(len(unaryText))), X: sub()}
	case 2:
		return randomOperand(r, depth)
	case 3:
		return &New{Of: &TypeRef{Name: "T"}, Size: sub()}
	}
	return &Binary{Op: BinaryOp(r.IntN(len(binaryText))), X: sub(), Y: sub()}
}

// randomOperation is randomExpr without assignments on the outside.
func randomOperation(r *rand.Rand, depth int) Expr {
	for {
		e := randomExpr(r, depth)
		if _, ok := e.(*Assign); !ok {
			return e
		}
	}
}

// randomOperand makes an expression that binds tighter than all operators.
func randomOperand(r *rand.Rand, depth int) Expr {
	if depth == 0 {
		return randomLeaf(r)
	}
	sub := func() Expr { return randomExpr(r, depth-1) }
	switch r.IntN(5) {
	case 0:
		return &Selector{X: sub(), Name: Ident{Name: []string{"f", "if"}[r.IntN(2)]}}
	case 1:
		return &Index{X: sub(), I: sub()}
	case 2:
		return &Call{Fun: sub(), Args: []Arg{{Out: r.IntN(2) == 0, X: sub()}, {X: sub()}}[r.IntN(3):]}
	case 3:
		return &Sizeof{X: sub()}
	}
	return &Choose{X: sub()}
}

// randomLeaf makes a literal or a name.
func randomLeaf(r *rand.Rand) Expr {
	base := func(t *Type) ExprBase { return ExprBase{Type: t} }
	switch r.IntN(12) {
	case 0:
		return &IntLit{ExprBase: base(Int), Neg: r.IntN(2) == 0, Abs: uint64(r.Int32())}
	case 1:
		return &IntLit{ExprBase: base(Int), Neg: true, Abs: 1 << 31}
	case 2:
		return &IntLit{ExprBase: base(Long), Neg: r.IntN(2) == 0, Abs: uint64(r.Int64())}
	case 3:
		return &IntLit{ExprBase: base([]*Type{UInt, ULong}[r.IntN(2)]), Abs: uint64(r.Uint32())}
	case 4:
		return &IntLit{ExprBase: base(ULong), Abs: 1 << 63}
	case 5:
		return &RealLit{ExprBase: base([]*Type{Float, Double, Decimal}[r.IntN(3)]), Text: "15", Value: 15}
	case 6:
		return &StringLit{Value: string(rune(r.IntN(0xD000))) + "\"\\\x00\U0001F600"}
	case 7:
		return &NullLit{}
	case 8:
		return &Self{}
	case 9:
		return &This{}
	case 10:
		return &BoolLit{Value: r.IntN(2) == 0}
	}
	return &Name{Name: []string{"x", "in", "é9_"}[r.IntN(3)]}
}
