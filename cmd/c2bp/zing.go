package main

import (
	"bytes"
	"context"
	"errors"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"c2bp/checker/interleave"
	"c2bp/checker/zingcheck"
	"c2bp/checker/zom"
	"c2bp/frontend/zing"
	"c2bp/report"
	"c2bp/source"
	"c2bp/verdict"
)

// This file is the command "c2bp zing".

// zingFlags are the flags of "c2bp zing".
type zingFlags struct {
	common
	search      searchFlag
	seed        uint64
	deadlock    bool
	all         bool
	maxStates   int
	jobs        int
	compatible  bool
	cooperative bool
	unchecked   bool
	reduce      bool
	summaries   bool
	maxFrames   int
	movers      bool
	stuck       bool
	heap        bool
	format      choice
	dump        choice
	to          choice
}

// zingCommand builds the command and its flags.
func (a *app) zingCommand() *cobra.Command {
	f := &zingFlags{
		format: newChoice("text", "text", "json"),
		dump:   newChoice("", "zom"),
		to:     newChoice("", "dot"),
	}
	c := &cobra.Command{
		Use:   "zing [flags] file.zing [more.zing ...]",
		Short: "Check a Zing model: explore the states of its processes",
		Long: `Zing reads a model in the Zing modelling language, from standard input if the file
is -, and explores the states that its processes can reach, in every order of their
steps. It looks for assertions that fail, for deadlocks, and for runtime errors: null
dereferences, indices outside of arrays, divisions by zero, overflows, choices from
nothing, exceptions without a handler. If there is a failure, it prints a run to it,
by default a shortest one. The last line is the verdict:

  Verification result: TRUE | FALSE (what, file:line) | UNKNOWN (reason)

Searches (--search):
  bfs            breadth first: the run to a failure is a shortest one
  dfs            depth first
  depth:N        breadth first, runs of at most N states
  random:N       N random runs (1000); proves nothing
  delay:N        runs of a scheduler that may be delayed N times
  preempt:N      runs in which a process that could go on is interrupted N times

With --reduce, steps of a process that commute with those of others are joined, and
other processes are scheduled between such transactions only: the same failures are
found in fewer states, if locks protect what the processes share. It goes with the
searches bfs and dfs. --movers prints which locks were found, and what they protect.

With --summaries, too, a procedure that is called in a transaction is explored once for
all calls that it cannot distinguish, and recursion inside transactions may go to any
depth. A recursion in the midst of which other processes run ends at --max-frames.
--summaries implies --reduce; --stats tells how many summaries were computed and used.

With --stuck, a state in which no process can run is a failure also if a message was
sent that nobody has received: the model is to be stuck-free.

Exit codes: 0 TRUE, 10 FALSE, 5 UNKNOWN, 1 wrong usage, 2 input that does not
parse or type-check, 6 internal error.`,
		Example: `  c2bp zing philosophers.zing
  c2bp zing --search dfs --deadlock=false --stats model.zing
  c2bp zing --reduce --movers bank.zing
  c2bp zing --summaries --stats=json bank.zing
  c2bp zing --stuck protocol.zing
  c2bp zing --jobs 4 large.zing
  c2bp zing --max-states 1000000 --timeout 1m --format json model.zing`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return wrongUsage(c, "zing needs the file of a model")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			if err := f.verify(c); err != nil {
				return err
			}
			return ours(a.runZing(c.Context(), args, f))
		},
	}
	fs := c.Flags()
	fs.Var(&f.search, "search", "search `HOW`: bfs, dfs, depth:N, random:N, delay:N or preempt:N")
	fs.Uint64Var(&f.seed, "seed", 1, "`SEED` of random runs")
	fs.BoolVar(&f.deadlock, "deadlock", true, "a deadlock is a failure")
	fs.BoolVar(&f.all, "all", false, "do not stop at the first failure")
	fs.IntVar(&f.maxStates, "max-states", 0, "stop when more than `N` states are stored (0: no limit)")
	fs.IntVarP(&f.jobs, "jobs", "j", 0, "number of parallel `WORKERS` (default: one for each processor); the output does not depend on it")
	fs.BoolVar(&f.cooperative, "cooperative", false, "processes run until yield, not for a step each")
	fs.BoolVar(&f.unchecked, "unchecked", false, "an integer overflow wraps around and is no error")
	fs.BoolVar(&f.reduce, "reduce", false, "join steps that commute with those of other processes (partial-order reduction)")
	fs.BoolVar(&f.summaries, "summaries", false, "explore procedures called in transactions once for all calls alike; implies --reduce")
	fs.IntVar(&f.maxFrames, "max-frames", 1000, "with --summaries: stop when a stack has more than `N` frames")
	fs.BoolVar(&f.movers, "movers", false, "with --reduce or --summaries: show the locks that were found, and what they protect")
	fs.BoolVar(&f.stuck, "stuck", false, "a message that nobody receives is a failure, too")
	fs.BoolVar(&f.compatible, "compatible", false, "miss deadlocks to which only a choice leads, as the first checker of the language did")
	fs.BoolVar(&f.heap, "heap", false, "show static fields and objects in the state that fails")
	fs.Var(&f.format, "format", "form of the result: text or json")
	fs.Var(&f.to, "to", "print the graph of states for Graphviz instead of the verdict; see --max-states, which is 1000 then")
	fs.Var(&f.dump, "dump", "print the program of the object model instead of the verdict")
	fs.Lookup("dump").Hidden = true
	f.common.add(fs)
	return c
}

// verify returns an error if flags contradict each other or have impossible values.
func (f *zingFlags) verify(c *cobra.Command) error {
	switch {
	case f.maxStates < 0:
		return wrongUsage(c, "--max-states must not be negative")
	case f.jobs < 0:
		return wrongUsage(c, "--jobs must not be negative")
	case f.jobs > 1 && f.search.how != interleave.Breadth && f.search.how != interleave.Bounded:
		return wrongUsage(c, "--jobs is for --search bfs and depth:N")
	case c.Flags().Changed("seed") && f.search.how != interleave.Random:
		return wrongUsage(c, "--seed is for --search random")
	case f.movers && !f.reduces():
		return wrongUsage(c, "--movers needs --reduce")
	case f.movers && f.format.value == "json":
		return wrongUsage(c, "--movers is for --format text")
	case f.stuck && !f.deadlock:
		return wrongUsage(c, "--stuck is about deadlocks, too: do not ask for --deadlock=false")
	case f.stuck && f.compatible:
		return wrongUsage(c, "--stuck does not go with --compatible, which misses deadlocks")
	case c.Flags().Changed("max-frames") && !f.summaries:
		return wrongUsage(c, "--max-frames needs --summaries")
	case f.maxFrames < 1:
		return wrongUsage(c, "--max-frames must be positive")
	}
	if f.reduces() {
		if err := f.verifyReduced(c); err != nil {
			return err
		}
	}
	return f.common.verify(c)
}

// reduces reports whether the search is one by transactions.
func (f *zingFlags) reduces() bool { return f.reduce || f.summaries }

// verifyReduced returns an error if flags contradict a search by transactions.
func (f *zingFlags) verifyReduced(c *cobra.Command) error {
	flag := "--reduce"
	if f.summaries {
		flag = "--summaries"
	}
	switch {
	case f.search.how != interleave.Breadth && f.search.how != interleave.Depth:
		return wrongUsage(c, "%s is for --search bfs and dfs: a bound counts the steps that a reduction joins", flag)
	case f.jobs > 1:
		return wrongUsage(c, "%s has one worker: do not ask for --jobs", flag)
	case f.compatible:
		return wrongUsage(c, "%s does not go with --compatible: which steps follow a choice is not kept", flag)
	case f.stuck:
		return wrongUsage(c, "%s does not go with --stuck: the states that it leaves out may be stuck", flag)
	case f.to.value != "":
		return wrongUsage(c, "%s does not go with --to: the graph has all states", flag)
	}
	return nil
}

// searchFlag is a way to search, with a number.
type searchFlag struct {
	how   interleave.Search
	bound int
	text  string
}

// defaultRuns is the number of random runs, mostSteps that of their steps.
const defaultRuns, mostSteps = 1000, 10000

func (s *searchFlag) String() string { return s.text }
func (s *searchFlag) Type() string   { return "search" }

// Set sets the value; see the help of the command.
func (s *searchFlag) Set(text string) error {
	name, number, has := strings.Cut(text, ":")
	ways := map[string]interleave.Search{"bfs": interleave.Breadth, "dfs": interleave.Depth, "depth": interleave.Bounded, "random": interleave.Random, "delay": interleave.Delay, "preempt": interleave.Preemption}
	how, known := ways[name]
	n, err := strconv.Atoi(number)
	switch needs := how == interleave.Bounded || how == interleave.Delay || how == interleave.Preemption; {
	case !known, has && err != nil, n < 0, has && how < interleave.Bounded, needs && !has:
		return errors.New("expected bfs, dfs, depth:N, random, random:N, delay:N or preempt:N")
	case how == interleave.Random && !has:
		n = defaultRuns
	}
	*s = searchFlag{how, n, text}
	return nil
}

// options returns the options of the check.
func (f *zingFlags) options() zingcheck.Options {
	jobs := f.jobs
	if jobs == 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	return zingcheck.Options{
		Options: interleave.Options{
			Search: f.search.how, Bound: f.search.bound, Length: mostSteps, Seed: f.seed,
			Reduce: f.reduces(), Summaries: f.summaries, MaxFrames: f.maxFrames, Stuck: f.stuck, NoDeadlocks: !f.deadlock,
			MissDeadlocks: f.compatible, Cooperative: f.cooperative, All: f.all,
			MaxStates: f.maxStates, Jobs: jobs,
		},
		Unchecked: f.unchecked,
	}
}

// runZing checks a model and prints the result.
func (a *app) runZing(parent context.Context, names []string, f *zingFlags) error {
	ctx, stop := f.limits.apply(parent)
	defer stop()
	var watch stopwatch
	if f.to.value != "" {
		return a.drawModel(ctx, names, f)
	}
	// 1. Check.
	start := time.Now()
	analysis, err := guarded(ctx, a.grace, func() (*zingcheck.Analysis, error) { return a.checkModel(ctx, names, f, &watch) })
	var ended stopped
	switch {
	case errors.As(err, &ended):
		analysis = &zingcheck.Analysis{Result: &verdict.Result{Reason: string(ended)}}
	case err != nil:
		return err
	}
	r := analysis.Result
	// 2. Print the result: code, JSON or text.
	var out bytes.Buffer
	switch {
	case f.dump.value != "":
		if analysis.Lowered != nil {
			err = zom.Fprint(&out, analysis.Lowered.Prog)
		}
	case f.format.value == "json":
		err = report.JSON(&out, r)
	default:
		if f.movers {
			analysis.WriteMovers(&out)
		}
		err = report.ProcessesFrom(&out, r, currentDir(), f.heap)
	}
	if err != nil {
		return err
	}
	if err := a.write(&out); err != nil {
		return err
	}
	// 3. Print the statistics.
	err = a.printStats(f.stats, &report.Statistics{
		Counters: r.Stats, Phases: watch.phases(), PeakMemory: peakMemory(), States: statesOf(analysis, time.Since(start).Seconds()),
	})
	if f.dump.value != "" {
		return err
	}
	return errors.Join(err, verdictError(r))
}

// mostDrawn is the number of states that are drawn unless the user says otherwise.
const mostDrawn = 1000

// drawModel prints the graph of states of a model.
func (a *app) drawModel(ctx context.Context, names []string, f *zingFlags) error {
	var out bytes.Buffer
	_, err := guarded(ctx, a.grace, func() (bool, error) {
		p, err := a.loadModel(ctx, names, &stopwatch{})
		if err != nil {
			return false, err
		}
		opts := f.options()
		if opts.MaxStates == 0 {
			opts.MaxStates = mostDrawn
		}
		return true, zingcheck.Dot(ctx, &out, p, opts)
	})
	if err != nil {
		return err
	}
	return a.write(&out)
}

// statesOf returns the size of a search.
func statesOf(a *zingcheck.Analysis, seconds float64) *report.States {
	s := a.Search
	if s == nil {
		return nil
	}
	out := &report.States{
		Distinct: int64(s.Distinct), Stored: int64(s.Stored), Transitions: int64(s.Transitions), TraceLength: int64(a.Length),
		BytesPerState: zingcheck.Counter(a.Result, "bytes per state"), Seconds: seconds,
	}
	if seconds > 0 {
		out.PerSecond = float64(s.Stored) / seconds
	}
	return out
}

// checkModel reads and checks a model. With a dump, it is translated only.
func (a *app) checkModel(ctx context.Context, names []string, f *zingFlags, watch *stopwatch) (*zingcheck.Analysis, error) {
	p, err := a.loadModel(ctx, names, watch)
	switch {
	case err != nil:
		return nil, err
	case f.dump.value != "":
		return zingcheck.Lower(p, f.options()), nil
	}
	defer watch.phase("explore")()
	return zingcheck.Check(ctx, p, f.options()), nil
}

// loadModel reads a model and checks its names and types. Warnings are printed at once.
func (a *app) loadModel(ctx context.Context, names []string, watch *stopwatch) (*zing.Program, error) {
	var files []*source.File
	endRead := watch.phase("read")
	for _, name := range names {
		file, err := source.Read(ctx, name, a.stdin)
		if err != nil {
			return nil, err
		}
		if name == "-" && strings.TrimSpace(string(file.Text)) == "" {
			return nil, file.Errorf(source.Pos{File: file.Name}, "empty input; expected a Zing model. Did the previous command of the pipe fail?")
		}
		files = append(files, file)
	}
	endRead()
	defer watch.phase("parse")()
	p, warnings, err := zing.Load(files)
	a.diagnose(warnings)
	return p, err
}
