package prover

import (
	"context"
	"errors"
	"math/big"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aclements/go-z3/z3"

	"c2bp/internal/testkit"
	"c2bp/logic"
	"c2bp/logic/logicgen"
)

var background = context.Background()

func TestCheck(t *testing.T) {
	tab := logic.NewTable()
	x, y := tab.Sym("x", nil, nil), tab.Sym("y", nil, nil)
	small := tab.Sym("small", big.NewInt(3), big.NewInt(9))
	m := func(a *logic.Term) *logic.Term { return tab.App("M", nil, nil, a) }
	product := tab.Uninterpreted(logic.FnMul, nil, nil, x, y)
	num := tab.Int
	u32 := new(big.Int).Lsh(big.NewInt(1), 32)
	tests := []struct {
		name string
		lits []*logic.Term
		want Answer
	}{
		{"nothing", nil, Sat},
		{"true", []*logic.Term{tab.True}, Sat},
		{"false", []*logic.Term{tab.Lt(x, y), tab.False}, Unsat},
		{"complementary", []*logic.Term{tab.Lt(x, y), tab.Le(y, x)}, Unsat},
		{"between", []*logic.Term{tab.Lt(x, y), tab.Lt(y, tab.Add(x, num(2)))}, Sat},
		{"between integers", []*logic.Term{tab.Lt(x, y), tab.Lt(y, tab.Add(x, num(1)))}, Unsat},
		{"range", []*logic.Term{tab.Eq(tab.Add(small, x), num(0)), tab.Lt(num(-3), x)}, Unsat},
		{"range of a name twice", []*logic.Term{
			tab.Eq(tab.Add(small, tab.Scale(big.NewInt(-1), x)), num(0)),
			tab.Eq(tab.Add(tab.Sym("small", nil, nil), tab.Scale(big.NewInt(-1), x)), num(1)),
		}, Sat},
		{"congruence", []*logic.Term{tab.Eq(x, y), tab.Lt(m(x), m(y))}, Unsat},
		{"no congruence", []*logic.Term{tab.Not(tab.Eq(x, y)), tab.Lt(m(x), m(y))}, Sat},
		{"range of an application", []*logic.Term{tab.Lt(tab.App("B", new(big.Int), big.NewInt(255), x), y), tab.Lt(y, num(1))}, Unsat},
		{"axiom", []*logic.Term{tab.Eq(x, num(0)), tab.Not(tab.Eq(product, num(0)))}, Unsat},
		{"no axiom", []*logic.Term{tab.Eq(x, num(2)), tab.Eq(y, num(3)), tab.Eq(product, num(7))}, Sat},
		{"axiom of an inner application", []*logic.Term{tab.Eq(x, num(0)), tab.Lt(m(product), m(num(0)))}, Unsat},
		{"floor", []*logic.Term{tab.Eq(x, num(-1)), tab.Not(tab.Eq(tab.Div(x, big.NewInt(2)), num(-1)))}, Unsat},
		{"truncated", []*logic.Term{tab.Eq(x, num(-1)), tab.Not(tab.Eq(tab.Quo(x, big.NewInt(2)), num(0)))}, Unsat},
		{"wraps", []*logic.Term{tab.Eq(tab.Wrap(tab.Add(x, num(1)), new(big.Int), new(big.Int).Sub(u32, big.NewInt(1))), num(0)),
			tab.Lt(num(0), x), tab.Lt(x, tab.Big(u32))}, Sat},
		{"large numbers", []*logic.Term{tab.Lt(tab.Big(new(big.Int).Lsh(u32, 64)), x), tab.Lt(x, tab.Big(u32))}, Unsat},
	}
	for _, opts := range []Options{{}, {NoMemo: true}} {
		p := New(nil, opts)
		for _, tt := range tests {
			if got := p.Check(background, tt.lits, tab); got != tt.want || p.Err() != nil {
				t.Errorf("%s: got %v (%v), want %v", tt.name, got, p.Err(), tt.want)
			}
		}
		s := p.Stats()
		if s.Trivial != 5 || s.Queries != int64(len(tests))-5 || s.Queries != s.Sat+s.Unsat {
			t.Errorf("counters are wrong: %+v", s)
		}
	}
}

func TestValid(t *testing.T) {
	tab := logic.NewTable()
	x := tab.Sym("x", nil, nil)
	p := New(nil, Options{})
	if f := tab.Or(tab.Lt(x, tab.Int(5)), tab.Lt(tab.Int(3), x)); !p.Valid(background, f, tab) {
		t.Errorf("%v is valid", f)
	}
	if f := tab.Or(tab.Lt(x, tab.Int(5)), tab.Lt(tab.Int(5), x)); p.Valid(background, f, tab) {
		t.Errorf("%v is not valid", f)
	}
}

// A model fits the literals and the ranges of all symbols.
func TestModel(t *testing.T) {
	p := New(nil, Options{})
	wrong := func() (n int) {
		for seed := range uint64(200) {
			g := logicgen.New(seed, 3, true)
			lits := []*logic.Term{g.Formula(2), g.Formula(2)}
			u := NewUniverse()
			q := &query{lits: lits, t: g.T, model: &Model{u: u}, fresh: true}
			if p.ask(background, q) != Sat {
				continue
			}
			for _, f := range lits {
				if v, ok := q.model.Truth(u.Compile(f)); !ok || !v {
					n++
				}
			}
			for _, s := range g.Syms {
				v := q.model.Symbol(u.symbol(s))
				if s.Lo != nil && (v.Cmp(s.Lo) < 0 || v.Cmp(s.Hi) > 0) {
					n++
				}
			}
		}
		return n
	}
	if n := wrong(); n > 0 || p.Err() != nil {
		t.Errorf("%d wrong values in models, %v", n, p.Err())
	}
}

func TestCheckModelValues(t *testing.T) {
	tab := logic.NewTable()
	x, y := tab.Sym("x", nil, nil), tab.Sym("y", big.NewInt(3), big.NewInt(9))
	p := New(nil, Options{})
	lits := []*logic.Term{tab.Lt(x, tab.Int(5)), tab.Lt(tab.Int(3), x)}
	for range 2 { // the second time the memo knows the answer but has no model
		a, v := p.CheckModel(background, lits, tab, []*logic.Term{tab.Eq(x, tab.Int(4)), tab.Lt(x, tab.Int(4)), tab.Lt(y, tab.Int(3))})
		if a != Sat || len(v) != 3 || !v[0] || v[1] || v[2] {
			t.Errorf("got %v %v", a, v)
		}
	}
	if a, v := p.CheckModel(background, append(lits, tab.Lt(x, tab.Int(4))), tab, nil); a != Unsat || v != nil {
		t.Errorf("got %v %v", a, v)
	}
}

// Provers with tables of their own share a memo, concurrently.
func TestMemoIsShared(t *testing.T) {
	memo := NewMemo()
	work := func() Stats {
		g := logicgen.New(7, 3, true)
		p := New(memo, Options{})
		for range 60 {
			p.Check(background, []*logic.Term{g.Formula(2), g.Formula(2)}, g.T)
		}
		return p.Stats()
	}
	first := work()
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			if s := work(); s.Queries != 0 || s.MemoHits != first.Queries+first.MemoHits {
				t.Errorf("first %+v, later %+v", first, s)
			}
		})
	}
	wg.Wait()
	if memo.Len() == 0 || int64(memo.Len()) != first.Queries {
		t.Errorf("%d answers of %d queries", memo.Len(), first.Queries)
	}
}

// A query that Z3 does not decide within its limit is unknown, and the next query
// has a limit of its own.
func TestQueryLimit(t *testing.T) {
	tab := logic.NewTable()
	x := tab.Sym("x", nil, nil)
	p := New(nil, Options{})
	for i := range int64(3) {
		if a := p.Check(background, append(logicgen.Pigeons(tab, 14), tab.Lt(x, tab.Int(i))), tab); a != Unknown || p.Err() != nil {
			t.Errorf("got %v, %v", a, p.Err())
		}
		for j := range int64(200) {
			if a := p.Check(background, []*logic.Term{tab.Lt(x, tab.Int(1000*i+j))}, tab); a != Sat {
				t.Fatalf("afterwards: %v, %v", a, p.Err())
			}
		}
	}
}

// What a quick query leaves open is decided by an ordinary one later, and remembered only then.
func TestCheckQuickly(t *testing.T) {
	tab := logic.NewTable()
	p := New(nil, Options{})
	p.limit = 20_000 // more than the query needs, which needs more than a quarter
	hard := logicgen.Pigeons(tab, 5)
	if a := p.CheckQuickly(background, hard, tab); a != Unknown || p.Err() != nil || p.Memo().Len() != 0 {
		t.Errorf("quickly: %v, %v, %d remembered", a, p.Err(), p.Memo().Len())
	}
	for range 2 {
		if a := p.Check(background, hard, tab); a != Unsat || p.Err() != nil {
			t.Errorf("afterwards: %v, %v", a, p.Err())
		}
	}
	if a := p.CheckQuickly(background, hard, tab); a != Unsat {
		t.Errorf("when it is known: %v", a)
	}
	if s := p.Stats(); s.Hard != 1 || s.MemoHits != 2 || s.Queries != 2 {
		t.Errorf("%+v", s)
	}
}

// A query that takes too long is unknown, without an error, and the next one is not late.
func TestQueryTime(t *testing.T) {
	tab := logic.NewTable()
	x := tab.Sym("x", nil, nil)
	p := New(nil, Options{NoMemo: true})
	p.limit = 0 // none
	for range 2 {
		p.time = 50 * time.Millisecond
		start := time.Now()
		if a := p.Check(background, logicgen.Pigeons(tab, 14), tab); a != Unknown || p.Err() != nil {
			t.Errorf("got %v, %v", a, p.Err())
		}
		if took := time.Since(start); took > 10*time.Second {
			t.Errorf("it took %v", took)
		}
		p.time = queryTime
		if a := p.Check(background, []*logic.Term{tab.Lt(x, tab.Int(5))}, tab); a != Sat {
			t.Errorf("afterwards: %v, %v", a, p.Err())
		}
	}
}

// Whether a query is within the limit does not depend on what was asked before.
func TestLimitForgets(t *testing.T) {
	differs := func() bool {
		answers := map[Answer]bool{}
		for _, limit := range []uint{8700, 9000, 9300, 9600} {
			clear(answers)
			for _, before := range []int{0, 1, 30} {
				g := logicgen.New(5, 4, true)
				p := New(nil, Options{NoMemo: true})
				p.limit = limit
				for range before {
					p.Check(background, []*logic.Term{g.Formula(2), g.Formula(2)}, g.T)
				}
				tab := logic.NewTable()
				answers[p.Check(background, logicgen.Pigeons(tab, 5), tab)] = true
			}
			if len(answers) > 1 {
				return true
			}
		}
		return false
	}
	if differs() {
		t.Error("the history of the prover decides")
	}
}

func TestCancel(t *testing.T) {
	tab := logic.NewTable()
	p := New(nil, Options{})
	p.limit = 0 // none
	x := tab.Sym("x", nil, nil)
	easy := []*logic.Term{tab.Lt(x, tab.Int(5))}
	if a := p.Check(background, logicgen.Pigeons(tab, 3), tab); a != Unsat {
		t.Fatalf("pigeons: %v", a)
	}
	for range 3 {
		ctx, cancel := context.WithTimeout(background, 50*time.Millisecond)
		// Without the interrupt this would have no end.
		if a := p.Check(ctx, logicgen.Pigeons(tab, 14), tab); a != Unknown || !errors.Is(p.Err(), context.DeadlineExceeded) {
			t.Errorf("got %v, %v", a, p.Err())
		}
		if a := p.Check(ctx, easy, tab); a != Unknown && p.Stats().MemoHits == 0 || !errors.Is(ctx.Err(), context.DeadlineExceeded) {
			t.Errorf("after the deadline: %v, %v", a, p.Err())
		}
		cancel()
		// The prover stays usable.
		if a := p.Check(background, easy, tab); a != Sat || p.Err() != nil {
			t.Errorf("afterwards: %v, %v", a, p.Err())
		}
	}
	// On a loaded machine a deadline may pass before its query begins.
	if s := p.Stats(); s.Unknown == 0 || s.Unknown > 3 {
		t.Errorf("%+v", s)
	}
}

func TestInternalError(t *testing.T) {
	tab := logic.NewTable()
	x := tab.Sym("x", nil, nil)
	lits := []*logic.Term{tab.Lt(tab.App("f", nil, nil, x), tab.Int(3))}
	easy := []*logic.Term{tab.Lt(x, tab.Int(3))}
	p := New(nil, Options{})

	// A function of the wrong sort, which Z3 complains about.
	p.z = newEncoder(0)
	p.z.funcs["f/1"] = p.z.ctx.FuncDecl("f", []z3.Sort{p.z.ctx.BoolSort()}, p.z.intSort)
	a := p.Check(background, lits, tab)
	var internal *InternalError
	if a != Unknown || !errors.As(p.Err(), &internal) || internal.Text == "" {
		t.Errorf("got %v, %v", a, p.Err())
	}
	if a := p.Check(background, easy, tab); a != Sat || !errors.As(p.Err(), &internal) {
		t.Errorf("afterwards: %v, %v; want an answer and the error kept", a, p.Err())
	}
	if a := p.Check(background, lits, tab); a != Sat {
		t.Errorf("the failed answer was remembered: %v", a)
	}

	// A broken invariant of our own is not Z3's error and is not swallowed.
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	p.z.terms[x.Hash()] = p.z.ctx.Const("odd", p.z.ctx.BoolSort())
	p.Check(background, []*logic.Term{tab.Lt(x, tab.Int(7))}, tab)
}

// Terms may be as deep as programs nest. The formulas are easy; depth is the point.
func TestDeepTerms(t *testing.T) {
	depth, calls := int64(4000), int64(400)
	if testkit.Long() {
		depth, calls = 10_000, 10_000 // Z3 takes quadratic time
	}
	tab := logic.NewTable()
	x, y := tab.Sym("x", nil, nil), tab.Sym("y", nil, nil)
	app, ite, junction := x, x, tab.Lt(x, y)
	for range calls {
		app = tab.App("f", nil, nil, tab.Add(app, tab.Int(1)))
	}
	for i := range depth {
		ite = tab.Ite(tab.Eq(y, tab.Int(i)), ite, tab.Int(i%7))
		junction = tab.Or(tab.Eq(x, tab.Int(i)), tab.And(tab.Lt(y, tab.Int(i)), junction))
	}
	p := New(nil, Options{})
	ctx, cancel := context.WithTimeout(background, 5*time.Minute)
	defer cancel()
	for i, lits := range [][]*logic.Term{
		{tab.Lt(app, tab.Int(0))},
		{tab.Lt(ite, tab.Int(0)), tab.Eq(y, tab.Int(depth/2))},
		{junction, tab.Eq(x, tab.Int(depth/2))},
	} {
		a, v := p.CheckModel(ctx, lits, tab, lits)
		if i == 1 && a != Unsat || i != 1 && (a != Sat || !v[0]) {
			t.Errorf("formula %d: %v %v, %v", i, a, v, p.Err())
		}
	}
}

func TestAnswerString(t *testing.T) {
	if s := Unknown.String() + Unsat.String() + Sat.String(); s != strings.Join([]string{"unknown", "unsat", "sat"}, "") {
		t.Error(s)
	}
}

// TestSumOfThree: a constant, a symbol with coefficient 1 and one with another. The
// symbol once was overwritten with the coefficient behind it.
func TestSumOfThree(t *testing.T) {
	tab := logic.NewTable()
	x := tab.Sym("x", big.NewInt(0), big.NewInt(9))
	y := tab.Sym("y", big.NewInt(0), big.NewInt(9))
	p := New(NewMemo(), Options{})
	defer p.Close()
	s := tab.App("f", nil, nil, tab.Add(tab.Int(100), x, tab.Scale(big.NewInt(-1), y)))
	other := tab.App("f", nil, nil, tab.Add(tab.Int(99), tab.Scale(big.NewInt(-1), y)))
	if a := p.Check(context.Background(), []*logic.Term{tab.Not(tab.Eq(s, other))}, tab); a != Sat {
		t.Errorf("f(100 + x - y) != f(99 - y) is %v, want sat", a)
	}
}

// A prover that comes back from a stock counts anew; one with an internal error does not
// come back.
func TestStock(t *testing.T) {
	var s Stock
	tab := logic.NewTable()
	x := tab.Sym("x", nil, nil)
	memo := NewMemo()
	p := s.Take(memo, Options{})
	p.Check(background, []*logic.Term{tab.Lt(x, tab.Int(5))}, tab)
	if p.Stats().Queries != 1 {
		t.Fatalf("%+v", p.Stats())
	}
	s.Return(p)
	q := s.Take(memo, Options{})
	if q != p || q.Stats() != (Stats{}) || q.z == nil {
		t.Errorf("got another prover, or %+v", q.Stats())
	}
	q.fail(&InternalError{Text: "made up"})
	s.Return(q)
	if r := s.Take(memo, Options{}); r == q {
		t.Error("a prover with an internal error came back")
	}
}

// Patience decides what is beyond the ordinary limit.
func TestPatience(t *testing.T) {
	for patience, want := range map[uint]Answer{0: Unknown, 20: Unsat} {
		tab := logic.NewTable()
		p := New(nil, Options{Patience: patience})
		p.limit /= 30 // for the time it takes
		if a := p.Check(background, logicgen.Pigeons(tab, 6), tab); a != want {
			t.Errorf("patience %d: %v, want %v", patience, a, want)
		}
	}
}
