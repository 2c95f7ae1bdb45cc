package zing

import (
	"fmt"
	"testing"
)

// TestPrecedence parses x op1 y op2 z for all pairs of operators: the root is the operator that
// binds weaker, or the second of two that bind alike.
func TestPrecedence(t *testing.T) {
	levels := [][]string{{"*", "/", "%"}, {"+", "-"}, {"<<", ">>"}, {"<", "<=", ">", ">="}, {"==", "!="}, {"&"}, {"^"}, {"|"}, {"&&"}, {"||"}}
	pairs := 0
	for i, first := range levels {
		for j, second := range levels {
			for _, op1 := range first {
				for _, op2 := range second {
					want := op2
					if i > j {
						want = op1
					}
					pairs++
					if got := root(t, fmt.Sprintf("x %s y %s z", op1, op2)); got.Op.String() != want {
						t.Errorf("x %s y %s z has the root %s", op1, op2, got.Op)
					}
				}
			}
		}
	}
	if pairs != 18*18 {
		t.Errorf("%d pairs", pairs)
	}
}

// TestIn parses expressions with in: everything before it is its left operand.
func TestIn(t *testing.T) {
	for text, want := range map[string]string{
		"p && x in s":           "(p && x) in s",
		"x in s && p":           "(x in s) && p",
		"x in s in t":           "(x in s) in t",
		"a || b == c in s":      "(a || b == c) in s",
		"a in s + t":            "(a in s) + t",
		"a in -s.f[1] * t || u": "(a in -s.f[1]) * t || u",
		"a in s || b && c in t": "((a in s) || b && c) in t",
		"a || (b in s)":         "a || (b in s)",
		"!a in s":               "!a in s",
		"(a in s) in t":         "(a in s) in t",
		"a in (s in t)":         "a in (s in t)",
	} {
		if got := ExprString(root(t, text)); got != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
	// An assignment and an argument start anew.
	p, err := parseText("class A { int x = a = b in s; int y = f(a, b in s); };")
	if err != nil {
		t.Fatal(err)
	}
	members := p.Decls[0].(*ClassDecl).Members
	if _, ok := members[0].(*Field).Init.(*Assign).Rhs.(*Binary); !ok {
		t.Error("in takes an assignment as its operand")
	}
	if call, ok := members[1].(*Field).Init.(*Call); !ok || len(call.Args) != 2 {
		t.Error("in takes a list as its operand")
	}
}

// root parses an expression with an operator at its root.
func root(t *testing.T, text string) *Binary {
	t.Helper()
	p, err := parseText("class A { int f = " + text + "; };")
	if err != nil {
		t.Fatal(err)
	}
	return p.Decls[0].(*ClassDecl).Members[0].(*Field).Init.(*Binary)
}
