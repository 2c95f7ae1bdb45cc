package interp

import (
	"math/big"
	"math/rand/v2"
	"slices"

	"c2bp/frontend/core"
)

// Random makes choices by a seeded generator. Values are mostly such as make
// conditions of the program go either way: constants of the program and their
// neighbours, 0, 1 and -1, small numbers, the ends of the type, the old value.
type Random struct {
	rng      *rand.Rand
	literals []*big.Int
}

// NewRandom returns choices for p that depend on p's text and seed alone.
func NewRandom(p *core.Program, seed uint64) *Random {
	r := &Random{rng: rand.New(rand.NewPCG(seed, 0x6332_6270))}
	seen := map[string]bool{}
	for _, q := range p.Procs {
		for _, n := range q.Nodes {
			for _, e := range operands(n.Stmt) {
				r.collect(e, seen)
			}
		}
	}
	slices.SortFunc(r.literals, (*big.Int).Cmp)
	return r
}

// Branch picks any of next.
func (r *Random) Branch(_ Place, next []int) int { return next[r.rng.IntN(len(next))] }

// Value picks a value, see [Random].
func (r *Random) Value(q Request) *big.Int {
	if q.Var != nil && q.Var.Logical {
		return big.NewInt(r.rng.Int64N(2))
	}
	switch n := r.rng.IntN(16); {
	case n < 2 && q.Old != nil:
		return q.Old
	case n < 6 && len(r.literals) > 0:
		near := big.NewInt(r.rng.Int64N(3) - 1)
		return q.Type.Convert(near.Add(near, r.literals[r.rng.IntN(len(r.literals))]))
	case n < 11:
		return q.Type.Convert(big.NewInt(r.rng.Int64N(3) - 1))
	case n < 13:
		return q.Type.Convert(big.NewInt(r.rng.Int64N(33) - 16))
	case n < 14:
		return q.Type.Max()
	case n < 15:
		return q.Type.Min()
	}
	return q.Type.Convert(big.NewInt(int64(r.rng.Uint64())))
}

// collect adds the constants of e.
func (r *Random) collect(e core.Expr, seen map[string]bool) {
	switch e := e.(type) {
	case *core.Const:
		if !seen[e.Val.String()] {
			seen[e.Val.String()] = true
			r.literals = append(r.literals, e.Val)
		}
	case *core.Unary:
		r.collect(e.X, seen)
	case *core.Conv:
		r.collect(e.X, seen)
	case *core.Binary:
		r.collect(e.X, seen)
		r.collect(e.Y, seen)
	}
}

// operands returns the expressions that s evaluates.
func operands(s core.Stmt) []core.Expr {
	switch s := s.(type) {
	case *core.Assume:
		return []core.Expr{s.Cond}
	case *core.Assert:
		return []core.Expr{s.Cond}
	case *core.Assign:
		return s.Rhs
	case *core.Call:
		return s.Args
	}
	return nil
}
