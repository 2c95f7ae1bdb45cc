package alias

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"c2bp/frontend/core"
	"c2bp/frontend/core/coregen"
	"c2bp/internal/testkit"
)

// This file asks for the regions of all places that a weakest precondition may make of
// those of a random program.

// TestRegions: each place of a program, with the values that are assigned to its variables
// put in their places once and twice, and each part of a struct that a call passes, is in
// one region.
func TestRegions(t *testing.T) {
	programs := testkit.Count[uint64](600, 20000)
	asked, err := checkRegions(programs)
	if err != nil {
		t.Error(err)
	}
	t.Logf("%d programs: %+v", programs, asked)
	if asked.places < 5000 || asked.substituted < 5000 || asked.passed < 200 {
		t.Errorf("too little is asked: %+v", asked)
	}
}

// asked counts the places that were asked for.
type asked struct{ places, substituted, passed int }

func checkRegions(programs uint64) (asked, error) {
	var n asked
	for seed := range programs {
		p, _ := coregen.Generate(rand.New(rand.NewPCG(seed, 3)), coregen.Config{Memory: true})
		r := Analyze(p)
		q := &asker{asked: &n, regions: r.Regions(nil), values: map[*core.Var][]core.Expr{}}
		for _, proc := range p.Procs {
			q.assigned(proc)
		}
		for _, proc := range p.Procs {
			for _, node := range proc.Nodes {
				core.StmtExprs(node.Stmt, q.places)
				if c, ok := node.Stmt.(*core.Call); ok {
					callees, _ := r.Callees(c)
					for _, callee := range callees {
						q.passed(c, callee)
					}
				}
			}
		}
		if q.err != nil {
			return n, fmt.Errorf("seed %d, %w\n%s\n%s", seed, q.err, p, r)
		}
	}
	return n, nil
}

// asker asks for the regions of places.
type asker struct {
	*asked
	regions *Regions
	values  map[*core.Var][]core.Expr // what is assigned to each variable
	err     error
}

// assigned finds what the variables of p hold.
func (q *asker) assigned(p *core.Proc) {
	for _, n := range p.Nodes {
		a, ok := n.Stmt.(*core.Assign)
		if !ok {
			continue
		}
		for i, l := range a.Lhs {
			if r, ok := l.(*core.VarRef); ok && !r.Var.InMemory() {
				q.values[r.Var] = append(q.values[r.Var], a.Rhs[i])
			}
		}
	}
}

// places asks for the places in e.
func (q *asker) places(e core.Expr) {
	core.Walk(e, func(e core.Expr) bool {
		if l, ok := e.(core.Loc); ok && isAccess(l) {
			q.asked.places++
			q.ask(l, 2)
		}
		return true
	})
}

// passed asks for the parts of the structs that c passes to p.
func (q *asker) passed(c *core.Call, p *core.Proc) {
	for i, v := range p.Formals {
		if _, isAgg := v.Type.(core.Agg); !isAgg || i >= len(c.Args) || c.Args[i] == nil {
			continue
		}
		for _, part := range core.PartsOf(p, v) {
			q.asked.passed++
			q.ask(&core.Mem{Addr: plus(c.Args[i], part.Off, ""), Typ: part.Typ, Bit: part.Bit}, 2)
		}
	}
}

// ask asks for the region of l, and of l with what its variables may hold in their places,
// up to depth times.
func (q *asker) ask(l core.Loc, depth int) {
	if !q.regions.Know(l) {
		q.err = fmt.Errorf("%s is in two regions", core.ExprString(l))
	}
	m, ok := l.(*core.Mem)
	if !ok || depth == 0 || q.err != nil {
		return
	}
	for v, values := range q.values {
		if !core.Mentions(m.Addr, func(u *core.Var) bool { return u == v }) {
			continue
		}
		for _, value := range values {
			out := *m
			out.Addr = core.Replace(m.Addr, func(x core.Expr) core.Expr {
				if r, ok := x.(*core.VarRef); ok && r.Var == v {
					return value
				}
				return nil
			})
			q.substituted++
			q.ask(&out, depth-1)
		}
	}
}

// TestStored: a place that is read as a signed and as an unsigned integer is stored as a signed one, and
// places in other regions or of other sizes as what they are.
func TestStored(t *testing.T) {
	w := newWorld()
	x, y := w.Global("x", core.Int32, true), w.Global("y", core.Uint32, true)
	p := w.Proc("f", core.Void{})
	unsigned, part := mem(addr(x), core.Uint32), mem(addr(x), core.Int8)
	do(p, set(x.Ref(), num(1)), set(unsigned, core.NewConst(3, core.Uint32)),
		set(part, core.NewConst(4, core.Int8)), set(y.Ref(), core.NewConst(5, core.Uint32)))
	g := w.analyze(t).Regions(nil)
	for _, c := range []struct {
		l    core.Loc
		want core.Type
	}{{x.Ref(), core.Int32}, {unsigned, core.Int32}, {part, core.Int8}, {y.Ref(), core.Uint32}} {
		if got := g.Stored(c.l); got != c.want {
			t.Errorf("%s is stored as %v, want %v", core.ExprString(c.l), got, c.want)
		}
	}
}
