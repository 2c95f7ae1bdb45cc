package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"c2bp/boolprog"
	"c2bp/checker"
	"c2bp/checker/explicit"
	"c2bp/report"
	"c2bp/source"
	"c2bp/verdict"
)

// This file is the command "c2bp check", and reads Boolean programs for all commands.

// checkFlags are the flags of "c2bp check".
type checkFlags struct {
	common
	reach       string
	ltl         string
	fair        []string
	errorLabels []string
	dialect     choice
	format      choice
	strict      bool
	nodeLimit   int
	expand      int
	engine      choice
	heapPath    int
	wholeStates bool
	noSummaries bool
	contexts    int
	maxStates   int
	dump        choice
	dot         string
}

// checkCommand builds the command and its flags.
func (a *app) checkCommand() *cobra.Command {
	f := &checkFlags{
		dialect: newChoice("standard", "standard", "boppo"),
		format:  newChoice("text", "text", "full", "json"),
		engine:  newChoice("", checker.Engines()...),
		dump:    newChoice("", "summaries"),
	}
	c := &cobra.Command{
		Use:   "check [file.bp | -]",
		Short: "Check a Boolean program: can an assertion fail, is an error label reachable?",
		Long: `Check reads a Boolean program, from standard input if no file is named, and
decides whether an assertion can fail, an error label can be reached or, in a program
with references, null can be dereferenced. If so, it prints a run that does this. The
program may have threads, whose steps are explored in all orders.

With --ltl it decides instead whether all runs satisfy a formula of linear temporal logic,
with the operators ! & | -> <-> X F G U R W and atoms about variables, {x?}, labels,
@L, and the heap, {first.next*.last}; if not, it prints a run that ends in a loop. The
last line is the verdict:

  Verification result: TRUE | FALSE (what, file:line) | UNKNOWN (reason)

Exit codes: 0 TRUE, 10 FALSE, 5 UNKNOWN, 1 wrong usage, 2 input that does not
parse or type-check, 6 internal error.`,
		Example: `  c2bp -preds lock.preds lock.c | c2bp check
  c2bp check --reach R --stats bebop.bp
  c2bp check --strict --timeout 1m --memory 2G --format json driver.bp
  c2bp check --contexts 3 threads.bp
  c2bp check --ltl 'G !{queue.next*.done?}' queue.bp
  c2bp check --ltl 'G (@request -> F @reply)' --fair tick server.bp`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 1 {
				return wrongUsage(c, "check takes one Boolean program, not %d", len(args))
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			// Without a file, read standard input.
			name := "-"
			if len(args) == 1 {
				name = args[0]
			}
			if err := f.verify(c); err != nil {
				return err
			}
			return ours(a.runCheck(c.Context(), name, f))
		},
	}
	fs := c.Flags()
	fs.StringVar(&f.reach, "reach", "", "check only whether statement label `LABEL` is reachable (FALSE if it is)")
	addErrorLabels(fs, &f.errorLabels)
	addFormula(fs, &f.ltl, &f.fair)
	fs.Var(&f.dialect, "dialect", "syntax of the program: standard, or boppo (names may contain - and #, labels ASYNC_… make threads)")
	fs.Var(&f.format, "format", "form of the result: text, full (text with a line for each assumption) or json")
	fs.BoolVar(&f.strict, "strict", false, "answer UNKNOWN instead of TRUE if the program was made under assumptions")
	fs.IntVar(&f.expand, "expand", 0, "expand calls that the failing run takes as one step, by up to `STEPS` further steps")
	fs.IntVar(&f.nodeLimit, "node-limit", 0, "largest number of BDD nodes (0: none)")
	fs.Lookup("node-limit").Hidden = true
	fs.Var(&f.engine, "engine", "search by an engine: symbolic (decision diagrams); for programs with references explicit (state by state) or finite (decision diagrams, if the number of objects is bounded); for programs with threads threads (state by state); by default one that the program needs")
	fs.IntVar(&f.contexts, "contexts", noBound, "threads engine: explore the runs with at most `K` context switches only; without a failure, the verdict is UNKNOWN if that leaves something out")
	fs.Lookup("contexts").DefValue = "no bound"
	fs.IntVar(&f.maxStates, "max-states", defaultStates, "threads engine: stop when more than `N` states are stored (0: no limit); also with --ltl")
	fs.IntVar(&f.heapPath, "heap-path", explicit.DefaultHeapPath, "explicit and threads engine: give up when an object is more than `N` references away from the variables; also with --ltl")
	fs.Var(&f.dump, "dump", "explicit engine: print the summaries of procedures instead of the verdict")
	fs.StringVar(&f.dot, "dot", "", "explicit, finite and threads engine: write the heap at each step of the failing run to `FILE`, for Graphviz")
	fs.BoolVar(&f.wholeStates, "no-patterns", false, "explicit engine: distinguish invocations by all that they can see, not by what they read")
	fs.Lookup("no-patterns").Hidden = true
	fs.BoolVar(&f.noSummaries, "no-summaries", false, "explicit engine: follow every call with the whole stack")
	fs.Lookup("no-summaries").Hidden = true
	// The flags that all commands have come last.
	f.common.add(fs)
	return c
}

// verify returns an error if flags contradict each other or have impossible values.
func (f *checkFlags) verify(c *cobra.Command) error {
	switch {
	// Flags that need each other's absence, then impossible values.
	case c.Flags().Changed("reach") && f.reach == "":
		return wrongUsage(c, "--reach needs the name of a label")
	case f.reach != "" && c.Flags().Changed("error-label"):
		return wrongUsage(c, "--reach and --error-label exclude each other: --reach asks about nothing else")
	case c.Flags().Changed("ltl") && f.ltl == "":
		return wrongUsage(c, "--ltl needs a formula")
	case len(f.fair) > 0 && f.ltl == "":
		return wrongUsage(c, "--fair needs --ltl: it says which runs a formula is about")
	case f.ltl != "" && f.notTemporal(c) != "":
		return wrongUsage(c, "--ltl and --%s exclude each other", f.notTemporal(c))
	case f.expand < 0:
		return wrongUsage(c, "--expand must not be negative")
	case c.Flags().Changed("contexts") && f.contexts < 0:
		return wrongUsage(c, "--contexts must not be negative")
	case f.maxStates < 0:
		return wrongUsage(c, "--max-states must not be negative")
	case f.heapPath < 1:
		return wrongUsage(c, "--heap-path must be at least 1")
	case f.dump.value != "" && c.Flags().Changed("format"):
		return wrongUsage(c, "--dump and --format exclude each other: a dump has one form")
	case f.dump.value != "" && f.noSummaries:
		return wrongUsage(c, "--dump summaries and --no-summaries exclude each other")
	case f.nodeLimit < 0:
		return wrongUsage(c, "--node-limit must not be negative")
	}
	return f.common.verify(c)
}

// runCheck checks the program called name and prints the result.
func (a *app) runCheck(parent context.Context, name string, f *checkFlags) error {
	ctx, stop := f.limits.apply(parent)
	defer stop()
	var watch stopwatch
	// 1. Check. What was decided before a limit stands.
	analysis, err := guarded(ctx, a.grace, func() (*checker.Analysis, error) { return a.analyse(ctx, name, f, &watch) })
	r, engine, err := settle(ctx, analysis, err)
	if err != nil {
		return err
	}
	// Assumptions may weaken the verdict before it is printed.
	if f.strict {
		r = r.Strict()
	}
	// 2. Print the result: summaries, JSON or text.
	var out bytes.Buffer
	switch {
	case f.dump.value != "":
		err = dumpSummaries(&out, analysis, engine)
	case f.format.value == "json":
		err = report.JSON(&out, r)
	case f.format.value == "full":
		err = report.FullTextFrom(&out, r, currentDir())
	default:
		err = report.TextFrom(&out, r, currentDir())
	}
	if err == nil && f.dot != "" {
		err = writeDot(f.dot, r)
	}
	if err != nil {
		return err
	}
	if err := a.write(&out); err != nil {
		return err
	}
	// 3. Print the statistics; the exit code tells the verdict, unless summaries were asked for.
	err = a.printStats(f.stats, &report.Statistics{
		Engine: engine, Counters: r.Stats, Phases: watch.phases(), PeakMemory: peakMemory(),
	})
	switch {
	case f.dump.value == "":
		return errors.Join(err, verdictError(r))
	case r.Verdict != verdict.Unknown:
		return err // the summaries are complete, whatever the verdict
	}
	fmt.Fprintf(a.stderr, "c2bp: %s: not all summaries are known\n", r.Summary())
	return errors.Join(err, verdictError(r))
}

// dumpSummaries prints the summaries of the explicit engine.
func dumpSummaries(w io.Writer, analysis *checker.Analysis, engine string) error {
	// Only the explicit engine has summaries that can be listed.
	if analysis == nil || analysis.Solution == nil {
		return nil // stopped before there was one, or there was nothing to check
	}
	s, ok := analysis.Solution.(checker.Summarised)
	if !ok {
		return &usageError{fmt.Sprintf("--dump summaries: the engine %s has none that can be listed; expected --engine explicit", engine), "c2bp check"}
	}
	return s.Summaries(w)
}

// writeDot writes the heaps of the failing run to a file, if there is a failing run.
func writeDot(name string, r *verdict.Result) error {
	if r.Trace == nil {
		return nil
	}
	var b bytes.Buffer
	if err := report.Dot(&b, r.Trace); err != nil {
		return err
	}
	if err := os.WriteFile(name, b.Bytes(), 0o666); err != nil {
		return &outputError{err}
	}
	return nil
}

// analyse reads and decides one program.
// The work is done in phases: read, parse, check.
func (a *app) analyse(ctx context.Context, name string, f *checkFlags, watch *stopwatch) (*checker.Analysis, error) {
	prog, err := a.readBoolean(ctx, name, f.dialect.value, watch)
	if err != nil {
		return nil, err
	}
	defer watch.phase("check")()
	if f.ltl != "" {
		return a.analyseFormula(ctx, prog, f)
	}
	analysis, err := a.check(ctx, prog, f.options())
	if err == nil && f.expand > 0 {
		// When the time is over, the verdict stands with the trace as it was.
		if e := analysis.Expand(ctx, f.expand); e != nil && ctx.Err() == nil {
			return nil, e
		}
	}
	return analysis, aboutLabel(err, prog)
}

// noBound is the value of --contexts that sets no bound, defaultStates that of --max-states.
const noBound, defaultStates = -1, 2000000

// options returns the options of the checker. The limit of states is for programs with threads only: other
// searches have limits of their own.
func (f *checkFlags) options() checker.Options {
	opts := checker.Options{
		Reach: f.reach, ErrorLabels: f.errorLabels, NodeLimit: f.nodeLimit, ThreadStates: f.maxStates,
		Engine: f.engine.value, HeapPath: f.heapPath, WholeStates: f.wholeStates, NoSummaries: f.noSummaries,
	}
	if f.contexts != noBound {
		opts.Contexts = &f.contexts
	}
	return opts
}

// aboutLabel turns the error that a label does not exist into one about the input.
func aboutLabel(err error, prog *boolprog.Program) error {
	var unknown *checker.UnknownLabelError
	if errors.As(err, &unknown) {
		return &source.Diagnostic{Pos: source.Pos{File: prog.File.Name}, Severity: source.Error, Msg: unknown.Error()}
	}
	return err
}

// readBoolean reads and type-checks a Boolean program.
func (a *app) readBoolean(ctx context.Context, name, dialect string, watch *stopwatch) (*boolprog.Program, error) {
	// Somebody who waits for an answer should know that we wait for input.
	if name == "-" && a.terminal {
		fmt.Fprintln(a.stderr, "c2bp: waiting for a Boolean program on the terminal; Ctrl-D ends it, --help tells more")
	}
	// 1. Read the text. Empty input is mostly a failed command before a pipe.
	endRead := watch.phase("read")
	file, err := source.Read(ctx, name, a.stdin)
	endRead()
	if err != nil {
		return nil, err
	}
	if name == "-" && strings.TrimSpace(string(file.Text)) == "" {
		return nil, file.Errorf(source.Pos{File: file.Name}, "empty input; expected a Boolean program. Did the previous command of the pipe fail?")
	}
	defer watch.phase("parse")()
	// The standard dialect has no name in package boolprog.
	if dialect == "standard" {
		dialect = ""
	}
	// 2. Parse and type-check it; warnings are printed at once.
	prog, warnings, err := boolprog.Parse(file, boolprog.ParseOptions{Dialect: dialect})
	a.diagnose(warnings)
	if err != nil {
		return nil, err
	}
	warnings, err = boolprog.Check(prog)
	a.diagnose(warnings)
	return prog, err
}

// settle returns the verdict and the name of the engine of a check that may have been stopped.
// Decisions before the stop stand; otherwise the verdict is UNKNOWN with the reason of the stop.
func settle(ctx context.Context, analysis *checker.Analysis, err error) (*verdict.Result, string, error) {
	var stop stopped
	switch {
	case errors.As(err, &stop):
		return &verdict.Result{Reason: string(stop)}, "", nil
	case err != nil:
		return nil, "", err
	}
	// The checker may have stopped for the same reason: say which limit it was.
	r := analysis.Result
	if r.Verdict == verdict.Unknown && errors.As(context.Cause(ctx), &stop) {
		_, rest, more := strings.Cut(r.Reason, ";") // the checker's further remarks
		if r.Reason = string(stop); more {
			r.Reason += ";" + rest
		}
	}
	return r, analysis.Engine, nil
}

// printStats prints s on stderr in the form that the user chose.
func (a *app) printStats(form choice, s *report.Statistics) error {
	switch form.value {
	case "json":
		return s.JSON(a.stderr)
	case "text":
		return s.Text(a.stderr)
	}
	return nil
}
