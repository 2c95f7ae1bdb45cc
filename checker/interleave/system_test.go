package interleave_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"c2bp/checker/interleave"
	"c2bp/checker/lowerzing"
	"c2bp/checker/zom"
	"c2bp/frontend/zing"
	"c2bp/frontend/zing/zingtest"
	"c2bp/internal/testkit"
)

// labelled lists the transitions of a model as zingtest.Labelled does. Each move is found again by its events.
func labelled(t *testing.T, p *zing.Program, opts interleave.Options) [][]zingtest.Transition {
	t.Helper()
	low := lowerzing.Program(p, lowerzing.Options{})
	y := interleave.NewSystem(t.Context(), interleave.Model{Prog: low.Prog, Roots: low.Activate}, opts)
	first, _ := y.Initial()
	ids, numbers := []interleave.ID{first}, map[interleave.ID]int{first: 0}
	var all [][]zingtest.Transition
	type found struct {
		to     interleave.ID
		events string
	}
	for i := 0; i < len(ids); i++ {
		got, ok := y.Expand(ids[i])
		if !ok {
			t.Fatal(y.Result().Open)
		}
		var list []zingtest.Transition
		moves := map[found]interleave.Move{}
		for _, tr := range got {
			var out zingtest.Transition
			for _, e := range tr.Events {
				out.Events = append(out.Events, zingtest.Event{Chan: e.Chan, Msg: e.Msg, Dir: e.Dir == 1})
			}
			switch tr.Outcome {
			case zom.Stepped:
				n, known := numbers[tr.To]
				if !known {
					n = len(ids)
					numbers[tr.To] = n
					ids = append(ids, tr.To)
				}
				out.To = n
				moves[found{tr.To, fmt.Sprint(tr.Events)}] = y.Move(ids[i], tr.To, tr.Events)
			case zom.Ended:
				out.Kind = zingtest.Assume
			default:
				out.Kind = kinds[tr.Outcome]
			}
			list = append(list, out)
		}
		// Different transitions have different moves.
		seen := map[interleave.Move]bool{}
		for _, mv := range moves {
			if seen[mv] {
				t.Errorf("state %d: move %v is that of two transitions", i, mv)
			}
			seen[mv] = true
		}
		all = append(all, list)
	}
	return all
}

// TestEvents: events have the values of their arguments, in their order; those of selects that are not visible, and of
// conditions, are not seen.
func TestEvents(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{"event(x, 2, true);", "{1 2 true}"},
		{"event(i, x + 4, k);", "{0 5 false}"},
		{"atomic { event(1, 1, true); x = 7; event(x, 2, false); }", "{1 1 true} {7 2 false}"},
		{"select visible { event(3, x, true) -> ; }", "{3 1 true}"},
		{"select { event(3, x, true) -> ; }", ""},
		{"select visible { receive(c, i) && event(4, i, false) -> ; }", "{4 9 false}"},
		{"select visible { event(4, i, false) && receive(c, i) && event(5, i, true) -> ; }", "{4 0 false} {5 9 true}"},
		{"select visible { receive(c, i) -> ; timeout -> ; }", ""},
		{"select visible first { wait(k) && event(5, 5, true) -> ; timeout -> event(6, 6, true); }", "{6 6 true}"},
		{"select visible { wait(is()) && event(5, 5, true) -> ; }", "{5 5 true}"},
		{"f();", "{8 8 true}"},
	} {
		text := `chan C int; class A { static int x = 1; static bool k; static C c = new C;
static bool is() { event(9, 9, true); return true; }
static void f() { event(8, 8, true); }
activate static void a() { int i; send(c, 9); ` + c.body + ` } };`
		p, err := zingtest.Load("m.zing", text)
		if err != nil {
			t.Fatal(err)
		}
		var seen []string
		for _, list := range labelled(t, p, interleave.Options{}) {
			for _, e := range list[:min(1, len(list))] {
				for _, x := range e.Events {
					seen = append(seen, fmt.Sprint(x))
				}
			}
		}
		if got := strings.Join(seen, " "); got != c.want {
			t.Errorf("%s: %s, want %s", c.body, got, c.want)
		}
	}
}

// withEvents adds events to a random model, and makes some of its selects visible.
func withEvents(text string, r *rand.Rand) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		s := strings.TrimSpace(line)
		if strings.HasPrefix(s, "select") && r.IntN(2) == 0 {
			lines[i] = strings.Replace(line, "select", "select visible", 1)
		}
		simple := strings.HasPrefix(s, "x = ") || strings.HasPrefix(s, "y = ") || strings.HasPrefix(s, "send(")
		if simple && strings.HasSuffix(s, ";") && !strings.HasPrefix(strings.TrimSpace(lines[i+1]), "else") {
			lines[i] += fmt.Sprintf(" event(%d, x, p);", r.IntN(3))
		}
	}
	return strings.Join(lines, "\n")
}

// TestSystem: the transitions of random models, and their events, are those of the interpreter.
func TestSystem(t *testing.T) {
	n := uint64(testkit.Count(60, 5000))
	events, double := 0, 0
	for seed := range n {
		r := rand.New(rand.NewPCG(seed, 9))
		text := withEvents(zingtest.Random(seed+7000000), r)
		p, err := zingtest.Load("model.zing", text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		cooperative := seed%5 == 0
		want, complete := zingtest.Labelled(p, zingtest.Options{States: 2000, Blocks: 2000, Cooperative: cooperative})
		if !complete {
			continue
		}
		got := labelled(t, p, interleave.Options{Cooperative: cooperative})
		if len(got) != len(want) {
			t.Fatalf("seed %d: %d states, want %d\n%s", seed, len(got), len(want), text)
		}
		for i := range want {
			if fmt.Sprint(got[i]) != fmt.Sprint(want[i]) {
				t.Fatalf("seed %d: transitions from state %d: %v, want %v\n%s", seed, i, got[i], want[i], text)
			}
			for _, tr := range want[i] {
				events += min(1, len(tr.Events))
				double += min(1, len(tr.Events)/2)
			}
		}
	}
	t.Logf("%d transitions with events, %d with several", events, double)
	if events < 500 || double < 2 {
		t.Errorf("only %d transitions with events, %d with several", events, double)
	}
}
