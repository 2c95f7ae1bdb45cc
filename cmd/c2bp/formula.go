package main

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"c2bp/abstract"
	"c2bp/boolprog"
	"c2bp/checker"
	"c2bp/checker/ltlcheck"
	"c2bp/checker/temporal"
	"c2bp/frontend/core"
	"c2bp/refine"
	"c2bp/source"
)

// This file has what commands share that check formulas of temporal logic.

// addFormula adds the flags of a formula.
func addFormula(fs *pflag.FlagSet, ltl *string, fair *[]string) {
	fs.StringVar(ltl, "ltl", "", "check whether all runs satisfy `FORMULA` of temporal logic, and nothing else")
	fs.StringArrayVar(fair, "fair", nil, "with --ltl: only runs count that come to `LABEL` infinitely often (repeatable)")
}

// notTemporal returns a flag of check that was set and does not go with a formula; "" if there is none.
func (f *checkFlags) notTemporal(c *cobra.Command) string {
	for _, name := range []string{"reach", "error-label", "engine", "contexts", "expand", "dump", "no-patterns", "no-summaries", "node-limit"} {
		if c.Flags().Changed(name) {
			return name
		}
	}
	return ""
}

// analyseFormula decides a formula about a program.
func (a *app) analyseFormula(ctx context.Context, prog *boolprog.Program, f *checkFlags) (*checker.Analysis, error) {
	r, err := ltlcheck.Check(ctx, prog, f.ltl, ltlcheck.Options{Fair: f.fair, HeapPath: f.heapPath, MaxStates: f.maxStates})
	if err != nil {
		return nil, err
	}
	return &checker.Analysis{Result: r, Engine: "pushdown"}, nil
}

// besideFormula returns why flags cannot stand beside --ltl, or without it; "" if they can.
func (f *auditFlags) besideFormula(c *cobra.Command) string {
	if f.ltl == "" {
		for _, name := range []string{"fair", "preds"} {
			if c.Flags().Changed(name) {
				return fmt.Sprintf("--%s needs --ltl", name)
			}
		}
		if c.Flags().Changed("ltl") {
			return "--ltl needs a formula"
		}
		return ""
	}
	for _, name := range []string{"rule", "check", "certificate", "harness", "error-label", "baseline", "all", "max-refinements", "save-bp"} {
		if c.Flags().Changed(name) {
			return fmt.Sprintf("--ltl and --%s exclude each other", name)
		}
	}
	return ""
}

// auditFormula decides a formula about C files, at first by the predicates of the user and of the formula.
func (a *app) auditFormula(ctx context.Context, names []string, f *auditFlags, watch *stopwatch) (done audited, err error) {
	// 1. The program, and the predicates.
	in, err := a.load(ctx, names, &f.abstractFlags, watch)
	if err != nil {
		return done, err
	}
	opts := f.abstract
	opts.Refs = f.refs.value == "always" || len(opts.Keep) > 0
	more, err := predicatesOf(f.ltl, in.unit.Program, opts.Refs)
	if err != nil {
		return done, err
	}
	// 2. The formula, on abstractions.
	result, first, err := refine.AuditFormula(ctx, in.unit.Program, f.ltl, append(in.preds, more...), in.unit, refine.FormulaOptions{
		Abstract: opts, Phase: watch.phase,
		Check: ltlcheck.Options{Fair: f.fair, MaxStates: defaultStates, Hidden: beforeStart(in.unit.Program)},
	})
	if first != nil {
		a.diagnose(first.Notes)
	}
	return audited{Outcome: &refine.Outcome{Result: result}}, err
}

// beforeStart returns the names of the nodes that a run of C begins after.
func beforeStart(p *core.Program) map[string]bool {
	names := map[string]bool{}
	for i, n := range p.Entry.Nodes {
		if n.Initial {
			names[p.Entry.NodeID(i)] = true
		}
	}
	return names
}

// tested is a Boolean test x? in an atom.
var tested = regexp.MustCompile(`([A-Za-z_][A-Za-z0-9_]*)\s*\?`)

// predicatesOf returns the predicates that a formula names: in braces the comparisons of C, and x != 0 for tests x?
// of global variables and, with references, of members.
func predicatesOf(formula string, p *core.Program, refs bool) ([]core.PredicateText, error) {
	sections, texts := []string{"global"}, map[string][]string{}
	add := func(section, text string) {
		if !slices.Contains(sections, section) {
			sections = append(sections, section)
		}
		if !slices.Contains(texts[section], text) {
			texts[section] = append(texts[section], text)
		}
	}
	_, err := temporal.Parse(source.NewFile(ltlcheck.FormulaName, []byte(formula)), func(t temporal.AtomText) (int, error) {
		text, _, braced := t.Braced()
		if braced && strings.ContainsAny(text, "=<>") && !strings.Contains(text, "{") {
			add("global", text)
		}
		for _, m := range tested.FindAllStringSubmatch(t.Text, -1) {
			if slices.ContainsFunc(p.Globals, func(v *core.Var) bool { return v.Name == m[1] }) {
				add("global", m[1]+" != 0")
				continue
			}
			for _, s := range structsWith(p, m[1]) {
				if !refs {
					return 0, t.Errorf("%q is a member of %s; --refs follows pointers to it", m[1], s)
				}
				add(s, m[1]+" != 0")
			}
		}
		return 0, nil
	})
	if err != nil || len(texts) == 0 {
		return nil, err
	}
	var b strings.Builder
	for _, s := range sections {
		if len(texts[s]) > 0 {
			fmt.Fprintf(&b, "%s:\n%s\n", s, strings.Join(texts[s], ", "))
		}
	}
	return abstract.ParsePredicates(source.NewFile(ltlcheck.FormulaName, []byte(b.String())))
}

// structsWith returns the structs of which a program uses a member with a name.
func structsWith(p *core.Program, member string) (list []string) {
	for _, q := range p.Procs {
		for _, n := range q.Nodes {
			core.StmtExprs(n.Stmt, func(e core.Expr) {
				core.Walk(e, func(e core.Expr) bool {
					o, is := e.(*core.Offset)
					if is && o.Field == member && o.Of != nil && strings.HasPrefix(o.Of.Name, "struct ") && !slices.Contains(list, o.Of.Name) {
						list = append(list, o.Of.Name)
					}
					return true
				})
			})
		}
	}
	return list
}
