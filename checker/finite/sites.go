package finite

import (
	"c2bp/boolprog"
	"c2bp/source"
)

// This file finds the sites of a program: the expressions that make or choose objects.

// site is an expression in a node that makes or chooses objects: a *boolprog.New, a *boolprog.Any, or a
// *boolprog.Select of a reference that may be chosen when it is read.
type site struct {
	expr    boolprog.Expr
	class   string // of the objects
	from    string // of a Select: the class of the object that is read
	rhs     int    // of a New or Any: the index of the right side that it is
	count   int    // executions, at most
	objects []int  // that the site makes, in the order in which it takes them
}

// place is the sites of a node, in the order in which they are evaluated.
type place struct {
	clause []*site // in the enforce clause, which is evaluated when control is about to reach the node
	stmt   []*site
}

// pos returns the position of a site in the text.
func (s *site) pos() source.Pos {
	switch e := s.expr.(type) {
	case *boolprog.New:
		return e.Pos
	case *boolprog.Any:
		return e.Pos
	case *boolprog.Select:
		return e.Pos
	}
	return source.Pos{}
}

// sites returns the sites of a program by procedure and node.
func sites(g *boolprog.Graph) [][]place {
	count := executions(g)
	all := make([][]place, len(g.Procs))
	for i, p := range g.Procs {
		all[i] = make([]place, len(p.Nodes))
		for v, n := range p.Nodes {
			f := finder{g: g, p: p, count: count[i][v]}
			all[i][v].clause = f.in(-1, p.Proc.Enforce)
			all[i][v].stmt = f.ofNode(n)
		}
	}
	return all
}

// finder lists the sites of one node.
type finder struct {
	g     *boolprog.Graph
	p     *boolprog.ProcGraph
	count int
}

// ofNode returns the sites of a statement. The x of a target x.f is a variable and no site.
func (f finder) ofNode(n *boolprog.Node) (list []*site) {
	switch n.Kind {
	case boolprog.NodeAssume, boolprog.NodeAssert, boolprog.NodeBranch:
		return f.in(-1, n.Cond)
	case boolprog.NodeAssign:
		for i, e := range n.Assign.Rhs {
			list = append(list, f.in(i, e)...)
		}
		return append(list, f.in(-1, n.Assign.Constrain)...)
	case boolprog.NodeCall:
		return f.in(-1, n.Call.Args...)
	case boolprog.NodeReturn:
		return f.in(-1, n.Values...)
	}
	return nil
}

// in returns the sites in expressions.
func (f finder) in(rhs int, exprs ...boolprog.Expr) (list []*site) {
	for _, e := range exprs {
		inOrder(e, func(e boolprog.Expr) {
			s := &site{expr: e, rhs: rhs, count: f.count}
			switch e := e.(type) {
			case *boolprog.New:
				s.class = e.Class
			case *boolprog.Any:
				s.class = e.Class
			case *boolprog.Select:
				s.class, s.from = f.g.TypeOf(f.p, e).Class, f.g.TypeOf(f.p, e.X).Class
			}
			if s.class != "" {
				list = append(list, s)
			}
		})
	}
	return list
}

// inOrder calls visit for the subexpressions of e, operands first, from left to right: the order in which
// they are evaluated. e may be nil.
func inOrder(e boolprog.Expr, visit func(boolprog.Expr)) {
	switch e := e.(type) {
	case nil:
		return
	case *boolprog.Not:
		inOrder(e.X, visit)
	case *boolprog.Binary:
		inOrder(e.X, visit)
		inOrder(e.Y, visit)
	case *boolprog.Choose:
		inOrder(e.P, visit)
		inOrder(e.N, visit)
	case *boolprog.Select:
		inOrder(e.X, visit)
	}
	visit(e)
}
