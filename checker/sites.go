package checker

import (
	"fmt"
	"slices"
	"strings"

	"c2bp/boolprog"
	"c2bp/verdict"
)

// This file collects property sites.

// UnknownLabelError reports that no procedure has the label to be reached.
type UnknownLabelError struct {
	Label string
	Known []string // the labels of the program, in order
}

func (e *UnknownLabelError) Error() string {
	if len(e.Known) == 0 {
		return fmt.Sprintf("no label %q: the program has no labels", e.Label)
	}
	const most = 10
	known := strings.Join(e.Known[:min(most, len(e.Known))], ", ")
	if more := len(e.Known) - most; more > 0 {
		known += fmt.Sprintf(" and %d more", more)
	}
	return fmt.Sprintf("no label %q; expected one of: %s", e.Label, known)
}

// DefaultErrorLabels returns the labels that must not be reached unless Options.ErrorLabels says
// otherwise.
func DefaultErrorLabels() []string { return []string{"ERROR", "SLIC_ERROR"} }

// Sites returns the sites that Analyse decides for these options, for other tools that decide them:
// the property sites in program order, and for each a target that is reached if it fails. One with several
// targets is listed as often. The error is an *UnknownLabelError.
func Sites(g *boolprog.Graph, opts Options) (sites []verdict.Site, targets []Target, err error) {
	each, lists, err := collect(g, opts)
	for i, list := range lists {
		for _, t := range list {
			sites, targets = append(sites, each[i]), append(targets, t)
		}
	}
	return sites, targets, err
}

// Labels returns the labels that must not be reached.
func (o Options) Labels() []string {
	switch {
	case o.Reach != "":
		return []string{o.Reach}
	case o.ErrorLabels == nil:
		return DefaultErrorLabels()
	}
	return o.ErrorLabels
}

// collect returns the property sites in program order, and for each the target of a trace to it.
func collect(g *boolprog.Graph, opts Options) (sites []verdict.Site, targets [][]Target, err error) {
	labels := opts.Labels()
	type place struct{ proc, node string }
	asserted := map[place]int{}
	add := func(site verdict.Site, t Target) {
		sites, targets = append(sites, site), append(targets, []Target{t})
	}
	for _, p := range g.Procs {
		for v, n := range p.Nodes {
			at := Point{p.Index, v}
			// A node can have several sites: its labels, an assertion, and null dereferences.
			for _, l := range n.Labels {
				if slices.Contains(labels, l) {
					add(siteAt(p, n, g.Prog.Uncalled, verdict.Site{Kind: verdict.Label, Name: l}), Target{Point: at})
				}
			}
			if n.Kind == boolprog.NodeAssert && opts.Reach == "" {
				site := siteAt(p, n, g.Prog.Uncalled, verdict.Site{Kind: verdict.Assertion})
				t := Target{Point: at, Fails: true}
				// An assertion of C is one property, also where it is several statements here.
				here := place{site.Proc, site.Node}
				if i, known := asserted[here]; known && site.Node != "" {
					targets[i] = append(targets[i], t)
				} else {
					asserted[here] = len(sites)
					add(site, t)
				}
			}
			if opts.Reach == "" && !opts.NoNull && dereferences(n, p.Proc.Enforce) {
				add(siteAt(p, n, g.Prog.Uncalled, verdict.Site{Kind: verdict.Dereference}), Target{Point: at, Null: true})
			}
		}
	}
	if opts.Reach != "" && sites == nil {
		err = &UnknownLabelError{opts.Reach, allLabels(g)}
	}
	return sites, targets, err
}

// dereferences reports whether a node reads or writes a field of an object.
func dereferences(n *boolprog.Node, enforce boolprog.Expr) bool {
	if n.Stmt == nil {
		return false
	}
	// Collect the expressions and targets of the node; a field in any of them is a dereference.
	exprs := append([]boolprog.Expr{n.Cond, enforce}, n.Values...)
	var lhs []*boolprog.Ref
	switch {
	case n.Assign != nil:
		exprs = append(append(exprs, n.Assign.Constrain), n.Assign.Rhs...)
		lhs = n.Assign.Lhs
	case n.Call != nil:
		exprs = append(exprs, n.Call.Args...)
		lhs = n.Call.Lhs
	}
	found := slices.ContainsFunc(lhs, func(r *boolprog.Ref) bool { return r.Field != "" })
	for _, e := range exprs {
		boolprog.Inspect(e, func(e boolprog.Expr) {
			_, selects := e.(*boolprog.Select)
			found = found || selects
		})
	}
	return found
}

// siteAt fills in the place of a site: in the C program if the statement has an annotation. Idle is
// set in functions that nothing calls.
func siteAt(p *boolprog.ProcGraph, n *boolprog.Node, uncalled []string, s verdict.Site) verdict.Site {
	s.Proc = p.Proc.Name
	s.Idle = slices.Contains(uncalled, p.Proc.Name)
	// The Boolean program's own position and text, unless an annotation has those of the C program.
	s.Pos = n.Stmt.Pos
	s.Text = boolprog.StmtString(n.Stmt.Op)
	if a := n.Stmt.Annot; a != nil {
		s.Node = a.Node
		if a.Pos.IsValid() {
			s.Pos = a.Pos
		}
		if a.Text != "" {
			s.Text = a.Text
		}
		if c := a.Check; c != nil && s.Kind == verdict.Assertion {
			s.Kind, s.Name, s.Text = verdict.Check, c.Name, c.Text
			if c.Pos.IsValid() {
				s.Pos = c.Pos
			}
		}
	}
	return s
}

// allLabels returns the labels of the program, each once.
func allLabels(g *boolprog.Graph) (known []string) {
	seen := map[string]bool{}
	for _, p := range g.Procs {
		for _, n := range p.Nodes {
			for _, l := range n.Labels {
				if !seen[l] {
					seen[l] = true
					known = append(known, l)
				}
			}
		}
	}
	return known
}
