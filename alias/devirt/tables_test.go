package devirt

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"c2bp/alias"
	"c2bp/frontend/core"
	"c2bp/frontend/core/coregen"
	"c2bp/frontend/core/interp"
	"c2bp/internal/testkit"
)

// TestConstants: in random runs, each read that is replaced by cases yields what the case
// that applies says, and one applies.
func TestConstants(t *testing.T) {
	seen, err := checkConstants(testkit.Count[uint64](600, 600))
	if err != nil {
		t.Error(err)
	}
	t.Logf("%d reads of constants", seen)
	if seen < 1000 {
		t.Error("too little happens")
	}
}

func checkConstants(programs uint64) (seen int, err error) {
	for seed := range programs {
		p, _ := coregen.Generate(rand.New(rand.NewPCG(seed, 7)), coregen.Config{Memory: true})
		if seed%4 == 3 {
			p.Extern = core.Extern(seed / 4 % 3)
		}
		reads := constantReads(p, constantsOf(p))
		if len(reads) == 0 {
			continue
		}
		for run := range uint64(4) {
			n, err := watchConstants(p, run, reads)
			seen += n
			if err != nil {
				return seen, fmt.Errorf("seed %d, run %d: %w\n%s", seed, run, err, p)
			}
		}
	}
	return seen, nil
}

// constantRead is a read and what it is replaced by.
type constantRead struct {
	read  core.Expr
	cases []oneCase
}

// constantsOf analyses p.
func constantsOf(p *core.Program) constants {
	r := alias.Analyze(p)
	return constants{r.Constants(), r}
}

// constantReads lists the reads in p that Resolve would replace.
func constantReads(prog *core.Program, k constants) map[*core.Node][]constantRead {
	out := map[*core.Node][]constantRead{}
	for _, p := range prog.Procs {
		for _, n := range p.Nodes {
			if k.Initial(n) {
				continue
			}
			core.ReplaceOperands(n.Stmt, func(e core.Expr) core.Expr {
				for _, l := range core.Loads(e) {
					c := constantRead{read: l}
					m, isMem := l.(*core.Mem)
					if value := k.known(l); value != core.Expr(l) {
						c.cases = []oneCase{{core.NewConst(1, core.Int32), value}}
					} else if isMem {
						c.cases = k.cases(m)
					}
					if len(c.cases) > 0 {
						out[n] = append(out[n], c)
					}
				}
				return e
			})
		}
	}
	return out
}

// watchConstants runs p and compares.
func watchConstants(p *core.Program, run uint64, reads map[*core.Node][]constantRead) (seen int, err error) {
	m := interp.New(p, interp.NewRandom(p, run), interp.Options{MaxFrames: 30})
	for m.Steps() < 400 {
		f := m.Top()
		for _, c := range reads[f.Proc().Nodes[f.Node()]] {
			n, err := c.compare(f)
			seen += n
			if err != nil {
				return seen, fmt.Errorf("at %s: %w", f.Proc().NodeID(f.Node()), err)
			}
		}
		if e, err := m.Step(); err != nil || e.Kind.Final() {
			break
		}
	}
	return seen, nil
}

// compare holds the cases against what is read in f; seen is 0 if the read is undefined.
func (c constantRead) compare(f *interp.Frame) (seen int, err error) {
	got, err := f.Eval(c.read)
	if err != nil {
		return 0, nil
	}
	for _, k := range c.cases {
		if holds, err := f.Eval(k.test); err == nil && holds.Sign() != 0 {
			if want, err := f.Eval(k.value); err != nil || want.Cmp(got) != 0 {
				return 1, fmt.Errorf("%s is %v, not %s", core.ExprString(c.read), got, core.ExprString(k.value))
			}
			return 1, nil
		}
	}
	return 1, fmt.Errorf("%s is none of the cases", core.ExprString(c.read))
}
