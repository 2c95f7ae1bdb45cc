// Package extract makes certificates of what the abstraction and the checker found: the
// path edges at each node of the Boolean program, read as an invariant of the core node
// that it abstracts.
//
//	Boolean program                      certificate
//	variable {x == 1}                    predicate (== (var x) (const int32 1))
//	path edges, {x == 1} and '{x == 1}   (iff p0 (entry p0))
//	a node that is not reached           false
//
// What is the same formula in several places, in the invariants of other nodes, too, is one
// [certificate.Formula]: the path edges of nodes near each other have much in common.
//
// It proves nothing: package certificate validates what it makes.
package extract

import (
	"context"
	"fmt"
	"slices"

	"c2bp/abstract"
	"c2bp/boolprog"
	"c2bp/checker"
	"c2bp/frontend/core"
	"c2bp/refine/certificate"
	"c2bp/verdict"
)

// Part is an abstraction by predicates, and its analysis. The predicates are all those of the
// Boolean program.
// Parts of a proof are abstractions by different predicates, each of which proves some properties.
type Part struct {
	Analysis   *checker.Analysis
	Predicates []*abstract.Predicate
}

// Proof returns a certificate of each part, about the properties that hold there.
func Proof(ctx context.Context, prog *core.Program, parts []Part) (proof certificate.Proof, err error) {
	for _, p := range parts {
		c, err := Certificate(ctx, prog, p.Analysis, p.Predicates)
		if err != nil {
			return nil, err
		}
		c.Proves = proved(p.Analysis.Result)
		proof = append(proof, c)
	}
	return proof, nil
}

// proved returns the nodes of the properties that hold, nil if all do. Where a node has two
// properties, an assertion and a label, either both hold or neither counts.
func proved(r *verdict.Result) []string {
	if r.Verdict == verdict.True {
		return nil
	}
	// A node counts as proved if all its properties hold.
	fails, nodes := map[string]bool{}, []string{}
	for _, at := range r.Sites {
		fails[at.Node] = fails[at.Node] || at.Failed || at.Open
	}
	for _, at := range r.Sites {
		if !fails[at.Node] && !slices.Contains(nodes, at.Node) {
			nodes = append(nodes, at.Node)
		}
	}
	return nodes
}

// Certificate returns a certificate of prog, made from the analysis a of its abstraction by preds:
// all the predicates of the Boolean program. It fails if the analysis has no solution, or if the
// solution cannot be read.
func Certificate(ctx context.Context, prog *core.Program, a *checker.Analysis, preds []*abstract.Predicate) (*certificate.Certificate, error) {
	if a.Solution == nil {
		return nil, fmt.Errorf("there is no solution to make a certificate of")
	}
	// 1. Predicates over globals.
	// The Boolean program is only needed for its nodes and their annotations.
	x := &extractor{ctx: ctx, analysis: a, nodes: firstNodes(a.Graph), cert: &certificate.Certificate{}}
	for _, p := range preds {
		// Predicates without a procedure are in scope everywhere.
		if p.Proc == nil {
			x.globals = append(x.globals, p)
			x.cert.Globals = append(x.cert.Globals, &certificate.Predicate{Name: fmt.Sprintf("g%d", len(x.globals)-1), Expr: p.Expr})
		}
	}
	// 2. Each procedure with a body, and its own predicates.
	for _, q := range prog.Procs {
		if !q.HasBody() {
			continue
		}
		var local []*abstract.Predicate
		for _, p := range preds {
			if p.Proc == q {
				local = append(local, p)
			}
		}
		if err := x.procedure(q, local); err != nil {
			return nil, fmt.Errorf("%s: %w", q.Name, err)
		}
	}
	return x.cert, nil
}

// extractor builds a certificate from the solution of an analysis.
// Predicates over globals are numbered first, so that a number has the same meaning in all procedures.
type extractor struct {
	ctx      context.Context
	analysis *checker.Analysis
	nodes    map[string]checker.Point // by id of the core node: where it starts
	globals  []*abstract.Predicate
	cert     *certificate.Certificate
}

// firstNodes returns, for each core node, the first of the Boolean nodes that abstract it. A goto
// with the id of a core node leads to it, and is not the first.
func firstNodes(g *boolprog.Graph) map[string]checker.Point {
	first := map[string]checker.Point{}
	for i, p := range g.Procs {
		for j, n := range p.Nodes {
			if n.Stmt == nil || n.Stmt.Annot == nil {
				continue
			}
			// The annotation of a goto is that of its target.
			if _, isGoto := n.Stmt.Op.(*boolprog.Goto); isGoto {
				continue
			}
			id := n.Stmt.Annot.Node
			if _, ok := first[id]; !ok {
				first[id] = checker.Point{Proc: i, Node: j}
			}
		}
	}
	return first
}

// procedure adds the predicates and invariants of q to the certificate.
func (x *extractor) procedure(q *core.Proc, local []*abstract.Predicate) error {
	p := &certificate.Procedure{Proc: q, Ghosts: ghosts(local)}
	// 1. Number the predicates in scope: globals, then those of q.
	index := map[string]int{} // by name of the Boolean variable
	for i, g := range x.globals {
		// A Boolean variable is found by its name, the text of the predicate.
		index[g.Var()] = i
	}
	for i, l := range local {
		index[l.Var()] = len(x.globals) + i
		p.Predicates = append(p.Predicates, &certificate.Predicate{Name: fmt.Sprintf("p%d", i), Expr: l.Expr})
	}
	// 2. Read the path edges of each node over them; equal formulas are shared within q.
	made := newFormulas(index)
	for i := range q.Nodes {
		f, err := x.invariant(q.NodeID(i), made)
		if err != nil {
			return err
		}
		p.Invariants = append(p.Invariants, f)
	}
	x.cert.Procedures = append(x.cert.Procedures, p)
	return nil
}

// ghosts returns the symbolic constants of the predicates, in order of occurrence.
func ghosts(preds []*abstract.Predicate) (list []*core.Var) {
	seen := map[*core.Var]bool{}
	for _, p := range preds {
		core.WalkVars(p.Expr, func(v *core.Var) {
			if v.Kind == core.Ghost && !seen[v] {
				seen[v] = true
				list = append(list, v)
			}
		})
	}
	return list
}

// invariant returns the path edges at a core node, as a formula.
func (x *extractor) invariant(id string, made *formulas) (*certificate.Formula, error) {
	at, ok := x.nodes[id]
	if !ok { // control never gets there
		return certificate.False(), nil
	}
	e, err := x.analysis.Solution.PathEdges(x.ctx, at)
	if err != nil {
		return nil, err
	}
	return made.of(e)
}
