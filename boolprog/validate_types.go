package boolprog

import "fmt"

// This file defines the part of the sanity pass that checks types.

// validateTypes checks that every value of n fits the place where it is stored, and that conditions
// are Boolean.
func (g *Graph) validateTypes(p *ProcGraph, n *Node) error {
	switch n.Kind {
	case NodeAssume, NodeAssert, NodeBranch:
		return g.validateType(p, n.Cond, Type{})
	case NodeReturn:
		return g.validateEach(p, n.Values, p.Proc.Result)
	// Each value fits its target.
	case NodeAssign:
		for i, r := range n.Assign.Lhs {
			if err := g.validateType(p, n.Assign.Rhs[i], g.TargetType(p, r)); err != nil {
				return err
			}
		}
	case NodeStart:
		if n.Callee != nil {
			return g.validateEach(p, n.Call.Args, func(i int) Type { return n.Callee.Vars[i].Type() })
		}
	// Results fit their targets, and arguments their parameters.
	case NodeCall:
		for i, r := range n.Call.Lhs {
			if r.Name != "_" && !n.Callee.Proc.Result(i).Is(g.TargetType(p, r)) {
				return fmt.Errorf("result %d for %s has the wrong type", i, target(r))
			}
		}
		return g.validateEach(p, n.Call.Args, func(i int) Type { return n.Callee.Vars[i].Type() })
	case NodeDead:
		for _, r := range n.Dead.Vars {
			if g.TargetType(p, r).Ref {
				return fmt.Errorf("reference %s made arbitrary", target(r))
			}
		}
	}
	return nil
}

// validateEach checks each expression of a list.
func (g *Graph) validateEach(p *ProcGraph, list []Expr, want func(i int) Type) error {
	for i, e := range list {
		if err := g.validateType(p, e, want(i)); err != nil {
			return err
		}
	}
	return nil
}

// validateType checks that e has a type.
func (g *Graph) validateType(p *ProcGraph, e Expr, want Type) error {
	if t := g.TypeOf(p, e); !t.Is(want) {
		return fmt.Errorf("%s is %s: expected %s", ExprString(e), t, want)
	}
	return nil
}
