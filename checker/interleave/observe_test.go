package interleave_test

import (
	"fmt"
	"strings"
	"testing"

	"c2bp/checker/lowerzing"
	"c2bp/checker/zom"
	"c2bp/frontend/zing/zingtest"
)

// TestObserved: an observer is told of all uses of a step, in their order, also of those of one that fails.
func TestObserved(t *testing.T) {
	names := []string{"read", "write", "size", "empty", "send", "receive", "create", "alloc", ""}
	for _, c := range []struct{ body, want string }{
		{"x = y;", "read g1, write g0 2"},
		{"n.w = 1;", "write N.0 1"},
		{"t = r;", "read g7, read g8"},
		{"v[1] = 1;", "read g3, write V"},
		{"i = v[0] + v[1];", "read g3, read V, read g3, read V"},
		{"i = sizeof(v);", "read g3"},
		{"i = sizeof(c);", "read g4, size C"},
		{"i = sizeof(s);", "read g5, read B"},
		{"s = s + 1;", "read g5, write B"},
		{"s = s - d;", "read g5, read g6, write B, read B"},
		{"send(c, 1);", "read g4, send C"},
		{"n = new N;", "alloc 0"},
		{"async f();", "create 0"},
		{"b = 1 in s;", "read g5, read B"},
		{"i = choose(v);", "read g3, read V"},
		{"select { receive(c, i) -> ; timeout -> ; }", "read g4, empty C 0"},
		{"atomic { send(c, 1); select { receive(c, i) -> ; } }", "read g4, send C, read g4, empty C 1, read g4, receive C"},
		{"select { wait(is()) -> ; timeout -> ; }", "read g0"},
		{"assert(x == 1);", "read g0"},
		{"i = x / x;", "read g0, read g0"},
	} {
		text := `class N { int w; }; struct S { int a; int b; }; array V[2] int; chan C int; set B int;
class A {
    static int x; static int y = 2; static bool k; static V v = new V; static C c = new C; static B s = new B; static B d = new B; static S r;
    static void f() { }
    static bool is() { return x == 1; }
    static void p(N n) { int i; bool b; S t; ` + c.body + ` }
    activate static void a() { N n; n = new N; async p(n); }
};`
		p, err := zingtest.Load("m.zing", text)
		if err != nil {
			t.Fatal(err)
		}
		low := lowerzing.Program(p, lowerzing.Options{})
		m, s := zom.NewMachine(low.Prog), zom.NewState(low.Prog)
		m.Initial(s, low.Activate)
		m.Step(s, 0, -1)
		m.Step(s, 0, -1)
		var list []string
		m.Observed = func(a zom.Access) {
			what := names[a.Use]
			switch {
			case a.Use == zom.EnterAt:
				return
			case a.Use == zom.CreateAt, a.Use == zom.AllocAt:
				what += " 0"
			case a.Obj == zom.Null:
				what += fmt.Sprintf(" g%d", a.Index)
			default:
				class := low.Prog.Classes[s.Class(a.Obj)]
				what += " " + class.Name
				if class.Form == zom.Fixed {
					what += fmt.Sprintf(".%d", a.Index)
				}
			}
			if a.Use == zom.EmptyAt || a.Use == zom.WriteAt && a.Index != zom.Content {
				what += fmt.Sprintf(" %d", a.Value)
			}
			list = append(list, what)
		}
		m.Step(s, 1, -1)
		if got := strings.Join(list, ", "); got != c.want {
			t.Errorf("%s: %s, want %s", c.body, got, c.want)
		}
	}
}
