package bdd

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
)

// The oracle: functions of six variables as truth tables of 64 bits. Bit i is the
// value where variable l is bit l of i.
type table uint64

const tableVars = 6

func tableVar(l int) table {
	var t table
	for i := range 64 {
		if i>>l&1 == 1 {
			t |= 1 << i
		}
	}
	return t
}

// cofactor replaces variable l by val.
func (t table) cofactor(l int, val bool) table {
	v := tableVar(l)
	sh := table(1) << l
	if val {
		t &= v
		return t | t>>sh
	}
	t &^= v
	return t | t<<sh
}

func (t table) exists(levels []int) table {
	for _, l := range levels {
		t = t.cofactor(l, false) | t.cofactor(l, true)
	}
	return t
}

func (t table) ite(g, h table) table { return t&g | ^t&h }

// toTable reads a function off the manager, point by point.
func toTable(m *Manager, f Ref) table {
	var t table
	for i := range 64 {
		if m.Eval(f, func(l int) bool { return i>>l&1 == 1 }) {
			t |= 1 << i
		}
	}
	return t
}

// machine runs random operations on a manager and on truth tables side by side.
type machine struct {
	m    *Manager
	refs []Ref
	tabs []table
	up   *Shift // moves every variable one level down the order
}

func newMachine() *machine {
	x := &machine{m: New(tableVars+1, Options{})}
	x.up = x.m.NewShift(func(l int) int { return min(l+1, tableVars) })
	for l := range tableVars {
		x.refs = append(x.refs, x.m.Var(l))
		x.tabs = append(x.tabs, tableVar(l))
	}
	return x
}

// step performs the operation that the bytes describe and adds its result.
func (x *machine) step(code, ai, bi, ci byte) error {
	m := x.m
	pick := func(i byte) (Ref, table) { return x.refs[int(i)%len(x.refs)], x.tabs[int(i)%len(x.refs)] }
	a, ta := pick(ai)
	b, tb := pick(bi)
	c, tc := pick(ci)
	var levels []int
	var lits []Literal
	tr := ta
	for l := range tableVars {
		if ci>>l&1 == 1 {
			val := bi>>l&1 == 1
			levels = append(levels, l)
			lits = append(lits, Literal{l, val})
			tr = tr.cofactor(l, val)
		}
	}
	var r Ref
	var t table
	switch code % 12 {
	case 0:
		r, t = m.And(a, b), ta&tb
	case 1:
		r, t = m.Or(a, b), ta|tb
	case 2:
		r, t = m.Xor(a, b), ta^tb
	case 3:
		r, t = m.Diff(a, b), ta&^tb
	case 4:
		r, t = m.Not(a), ^ta
	case 5:
		r, t = m.Ite(a, b, c), ta.ite(tb, tc)
	case 6:
		r, t = m.Exists(a, m.Cube(levels)), ta.exists(levels)
	case 7:
		r, t = m.AndExists(a, b, m.Cube(levels)), (ta & tb).exists(levels)
	case 8:
		r, t = m.Restrict(a, m.LitCube(lits)), tr
	case 9: // rename, after making room at the bottom of the order
		low := m.Exists(a, m.Cube([]int{tableVars - 1}))
		tl := ta.exists([]int{tableVars - 1})
		r = m.Rename(low, x.up)
		for i := range 64 {
			if tl>>(i>>1)&1 == 1 {
				t |= 1 << i
			}
		}
	case 10:
		r, t = m.Eq(a, b), ^(ta ^ tb)
	case 11:
		x.collect()
		return nil
	}
	if got := toTable(m, r); got != t {
		return fmt.Errorf("operation %d: got %016x, want %016x", code%12, got, t)
	}
	for i, other := range x.tabs { // canonicity, both ways
		if (other == t) != (x.refs[i] == r) {
			return fmt.Errorf("operation %d: not canonical: %016x is Ref %d, %016x is Ref %d", code%12, t, r, other, x.refs[i])
		}
	}
	if len(x.refs) < 40 {
		x.refs, x.tabs = append(x.refs, r), append(x.tabs, t)
	} else {
		i := int(ai^bi^ci) % len(x.refs)
		x.refs[i], x.tabs[i] = r, t
	}
	return nil
}

func (x *machine) collect() {
	x.m.Collect(func(keep func(Ref)) {
		for _, r := range x.refs {
			keep(r)
		}
	})
}

func (x *machine) run(seed uint64, steps int) error {
	rng := rand.New(rand.NewPCG(seed, 1))
	for range steps {
		w := rng.Uint32()
		if err := x.step(byte(w), byte(w>>8), byte(w>>16), byte(w>>24)); err != nil {
			return fmt.Errorf("seed %d: %w", seed, err)
		}
	}
	return nil
}

func runs() int {
	if os.Getenv("C2BP_LONG") == "1" {
		return 5000
	}
	return 200
}

func TestRandomAgainstTruthTables(t *testing.T) {
	for seed := range uint64(runs()) {
		if err := newMachine().run(seed, 300); err != nil {
			t.Fatal(err)
		}
	}
}

// A collection that leaves results of reclaimed nodes in the cache must be noticed.
func TestRandomCatchesStaleCache(t *testing.T) {
	for seed := range uint64(200) {
		x := newMachine()
		x.m.staleCache = true
		if caught(func() error { return x.run(seed, 300) }) {
			return
		}
	}
	t.Error("200 runs with a stale cache and no difference from the truth tables")
}

// caught reports an error or a panic; a manager with stale nodes may do either.
func caught(f func() error) (bad bool) {
	defer func() { bad = recover() != nil || bad }()
	return f() != nil
}

func FuzzOperations(f *testing.F) {
	f.Add([]byte{0, 0, 1, 2, 9, 6, 0, 0, 11, 0, 0, 0, 7, 1, 6, 3})
	f.Fuzz(func(t *testing.T, data []byte) {
		x := newMachine()
		for len(data) >= 4 {
			if err := x.step(data[0], data[1], data[2], data[3]); err != nil {
				t.Fatal(err)
			}
			data = data[4:]
		}
	})
}

func TestInspection(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for range 500 {
		x := newMachine()
		if err := x.run(rng.Uint64(), 60); err != nil {
			t.Fatal(err)
		}
		m := x.m
		for i, f := range x.refs {
			checkSat(t, m, f, x.tabs[i])
			checkCover(t, m, f)
			var want []int
			for l := range tableVars {
				if x.tabs[i].cofactor(l, false) != x.tabs[i].cofactor(l, true) {
					want = append(want, l)
				}
			}
			if got := m.Support(f); !slices.Equal(got, want) {
				t.Fatalf("support %v, want %v", got, want)
			}
		}
	}
}

func checkSat(t *testing.T, m *Manager, f Ref, tab table) {
	t.Helper()
	lits, ok := m.SatOne(f)
	if ok != (tab != 0) {
		t.Fatalf("SatOne of %016x: %v", tab, ok)
	}
	if ok && !m.Implies(m.LitCube(lits), f) {
		t.Fatalf("SatOne of %016x: %v is not in it", tab, lits)
	}
}

// checkCover asserts that a cover is exact, prime and irredundant.
func checkCover(t *testing.T, m *Manager, f Ref) {
	t.Helper()
	cubes := m.Cover(f)
	or := func(skip int) Ref {
		g := False
		for i, c := range cubes {
			if i != skip {
				g = m.Or(g, m.LitCube(c))
			}
		}
		return g
	}
	if or(-1) != f {
		t.Fatalf("cover of %s is another function", m.String(f))
	}
	for i, c := range cubes {
		if or(i) == f {
			t.Fatalf("cube %d of %s is redundant", i, m.String(f))
		}
		for j := range c {
			if m.Implies(m.LitCube(slices.Delete(slices.Clone(c), j, j+1)), f) {
				t.Fatalf("cube %d of %s is not prime", i, m.String(f))
			}
		}
	}
}

func TestNodeCount(t *testing.T) {
	m := New(8, Options{})
	eq := True
	for i := 0; i < 8; i += 2 { // x0=x1 & x2=x3 & …: three nodes a pair
		eq = m.And(eq, m.Eq(m.Var(i), m.Var(i+1)))
	}
	if got := m.NodeCount(eq); got != 12 {
		t.Errorf("%d nodes, want 12", got)
	}
	if got := m.NodeCount(eq, m.Hi(eq), True); got != 12 {
		t.Errorf("%d nodes with sharing, want 12", got)
	}
}

// queens builds the n queens problem: a load with many intermediate nodes.
func queens(m *Manager, n int) Ref {
	v := func(i, j int) int { return i*n + j }
	f := True
	for i := range n {
		row := False
		for j := range n {
			row = m.Or(row, m.Var(v(i, j)))
			for k := range n {
				for l := range n {
					if (k != i || l != j) && (k == i || l == j || k-i == l-j || k-i == j-l) {
						f = m.And(f, m.Or(m.NVar(v(i, j)), m.NVar(v(k, l))))
					}
				}
			}
		}
		f = m.And(f, row)
	}
	return f
}

// count is the number of satisfying valuations, by one pass over the levels.
func count(m *Manager, f Ref) int {
	memo := map[Ref]int{}
	var rec func(f Ref, level int) int
	rec = func(f Ref, level int) int {
		if f == False {
			return 0
		}
		below := min(m.Level(f), m.Levels())
		c, ok := memo[f]
		if !ok {
			if c = 1; f != True {
				c = rec(m.Lo(f), below+1) + rec(m.Hi(f), below+1)
			}
			memo[f] = c
		}
		return c << (below - level)
	}
	return rec(f, 0)
}

func TestQueens(t *testing.T) {
	for n, want := range map[int]int{4: 2, 5: 10, 6: 4, 7: 40} {
		m := New(n*n, Options{})
		f := queens(m, n)
		if got := count(m, f); got != want {
			t.Errorf("%d queens: %d solutions, want %d", n, got, want)
		}
		before := m.NodeCount(f)
		m.Collect(func(keep func(Ref)) { keep(f) })
		if m.Size() != before+2 || m.NodeCount(f) != before {
			t.Errorf("%d queens: %d nodes after collection, want %d", n, m.Size(), before+2)
		}
		if g := queens(m, n); g != f {
			t.Errorf("%d queens: rebuilt after a collection it is another Ref", n)
		}
	}
}

func TestNodeLimit(t *testing.T) {
	m := New(49, Options{NodeLimit: 5000})
	err := func() (err error) {
		defer Catch(&err)
		queens(m, 7)
		return nil
	}()
	if !errors.Is(err, ErrNodeLimit) {
		t.Fatalf("got %v", err)
	}
	m.Collect(func(func(Ref)) {})
	if f := queens(m, 4); count(m, f)>>33 != 2 { // 49-16 variables are free
		t.Error("the manager is not usable after the limit")
	}
}

func TestPoll(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	m := New(64, Options{Poll: ctx.Err})
	err := func() (err error) {
		defer Catch(&err)
		queens(m, 8)
		return nil
	}()
	if !errors.Is(err, context.Canceled) || m.Size() > 3*pollEvery {
		t.Fatalf("got %v after %d nodes", err, m.Size())
	}
}

func TestCatchLetsOthersPass(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a foreign panic was swallowed")
		}
	}()
	var err error
	defer Catch(&err)
	New(1, Options{}).Var(1)
}

// A renaming that turns the order around is a fault of the caller.
func TestRenameOutOfOrder(t *testing.T) {
	m := New(2, Options{})
	swap := m.NewShift(func(l int) int { return 1 - l })
	if !caught(func() error { m.Rename(m.And(m.Var(0), m.Var(1)), swap); return nil }) {
		t.Error("no panic")
	}
}

// Deep orders: recursion is bounded by the number of levels.
func TestManyLevels(t *testing.T) {
	const n = 100_000
	m := New(n, Options{})
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	f := m.Cube(all)
	if m.NodeCount(m.Not(f)) != n || m.Exists(f, m.Cube(all)) != True {
		t.Error("wrong")
	}
}

func Example() {
	m := New(3, Options{})
	f := m.Or(m.And(m.Var(0), m.Var(1)), m.NVar(2))
	fmt.Println(m.String(f))
	fmt.Println(m.String(m.Exists(f, m.Cube([]int{1}))))
	// Output:
	// 0 & 1 | !2
	// 0 | !2
}
