package inline

import (
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"c2bp/frontend/core"
	"c2bp/frontend/core/coregen"
	"c2bp/frontend/core/interp"
	"c2bp/internal/testkit"
)

// oracle makes the same choices for a program and for what inlining made of it: those
// that both ask for come from one sequence, and the initial values of locals are what
// the additional nodes of the copy ask for.
type oracle struct {
	seed  uint64
	count uint64
}

func (o *oracle) next(n uint64) uint64 {
	o.count++
	return rand.New(rand.NewPCG(o.seed, o.count)).Uint64N(n)
}

func (o *oracle) Branch(_ interp.Place, next []int) int {
	if len(next) == 1 {
		return next[0]
	}
	return next[o.next(uint64(len(next)))]
}

// Value is 7 for what nobody has set, where that is possible.
func (o *oracle) Value(r interp.Request) *big.Int {
	switch {
	case r.Pointer:
		return new(big.Int)
	case r.Indeterminate || r.Why == interp.InitLocal || r.Why == interp.Contents:
		if r.Var != nil && r.Var.Logical || r.Type.Bool {
			return big.NewInt(1)
		}
		return r.Type.Convert(big.NewInt(7))
	case r.Why == interp.RegionHavocked: // of more variables in the copy
		if r.Type.Bool {
			return new(big.Int)
		}
		return r.Type.Convert(big.NewInt(3))
	}
	x := big.NewInt(int64(o.next(5)) - 2)
	if r.Var != nil && r.Var.Logical || r.Type.Bool {
		return x.Abs(x).Mod(x, big.NewInt(2))
	}
	return r.Type.Convert(x)
}

// returnFormals makes procedures return a formal, where one has the type, as the front
// end does.
func returnFormals(p *core.Program) {
	for i, q := range p.Procs {
		if q == p.Entry || !q.HasBody() || i%2 == 0 {
			continue
		}
		for _, f := range q.Formals {
			if _, isInt := f.Type.(core.Int); isInt && q.Result != nil && f.Type == q.RetType && !f.AddrTaken {
				q.Result = f
			}
		}
	}
}

// inlinable are the procedures that can be inlined everywhere; not recursive ones, which
// would have to be inlined again.
func inlinable(p *core.Program) map[*core.Proc]bool {
	ok := map[*core.Proc]bool{}
	for _, q := range p.Procs {
		ok[q] = q != p.Entry && Check(q) == nil
	}
	return ok
}

// replace inlines in every procedure of p.
func replace(p *core.Program, keepChoices bool) (count int) {
	ok := inlinable(p)
	for _, q := range p.Procs {
		calls(q, func(c *core.Call) bool {
			if c.Callee == q || !ok[c.Callee] || len(c.Args) != len(c.Callee.Formals) {
				return false
			}
			count++
			return true
		}, func(like *core.Var) *core.Var {
			v := *like
			v.Name = fmt.Sprintf("%s#%d", like.Name, len(q.Locals))
			if v.Proc, v.Kind = q, core.Temp; v.AddrTaken {
				v.Kind = core.Local
			}
			q.Locals = append(q.Locals, &v)
			return &v
		}, keepChoices)
	}
	return count
}

// outcome is how a run of p ended: what the last step did, and the integers that are
// global. ok is false if the run says nothing.
func outcome(p *core.Program, choices *oracle) (text string, ok bool) {
	m := interp.New(p, choices, interp.Options{MaxFrames: 50})
	e, err := m.Run(context.Background(), 1000)
	if err != nil {
		return err.Error(), false
	}
	if !e.Kind.Final() || e.Kind == interp.Blocked {
		return e.Kind.String(), false
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", e.Kind)
	for _, g := range p.Globals {
		if t, isInt := g.Type.(core.Int); isInt && !g.Volatile && t.Bits < 64 { // no addresses
			fmt.Fprintf(&b, "%s = %s\n", g.Name, m.Global(g))
		}
	}
	return b.String(), true
}

// compare runs a random program and its inlined form.
func compare(seed uint64, memory, keepChoices bool) (runs, inlined int, err error) {
	return compareWith(seed, memory, keepChoices, func(p *core.Program) int { return replace(p, keepChoices) })
}

// compareWith is compare for what change does to a program; it returns the number of changes. Where choices may be left
// out, runs that make another number of them are not compared.
func compareWith(seed uint64, memory, keepChoices bool, change func(*core.Program) int) (runs, inlined int, err error) {
	make := func() *core.Program {
		p, _ := coregen.Generate(rand.New(rand.NewPCG(seed, 1)), coregen.Config{Memory: memory, Procs: 4})
		return p
	}
	p, q := make(), make()
	returnFormals(p)
	returnFormals(q)
	inlined = change(q)
	if inlined == 0 {
		return 0, 0, nil
	}
	if err := core.Validate(q); err != nil {
		return 0, inlined, fmt.Errorf("seed %d: %w\n%s", seed, err, q)
	}
	for s := range uint64(6) {
		o, r := &oracle{seed: s}, &oracle{seed: s}
		want, ok := outcome(p, o)
		got, _ := outcome(q, r)
		if !ok || !keepChoices && o.count != r.count { // choices were left out
			continue
		}
		runs++
		if got != want {
			return runs, inlined, fmt.Errorf("seed %d, run %d: got %swant %s\n%s\n%s", seed, s, got, want, p, q)
		}
	}
	return runs, inlined, nil
}

// seeds is the number of random programs that are compared.
func seeds() uint64 { return testkit.Count[uint64](200, 3000) }

// TestAgainstInterpreter: a program does the same after inlining.
func TestAgainstInterpreter(t *testing.T) {
	for _, keepChoices := range []bool{true, false} {
		runs, inlined := 0, 0
		for seed := range seeds() {
			for _, memory := range []bool{false, true} {
				r, i, err := compare(seed, memory, keepChoices)
				if err != nil {
					t.Fatal(err)
				}
				runs, inlined = runs+r, inlined+i
			}
		}
		t.Logf("%d runs compared, %d calls inlined", runs, inlined)
		if runs < 500 || inlined < 200 {
			t.Errorf("only %d runs compared, %d calls inlined", runs, inlined)
		}
	}
}

// TestCalls compares programs with one call, r := f(a), before and after inlining. In each the body
// could be copied more simply than it is if one rule did not matter.
func TestCalls(t *testing.T) {
	set := func(v *core.Var, e core.Expr) core.Stmt {
		return &core.Assign{Lhs: []core.Loc{v.Ref()}, Rhs: []core.Expr{e}}
	}
	plus := func(x, y core.Expr) core.Expr { return &core.Binary{Op: core.Add, X: x, Y: y} }
	number := func(n int64) core.Expr { return core.NewConst(n, core.Int32) }
	for _, test := range []struct {
		name string
		body func(g, x, result *core.Var) []core.Stmt
		same bool // the result is the formal x
		want string
	}{
		{"an argument that the body changes", func(g, x, result *core.Var) []core.Stmt {
			return []core.Stmt{set(g, number(7)), set(result, x.Ref())}
		}, false, "finished\ng = 7\nout = 5\n"},
		{"a result that is set before the argument is read", func(g, x, result *core.Var) []core.Stmt {
			return []core.Stmt{set(result, number(1)), set(result, plus(result.Ref(), x.Ref()))}
		}, false, "finished\ng = 6\nout = 6\n"},
		{"a formal that is returned", func(g, x, result *core.Var) []core.Stmt {
			return []core.Stmt{set(x, plus(x.Ref(), number(2)))}
		}, true, "finished\ng = 7\nout = 7\n"},
		{"a formal that is returned as it is", func(g, x, result *core.Var) []core.Stmt {
			return nil
		}, true, "finished\ng = 5\nout = 5\n"},
	} {
		global := func(name string) *core.Var { return &core.Var{Name: name, Kind: core.Global, Type: core.Int32} }
		g, out := global("g"), global("out")
		f, main := &core.Proc{Name: "f", CName: "f", RetType: core.Int32}, &core.Proc{Name: "main", CName: "main", RetType: core.Void{}}
		x := &core.Var{Name: "x", Kind: core.Formal, Type: core.Int32, Proc: f}
		f.Formals = []*core.Var{x}
		if f.Result = x; !test.same {
			f.Result = &core.Var{Name: `\result`, Kind: core.Local, Type: core.Int32, Proc: f}
			f.Locals = []*core.Var{f.Result}
		}
		r := &core.Var{Name: "r", Kind: core.Local, Type: core.Int32, Proc: main}
		main.Locals = []*core.Var{r}
		sequence := func(p *core.Proc, list ...core.Stmt) {
			for i, s := range list {
				p.Nodes = append(p.Nodes, &core.Node{Stmt: s, Succ: []int{i + 1}})
			}
			p.Nodes = append(p.Nodes, &core.Node{Stmt: &core.Return{}})
		}
		sequence(f, test.body(g, x, f.Result)...)
		sequence(main, set(r, number(5)), set(g, number(5)),
			&core.Call{Callee: f, Lhs: g.Ref(), Args: []core.Expr{g.Ref()}}, set(out, g.Ref()))
		if test.name == "an argument that the body changes" {
			main.Nodes[2].Stmt.(*core.Call).Lhs, main.Nodes[3].Stmt = r.Ref(), set(out, r.Ref())
		}
		p := &core.Program{Globals: []*core.Var{g, out}, Procs: []*core.Proc{main, f}, Entry: main}
		for _, when := range []string{"before", "after"} {
			if err := core.Validate(p); err != nil {
				t.Fatalf("%s: %v", test.name, err)
			}
			if got, _ := outcome(p, &oracle{}); got != test.want {
				t.Errorf("%s: %s inlining it is %swant %s\n%s", test.name, when, got, test.want, p)
			}
			replace(p, true)
		}
	}
}

// small makes a random program's calls of small procedures their bodies; it returns the number of temporaries that
// are set no more.
func small(p *core.Program) (count int) {
	// Each second local is a temporary, as those that the front end makes.
	for _, q := range p.Procs {
		for i, v := range q.Locals {
			if i%2 == 0 && !v.AddrTaken && v != q.Result {
				v.Kind = core.Temp
			}
		}
	}
	before := skips(p)
	atMost(60, p, func(*core.Proc) bool { return true })
	for _, q := range p.Procs {
		if q.HasBody() {
			Forward(q)
		}
	}
	return skips(p) - before
}

// skips counts the nodes of p that do nothing.
func skips(p *core.Program) (count int) {
	for _, q := range p.Procs {
		for _, n := range q.Nodes {
			if _, ok := n.Stmt.(*core.Skip); ok {
				count++
			}
		}
	}
	return count
}

// TestSmall: a program does the same after calls of small procedures are replaced, and temporaries by their values.
func TestSmall(t *testing.T) {
	runs, changed := 0, 0
	for seed := range seeds() {
		for _, memory := range []bool{false, true} {
			r, c, err := compareWith(seed, memory, true, small)
			if err != nil {
				t.Fatal(err)
			}
			runs, changed = runs+r, changed+c
		}
	}
	t.Logf("%d runs compared, %d changes", runs, changed)
	if runs < 500 || changed < 200 {
		t.Errorf("only %d runs compared, %d changes", runs, changed)
	}
}

// TestForward looks at single procedures: each would do something else if one rule did not matter.
func TestForward(t *testing.T) {
	p := &core.Proc{Name: "main", CName: "main", RetType: core.Void{}}
	local := func(name string, kind core.VarKind, typ core.Type) *core.Var {
		v := &core.Var{Name: name, Kind: kind, Type: typ, Proc: p}
		p.Locals = append(p.Locals, v)
		return v
	}
	x, q := local("x", core.Local, core.Int32), local("q", core.Local, core.Ptr{Bits: 64})
	v := local("$0", core.Temp, core.Int32)
	at := &core.Mem{Addr: q.Ref(), Typ: core.Int32}
	set := func(to core.Loc, e core.Expr) core.Stmt {
		return &core.Assign{Lhs: []core.Loc{to}, Rhs: []core.Expr{e}}
	}
	one := core.NewConst(1, core.Int32)
	for _, test := range []struct {
		name  string
		stmts []core.Stmt
		skips map[int][]int // further successors
		want  string        // the statement in the end that uses $0
	}{
		{"nothing changes", []core.Stmt{set(v.Ref(), at), set(x.Ref(), v.Ref())}, nil, "x := {int32}*q"},
		{"memory changes", []core.Stmt{set(v.Ref(), at), set(at, one), set(x.Ref(), v.Ref())}, nil, "x := $0"},
		{"a variable changes", []core.Stmt{set(v.Ref(), x.Ref()), set(x.Ref(), one), set(at, v.Ref())}, nil, "{int32}*q := $0"},
		{"another way", []core.Stmt{&core.Branch{}, set(v.Ref(), at), set(x.Ref(), v.Ref())}, map[int][]int{0: {2}}, "x := $0"},
	} {
		p.Nodes = nil
		for i, s := range test.stmts {
			p.Nodes = append(p.Nodes, &core.Node{Stmt: s, Succ: append([]int{i + 1}, test.skips[i]...)})
		}
		p.Nodes = append(p.Nodes, &core.Node{Stmt: &core.Return{}})
		Forward(p)
		if got := core.StmtString(p.Nodes[len(test.stmts)-1].Stmt); got != test.want {
			t.Errorf("%s: %s; want %s", test.name, got, test.want)
		}
	}
}

// TestForwardSize: values do not double along a chain of temporaries each of which uses the one before twice.
func TestForwardSize(t *testing.T) {
	p := &core.Proc{Name: "main", CName: "main", RetType: core.Void{}}
	last := &core.Var{Name: "x", Kind: core.Local, Type: core.Int32, Proc: p}
	p.Locals = append(p.Locals, last)
	for i := range 16 {
		v := &core.Var{Name: fmt.Sprintf("$%d", i), Kind: core.Temp, Type: core.Int32, Proc: p}
		p.Locals = append(p.Locals, v)
		twice := &core.Binary{Op: core.Add, X: last.Ref(), Y: last.Ref()}
		p.Nodes = append(p.Nodes, &core.Node{Stmt: &core.Assign{Lhs: []core.Loc{v.Ref()}, Rhs: []core.Expr{twice}}, Succ: []int{i + 1}})
		last = v
	}
	p.Nodes = append(p.Nodes, &core.Node{Stmt: &core.Return{}})
	Forward(p)
	if skips(&core.Program{Procs: []*core.Proc{p}}) == 0 {
		t.Error("no value was put in the place of its uses")
	}
	for _, n := range p.Nodes {
		core.StmtExprs(n.Stmt, func(e core.Expr) {
			if got := parts(e); got > 3*mostParts {
				t.Errorf("%s: %d parts", core.StmtString(n.Stmt), got)
			}
		})
	}
}
