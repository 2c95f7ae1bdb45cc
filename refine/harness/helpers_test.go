package harness

import (
	"context"
	"errors"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"c2bp/frontend"
	"c2bp/frontend/core"
	"c2bp/frontend/core/interp"
	"c2bp/internal/testkit"
	"c2bp/sandbox"
	"c2bp/source"
)

// found is a run that violates a property.
type found struct {
	recording *Recording
	property  Property
}

// labelled is the error label in front of a node, or "".
func labelled(n *core.Node) string {
	for _, l := range n.Labels {
		if strings.HasPrefix(l, "ERROR") {
			return l
		}
	}
	return ""
}

// run executes p with random choices to its end, or to an error label. The result is nil
// if it has no end that means something.
func run(t *testing.T, p *core.Program, seed uint64) (interp.Event, *found) {
	t.Helper()
	return runWith(t, p, interp.NewRandom(p, seed))
}

// small makes small numbers of most inputs, so that switches find a case.
type small struct {
	*interp.Random
	rng *rand.Rand
}

func newSmall(p *core.Program, seed uint64) small {
	return small{interp.NewRandom(p, seed), rand.New(rand.NewPCG(seed, 5))}
}

func (s small) Value(q interp.Request) *big.Int {
	if v := big.NewInt(s.rng.Int64N(8)); !q.Pointer && !q.Type.Bool && (q.Var == nil || !q.Var.Logical) && s.rng.IntN(8) > 0 && !q.Hides(v) && q.Type.Contains(v) {
		return v
	}
	return s.Random.Value(q)
}

func runWith(t *testing.T, p *core.Program, choices interp.Choices) (interp.Event, *found) {
	t.Helper()
	rec := NewRecorder(p, choices, interp.Options{MaxFrames: 200})
	for rec.Machine().Steps() < 20_000 {
		f := rec.Machine().Top()
		n := f.Proc().Nodes[f.Node()]
		if l := labelled(n); l != "" {
			return interp.Event{Kind: interp.Failed}, &found{rec.Recording(), PropertyAt(f.Proc(), f.Node(), l)}
		}
		e, err := rec.Step()
		if err != nil {
			return interp.Event{Kind: interp.Blocked}, nil
		}
		switch e.Kind {
		case interp.Failed:
			return e, &found{rec.Recording(), PropertyAt(e.Proc, e.Node, "")}
		case interp.Finished:
			return e, &found{rec.Recording(), Property{}}
		case interp.Blocked:
			return e, nil
		}
	}
	return interp.Event{Kind: interp.Blocked}, nil
}

// failing is the first run of p, by seed, that violates a property, or nil.
func failing(t *testing.T, p *core.Program, seeds uint64) *found {
	t.Helper()
	for seed := range seeds {
		if e, f := run(t, p, seed); e.Kind == interp.Failed {
			return f
		}
		if e, f := runWith(t, p, newSmall(p, seed)); e.Kind == interp.Failed {
			return f
		}
	}
	return nil
}

func load(t *testing.T, files []*source.File, opts frontend.Options) *core.Program {
	t.Helper()
	u, err := frontend.Load(context.Background(), files, opts)
	if err != nil {
		var list source.List
		if errors.As(err, &list) && len(list) > 0 {
			t.Fatal(list[0])
		}
		t.Fatal(err)
	}
	return u.Program
}

// needGCC32 skips the test if gcc makes no programs of 32 bits that run, also in the sandbox.
func needGCC32(t testing.TB) {
	t.Helper()
	program := testkit.NeedGCC32(t)
	testkit.NeedGCC(t, "addr2line")
	c, err := sandbox.Find()
	if err != nil {
		return // which the test will say
	}
	dir := t.TempDir()
	r, err := c.Run(t.Context(), sandbox.Command{Path: program, Dir: dir, Read: sandbox.Libraries(), Bits32: true})
	if err != nil || !r.State.Success() {
		t.Skip("programs of 32 bits do not run in the sandbox here: an emulator takes more memory than it allows")
	}
}
