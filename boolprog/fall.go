package boolprog

import "slices"

// This file finds procedures with results that can fall off their end without returning them.

// fallOff warns about such procedures.
func (c *checker) fallOff(p *Program) {
	if !slices.ContainsFunc(p.Procs, func(proc *Proc) bool { return proc.Results > 0 }) {
		return
	}
	// Build the graphs of procedures with results only.
	g, b := outline(p)
	for _, pg := range g.Procs {
		if pg.Proc.Results > 0 {
			b.build(pg)
			c.warnFallOff(pg)
		}
	}
}

// warnFallOff warns if control reaches the return that has no statement: the one that BuildGraph
// adds.
func (c *checker) warnFallOff(p *ProcGraph) {
	for _, n := range p.reachable() {
		if node := p.Nodes[n]; node.Kind == NodeReturn && node.Stmt == nil {
			c.warnf(p.Proc.Pos, `procedure "%s" can reach its "end" without "return": its results are %s then`, p.Proc.Name, fallResults(p.Proc))
		}
	}
}

// fallResults describes the results of a procedure without a return.
func fallResults(p *Proc) string {
	switch {
	case areBooleans(p.Returns):
		return "arbitrary"
	case slices.Contains(p.Returns, ""):
		return "arbitrary, or null if they are references,"
	}
	return "null"
}

// reachable returns the nodes that control can reach from the entry if branches on constants go one
// way only, in breadth-first order: in while (1) do … od the body, and not the statement after the
// loop.
func (p *ProcGraph) reachable() []int {
	seen := make([]bool, len(p.Nodes))
	seen[p.Entry] = true
	list := []int{p.Entry}
	for i := 0; i < len(list); i++ {
		n := p.Nodes[list[i]]
		// A constant condition has one successor, or none.
		succ := n.Succ
		if c, ok := n.Cond.(*Const); ok {
			switch {
			case n.Kind == NodeBranch && c.Val:
				succ = succ[:1]
			case n.Kind == NodeBranch:
				succ = succ[1:]
			case !c.Val:
				succ = nil
			}
		}
		for _, s := range succ {
			if !seen[s] {
				seen[s] = true
				list = append(list, s)
			}
		}
	}
	return list
}
