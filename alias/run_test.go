package alias_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"c2bp/alias"
	"c2bp/alias/devirt"
	"c2bp/frontend/core"
	"c2bp/frontend/core/coregen"
	"c2bp/frontend/core/interp"
	"c2bp/internal/testkit"
)

// This file runs random programs and holds what happens against the analysis.

// TestRuns: whatever a pointer points to is in its set; whatever two expressions
// alias, they may alias, in one region; whatever a call writes, it may affect; and
// whatever a call through a pointer calls, it may call.
func TestRuns(t *testing.T) {
	programs := testkit.Count[uint64](300, 20000)
	var seen counts
	if err := checkRuns(programs, &seen); err != nil {
		t.Error(err)
	}
	t.Logf("%d programs: %+v", programs, seen)
	if seen.accesses < 1000 || seen.aliases < 100 || seen.calls < 300 || seen.effects < 300 || seen.targets < 20 {
		t.Error("too little happens")
	}
}

// TestRunsResolved does the same after Resolve.
func TestRunsResolved(t *testing.T) {
	var seen counts
	if err := checkResolved(200, &seen); err != nil {
		t.Error(err)
	}
	t.Logf("%+v", seen)
}

// TestRunsBlurred does the same with objects whose slots are merged.
func TestRunsBlurred(t *testing.T) {
	var seen counts
	blurred, programs := 0, testkit.Count[uint64](200, 10000)
	for seed := range programs {
		p, _ := coregen.Generate(rand.New(rand.NewPCG(seed, 1)), coregen.Config{Memory: true})
		r, n := alias.AnalyzeBlurred(p, 1+int64(seed%3))
		if blurred += n; n == 0 {
			continue
		}
		if err := watch(p, r, &seen); err != nil {
			t.Fatalf("seed %d, %v", seed, err)
		}
	}
	t.Logf("%d programs, %d objects blurred: %+v", programs, blurred, seen)
	if blurred < 100 || seen.accesses < 500 || seen.aliases < 50 {
		t.Error("too little happens")
	}
}

// counts is what was compared.
type counts struct {
	accesses, aliases, calls, effects, targets int
}

func checkRuns(programs uint64, seen *counts) error {
	for seed := range programs {
		p, _ := coregen.Generate(rand.New(rand.NewPCG(seed, 1)), coregen.Config{Memory: seed%8 != 0})
		if seed%8 >= 5 {
			p.Extern = core.Extern(seed % 3)
		}
		if err := watch(p, alias.Analyze(p), seen); err != nil {
			return fmt.Errorf("seed %d, %w", seed, err)
		}
	}
	return nil
}

func checkResolved(programs uint64, seen *counts) error {
	for seed := range programs {
		p, _ := coregen.Generate(rand.New(rand.NewPCG(seed, 1)), coregen.Config{Memory: true})
		devirt.Resolve(p)
		if err := core.Validate(p); err != nil {
			return fmt.Errorf("seed %d: %w", seed, err)
		}
		if err := watch(p, alias.Analyze(p), seen); err != nil {
			return fmt.Errorf("seed %d, %w", seed, err)
		}
	}
	return nil
}

// watch runs p some times.
func watch(p *core.Program, r *alias.Result, seen *counts) error { return watchRuns(p, r, r, 4, seen) }

// watchRuns runs p so many times, with objects outside as types allows.
func watchRuns(p *core.Program, r *alias.Result, types interp.Types, runs uint64, seen *counts) error {
	g := r.Regions(nil)
	typed := p.Environment == core.EnvironmentTyped
	for run := range runs {
		w := &watcher{prog: p, result: r, regions: g, counts: seen, touched: map[uint64][]touch{}, paired: map[[2]core.Loc]bool{}}
		w.machine = interp.New(p, interp.NewRandom(p, run), interp.Options{MaxFrames: 30, OnAccess: w.access, Typed: typed, Types: types})
		w.run()
		if w.err != nil {
			return fmt.Errorf("run %d: %w\n%s\n%s", run, w.err, p, r)
		}
	}
	return nil
}

// watcher follows a run.
type watcher struct {
	*counts
	prog    *core.Program
	result  *alias.Result
	regions *alias.Regions
	machine *interp.Machine
	open    []openCall
	touched map[uint64][]touch // by address of a byte
	paired  map[[2]core.Loc]bool
	err     error
}

// openCall is a call under way.
type openCall struct {
	call    *core.Call
	depth   int // of the caller's frame
	newest  int // the number of the newest object before the call
	globals map[*core.Var]*big.Int
}

// touch is an access to a byte.
type touch struct {
	loc       core.Loc
	depth     int
	bit, bits int64 // range of bits, from the byte's object on
}

func (w *watcher) run() {
	for w.machine.Steps() < 400 && w.err == nil {
		f := w.machine.Top()
		call, isCall := f.Proc().Nodes[f.Node()].Stmt.(*core.Call)
		if isCall {
			w.open = append(w.open, openCall{call, f.Depth(), w.newest(), w.globals()})
		}
		e, err := w.machine.Step()
		if err != nil || e.Kind.Final() {
			return
		}
		if e.Kind == interp.Entered {
			w.called(call, w.machine.Top().Proc())
		}
		if e.Kind == interp.Left || isCall && e.Kind == interp.Ran { // the latter: an external
			last := w.open[len(w.open)-1]
			w.open = w.open[:len(w.open)-1]
			w.left(last)
		}
	}
}

func (w *watcher) newest() int {
	n := -1
	for _, o := range w.machine.Objects() {
		n = max(n, o.ID())
	}
	return n
}

// globals is the values of the globals outside of memory.
func (w *watcher) globals() map[*core.Var]*big.Int {
	out := map[*core.Var]*big.Int{}
	for _, g := range w.prog.Globals {
		if !g.InMemory() {
			out[g] = w.machine.Global(g)
		}
	}
	return out
}

func (w *watcher) fail(format string, args ...any) {
	if w.err == nil {
		f := w.machine.Top()
		w.err = fmt.Errorf("at %s: "+format, append([]any{f.Proc().NodeID(f.Node())}, args...)...)
	}
}

// called checks that c may call p.
func (w *watcher) called(c *core.Call, p *core.Proc) {
	if c.Callee != nil {
		return
	}
	w.targets++
	list, _ := w.result.Callees(c)
	for _, q := range list {
		if q == p {
			return
		}
	}
	w.fail("%s calls %s", core.StmtString(c), p.Name)
}

// left checks what has changed in the globals during a call.
func (w *watcher) left(c openCall) {
	w.calls++
	for g, now := range w.globals() {
		old := c.globals[g]
		if now == nil || now.Cmp(old) == 0 {
			continue
		}
		if l, ok := c.call.Lhs.(*core.VarRef); ok && l.Var == g {
			continue // the destination
		}
		w.effects++
		if !w.result.Affected(c.call, g.Ref()) {
			w.fail("%s changed from %s to %s in %s", g.Name, old, now, core.StmtString(c.call))
		}
	}
}

// object is the abstract object for o.
func (w *watcher) object(o *interp.Object) *alias.Object {
	return w.result.ObjectOf(o.Var(), o.Alloc(), o.Proc())
}

// access is told of every access to memory.
func (w *watcher) access(a interp.Access) {
	if w.err != nil {
		return
	}
	w.accesses++
	o := w.object(a.Object)
	off := int64(a.Addr - a.Object.Start())
	switch {
	case a.Base != nil:
		w.points(a.Base, o, off)
	case a.Loc != nil:
		w.scalar(a, o, off)
	}
	if a.Write {
		w.wrote(a, o, off)
	}
}

// points checks that e may point to byte off of o.
func (w *watcher) points(e core.Expr, o *alias.Object, off int64) {
	set := w.result.PointsTo(e)
	for _, t := range set.Targets() {
		if t.Object == o && (o.Kind == alias.Outside || t.Off == off || t.Stride != 0 && (off-t.Off)%t.Stride == 0) {
			return
		}
		if t.Object.Kind == alias.Outside && o.Escaped {
			return
		}
	}
	w.fail("%s points to %s+%d, not in %s", core.ExprString(e), o.Name, off, set)
}

// scalar checks an access to a scalar.
func (w *watcher) scalar(a interp.Access, o *alias.Object, off int64) {
	loc, depth := a.Loc, a.Depth
	first, bits := bitsOf(a, off)
	if m, ok := loc.(*core.Mem); ok {
		w.points(m.Addr, o, off-int64(m.Bit/8))
	}
	for i := range uint64(a.Size) {
		list := w.touched[a.Addr+i]
		known := false
		for _, t := range list {
			known = known || t.loc == loc && t.depth == depth
			if t.loc != loc && t.bit < first+bits && first < t.bit+t.bits {
				w.pair(loc, t.loc)
			}
		}
		if !known && len(list) < 20 {
			w.touched[a.Addr+i] = append(list, touch{loc, depth, first, bits})
		}
	}
}

// bitsOf is the bits of its object that a, at byte off, accesses.
func bitsOf(a interp.Access, off int64) (first, bits int64) {
	if m, ok := a.Loc.(*core.Mem); ok {
		if t, ok := m.Typ.(core.Int); ok {
			return off*8 + int64(m.Bit%8), int64(t.Bits)
		}
	}
	return off * 8, a.Size * 8
}

// pair checks that a and b, which share bits, may alias.
func (w *watcher) pair(a, b core.Loc) {
	if w.paired[[2]core.Loc{a, b}] {
		return
	}
	w.paired[[2]core.Loc{a, b}] = true
	w.aliases++
	if !w.result.MayAlias(asMem(a), asMem(b)) {
		w.fail("%s and %s are the same", core.ExprString(a), core.ExprString(b))
	}
	if isScalar(a.Type()) && isScalar(b.Type()) && w.regions.Of(a) != w.regions.Of(b) {
		w.fail("%s and %s are in the regions %d and %d", core.ExprString(a), core.ExprString(b), w.regions.Of(a), w.regions.Of(b))
	}
}

func isScalar(t core.Type) bool {
	_, ok := core.Word(t)
	return ok
}

// asMem is a location in memory as a Mem.
func asMem(l core.Loc) *core.Mem {
	if v, ok := l.(*core.VarRef); ok {
		return &core.Mem{Addr: &core.AddrOf{Var: v.Var, Typ: core.Ptr{Bits: 64}}, Typ: v.Var.Type}
	}
	return l.(*core.Mem)
}

// wrote checks a write against the calls under way.
func (w *watcher) wrote(a interp.Access, o *alias.Object, off int64) {
	for _, c := range w.open {
		if a.Object.ID() > c.newest || a.Extern == nil && a.Depth <= c.depth {
			continue
		}
		if a.Extern != nil && a.Loc != nil { // the destination
			continue
		}
		w.effects++
		first, bits := bitsOf(a, off)
		if !w.result.Writes(c.call, o, first, bits) {
			w.fail("%s writes %d bytes of %s+%d", core.StmtString(c.call), a.Size, o.Name, off)
		}
		for _, t := range w.touched[a.Addr] {
			if t.depth == c.depth && t.bit < first+bits && first < t.bit+t.bits && !w.result.Affected(c.call, t.loc) {
				w.fail("%s writes %s of the caller", core.StmtString(c.call), core.ExprString(t.loc))
			}
		}
	}
}
