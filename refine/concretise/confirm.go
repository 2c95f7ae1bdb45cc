package concretise

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"c2bp/frontend/core"
	"c2bp/frontend/core/interp"
	"c2bp/logic"
	"c2bp/prover"
	"c2bp/refine/cex"
	"c2bp/refine/event"
	"c2bp/refine/fuzz"
	"c2bp/refine/harness"
	"c2bp/source"
	"c2bp/verdict"
)

// This file decides whether a feasible path is a failure of the C program. It must replay in the
// interpreter; it must not depend on a value that the front end has made up for want of a
// representation; and if a C compiler is at hand, the compiled program must fail on the same inputs,
// unless the run depends on something that nobody can supply.
//
//	replay           compiled program             doubt          the property
//	does not fail    –                            –              is undecided
//	fails            fails                        not lasting    fails
//	fails            fails                        lasting        is undecided
//	fails            does not fail                –              is undecided
//	fails            not run, or lacks something  none           fails
//	fails            not run, or lacks something  some           is undecided

// Failure is a confirmed failing run.
type Failure struct {
	Site      int                // number of the property
	Path      *cex.Path          // the run
	Trace     *verdict.Trace     // the same for people
	Recording *harness.Recording // its inputs
	Guide     *fuzz.Guide        // its choices, for runs of other programs
	Harness   *harness.Harness   // the C file that supplies its inputs
	Compiled  *harness.Outcome   // the compiled program's run; nil if there was none
	RestsOn   []verdict.Choice   // the unlikely choices that the run rests on
	Vague     bool               // it may rest on others: the prover does not know, or the run is too long to ask
	Met       *verdict.Choice    // where it first reads from a private struct that the program has not made, or what the kernel keeps of its calls; nil if nowhere
}

// Verdict returns the failure as reports have it.
func (f *Failure) Verdict() verdict.Failure {
	out := verdict.Failure{Site: f.Site, Trace: f.Trace, RestsOn: f.RestsOn}
	if f.Recording != nil {
		for _, got := range f.Recording.Got() {
			out.Inputs = append(out.Inputs, verdict.Input{Func: got.Func, Place: got.Expr, Value: got.Value, Calls: got.Calls, Pos: got.Pos})
		}
	}
	if f.Compiled != nil {
		out.Compiled = f.Compiled.String()
	}
	return out
}

// Confirmer confirms failing runs of a program.
type Confirmer struct {
	*cex.Facts
	Prover   *prover.Prover
	Patient  func() *prover.Prover // a prover with more time, for models of whole paths
	Sites    []verdict.Site        // the properties, by number
	Files    []*source.File        // the C files of the program
	Harness  *harness.Options      // nil: nothing is compiled or run
	MaxSteps int                   // steps of a run
	// Watch, if not nil, is called before each step of a run that replays a path, with the number of the step, and
	// reports whether the run may end there.
	Watch  func(step int, m *interp.Machine) (done bool)
	Report event.Log
	Plain  bool // runs in which functions without a body replace pointers decide nothing

	brief bool // see Brief
}

// Brief returns a confirmer like c that tries only the replays of a path that are easy to find: with an object of its
// own for each pointer from outside, and without patience for models. It is for properties that are looked at
// besides another one. What it does not confirm may be a failure.
func (c *Confirmer) Brief() *Confirmer {
	b := *c
	b.brief = true
	return &b
}

// forModels returns the prover for models of whole paths.
func (c *Confirmer) forModels() *prover.Prover {
	if c.brief {
		return c.Prover
	}
	return c.Patient()
}

// Result is the decision about a run: a failure; or if that is nil, the reason why the property is
// undecided.
type Result struct {
	Failure  *Failure
	Why      string
	Unplayed bool // no replay of the path fails, though its conditions have a model
}

// NotReplayed begins the reason why a property is undecided of which a failing path is Unplayed.
const NotReplayed = "a failing run could not be replayed"

// doubtful returns the result that a failure cannot be confirmed.
func doubtful(format string, args ...any) Result {
	return Result{Why: fmt.Sprintf(format, args...)}
}

// Confirm confirms a feasible path p, of which f has a model, or says why there is no run along it to
// believe.
func (c *Confirmer) Confirm(ctx context.Context, site int, p *cex.Path, f cex.Feasibility) (Result, error) {
	// 1. Replay the path, with as little from outside as there can be.
	run, err := c.replayStill(ctx, p)
	if run == nil {
		run, err = c.replayAny(ctx, p, f)
	}
	// 2. Or near it.
	if run == nil && err != nil {
		if near := c.directedNear(ctx, p); near != nil {
			run, err = near, nil
		}
	}
	// 3. There is no replay. If assembly changes memory that the path depends on, that is why: in a replay
	// the memory stays as it is.
	if err != nil {
		d, late := c.doubt(ctx, p)
		if late != nil {
			return Result{}, late
		}
		if d.lasting != "" {
			return doubtful("%s", d.lasting), nil
		}
		return Result{Why: fmt.Sprintf("%s: %v", NotReplayed, err), Unplayed: true}, nil
	}
	// 4. There is one, which must be believed.
	patient := *c
	patient.brief = false
	return patient.Believe(ctx, site, run)
}

// replayStill replays a path in a run in which functions without a body change no memory; nil if there is none,
// or if that is the same as any run of the path. A model may let such a function change all that others know; a
// replay lets it change only places to which the run has given it a way.
func (c *Confirmer) replayStill(ctx context.Context, p *cex.Path) (*Witness, error) {
	if !c.Stills(p) {
		return nil, nil
	}
	still := c.still()
	f, _, err := still.Solve(ctx, c.forModels(), p)
	if err != nil || f.Model == nil {
		return nil, err
	}
	return still.replayAny(ctx, p, f)
}

// still returns a confirmer like c for runs in which functions without a body change no memory.
func (c *Confirmer) still() *Confirmer {
	still, facts := *c, *c.Facts
	facts.Still = true
	still.Facts = &facts
	return &still
}

// replayAny replays a path with objects for the pointers from outside. If there are none, or no such replay
// fails, it tries with the model at hand. There is no run if there is an error.
func (c *Confirmer) replayAny(ctx context.Context, p *cex.Path, f cex.Feasibility) (*Witness, error) {
	run, err := c.replayOutside(ctx, p, f.Model)
	if run == nil {
		if simple, other := c.replay(p, f, nil); other == nil || err == nil {
			run, err = simple, other
		}
	}
	// A run that does not fail is none.
	if err != nil {
		return nil, err
	}
	return run, nil
}

// replayOutside replays a path with an object for each pointer from outside that it follows, in one of
// the ways in which these may lie. It returns nil if the path follows none, or if no replay fails; the
// error is then that of the first replay. Models are like the one that is given, as far as possible.
func (c *Confirmer) replayOutside(ctx context.Context, p *cex.Path, like *prover.Model) (run *Witness, err error) {
	x := &outside{Execution: c.ExecuteWatched(ctx, logic.NewTable(), p), like: like}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	c.environmentModels(ctx, c.forModels(), x, nil, func(f cex.Feasibility, e *environment) ([]*logic.Term, bool) {
		r, other := c.replay(p, f, e)
		if other == nil {
			run, err = c.quieter(ctx, p, x, f, e, r), nil
			return nil, false
		}
		if err == nil {
			err = other
		}
		return awayFrom(other), true
	})
	return run, err
}

// Believe confirms a failing run of the interpreter, or a likelier one that fails at the same site.
func (c *Confirmer) Believe(ctx context.Context, site int, run *Witness) (Result, error) {
	list := c.likelier(ctx, c.Sites[site], run)
	// If a likelier run is in doubt, the run itself need not be.
	for i, l := range list {
		r, err := c.believe(ctx, site, l.run)
		if r.Failure != nil || err != nil || i == len(list)-1 {
			return r.restingOn(l), err
		}
	}
	panic("concretise: no run")
}

// restingOn returns r with the choices that its failing run rests on, if there is one.
func (r Result) restingOn(l resting) Result {
	if r.Failure != nil {
		r.Failure.RestsOn, r.Failure.Vague, r.Failure.Met = l.rests, l.vague, l.run.met()
	}
	return r
}

// believe confirms a failing run of the interpreter, unless it is in doubt. A run of the compiled program
// dispels a doubt, but not one about assembly: there it was given values that the run has made up.
func (c *Confirmer) believe(ctx context.Context, site int, run *Witness) (Result, error) {
	// 1. What is known without a compiler.
	doubt, err := c.doubt(ctx, run.Path)
	if err != nil {
		return Result{}, err
	}
	rec := run.Rec.Recording()
	property := c.property(site, run.Path)
	failure := &Failure{Site: site, Path: run.Path, Recording: rec, Trace: &verdict.Trace{Steps: run.trace}, Guide: run.guide(c.Prog)}
	confirmed := Result{Failure: failure}
	if c.Harness == nil {
		failure.Harness = harness.Write(rec, property, harness.LeftToRight)
		if doubt.why != "" {
			return doubtful("%s", doubt.why), nil
		}
		return confirmed, nil
	}
	// 2. Run the compiled program on the same inputs.
	h, outcome, err := harness.Reproduce(ctx, c.Files, rec, property, *c.Harness)
	if err != nil {
		return Result{}, err
	}
	failure.Harness, failure.Compiled = h, &outcome
	c.Report.Report(event.Compiled{Outcome: outcome})
	// 3. It fails, too: believe it. It does not, and got all inputs: do not.
	switch outcome.Result {
	case harness.Reproduced:
		if doubt.lasting != "" {
			return doubtful("%s", doubt.lasting), nil
		}
		return confirmed, nil
	case harness.NotReproduced, harness.Diverged, harness.Undefined:
		// Without the sanitizer nobody notices that an operation is undefined.
		unseen := property.Check != "" && !outcome.Sanitized
		if len(outcome.Gaps) == 0 && !unseen {
			return doubtful("a run that fails in the model of the program could not be confirmed: %s", outcome), nil
		}
	}
	// 4. It was not run, or lacked something that nobody can supply: the doubt decides.
	if doubt.why != "" && outcome.Result == harness.NotConfined {
		return doubtful("%s; %s", doubt.why, outcome), nil
	}
	if doubt.why != "" {
		return doubtful("%s", doubt.why), nil
	}
	return confirmed, nil
}

// property returns the property that the path violates, as the harness states it.
func (c *Confirmer) property(site int, p *cex.Path) harness.Property {
	// A label has a name, an assertion its node.
	last := p.Steps[len(p.Steps)-1]
	label := ""
	if s := c.Sites[site]; s.Kind == verdict.Label {
		label = s.Name
	}
	return harness.PropertyAt(last.Frame.Proc, last.Node, label)
}

// doubt is the reason why a failing run may be none: it depends on a value that is made up for want
// of a representation.
type doubt struct {
	why     string // the first reason; "" if there is none
	lasting string // the first about a value that the compiled program is given; "" if there is none
}

// add adds a reason, which is lasting if the compiled program is given the value.
func (d *doubt) add(lasting bool, format string, args ...any) {
	why := fmt.Sprintf(format, args...)
	if d.why == "" {
		d.why = why
	}
	if lasting && d.lasting == "" {
		d.lasting = why
	}
}

// passes adds that f, a function without a body that calls back at node n, passes on something that it
// was not given.
func (d *doubt) passes(f *core.Proc, n *core.Node) {
	d.add(true, "a failing run depends on what %s passes to what it calls back, which is nothing that it is given, at %s", f.CName, n.Pos)
}

// loses adds that the harness has lost count at node n.
func (d *doubt) loses(n *core.Node) {
	d.add(true, "a failing run depends on more objects at a time than the harness notes, at %s", n.Pos)
}

// doubt returns the doubts about a run along path p: made-up values that its conditions mention, or
// that determine which memory it reads and writes. There is an error if ctx ends before they are known.
func (c *Confirmer) doubt(ctx context.Context, p *cex.Path) (d doubt, err error) {
	// 1. Most paths have no made-up values.
	if !slices.ContainsFunc(p.Steps, func(s cex.Step) bool { return madeUp(s.CoreNode()) != "" || isBranch(s) }) {
		return d, nil
	}
	// 2. The steps that make something arbitrary on which the run depends: a variable, or memory.
	x := c.ExecuteBare(ctx, logic.NewTable(), p)
	if ctx.Err() != nil {
		return d, ctx.Err()
	}
	depends := append(cex.Terms(x.Conds), x.Accessed...)
	used := map[int]bool{}
	for key, s := range x.Inputs {
		if key.Step >= 0 && !used[key.Step] {
			used[key.Step] = slices.ContainsFunc(depends, func(t *logic.Term) bool { return t.Mentions(s) })
		}
	}
	for _, f := range mapReads(depends) {
		if strings.Contains(f.Name, "#") {
			used[cex.StepOpened(f)] = true
		}
	}
	// 3. Which of them does C not make arbitrary?
	for i, s := range p.Steps {
		// a. A way that no condition decides.
		if i+1 < len(p.Steps) && isOpenBranch(s, p.Steps[i+1]) && !s.Computed {
			if f := s.CoreNode().Caller; f != nil {
				d.passes(f, s.CoreNode())
				continue
			}
			if isNotNoted(s.CoreNode()) {
				d.loses(s.CoreNode())
				continue
			}
			d.add(isAssembly(s.CoreNode()), "a failing run depends on the way taken at %s, which is not represented: %s", s.CoreNode().Pos, s.CoreNode().Text)
		}
		// b. A value.
		if why := madeUp(s.CoreNode()); used[i] && why != "" && !s.Computed {
			switch f := s.CoreNode().Caller; {
			case why == core.AssemblyOutput:
				d.add(true, "a failing run depends on what assembly stores, which is not executed, at %s", s.CoreNode().Pos)
			case isNotNoted(s.CoreNode()):
				d.loses(s.CoreNode())
			case f != nil:
				d.passes(f, s.CoreNode())
			default:
				d.add(false, "a failing run depends on a value that is not represented, %s at %s", why, s.CoreNode().Pos)
			}
		}
	}
	return d, nil
}

// isBranch reports whether a step chooses a way.
func isBranch(s cex.Step) bool {
	_, ok := s.Stmt().(*core.Branch)
	return ok
}

// isOpenBranch reports whether a step chooses a way that no condition decides.
func isOpenBranch(s, next cex.Step) bool { return opens(s.CoreNode(), next.CoreNode()) }

// opens is isOpenBranch for nodes.
func opens(n, next *core.Node) bool {
	if _, ok := n.Stmt.(*core.Branch); !ok || len(n.Succ) < 2 || n.Free || comesFromOutside(n) {
		return false
	}
	// The way is open unless its first node is a condition, is in the place of one, or can be taken for
	// certain.
	_, decided := next.Stmt.(*core.Assume)
	return !decided && !next.Decides && !next.Free
}

// Avoidable returns a function that reports whether a node, by its name in traces, begins a way of a
// choice which no condition decides, where another way can be taken for certain: a failure there is in
// doubt, and there may be one without such a node. It is nil if there are no such nodes.
func Avoidable(prog *core.Program) func(node string) bool {
	// The choices that have a way which can be taken for certain: the other ways begin at avoidable nodes.
	names := map[string]bool{}
	for _, p := range prog.Procs {
		for _, n := range p.Nodes {
			if !slices.ContainsFunc(n.Succ, func(w int) bool { return p.Nodes[w].Free }) {
				continue
			}
			for _, w := range n.Succ {
				if opens(n, p.Nodes[w]) {
					names[fmt.Sprintf("%s:%d", p.Name, w)] = true
				}
			}
		}
	}
	if len(names) == 0 {
		return nil
	}
	return func(node string) bool { return names[node] }
}

// isNotNoted reports whether n chooses something that the harness does not note.
func isNotNoted(n *core.Node) bool { return n.Input != nil && n.Input.CName == core.NotNoted }

// isAssembly reports whether n is the choice of a way by asm goto.
func isAssembly(n *core.Node) bool { return n.Input != nil && n.Input.Assembly }

// madeUp describes a value that node n makes arbitrary although C does not; "" if there is none.
//
//	asm("rdtsc" : "=a"(x));           core.AssemblyOutput
//	x = read(fd, buf, n);             "", as it comes from outside
func madeUp(n *core.Node) string {
	switch s := n.Stmt.(type) {
	// An assignment of an arbitrary value, with the front end's reason.
	case *core.Havoc:
		if comesFromOutside(n) || s.Begin || isInput(s.Why) {
			return ""
		}
		return s.Why
	// A call of assembly, or of a function of the compiler or its library that is not modelled.
	case *core.Call:
		if s.Callee != nil && s.Callee.Assembly {
			return core.AssemblyOutput
		}
		if s.Callee != nil && !s.Callee.HasBody() && (isBuiltin(s.Callee) || s.Callee.Computes) {
			return "what " + s.Callee.CName + " does"
		}
	// Bytes that are not known.
	case *core.Fill:
		if s.Byte != nil || comesFromOutside(n) || isInput(s.Why) {
			return ""
		}
		return s.Why
	}
	return ""
}

// comesFromOutside reports whether a node chooses the result of a function that the program does not
// define. Those of the compiler have a meaning, known or not, as have those of the library that compute; and the C library's treatment of
// functions that were registered for the end of the program is its own choice.
func comesFromOutside(n *core.Node) bool {
	return n.Input != nil && !n.Input.Assembly && !isBuiltin(n.Input) &&
		(n.Model != nil || !n.Input.Computes && !strings.HasPrefix(n.Input.CName, "__c2bp_"))
}

// isBuiltin reports whether p is a function of the compiler.
func isBuiltin(p *core.Proc) bool { return strings.HasPrefix(p.CName, "__builtin_") }

// isInput reports whether an arbitrary value that the front end describes so comes from outside of the
// C program.
func isInput(why string) bool {
	// The reasons that the front end gives of values which C gets from outside.
	for _, prefix := range []string{"__VERIFIER_nondet", "klee_", "a read of the volatile", "what another thread", "the arguments of", core.AssemblyInput, core.LibraryInput, core.CallbackInput, core.RuleInput} {
		if strings.HasPrefix(why, prefix) {
			return true
		}
	}
	return false
}
