package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"c2bp/boolprog"
	"c2bp/boolprog/chc"
	"c2bp/checker"
	"c2bp/report"
	"c2bp/source"
	"c2bp/verdict"
)

// This file is the command "c2bp export".

// exportFlags are the flags of "c2bp export".
type exportFlags struct {
	common
	format      choice
	output      string
	reach       string
	errorLabels []string
	dialect     choice
}

// exportCommand builds the command and its flags.
func (a *app) exportCommand() *cobra.Command {
	f := &exportFlags{
		format:  newChoice("chc", "chc"),
		dialect: newChoice("standard", "standard", "boppo"),
	}
	c := &cobra.Command{
		Use:   "export [file.bp | -]",
		Short: "Write a Boolean program for another solver: constrained Horn clauses",
		Long: `Export reads a Boolean program, from standard input if no file is named, and writes
it as constrained Horn clauses (SMT-LIB 2, logic HORN) for Spacer (z3) and other
solvers, which then decide the same question as "c2bp check":

  sat     no assertion can fail and no error label can be reached (check: TRUE)
  unsat   an assertion can fail or an error label can be reached (check: FALSE)

Exit codes: 0 the clauses are written, 5 stopped by a limit or an interrupt, 1 wrong
usage, 2 input that does not parse or type-check, or has nothing to ask about, 6
internal error.`,
		Example: `  c2bp export --format=chc driver.bp > driver.smt2
  c2bp -preds lock.preds lock.c | c2bp export -o lock.smt2 && z3 fp.engine=spacer lock.smt2
  c2bp export --reach R bebop.bp | z3 -in`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 1 {
				return wrongUsage(c, "export takes one Boolean program, not %d", len(args))
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			name := "-"
			if len(args) == 1 {
				name = args[0]
			}
			if err := f.verify(c); err != nil {
				return err
			}
			return ours(a.runExport(c.Context(), name, f))
		},
	}
	fs := c.Flags()
	fs.Var(&f.format, "format", "form of the output: chc, constrained Horn clauses")
	fs.StringVarP(&f.output, "output", "o", "", "write to `FILE` instead of standard output, in one step when it is complete")
	fs.StringVar(&f.reach, "reach", "", "ask only whether statement label `LABEL` is reachable (unsat if it is)")
	addErrorLabels(fs, &f.errorLabels)
	fs.Var(&f.dialect, "dialect", "syntax of the program: standard, or boppo (names may contain - and #)")
	f.common.add(fs)
	return c
}

// verify returns an error if flags contradict each other.
func (f *exportFlags) verify(c *cobra.Command) error {
	switch {
	case c.Flags().Changed("output") && f.output == "":
		return wrongUsage(c, "--output needs the name of a file")
	case c.Flags().Changed("reach") && f.reach == "":
		return wrongUsage(c, "--reach needs the name of a label")
	case f.reach != "" && c.Flags().Changed("error-label"):
		return wrongUsage(c, "--reach and --error-label exclude each other: --reach asks about nothing else")
	}
	return f.common.verify(c)
}

// runExport writes the program called name in another format.
func (a *app) runExport(parent context.Context, name string, f *exportFlags) error {
	// The text is written when it is complete: a solver must not read half of it.
	ctx, stop := f.limits.apply(parent)
	defer stop()
	var watch stopwatch
	text, err := guarded(ctx, a.grace, func() (*bytes.Buffer, error) { return a.export(ctx, name, f, &watch) })
	if err != nil {
		return err
	}
	// Each clause is an assertion of SMT-LIB on a line of its own.
	counters := []verdict.Stat{
		{Name: "clauses", Value: int64(bytes.Count(text.Bytes(), []byte("\n(assert")))},
		{Name: "bytes written", Value: int64(text.Len())},
	}
	if f.output == "" {
		err = a.write(text)
	} else if err = writeFile(f.output, text.Bytes()); err != nil {
		err = &outputError{err}
	}
	return errors.Join(err, a.printStats(f.stats, &report.Statistics{Counters: counters, Phases: watch.phases(), PeakMemory: peakMemory()}))
}

// export reads one program and returns the text.
func (a *app) export(ctx context.Context, name string, f *exportFlags, watch *stopwatch) (*bytes.Buffer, error) {
	prog, err := a.readBoolean(ctx, name, f.dialect.value, watch)
	if err != nil {
		return nil, err
	}
	defer watch.phase("export")()
	graph := boolprog.BuildGraph(prog)
	// The targets are the same properties as those of "c2bp check".
	_, sites, err := checker.Sites(graph, checker.Options{Reach: f.reach, ErrorLabels: f.errorLabels})
	if err != nil {
		return nil, aboutLabel(err, prog)
	}
	// A program without properties would be safe for every solver, by mistake perhaps.
	if len(sites) == 0 {
		return nil, &source.Diagnostic{
			Pos: source.Pos{File: prog.File.Name}, Severity: source.Error,
			Msg: "nothing to ask: no assertion and no error label in the program, so that every solver would say sat",
		}
	}
	targets := make([]chc.Target, len(sites))
	for i, s := range sites {
		targets[i] = chc.Target{Proc: s.Proc, Node: s.Node, Fails: s.Fails}
	}
	var text bytes.Buffer
	if err := chc.Write(ctx, &text, graph, targets); err != nil {
		return nil, err
	}
	return &text, nil
}

// writeFile replaces the contents of a file in one step: an existing file is unchanged until all is
// written, and if writing fails. Anything but a regular file is written directly.
// A reader of the file never sees half of a text.
func writeFile(name string, text []byte) error {
	// 1. Follow symbolic links, and keep the mode.
	if real, err := filepath.EvalSymlinks(name); err == nil {
		name = real
	}
	mode := fs.FileMode(0o666)
	if info, err := os.Stat(name); err == nil {
		if !info.Mode().IsRegular() {
			return os.WriteFile(name, text, mode)
		}
		mode = info.Mode().Perm()
	}
	// 2. Write a temporary file in the same directory, and rename it.
	temporary := filepath.Join(filepath.Dir(name), fmt.Sprintf(".%s.%d", filepath.Base(name), os.Getpid()))
	file, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	if err = errors.Join(err, file.Close()); err == nil {
		err = os.Rename(temporary, name)
	}
	if err != nil {
		os.Remove(temporary)
	}
	return err
}
