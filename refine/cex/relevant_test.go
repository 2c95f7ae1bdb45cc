package cex

import (
	"strings"
	"testing"

	"c2bp/frontend/core"
)

// TestRelevant: of the variables that a round assigns to, those matter on which a condition of it depends, or of a later
// round, or an expression that may be undefined.
func TestRelevant(t *testing.T) {
	proc := &core.Proc{Name: "main", RetType: core.Void{}}
	vars := map[string]*core.Var{}
	for _, name := range []string{"n", "m", "k", "c"} {
		vars[name] = &core.Var{Name: name, Type: core.Uint32, Kind: core.Local, Proc: proc}
	}
	vars["s"] = &core.Var{Name: "s", Type: core.Int32, Kind: core.Local, Proc: proc}
	read := func(name string) core.Expr { return vars[name].Ref() }
	sum := func(x, y core.Expr) core.Expr { return &core.Binary{Op: core.Add, X: x, Y: y} }
	set := func(name string, e core.Expr) core.Stmt {
		return &core.Assign{Lhs: []core.Loc{vars[name].Ref()}, Rhs: []core.Expr{e}}
	}
	is := func(e core.Expr) core.Stmt {
		return &core.Assume{Cond: &core.Binary{Op: core.Ne, X: e, Y: core.NewConst(0, core.Uint32)}}
	}
	one := core.NewConst(1, core.Uint32)
	for _, c := range []struct {
		name  string
		stmts []core.Stmt
		want  string // the variables that matter before the first one
	}{
		{"a counter", []core.Stmt{set("n", sum(read("n"), one))}, ""},
		{"a counter that is compared", []core.Stmt{is(read("n")), set("n", sum(read("n"), one))}, "n"},
		{"what is set before", []core.Stmt{set("n", one), is(read("n"))}, ""},
		{"what is set from another one", []core.Stmt{set("n", read("m")), is(read("n"))}, "m"},
		{"one round later", []core.Stmt{is(read("n")), set("n", read("m"))}, "m n"},
		{"two rounds later", []core.Stmt{is(read("n")), set("n", read("m")), set("m", read("k")), set("k", sum(read("k"), one))}, "k m n"},
		{"a sum that may overflow", []core.Stmt{set("s", sum(read("s"), core.NewConst(1, core.Int32)))}, "s"},
		{"a quotient", []core.Stmt{set("n", &core.Binary{Op: core.Div, X: one, Y: read("m")})}, "m"},
		{"what is arbitrary", []core.Stmt{&core.Havoc{Locs: []core.Loc{vars["n"].Ref()}}, is(read("n"))}, ""},
		{"an exchange", []core.Stmt{is(read("n")), &core.Assign{Lhs: []core.Loc{vars["n"].Ref(), vars["m"].Ref()}, Rhs: []core.Expr{read("m"), read("n")}}}, "m n"},
	} {
		proc.Nodes = nil
		f := NewFrame(0, proc, nil, -1)
		p := &Path{}
		for i, s := range append(c.stmts, &core.Skip{}) {
			proc.Nodes = append(proc.Nodes, &core.Node{Stmt: s})
			p.Steps = append(p.Steps, Step{Frame: f, Node: i})
		}
		got := Relevant(p, 0, len(c.stmts), func(int) []core.Expr { return nil })
		var names []string
		for _, name := range []string{"c", "k", "m", "n", "s"} {
			if got[Slot{f, vars[name]}] {
				names = append(names, name)
			}
		}
		if strings.Join(names, " ") != c.want {
			t.Errorf("%s: %v matter, want %s", c.name, names, c.want)
		}
	}
	// What is read besides matters, too.
	f := NewFrame(0, proc, nil, -1)
	last := Step{Frame: f, Node: len(proc.Nodes) - 1}
	got := Relevant(&Path{Steps: []Step{last, last}}, 0, 1, func(int) []core.Expr { return []core.Expr{read("c")} })
	if len(got) != 1 || !got[Slot{f, vars["c"]}] {
		t.Errorf("%v matter, want c", got)
	}
}

// TestRelevantActivations: rounds that begin inside of a call do so in different activations. What one of them is about to
// depend on, the next one does, too.
func TestRelevantActivations(t *testing.T) {
	main, up := &core.Proc{Name: "main", RetType: core.Void{}}, &core.Proc{Name: "up", RetType: core.Void{}}
	n := &core.Var{Name: "n", Type: core.Uint32, Kind: core.Global}
	v := &core.Var{Name: "v", Type: core.Uint32, Kind: core.Local, Proc: up}
	up.Locals = []*core.Var{v}
	three := core.NewConst(3, core.Uint32)
	main.Nodes = []*core.Node{
		{Stmt: &core.Call{Callee: up}},
		{Stmt: &core.Assign{Lhs: []core.Loc{n.Ref()}, Rhs: []core.Expr{&core.Binary{Op: core.Add, X: n.Ref(), Y: three}}}},
	}
	up.Nodes = []*core.Node{
		{Stmt: &core.Assign{Lhs: []core.Loc{v.Ref()}, Rhs: []core.Expr{&core.Binary{Op: core.And, X: n.Ref(), Y: three}}}},
		{Stmt: &core.Assume{Cond: &core.Binary{Op: core.Ne, X: v.Ref(), Y: three}}},
		{Stmt: &core.Return{}},
	}
	// A round begins at the assumption: return, n := n + 3, the next call, v := n & 3.
	outer := NewFrame(0, main, nil, -1)
	first, second := NewFrame(1, up, outer, 0), NewFrame(2, up, outer, 5)
	p := &Path{Steps: []Step{
		{Frame: outer, Enter: first}, {Frame: first}, {Frame: first, Node: 1}, {Frame: first, Node: 2}, {Frame: outer, Node: 1},
		{Frame: outer, Enter: second}, {Frame: second}, {Frame: second, Node: 1},
	}}
	got := Relevant(p, 2, 7, func(int) []core.Expr { return nil })
	if len(got) != 2 || !got[Slot{first, v}] || !got[Slot{nil, n}] {
		t.Errorf("%v matter, want v and n", got)
	}
}
