package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"c2bp/frontend/slic"
	"c2bp/frontend/slic/library"
	"c2bp/frontend/slic/syntax"
	"c2bp/refine"
	"c2bp/refine/rules"
	"c2bp/source"
	"c2bp/verdict"
)

// This file is the flags --rule and --rules-dir of "c2bp audit", and reads rules.

// rulesDirVariable is the environment variable with directories of rules, as in PATH.
const rulesDirVariable = "C2BP_RULES_DIR"

// ruleDirs are the directories with rules of the user.
type ruleDirs struct{ names []string }

// add adds the flag to fs.
func (d *ruleDirs) add(fs *pflag.FlagSet) {
	fs.StringArrayVar(&d.names, "rules-dir", nil, "`DIR` with folders of your own rules, beside those of $"+rulesDirVariable+"; may be repeated")
}

// library returns the rules that come with c2bp and those of the user: of the flag and of the environment.
func (d *ruleDirs) library() (*library.Library, error) {
	dirs := slices.Clone(d.names)
	for _, dir := range filepath.SplitList(os.Getenv(rulesDirVariable)) {
		if dir != "" && !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	return library.New(dirs...)
}

// besideRules returns why flags cannot stand beside --rule, or without it; "" if they can.
func (f *auditFlags) besideRules(c *cobra.Command) string {
	switch {
	case f.ruleTimeout < 0:
		return "--rule-timeout must not be negative"
	case len(f.rules) == 0 && f.ruleTimeout != 0:
		return "--rule-timeout without --rule"
	case len(f.rules) == 0:
		return ""
	}
	for _, name := range []string{"certificate", "harness", "error-label", "check"} {
		if c.Flags().Changed(name) {
			return fmt.Sprintf("--%s is not supported with --rule", name)
		}
	}
	return ""
}

// auditRules decides the rules that the command line names for the C files called names.
func (a *app) auditRules(ctx context.Context, names []string, f *auditFlags, watch *stopwatch, latest *interim) (done audited, err error) {
	l, err := f.ruleDirs.library()
	if err != nil {
		return done, err
	}
	sets, err := a.readRules(ctx, l, f.rules)
	if err != nil {
		return done, err
	}
	f.describe(sets)
	in, fo, err := a.read(ctx, names, &f.abstractFlags)
	if err != nil {
		return done, err
	}
	fo.Observed = slic.Observed(sets)
	if fo, err = a.loadProgram(ctx, in, fo, &f.driver); err != nil {
		return done, err
	}
	known, err := a.readKnown(ctx, in, f, latest)
	if err != nil {
		return done, err
	}
	defer watch.phase("audit")()
	opts := rules.Options{Frontend: fo, Unit: in.unit, Diagnostics: a.diagnose, Harnessed: in.harness != "" || len(in.program) < len(in.files)}
	if opts.Refine, err = f.options(a); err != nil {
		return done, err
	}
	if known.Any() {
		opts.Ignored = func(s verdict.Site) bool {
			list := []verdict.Site{s}
			known.Fingerprints(list)
			return known.Why(list[0]) != ""
		}
	}
	opts.Timeout = f.ruleTimeout
	opts.Started = func(rule string) func() { return watch.phase("rule " + rule) }
	opts.Interim = func(r *verdict.Result) { latest.keep(&refine.Outcome{Result: r}) }
	r, err := rules.Audit(ctx, in.program, sets, opts)
	if err != nil {
		return done, err
	}
	return audited{&refine.Outcome{Result: r}, nil}, nil
}

// readRules reads the rules that the command line names: a name of the library, or a file.
func (a *app) readRules(ctx context.Context, l *library.Library, names []string) (sets []*syntax.Set, err error) {
	at := map[string]source.Pos{}
	var errs source.List
	for _, name := range names {
		set, err := a.readRule(ctx, l, name)
		if list, ok := err.(source.List); ok {
			errs = append(errs, list...)
			continue
		}
		if err != nil {
			return nil, err
		}
		// Rows are told apart by their names.
		for _, r := range set.Rules {
			if old, twice := at[r.Name.Text]; twice {
				errs.Add(r.File.Errorf(r.Name.Pos, "there is another rule %s at %s; expected another name", r.Name.Text, old))
			}
			at[r.Name.Text] = r.Name.Pos
		}
		if len(set.Rules) == 0 {
			errs.Add(&source.Diagnostic{Pos: source.Pos{File: name}, Severity: source.Error, Msg: "the file has no rule; expected one"})
		}
		sets = append(sets, set)
	}
	return sets, errs.Err()
}

// readRule reads the rules of one name.
func (a *app) readRule(ctx context.Context, l *library.Library, name string) (*syntax.Set, error) {
	if slices.Contains(l.Names(), name) {
		return l.Rule(name)
	}
	// Anything that looks like a name is meant as one.
	if !strings.ContainsAny(name, "./") {
		return nil, source.List{{Severity: source.Error, Msg: fmt.Sprintf("there is no rule %s; expected the name of a file, or one of %s", name, strings.Join(l.Names(), ", "))}}
	}
	file, err := source.Read(ctx, filepath.ToSlash(name), a.stdin)
	if d, ok := err.(*source.Diagnostic); ok {
		return nil, source.List{d}
	}
	if err != nil {
		return nil, err
	}
	return syntax.Load(file, func(name string) (*source.File, error) {
		if strings.Contains(name, "<rules>/") {
			return library.Included(name)
		}
		return source.Read(ctx, name, a.stdin)
	})
}
