package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"c2bp/boolprog"
	"c2bp/checker"
	"c2bp/refine"
	"c2bp/refine/event"
	"c2bp/refine/harness"
	"c2bp/report"
	"c2bp/report/sarif"
	"c2bp/verdict"
)

// This file is the command "c2bp audit".

// auditFlags are the flags of "c2bp audit": those of the abstraction without predicates and dumps,
// and those of the checker.
// A new flag for reading C belongs in addReading, so that certificates record it.
type auditFlags struct {
	abstractFlags
	errorLabels []string
	rules       []string
	ruleDirs    ruleDirs
	ruleTimeout time.Duration
	ltl         string
	fair        []string
	format      choice
	refs        choice
	strict      bool
	all         bool
	iterations  int
	noRun       bool
	saveBP      string
	harness     string
	certificate string
	baseline    string
	described   map[string]sarif.Rule // the rules that were read
	verbose     bool
	printed     bool // the harness is printed, and nothing else is done
}

// auditCommand builds the command and its flags.
func (a *app) auditCommand() *cobra.Command {
	f := &auditFlags{format: newChoice("text", "text", "full", "json", "sarif"), refs: newChoice("auto", "auto", "always", "never")}
	f.extern = externFlag()
	c := &cobra.Command{
		Use:   "audit [flags] file.c [more.c ...]",
		Short: "Decide C programs: can an assertion fail, is an error label reachable?",
		Long: `Audit reads C files, links them, and decides their assertions and error labels. It
needs no predicates: it abstracts the program, checks the abstraction, follows a
failing run of the abstraction through the C program and, if that run is infeasible,
finds predicates that exclude it, until the program is decided. The last line is the
verdict:

  Verification result: TRUE | FALSE (what, file:line) | UNKNOWN (reason)

FALSE is reported only for a run that was replayed, step by step, by the rules of C.
If there are several properties, a table says which hold, fail or are undecided; with
--all, the audit continues after a failure until each is decided.

With --rule, the properties are rules instead: how the program may call functions, such
as "a spin lock is taken and released alternately". Each has a row: it holds, fails, is
undecided, or does not apply.

Properties are assert, __VERIFIER_assert, __VERIFIER_error, reach_error and similar
functions (docs/models.md), and labels ERROR (see --error-label).

With --ltl, all runs must satisfy a formula of temporal logic about predicates, {n == 1}
or {x?}, labels, @L, and the heap (docs/ltl.md). The program is abstracted by
these predicates and those of a file (--preds FILE), and by more if a run of it that
violates the formula is none of the program. FALSE is said of a run that was replayed,
and violates the formula however it goes on, or ends or goes round for ever like that.
With --fair L only runs count that come to label L infinitely often.

With --check, operations of C are properties, too: no division by zero, no signed
overflow and so on (docs/audit.md); the assumptions about them are gone.

A driver, which has no function main, gets a harness that calls its entry points in
any order (docs/harness.md); --print-harness prints it.

Exit codes: 0 TRUE, 10 FALSE, 5 UNKNOWN, 1 wrong usage, 2 input that does not
parse or type-check, 6 internal error.`,
		Example: `  c2bp audit lock.c
  c2bp audit --timeout 60s --stats -I include driver.c harness.c
  c2bp audit --all --harness inputs.c --format json driver.c
  c2bp audit --certificate lock.cert lock.c && c2bp certify lock.cert lock.c
  c2bp audit --entry probe --open --strict driver.c
  c2bp audit --check division,overflow --all driver.c
  c2bp audit --rule spinlock,own.slic driver.c
  c2bp audit --ltl 'G ({open?} -> F {closed?})' --preds file.preds file.c
  c2bp audit -p ~/linux --entry probe --open drivers/x/driver.c
  c2bp audit --print-harness driver.c > harness.c && c2bp audit driver.c harness.c`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 && f.compiler.database != "" {
				return wrongUsage(c, noFileOfDatabase)
			}
			if len(args) == 0 {
				return wrongUsage(c, "expected a C file")
			}
			if err := f.verify(c, args); err != nil {
				return err
			}
			if why := f.besideRules(c); why != "" {
				return wrongUsage(c, "%s", why)
			}
			if why := f.besideFormula(c); why != "" {
				return wrongUsage(c, "%s", why)
			}
			if f.printed {
				return ours(a.printHarness(c.Context(), args, &f.abstractFlags))
			}
			return ours(a.runAudit(c.Context(), args, f))
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return []string{"c", "i"}, cobra.ShellCompDirectiveFilterFileExt
		},
	}
	// Flags appear in the help in this order.
	fs := c.Flags()
	f.addLoading(fs)
	fs.Lookup("whole").Hidden = true // of use for dumps: nothing is decided in what is never called
	f.driver.add(fs)
	fs.BoolVar(&f.printed, "print-harness", false, "print the harness of a driver, a C file that can be changed and given with the driver, and do nothing else")
	addChecks(fs, &f.frontend.Checks)
	addErrorLabels(fs, &f.errorLabels)
	fs.StringSliceVar(&f.rules, "rule", nil, "decide `RULE,…` instead of assertions and labels: names of \"c2bp rules list\" or files such as lock.slic")
	addFormula(fs, &f.ltl, &f.fair)
	fs.StringVar(&f.preds, "preds", "", "with --ltl: predicate `FILE`, besides the predicates that the formula names")
	for _, name := range []string{"fair", "preds"} {
		fs.Lookup(name).Hidden = true // there are almost too many flags
	}
	f.ruleDirs.add(fs)
	fs.Lookup("rules-dir").Hidden = true // shown by "c2bp rules"
	fs.DurationVar(&f.ruleTimeout, "rule-timeout", 0, "leave a rule undecided after `DURATION`, and go on with the next (default none)")
	fs.Lookup("rule-timeout").Hidden = true // there are almost too many flags
	fs.Var(&f.format, "format", "form of the result: text, full (text with a line for each assumption), json, or sarif, which editors and code hosts read")
	fs.StringVar(&f.baseline, "baseline", "", "compare with an earlier result, `FILE` of --format json: failures that are in it are suppressed")
	fs.BoolVar(&f.strict, "strict", false, "answer UNKNOWN instead of TRUE if the verdict depends on assumptions")
	fs.BoolVar(&f.all, "all", false, "decide every property instead of stopping at the first that fails")
	fs.Var(&f.refs, "refs", "keep pointers to objects as references, which the checker follows: always, never, or, unless a certificate is asked for, where aliasing refutes paths again and again")
	fs.Lookup("refs").NoOptDefVal = "always"
	fs.StringArrayVar(&f.abstract.Keep, "keep", nil, "keep pointers to `TYPE` as references, such as 'struct dev'; may be repeated, and implies --refs=always")
	fs.IntVar(&f.iterations, "max-refinements", 0, "give up after `N` refinements (default 1000)")
	fs.Lookup("max-refinements").Hidden = true // --timeout is the limit that people want
	fs.BoolVar(&f.noRun, "no-run", false, "do not compile and run the program with the inputs of a failing run")
	fs.StringVar(&f.harness, "harness", "", "if the verdict is FALSE, write a C file that supplies the inputs of the failing run to `FILE`; with --all, further failing runs have FILE-2.c and so on")
	fs.StringVar(&f.saveBP, "save-bp", "", "write the Boolean program of each iteration to `DIR`")
	fs.Lookup("save-bp").Hidden = true // for developers
	fs.StringVar(&f.certificate, "certificate", "", "if the verdict is TRUE, write an invariant that proves it to `FILE`, and report if it is not valid; \"c2bp certify\" validates it")
	fs.BoolVar(&f.verbose, "log-refinement", false, "log refinements on standard error")
	fs.Lookup("log-refinement").Hidden = true
	f.common.add(fs)
	return c
}

// runAudit decides the C files called names and prints the result.
func (a *app) runAudit(parent context.Context, names []string, f *auditFlags) error {
	ctx, stop := f.limits.apply(parent)
	defer stop()
	// 1. Decide. If a limit stops the audit, the result is the last one that it reported.
	var watch stopwatch
	var latest interim
	done, err := guarded(ctx, a.grace, func() (audited, error) {
		if f.ltl != "" {
			return a.auditFormula(ctx, names, f, &watch)
		}
		if len(f.rules) > 0 {
			return a.auditRules(ctx, names, f, &watch, &latest)
		}
		return a.audit(ctx, names, f, &watch, &latest)
	})
	var reason stopped
	if errors.As(err, &reason) {
		o := latest.outcome(string(reason))
		done, err = audited{o, f.noCertificate(o.Result, reason)}, nil
	}
	if err != nil {
		return err
	}
	o := done.Outcome
	// 2. Write the harnesses, and explain why there is no certificate.
	if done.noCertificate != nil {
		fmt.Fprintf(a.stderr, "c2bp: no certificate: %v\n", done.noCertificate)
		if o.Result.Verdict == verdict.True {
			o.Result.Certificate = fmt.Sprintf("none (%v)", done.noCertificate)
		}
	}
	if err := f.writeHarnesses(o); err != nil {
		return err
	}
	// 3. Print the result, then the statistics; the exit code tells the verdict.
	restoreAssumptions(o.Result, f.frontend.Checks)
	r := o.Result
	if k := latest.knownFailures(); k != nil {
		r = k.Apply(r)
		a.diagnose(k.Unused(r.Sites))
	}
	if f.strict {
		r = r.Strict()
	}
	var out bytes.Buffer
	switch f.format.value {
	case "json":
		err = report.JSON(&out, r)
	case "sarif":
		err = sarif.Write(&out, r, f.sarifOptions(r, latest.knownFailures()))
	case "full":
		err = report.FullTextFrom(&out, r, currentDir())
	default:
		err = report.TextFrom(&out, r, currentDir())
	}
	if err != nil {
		return err
	}
	if err := a.write(&out); err != nil {
		return err
	}
	return errors.Join(a.printStats(f.stats, &report.Statistics{
		Counters: r.Stats, Iterations: iterationsOf(o), Phases: watch.phases(), PeakMemory: peakMemory(),
	}), verdictError(r))
}

// iterationsOf returns the iterations in the form of the report.
func iterationsOf(o *refine.Outcome) (list []report.Iteration) {
	for i, it := range o.Statistics {
		// The report does not know package refine.
		row := report.Iteration{
			Number: i + 1, Predicates: it.Predicates, New: it.New, Abstraction: it.Abstraction, Paths: it.Paths,
			Nodes: it.Nodes, Steps: it.Steps, Seconds: it.Time.Seconds(), Learned: []report.Learned{}, Unfinished: it.Unfinished,
		}
		for _, l := range it.Lessons {
			row.Learned = append(row.Learned, report.Learned{
				Property: l.Site, Where: o.Result.Sites[l.Site].Where(), Result: l.Status.String(),
				Conditions: l.Conditions, Predicates: l.Predicates,
			})
		}
		list = append(list, row)
	}
	return list
}

// audited is the outcome of an audit, and of writing its certificate.
type audited struct {
	*refine.Outcome
	noCertificate error // why the certificate that was asked for is not written; or nil
}

// audit reads the C files called names and decides them.
// After each iteration the interim result is kept: a stop after that still reports it.
func (a *app) audit(ctx context.Context, names []string, f *auditFlags, watch *stopwatch, latest *interim) (done audited, err error) {
	in, err := a.load(ctx, names, &f.abstractFlags, watch)
	if err != nil {
		return done, err
	}
	defer watch.phase("audit")()
	// 1. The options of the refinement.
	opts, err := f.options(a)
	if err != nil {
		return done, err
	}
	if !f.noRun {
		// The compiled program is run in a sandbox, or not at all.
		opts.Files, opts.Harness = in.program, &harness.Options{Frontend: f.frontend}
	}
	known, err := a.readKnown(ctx, in, f, latest)
	if err != nil {
		return done, err
	}
	opts.All = opts.All || known.Any() // a failure that is suppressed must not hide others
	opts.Interim = latest.keep
	// 2. The audit, and the certificate of a proof.
	if done.Outcome, err = refine.Audit(ctx, in.unit.Program, opts); err == nil {
		done.noCertificate, err = f.writeCertificate(ctx, names, in, done.Outcome)
	}
	return done, err
}

// options returns the options of a refinement that flags set.
func (f *auditFlags) options(a *app) (opts refine.Options, err error) {
	opts = refine.Options{
		Abstract:   f.abstract,
		Checker:    checker.Options{ErrorLabels: f.errorLabels},
		All:        f.all,
		Iterations: f.iterations,
	}
	if err := opts.Refs.Set(f.refs.value); err != nil {
		return opts, err
	}
	switch {
	case len(f.abstract.Keep) > 0:
		opts.Refs = refine.RefsAlways
	case f.certificate != "" && opts.Refs == refine.RefsAuto:
		opts.Refs = refine.RefsNever // there would be none
	}
	if f.saveBP != "" {
		if err := os.MkdirAll(f.saveBP, 0o777); err != nil {
			return opts, &outputError{err}
		}
		// A file for each iteration: iteration001.bp.
		opts.Save = func(iteration int, p *boolprog.Program) error {
			name := filepath.Join(f.saveBP, fmt.Sprintf("iteration%03d.bp", iteration))
			if err := os.WriteFile(name, []byte(p.String()), 0o666); err != nil {
				return &outputError{err}
			}
			return nil
		}
	}
	if f.verbose {
		opts.Log = func(e event.Event) { fmt.Fprintln(a.stderr, e) }
	}
	return opts, nil
}
