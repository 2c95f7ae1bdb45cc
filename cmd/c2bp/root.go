package main

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"c2bp/abstract"
	"c2bp/alias"
	"c2bp/alias/devirt"
	"c2bp/frontend"
	"c2bp/report"
	"c2bp/source"
	"c2bp/verdict"
)

// This file is the command without a name: it writes Boolean programs.

// abstractFlags are the flags of the command without a name.
type abstractFlags struct {
	common
	preds          string
	frontend       frontend.Options
	compiler       compilerFlags
	notes          source.List // on the flags
	models         []string
	bits32, bits64 bool
	abstract       abstract.Options
	dump, extern   choice
	explain        bool
	driver         driverFlags
}

// rootCommand builds the command and its flags.
func (a *app) rootCommand() *cobra.Command {
	f := &abstractFlags{dump: newChoice("", "core", "alias"), extern: externFlag()}
	c := &cobra.Command{
		Use:   "c2bp [flags] file.c [more.c ...]",
		Short: "Prove or refute safety properties of C programs by predicate abstraction",
		Long: `C2bp proves or refutes assertions and error labels of C programs by predicate
abstraction. To decide a program, begin with "c2bp audit file.c".

Without the name of a command, c2bp reads C files, links them, and prints a Boolean
program: the same control flow, in which each variable stands for a predicate of the
predicate file, or for its truth at some place of the program. Every run of the C
program is a run of the Boolean program, under the assumptions listed there;
"c2bp check" decides whether an assertion of the Boolean program can fail.

Exit codes: 0 the Boolean program is written, 5 stopped by a limit or an interrupt,
1 wrong usage, 2 input that does not parse or type-check, 6 internal error.`,
		Example: `  c2bp -preds lock.preds lock.c > lock.bp
  c2bp -preds lock.preds lock.c | c2bp check
  c2bp -preds driver.preds -I include -D DEBUG=0 --32 driver.c harness.c
  c2bp --cc-flags '-std=gnu11 -O2 -isystem include -DNAME="x"' driver.c
  c2bp -p build/compile_commands.json drivers/x/driver.c
  c2bp --dump core lock.c
  c2bp --explain-unsupported -I include driver.c`,
		Args:                       cobra.ArbitraryArgs,
		SuggestionsMinimumDistance: 2,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 && f.compiler.database != "" {
				return wrongUsage(c, noFileOfDatabase)
			}
			if len(args) == 0 {
				return wrongUsage(c, "expected a C file or a command")
			}
			// A command that was misspelled would be taken for a file.
			if meant := c.SuggestionsFor(args[0]); len(meant) > 0 && isNoFile(args[0]) {
				return wrongUsage(c, "%s is neither a command nor a file; did you mean %s?", args[0], meant[0])
			}
			if err := f.verify(c, args); err != nil {
				return err
			}
			if f.explain {
				return ours(a.runExplain(c.Context(), args, f))
			}
			return ours(a.runAbstract(c.Context(), args, f))
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return []string{"c", "i"}, cobra.ShellCompDirectiveFilterFileExt
		},
	}
	fs := c.Flags()
	fs.StringVar(&f.preds, "preds", "", "predicate `FILE`; without it, only the control flow is kept")
	f.addLoading(fs)
	fs.BoolVar(&f.abstract.Refs, "refs", false, "keep pointers to the struct types that have object predicates as references, which the checker follows; see docs/predicates.md")
	fs.StringArrayVar(&f.abstract.Keep, "keep", nil, "keep pointers to `TYPE` as references, too, such as 'struct dev'; may be repeated, and implies --refs")
	fs.Var(&f.dump, "dump", "print an intermediate form instead of the Boolean program: core or alias")
	fs.BoolVar(&f.explain, "explain-unsupported", false, "list each place that is not represented exactly, with counts by construct, instead of the Boolean program")
	f.common.add(fs)
	f.addHidden(fs)
	return c
}

// addHidden adds flags for developers of c2bp.
// They are for measurements: they change the speed or the precision of the abstraction, never its
// correctness.
func (f *abstractFlags) addHidden(fs *pflag.FlagSet) {
	fs.IntVar(&f.abstract.MaxCube, "max-cube", 0, "literals in a cube where not all are considered (default 3)")
	fs.IntVar(&f.abstract.MaxExact, "max-exact", 0, "connected predicates up to which all cubes are considered (default 10)")
	// Each switches off a part of the abstraction.
	bools := []struct {
		p          *bool
		name, what string
	}{
		{&f.abstract.NoAuto, "no-auto", "leave out predicates on temporaries"},
		{&f.abstract.NoEnforce, "no-enforce", "leave out infeasible cubes"},
		{&f.abstract.Savers.NoUntouched, "no-untouched", "compute updates of predicates that cannot change, too"},
		{&f.abstract.Savers.NoSyntactic, "no-syntactic", "ask the prover about predicates themselves, too"},
		{&f.abstract.Savers.NoCone, "no-cone", "strengthen over all predicates in scope"},
		{&f.abstract.Savers.NoPool, "no-pool", "keep no models"},
		{&f.abstract.Savers.NoMemo, "no-memo", "repeat prover queries"},
		{&f.abstract.Savers.NoInfeasible, "no-infeasible", "forget infeasible cubes"},
	}
	hide := []string{"max-cube", "max-exact"}
	for _, b := range bools {
		fs.BoolVar(b.p, b.name, false, b.what)
		hide = append(hide, b.name)
	}
	for _, name := range hide {
		fs.Lookup(name).Hidden = true
	}
}

// abstraction is the result of the command without a name.
type abstraction struct {
	text  string
	stats []verdict.Stat
}

// runAbstract abstracts the C files called names and prints the Boolean program.
func (a *app) runAbstract(parent context.Context, names []string, f *abstractFlags) error {
	ctx, stop := f.limits.apply(parent)
	defer stop()
	var watch stopwatch
	r, err := guarded(ctx, a.grace, func() (*abstraction, error) { return a.abstract(ctx, names, f, &watch) })
	if err != nil {
		return err
	}
	if err := a.write(bytes.NewBufferString(r.text)); err != nil {
		return err
	}
	return a.printStats(f.stats, &report.Statistics{
		Counters: r.stats, Phases: watch.phases(), PeakMemory: peakMemory(),
	})
}

// runExplain lists the constructs in the C files called names that the front end does not represent
// exactly. The exit code tells whether the files can be abstracted.
func (a *app) runExplain(parent context.Context, names []string, f *abstractFlags) error {
	ctx, stop := f.limits.apply(parent)
	defer stop()
	// The files are read up to all constructs that are refused, not only the first.
	found, err := guarded(ctx, a.grace, func() (*frontend.Explanation, error) {
		files, err := a.readAll(ctx, names)
		if err != nil {
			return nil, err
		}
		a.diagnose(f.notes)
		return frontend.Explain(ctx, files, f.frontend)
	})
	if err != nil {
		return err
	}
	if err := a.write(bytes.NewBufferString(found.String())); err != nil {
		return err
	}
	if found.Refused() {
		return noTrue(exitInput)
	}
	return nil
}

// abstract reads the C files called names, and returns the Boolean program or a dump.
func (a *app) abstract(ctx context.Context, names []string, f *abstractFlags, watch *stopwatch) (*abstraction, error) {
	in, err := a.load(ctx, names, f, watch)
	if err != nil {
		return nil, err
	}
	switch f.dump.value {
	case "core":
		return &abstraction{text: in.unit.Program.String()}, nil
	// The alias analysis of the program in which calls through pointers are resolved.
	case "alias":
		devirt.Resolve(in.unit.Program)
		return &abstraction{text: alias.Analyze(in.unit.Program).String()}, nil
	}
	// The abstraction is the part that takes long.
	defer watch.phase("abstract")()
	opts := f.abstract
	var done func()
	opts.Progress, done = a.progress("abstracting")
	r, err := abstract.Abstract(ctx, in.unit.Program, in.preds, in.unit, opts)
	done()
	if err != nil {
		return nil, err
	}
	a.diagnose(r.Notes)
	return &abstraction{text: r.Program.String(), stats: counters(r.Stats)}, nil
}

// counters names the counters of an abstraction. Numbers of queries are reproducible only with one
// worker.
func counters(s abstract.Stats) []verdict.Stat {
	return []verdict.Stat{
		{Name: "predicates", Value: int64(s.Predicates)},
		{Name: "nodes abstracted", Value: int64(s.Nodes)},
		{Name: "nodes with limited cubes", Value: int64(s.Limited)},
		{Name: "largest cone", Value: s.Prover.Cone},
		{Name: "formulas strengthened", Value: s.Prover.Goals},
		{Name: "prover queries", Value: s.Prover.Queries},
		{Name: "answered unknown", Value: s.Prover.Unknown},
		{Name: "answered by memo", Value: s.Prover.MemoHits},
		{Name: "answered by models", Value: s.Prover.PoolHits},
	}
}

// isNoFile reports whether no file has that name.
func isNoFile(name string) bool {
	_, err := os.Stat(name)
	return errors.Is(err, fs.ErrNotExist)
}
