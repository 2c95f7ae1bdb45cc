// Package extract makes certificates of what the abstraction and the checker found: the
// path edges at each node of the Boolean program, read as an invariant of the core node
// that it abstracts.
//
//	Boolean program                      certificate
//	variable {x == 1}                    predicate (== (var x) (const int32 1))
//	path edges, {x == 1} and '{x == 1}   (iff p0 (entry p0))
//	a node that is not reached           false
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

// Part is an abstraction, by all the predicates of the Boolean program that was analysed.
type Part struct {
	Analysis   *checker.Analysis
	Predicates []*abstract.Predicate
}

// Proof makes a certificate of each part, about the properties that hold there.
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

// proved is the nodes of the properties that hold, nil if all do. Where a node has two, an
// assertion and a label, both do or neither counts.
func proved(r *verdict.Result) []string {
	if r.Verdict == verdict.True {
		return nil
	}
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

// Certificate makes a certificate for prog from the analysis of its abstraction by preds:
// all the predicates of the Boolean program. It fails if the analysis has no solution, and
// like it.
func Certificate(ctx context.Context, prog *core.Program, a *checker.Analysis, preds []*abstract.Predicate) (*certificate.Certificate, error) {
	if a.Solution == nil {
		return nil, fmt.Errorf("there is no solution to make a certificate of")
	}
	x := &extractor{ctx: ctx, analysis: a, nodes: firstNodes(a.Graph), cert: &certificate.Certificate{}}
	for _, p := range preds {
		if p.Proc == nil {
			x.globals = append(x.globals, p)
			x.cert.Globals = append(x.cert.Globals, &certificate.Predicate{Name: fmt.Sprintf("g%d", len(x.globals)-1), Expr: p.Expr})
		}
	}
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

type extractor struct {
	ctx      context.Context
	analysis *checker.Analysis
	nodes    map[string]checker.Point // by id of the core node: where it starts
	globals  []*abstract.Predicate
	cert     *certificate.Certificate
}

// firstNodes finds the first node of those that abstract each core node. A goto with the
// id of a core node leads to it and is not the first.
func firstNodes(g *boolprog.Graph) map[string]checker.Point {
	first := map[string]checker.Point{}
	for i, p := range g.Procs {
		for j, n := range p.Nodes {
			if n.Stmt == nil || n.Stmt.Annot == nil {
				continue
			}
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

// procedure adds q.
func (x *extractor) procedure(q *core.Proc, local []*abstract.Predicate) error {
	p := &certificate.Procedure{Proc: q, Ghosts: ghosts(local)}
	index := map[string]int{} // by name of the Boolean variable
	for i, g := range x.globals {
		index[g.Var()] = i
	}
	for i, l := range local {
		index[l.Var()] = len(x.globals) + i
		p.Predicates = append(p.Predicates, &certificate.Predicate{Name: fmt.Sprintf("p%d", i), Expr: l.Expr})
	}
	for i := range q.Nodes {
		f, err := x.invariant(q.NodeID(i), index)
		if err != nil {
			return err
		}
		p.Invariants = append(p.Invariants, f)
	}
	x.cert.Procedures = append(x.cert.Procedures, p)
	return nil
}

// ghosts lists the symbolic constants of the predicates, in order of occurrence.
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

// invariant is that of a core node.
func (x *extractor) invariant(id string, index map[string]int) (*certificate.Formula, error) {
	at, ok := x.nodes[id]
	if !ok { // control never gets there
		return certificate.False(), nil
	}
	e, err := x.analysis.Solution.PathEdges(x.ctx, at)
	if err != nil {
		return nil, err
	}
	return formula(e, index)
}

// formula is a formula of the checker as one over predicates.
func formula(e boolprog.Expr, index map[string]int) (*certificate.Formula, error) {
	switch e := e.(type) {
	case *boolprog.Const:
		if e.Val {
			return certificate.True(), nil
		}
		return certificate.False(), nil
	case *boolprog.Ref:
		i, ok := index[e.Name]
		if !ok {
			return nil, fmt.Errorf("%s is no predicate", e.Name)
		}
		if e.Next {
			return &certificate.Formula{Op: certificate.Held, Pred: i}, nil
		}
		return &certificate.Formula{Op: certificate.Holds, Pred: i}, nil
	case *boolprog.Not:
		f, err := formula(e.X, index)
		if err != nil {
			return nil, err
		}
		return negated(f), nil
	case *boolprog.Binary:
		switch e.Op {
		case boolprog.And:
			return compound(certificate.And, index, operands(e, boolprog.And)...)
		case boolprog.Or:
			return compound(certificate.Or, index, operands(e, boolprog.Or)...)
		case boolprog.Eq:
			return compound(certificate.Iff, index, e.X, e.Y)
		}
	}
	return nil, fmt.Errorf("no formula: %s", boolprog.ExprString(e))
}

// negated is the negation of f, of its operands where they are few words.
func negated(f *certificate.Formula) *certificate.Formula {
	out := &certificate.Formula{}
	switch f.Op {
	case certificate.Not:
		return f.Args[0]
	case certificate.And:
		out.Op = certificate.Or
	case certificate.Or:
		out.Op = certificate.And
	default:
		return &certificate.Formula{Op: certificate.Not, Args: []*certificate.Formula{f}}
	}
	for _, x := range f.Args {
		out.Args = append(out.Args, negated(x))
	}
	return out
}

func compound(op certificate.Op, index map[string]int, list ...boolprog.Expr) (*certificate.Formula, error) {
	f := &certificate.Formula{Op: op}
	for _, e := range list {
		x, err := formula(e, index)
		if err != nil {
			return nil, err
		}
		f.Args = append(f.Args, x)
	}
	return f, nil
}

// operands flattens a chain x op y op z.
func operands(e boolprog.Expr, op boolprog.BinOp) []boolprog.Expr {
	var back []boolprog.Expr
	for {
		b, ok := e.(*boolprog.Binary)
		if !ok || b.Op != op {
			break
		}
		back = append(back, b.Y)
		e = b.X
	}
	out := []boolprog.Expr{e}
	for i := len(back) - 1; i >= 0; i-- {
		out = append(out, back[i])
	}
	return out
}
