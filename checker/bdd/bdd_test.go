package bdd

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"c2bp/internal/testkit"
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
		if m.Eval(f, func(v int) bool { return v%2 == 0 && i>>(v/2)&1 == 1 }) {
			t |= 1 << i
		}
	}
	return t
}

// machine runs random operations on a manager and on truth tables side by side. The
// manager has two adjacent copies of each variable of the tables; functions
// are over the first.
type machine struct {
	m    *Manager
	refs []Ref
	tabs []table
	up   []*Shift // from the first copies of all variables, or of the even ones, to the second
}

func newMachine() *machine {
	x := &machine{m: New(2*tableVars, Options{})}
	x.up = []*Shift{
		x.m.NewShift(func(v int) int { return v | 1 }),
		x.m.NewSparseShift([]int{0, 4, 8}, []int{1, 5, 9}),
	}
	for l := range tableVars {
		x.refs = append(x.refs, x.m.Var(2*l))
		x.tabs = append(x.tabs, tableVar(l))
	}
	return x
}

// renamed moves f to second copies, and back by quantification.
func (x *machine) renamed(f Ref, up *Shift) Ref {
	m := x.m
	var second []int
	same := True
	for v := 1; v < m.Levels(); v += 2 {
		second = append(second, v)
		same = m.And(same, m.Eq(m.Var(v-1), m.Var(v)))
	}
	moved := m.Rename(f, up)
	for _, v := range m.Support(f) {
		w := v
		if up == x.up[0] || v%4 == 0 {
			w++
		}
		if !slices.Contains(m.Support(moved), w) {
			panic(fmt.Sprintf("variable %d does not become %d", v, w))
		}
	}
	return m.AndExists(moved, same, m.Cube(second))
}

// reorder sifts, or exchanges blocks at random.
func (x *machine) reorder(sift bool, bits uint32) error {
	if sift {
		x.m.Reorder(2, x.keep)
		return x.m.fault()
	}
	s := newSifter(x.m, 2, x.keep)
	for range 10 {
		s.swapBlocks(int(bits&7) % (tableVars - 1))
		bits >>= 3
	}
	s.finish()
	return x.m.fault()
}

// fault finds what is wrong with the nodes of a manager.
func (m *Manager) fault() error {
	used, seen := 2, map[[3]int32]bool{}
	for i := 2; i < len(m.nodes); i++ {
		n := m.nodes[i]
		if n.level == freeLevel {
			continue
		}
		used++
		key := [3]int32{n.level, int32(n.lo), int32(n.hi)}
		if n.lo == n.hi || seen[key] || m.nodes[n.lo].level <= n.level || m.nodes[n.hi].level <= n.level {
			return fmt.Errorf("node %d is not reduced, unique and ordered", i)
		}
		seen[key] = true
	}
	if used != m.used {
		return fmt.Errorf("%d nodes are in use, not %d", used, m.used)
	}
	for l, v := range m.varAt {
		if m.levelOf[v] != int32(l) {
			return fmt.Errorf("variable %d is not at level %d", v, l)
		}
	}
	return nil
}

// step performs the operation that the bytes describe and adds its result.
func (x *machine) step(code, ai, bi, ci byte) error {
	m := x.m
	pick := func(i byte) (Ref, table) { return x.refs[int(i)%len(x.refs)], x.tabs[int(i)%len(x.refs)] }
	a, ta := pick(ai)
	b, tb := pick(bi)
	c, tc := pick(ci)
	var levels, vars []int
	var lits []Literal
	tr := ta
	for l := range tableVars {
		if ci>>l&1 == 1 {
			val := bi>>l&1 == 1
			levels, vars = append(levels, 2*l), append(vars, l)
			lits = append(lits, Literal{2 * l, val})
			tr = tr.cofactor(l, val)
		}
	}
	var r Ref
	var t table
	switch code % 13 {
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
		r, t = m.Exists(a, m.Cube(levels)), ta.exists(vars)
	case 7:
		r, t = m.AndExists(a, b, m.Cube(levels)), (ta & tb).exists(vars)
	case 8:
		r, t = m.Restrict(a, m.LitCube(lits)), tr
	case 9:
		r, t = x.renamed(a, x.up[int(bi)%2]), ta
	case 10:
		r, t = m.Eq(a, b), ^(ta ^ tb)
	case 11:
		m.Collect(x.keep)
		return nil
	case 12:
		return x.reorder(ai&1 == 0, uint32(ai)<<24|uint32(bi)<<16|uint32(ci)<<8|uint32(code))
	}
	if got := toTable(m, r); got != t {
		return fmt.Errorf("operation %d: got %016x, want %016x", code%13, got, t)
	}
	for i, other := range x.tabs { // canonicity, both ways
		if (other == t) != (x.refs[i] == r) {
			return fmt.Errorf("operation %d: not canonical: %016x is Ref %d, %016x is Ref %d", code%13, t, r, other, x.refs[i])
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

func (x *machine) keep(keep func(Ref)) {
	for _, r := range x.refs {
		keep(r)
	}
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

func runs() int { return testkit.Count(200, 5000) }

func TestRandomAgainstTruthTables(t *testing.T) {
	for seed := range uint64(runs()) {
		if err := newMachine().run(seed, 300); err != nil {
			t.Fatal(err)
		}
	}
}

// caught reports an error or a panic.
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
					want = append(want, 2*l)
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
	if one, yes := m.Literals(nil, f); yes != (ok && m.LitCube(lits) == f) || yes && !slices.Equal(one, lits) {
		t.Fatalf("Literals of %016x: %v, %v; SatOne gives %v", tab, one, yes, lits)
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

// A cover within a bound is the cover, or there is none.
func TestCoverWithin(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	m := New(6, Options{})
	within := 0
	for range 300 {
		f := False
		for range rng.IntN(8) {
			f = m.Xor(f, m.And(m.Var(rng.IntN(6)), m.Var(rng.IntN(6))))
		}
		cubes, most := m.Cover(f), rng.IntN(41)-1
		literals := 0
		for _, c := range cubes {
			literals += len(c)
		}
		got, ok := m.CoverWithin(f, most)
		if ok != (literals <= most) || ok && !reflect.DeepEqual(got, cubes) {
			t.Fatalf("the cover of %s has %d literals; within %d: %v, %v", m.String(f), literals, most, got, ok)
		}
		if ok {
			within++
		}
	}
	if within < 50 || within > 250 {
		t.Errorf("%d of 300 covers are within their bound", within)
	}
}

// That a cover of 2^59 cubes is too long is found out at once.
func TestCoverWithinOfParity(t *testing.T) {
	m := New(60, Options{})
	f := False
	for l := range 60 {
		f = m.Xor(f, m.Var(l))
	}
	if cubes, ok := m.CoverWithin(f, 1000); ok {
		t.Errorf("%d cubes", len(cubes))
	}
	if m.Size() > 10_000 {
		t.Errorf("%d nodes", m.Size())
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

// halves is the equality of two numbers of k bits, the one above the other.
func halves(m *Manager, k, block int) Ref {
	f := True
	for i := range k {
		f = m.And(f, m.Eq(m.Var(i*block), m.Var((i+k)*block)))
	}
	return f
}

// Sifting finds the order that alternates the bits, whatever the size of the blocks.
func TestReorder(t *testing.T) {
	const k = 10
	for _, block := range []int{1, 3} {
		m := New(2*k*block, Options{})
		f := halves(m, k, block)
		before := m.NodeCount(f)
		m.Reorder(block, func(keep func(Ref)) { keep(f) })
		if err := m.fault(); err != nil {
			t.Error(err)
		}
		if n := m.NodeCount(f); n != 3*k || m.Size() != n+2 || before < 1<<k {
			t.Errorf("blocks of %d: %d nodes, %d in use; before %d", block, n, m.Size(), before)
		}
		if halves(m, k, block) != f {
			t.Errorf("blocks of %d: rebuilt it is another Ref", block)
		}
	}
}

// A reordering that is interrupted leaves the manager as good as ever.
func TestReorderInterrupted(t *testing.T) {
	const k = 10
	left := -1
	stop := errors.New("stop")
	m := New(2*k, Options{Poll: func() error {
		if left--; left == 0 {
			return stop
		}
		return nil
	}})
	f := halves(m, k, 1)
	left = 4
	err := func() (err error) {
		defer Catch(&err)
		m.Reorder(1, func(keep func(Ref)) { keep(f) })
		return nil
	}()
	if err != stop || m.fault() != nil || halves(m, k, 1) != f {
		t.Error(err, m.fault())
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
