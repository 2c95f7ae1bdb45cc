package abstract

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"c2bp/frontend"
	"c2bp/frontend/core"
	"c2bp/frontend/core/coregen"
	"c2bp/internal/testkit"
	"c2bp/prover"
	"c2bp/source"
)

// movesOf lists the moves of a procedure.
func movesOf(p *core.Proc) []Move {
	out := []Move{{p, -1, Enters}}
	for i, n := range p.Nodes {
		switch st := n.Stmt.(type) {
		case *core.Skip, *core.Branch, *core.Return:
		case *core.Assert:
			out = append(out, Move{p, i, Holds}, Move{p, i, Fails})
		case *core.Call:
			if st.Callee.HasBody() {
				out = append(out, Move{p, i, Passes}, Move{p, i, Returns})
				continue
			}
			out = append(out, Move{p, i, Holds})
		default:
			out = append(out, Move{p, i, Holds})
		}
	}
	return out
}

// constrainer draws constraints.
type constrainer struct {
	rng     *rand.Rand
	prover  *prover.Prover
	weaken  bool // leave out a literal without which the rest is possible
	by      map[Part]int
	binding int // those with literals of both sides
}

// change adds the constraints found in a few attempts at each move.
func (c *constrainer) change(r *Result) {
	var all []Constraint
	for _, p := range r.abstraction.procs {
		for _, m := range movesOf(p) {
			for range 4 {
				if k, ok := c.draw(r, m); ok {
					all = append(all, k)
				}
			}
		}
	}
	r.Constrain(context.Background(), c.prover, all)
}

// draw values the facts of a move at random; if that is impossible, it drops literals as
// long as it stays so.
func (c *constrainer) draw(r *Result, m Move) (Constraint, bool) {
	ctx := context.Background()
	var lits []Literal
	for _, f := range r.Facts(m) {
		lits = append(lits, Literal{f, c.rng.IntN(2) == 0})
	}
	if !r.Impossible(ctx, c.prover, m, lits) {
		return Constraint{}, false
	}
	for i := len(lits) - 1; i >= 0; i-- {
		if less := slices.Delete(slices.Clone(lits), i, i+1); r.Impossible(ctx, c.prover, m, less) {
			lits = less
		}
	}
	if c.weaken {
		if len(lits) < 2 {
			return Constraint{}, false
		}
		lits = lits[1:]
	}
	before := slices.ContainsFunc(lits, func(l Literal) bool { return l.Side == Before })
	if before && slices.ContainsFunc(lits, func(l Literal) bool { return l.Side != Before }) {
		c.binding++
	}
	c.by[m.Part]++
	return Constraint{m, lits}, true
}

// constrained simulates runs of generated programs with constraints, until a violation.
func constrained(t *testing.T, c coregen.Config, programs uint64, weaken bool) error {
	t.Helper()
	k := &constrainer{rng: rand.New(rand.NewPCG(5, 7)), prover: prover.New(nil, prover.Options{}), weaken: weaken, by: map[Part]int{}}
	defer k.prover.Close()
	opts := Options{Jobs: 1, MaxExact: 2, MaxCube: 1} // there is much to add
	for seed := range programs {
		prog, preds := generatedBy(c, seed)
		s, err := newSimulation(prog, preds, opts, k.change)
		if err != nil {
			t.Fatal(err)
		}
		for r := range uint64(30) {
			if _, err := s.run(seed*1000+r, 200); err != nil && !errors.Is(err, errDiscarded) {
				return err
			}
		}
	}
	if k.by[Holds] == 0 || k.by[Passes] == 0 || k.by[Returns] == 0 || k.binding == 0 {
		t.Errorf("constraints by kind: %v, %d of them on both sides: too few", k.by, k.binding)
	}
	t.Logf("constraints by kind: %v, %d of them on both sides", k.by, k.binding)
	return nil
}

// TestConstraintsSound: no constraint that the prover confirms excludes a step that the
// program makes.
func TestConstraintsSound(t *testing.T) {
	for name, c := range map[string]coregen.Config{"integers": {}, "memory": withMemory} {
		t.Run(name, func(t *testing.T) {
			programs := testkit.Count[uint64](12, 1000)
			if c.Memory { // which takes longer
				programs = testkit.Count[uint64](4, 1000)
			}
			if err := constrained(t, c, programs, false); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestConstraintsRefused: constraints that the prover does not confirm, since a literal is missing,
// are not added.
func TestConstraintsRefused(t *testing.T) {
	if err := constrained(t, coregen.Config{}, testkit.Count[uint64](12, 1000), true); err != nil {
		t.Error(err)
	}
}

// TestConstrain: what is lost although each predicate by itself is exact. If x < 3 before
// x = x + 1, the only x >= 3 behind it is 3, and no multiple of 4.
func TestConstrain(t *testing.T) {
	ctx := context.Background()
	file := source.NewFile("f.c", []byte("int f(int x) { x = x + 1; return x; }\n"))
	unit, err := frontend.Load(ctx, []*source.File{file}, frontend.Options{Entry: "f"})
	if err != nil {
		t.Fatal(err)
	}
	texts, err := ParsePredicates(source.NewFile("f.preds", []byte("f:\n x < 3, x % 4 == 0\n")))
	if err != nil {
		t.Fatal(err)
	}
	r, err := Abstract(ctx, unit.Program, texts, unit, Options{})
	if err != nil {
		t.Fatal(err)
	}
	f := r.abstraction.procs[slices.IndexFunc(r.abstraction.procs, func(p *core.Proc) bool { return p.Name == "f" })]
	m := Move{f, slices.IndexFunc(f.Nodes, func(n *core.Node) bool { _, ok := n.Stmt.(*core.Assign); return ok }), Holds}
	lits := []Literal{{Fact{Before, "{x < 3}"}, false}, {Fact{After, "{x < 3}"}, true}, {Fact{After, "{x % 4 == 0}"}, false}}
	p := prover.New(nil, prover.Options{})
	defer p.Close()
	r.Constrain(ctx, p, []Constraint{{m, lits}, {m, lits[:2]}})
	want := "constrain !{x < 3} | '{x < 3} | !'{x % 4 == 0};\n"
	if got := r.Program.String(); !strings.Contains(got, want) {
		t.Errorf("no %q in\n%s", want, got)
	}
}
