package alias

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"testing"

	"c2bp/frontend/core"
	"c2bp/frontend/core/coregen"
	"c2bp/frontend/core/interp"
)

// TestRuns executes random programs: whatever a call changes in the globals and
// in the frames below the callee's must be in the result of the analysis.
func TestRuns(t *testing.T) {
	programs := uint64(600)
	if os.Getenv("C2BP_LONG") != "" {
		programs = 100000
	}
	calls := 0
	if err := checkRuns(programs, 0, &calls); err != nil {
		t.Error(err)
	}
	if calls < 2000 {
		t.Errorf("only %d calls", calls)
	}
	t.Logf("%d programs, %d calls", programs, calls)
	for _, m := range []mutation{noDestinations, quietExternals, notTransitive, regionByName} {
		if checkRuns(programs, m, &calls) == nil {
			t.Errorf("mutation %d went unnoticed", m)
		}
	}
}

func checkRuns(programs uint64, m mutation, calls *int) error {
	for seed := range programs {
		p, _ := coregen.Generate(rand.New(rand.NewPCG(seed, 1)), coregen.Config{})
		w := &watcher{prog: p, result: analyze(p, m), calls: calls}
		for run := range uint64(3) {
			w.machine = interp.New(p, interp.NewRandom(p, run), interp.Options{MaxFrames: 30})
			if err := w.run(); err != nil {
				return fmt.Errorf("seed %d, run %d: %w\n%s\n%s", seed, run, err, p, w.result)
			}
		}
	}
	return nil
}

// watcher follows a run and compares the states before and after each call.
type watcher struct {
	prog    *core.Program
	result  *Result
	machine *interp.Machine
	calls   *int
	open    []snapshot // of the calls under way
}

// snapshot is the state before a call: the values of the globals and of the
// variables of each frame.
type snapshot struct {
	call   *core.Call
	values []map[*core.Var]*big.Int
}

func (w *watcher) values() []map[*core.Var]*big.Int {
	globals := map[*core.Var]*big.Int{}
	for _, g := range w.prog.Globals {
		globals[g] = w.machine.Global(g)
	}
	out := []map[*core.Var]*big.Int{globals}
	for _, f := range w.machine.Frames() {
		own := map[*core.Var]*big.Int{}
		for _, list := range [][]*core.Var{f.Proc().Formals, f.Proc().Locals} {
			for _, v := range list {
				own[v] = f.Value(v)
			}
		}
		out = append(out, own)
	}
	return out
}

func (w *watcher) run() error {
	w.open = nil
	for w.machine.Steps() < 300 {
		f := w.machine.Top()
		call, isCall := f.Proc().Nodes[f.Node()].Stmt.(*core.Call)
		if isCall {
			w.open = append(w.open, snapshot{call, w.values()})
		}
		e, err := w.machine.Step()
		if err != nil || e.Kind.Final() {
			return nil
		}
		if e.Kind == interp.Left || isCall && e.Kind == interp.Ran { // the latter: an external
			before := w.open[len(w.open)-1]
			w.open = w.open[:len(w.open)-1]
			*w.calls++
			if err := w.compare(before); err != nil {
				return err
			}
		}
	}
	return nil
}

// compare checks what has changed since before, when a call was about to be made
// that has just returned.
func (w *watcher) compare(before snapshot) error {
	for i, now := range w.values() {
		for v, value := range now {
			old := before.values[i][v]
			if value == nil || value.Cmp(old) == 0 || w.result.MayWrite(before.call.Callee, v) {
				continue
			}
			top := i == 0 || i == len(before.values)-1
			if l, ok := before.call.Lhs.(*core.VarRef); ok && l.Var == v && top {
				continue // the destination
			}
			return fmt.Errorf("%s changed from %s to %s in %s", v.Name, old, value, core.StmtString(before.call))
		}
	}
	return nil
}
