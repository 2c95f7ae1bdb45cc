package boolprog

import (
	"strings"
	"testing"
)

// TestValidateTypes breaks graphs in their types: the sanity pass notices.
func TestValidateTypes(t *testing.T) {
	const text = `class C { bool x; ref C next; } class D { }
ref C g; ref D d; decl a;
(bool, ref C) f(ref C p, b) begin skip; end
void main() begin
  if (a) then g.next, a := g, g.x; fi
  a, g.next := f(g, a);
  dead a;
end`
	reference, boolean := &Ref{Name: "g"}, &Ref{Name: "a"}
	for want, damage := range map[string]func(f, main []*Node){
		"": func([]*Node, []*Node) {},
		`* is a Boolean: expected a reference to "C"`:      func(f, _ []*Node) { f[1].Values[1] = &Nondet{} },
		"null is null: expected a Boolean":                 func(f, _ []*Node) { f[1].Values[0] = &Null{} },
		`g is a reference to "C": expected a Boolean`:      func(_, main []*Node) { main[0].Cond = reference },
		`a is a Boolean: expected a reference to "C"`:      func(_, main []*Node) { main[1].Assign.Rhs[0] = boolean },
		`d is a reference to "D": expected a ref`:          func(_, main []*Node) { main[1].Assign.Rhs[0] = &Ref{Name: "d"} },
		`g.next is a reference to "C": expected a Boolean`: func(_, main []*Node) { main[1].Assign.Rhs[1].(*Select).Field = "next" },
		"result 0 for g has the wrong type":                func(_, main []*Node) { main[2].Call.Lhs[0] = reference },
		"result 1 for g.x has the wrong type":              func(_, main []*Node) { main[2].Call.Lhs[1].Field = "x" },
		`g.next is a reference to "C": expected a Bool`:    func(_, main []*Node) { main[2].Call.Args[1] = &Select{X: reference, Field: "next"} },
		"reference g made arbitrary":                       func(_, main []*Node) { main[3].Dead.Vars[0] = reference },
	} {
		g := graph(t, parse(t, text))
		damage(g.Procs[0].Nodes, g.Main.Nodes)
		err := g.Validate()
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
