package alias

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"c2bp/frontend/core"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// proc makes a procedure that runs stmts in order.
func proc(name string, stmts ...core.Stmt) *core.Proc {
	p := &core.Proc{Name: name, CName: name, RetType: core.Void{}}
	for i, s := range stmts {
		p.Nodes = append(p.Nodes, &core.Node{Stmt: s, Succ: []int{i + 1}})
	}
	p.Nodes = append(p.Nodes, &core.Node{Stmt: &core.Return{}})
	return p
}

func global(name string) *core.Var {
	return &core.Var{Name: name, Type: core.Int32, Kind: core.Global}
}

func local(p *core.Proc, name string) *core.Var {
	v := &core.Var{Name: name, Type: core.Int32, Kind: core.Local, Proc: p}
	p.Locals = append(p.Locals, v)
	return v
}

func set(v *core.Var, n int64) core.Stmt {
	return &core.Assign{Lhs: []core.Loc{v.Ref()}, Rhs: []core.Expr{core.NewConst(n, core.Int32)}}
}

func call(p *core.Proc) *core.Call { return &core.Call{Callee: p} }

// TestEffects is a program with one procedure for each way to write.
func TestEffects(t *testing.T) {
	locked, n, shared, other := global("locked"), global("n"), global("shared"), global("other")
	shared.AddrTaken = true
	ext := &core.Proc{Name: "ext", RetType: core.Int32}
	release := proc("release", set(locked, 0))
	direct := proc("direct", set(shared, 1)) // by name: no pointer is involved
	havoc := proc("havoc", &core.Havoc{Locs: []core.Loc{n.Ref()}})
	store := proc("store", &core.Havoc{Region: true})
	dest := proc("dest", &core.Call{Lhs: n.Ref(), Callee: ext})
	ping, pong := proc("ping"), proc("pong", set(n, 1))
	ping.Nodes = proc("", call(pong)).Nodes
	pong.Nodes = proc("", set(n, 1), call(ping), call(release)).Nodes
	pure := proc("pure")
	buf, x := local(pure, "buf"), local(pure, "x")
	buf.AddrTaken = true
	pure.Nodes = proc("", set(buf, 1), set(x, 2)).Nodes
	main := proc("main", call(pure), call(ping), call(store), set(other, 1))
	p := &core.Program{
		Globals: []*core.Var{locked, n, shared, other},
		Procs:   []*core.Proc{ext, release, direct, havoc, store, dest, ping, pong, pure, main},
		Entry:   main,
	}
	if err := core.Validate(p); err != nil {
		t.Fatal(err)
	}
	r := Analyze(p)
	golden(t, "testdata/effects.golden", p.String()+"\n"+r.String())

	for _, test := range []struct {
		p    *core.Proc
		v    *core.Var
		want bool
	}{
		{release, n, false}, // n == old survives release()
		{release, locked, true},
		{release, buf, false},
		{direct, shared, true},
		{direct, buf, false},
		{store, shared, true},
		{store, buf, true},
		{store, x, false},
		{store, n, false},
		{ext, shared, true},
		{ext, buf, true},
		{ext, locked, false},
		{dest, n, true},
		{ping, n, true},
		{ping, locked, true},
		{ping, shared, false},
		{pure, buf, false}, // another activation's buf
		{main, other, true},
		{main, buf, true},
	} {
		if got := r.MayWrite(test.p, test.v); got != test.want {
			t.Errorf("MayWrite(%s, %s) = %v", test.p.Name, test.v.Name, got)
		}
	}
}

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

// TestComponents compares with mutual reachability on random graphs.
func TestComponents(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		n := 1 + rng.IntN(12)
		edges := make([][]int, n)
		for range rng.IntN(3 * n) {
			from := rng.IntN(n)
			edges[from] = append(edges[from], rng.IntN(n))
		}
		if err := checkComponents(edges); err != nil {
			t.Fatalf("%v: %v", edges, err)
		}
	}
}

func checkComponents(edges [][]int) error {
	nodes := make([]int, len(edges))
	reach := make([][]bool, len(edges))
	for i := range edges {
		nodes[i] = i
		reach[i] = make([]bool, len(edges))
		todo := []int{i}
		for len(todo) > 0 {
			for _, j := range edges[todo[0]] {
				if !reach[i][j] {
					reach[i][j] = true
					todo = append(todo, j)
				}
			}
			todo = todo[1:]
		}
	}
	number := make([]int, len(edges))
	for c, list := range components(nodes, func(i int) []int { return edges[i] }) {
		for _, i := range list {
			number[i] = c + 1
		}
	}
	for i := range edges {
		if number[i] == 0 {
			return fmt.Errorf("%d is in no component", i)
		}
		for j := range edges {
			together := i == j || reach[i][j] && reach[j][i]
			if together != (number[i] == number[j]) {
				return fmt.Errorf("%d and %d", i, j)
			}
			if reach[i][j] && number[i] < number[j] {
				return fmt.Errorf("%d before its successor %d", i, j)
			}
		}
	}
	return nil
}

// TestLongChain analyses a call chain of 100,000 procedures.
func TestLongChain(t *testing.T) {
	g := global("g")
	procs := []*core.Proc{proc("p", set(g, 1))}
	for i := range 100000 {
		procs = append(procs, proc(fmt.Sprint("p", i), call(procs[i])))
	}
	// The roots come first, so that the search goes down the whole chain.
	p := &core.Program{Globals: []*core.Var{g}}
	for i := range procs {
		p.Procs = append(p.Procs, procs[len(procs)-1-i])
	}
	if r := Analyze(p); !r.MayWrite(p.Procs[0], g) {
		t.Error("the write at the end of the chain is lost")
	}
}
