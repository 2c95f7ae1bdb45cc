package inline

import (
	"slices"

	"c2bp/frontend/core"
)

// This file puts the bodies of small procedures in the place of their calls.
//
//	static inline bool IS_ERR(const void *p) { return (unsigned long)p >= -4095ul; }
//
//	if (IS_ERR(clk)) …            $1 := !!((uint64)clk >= 18446744073709547521)
//
// An abstraction keeps what a caller knows across a call in predicates about the formals and the result,
// a handful for each fact; and an analysis of pointers that does not tell calls apart mixes all that they
// are given. Within the caller both are for free.

// mostSmall is the most nodes of a small procedure.
const mostSmall = 12

// Small replaces the calls in prog of small procedures that satisfy pick by their bodies: those that call nothing,
// have no loop, choose nothing and state no property. What they call may be replaced first. A procedure to which
// nothing leads any more is taken out of prog.
func Small(prog *core.Program, pick func(*core.Proc) bool) { atMost(mostSmall, prog, pick) }

// atMost is Small for procedures of at most so many nodes.
func atMost(most int, prog *core.Program, pick func(*core.Proc) bool) {
	s := &smaller{prog: prog, most: most, replaced: map[*core.Proc]bool{}, changed: map[*core.Proc]bool{}}
	// A caller may become small once its calls are replaced.
	for s.round(pick) {
	}
	s.drop()
	for _, p := range prog.Procs {
		if p.HasBody() && s.changed[p] {
			Forward(p)
		}
	}
}

// smaller replaces calls in one program.
type smaller struct {
	prog     *core.Program
	most     int                 // nodes of a small procedure
	replaced map[*core.Proc]bool // procedures of which calls were replaced
	changed  map[*core.Proc]bool // procedures that called them
}

// round replaces the calls of procedures that are small now, and reports whether there were any.
func (s *smaller) round(pick func(*core.Proc) bool) (some bool) {
	// 1. The procedures that are small.
	small := map[*core.Proc]bool{}
	for _, p := range s.prog.Procs {
		if p != s.prog.Entry && pick(p) && s.isSmall(p) {
			small[p] = true
		}
	}
	// 2. Their calls in the others: a small procedure has none.
	for _, p := range s.prog.Procs {
		wanted := func(c *core.Call) bool { return small[c.Callee] && c.By == nil && len(c.CalledBack) == 0 }
		if slices.ContainsFunc(p.Nodes, func(n *core.Node) bool {
			c, ok := n.Stmt.(*core.Call)
			return ok && c.Callee != nil && wanted(c)
		}) {
			Calls(p, func(c *core.Call) bool {
				if wanted(c) {
					s.replaced[c.Callee], s.changed[p], some = true, true, true
					return true
				}
				return false
			}, declareIn(p))
		}
	}
	return some
}

// declareIn returns a function that declares a variable of p like one of a callee.
func declareIn(p *core.Proc) func(like *core.Var) *core.Var {
	taken := map[string]bool{}
	for _, list := range [][]*core.Var{p.Formals, p.Locals} {
		for _, v := range list {
			taken[v.Name] = true
		}
	}
	return func(like *core.Var) *core.Var {
		v := *like
		base := like.Name + "#" + like.Proc.Name
		for v.Name = base; taken[v.Name]; {
			v.Name += "'"
		}
		taken[v.Name] = true
		v.Proc, v.Kind, v.Block = p, core.Temp, ""
		p.Locals = append(p.Locals, &v)
		return &v
	}
}

// isSmall reports whether p is small, and nothing is lost if its body is in other procedures.
func (s *smaller) isSmall(p *core.Proc) bool {
	if Check(p) != nil || len(p.Nodes) > s.most {
		return false
	}
	// Objects of its own, which would live longer in the caller.
	for _, list := range [][]*core.Var{p.Formals, p.Locals} {
		if slices.ContainsFunc(list, func(v *core.Var) bool { return v.InMemory() }) {
			return false
		}
	}
	for i, n := range p.Nodes {
		// A loop.
		if slices.ContainsFunc(n.Succ, func(to int) bool { return to <= i }) {
			return false
		}
		// Nodes that say something by themselves.
		if len(n.Labels) > 0 || n.Input != nil || n.Caller != nil || n.Free || n.Decides || n.Model != nil {
			return false
		}
		switch n.Stmt.(type) {
		case *core.Skip, *core.Assign, *core.Assume, *core.Return:
		case *core.Branch:
			// Conditions decide.
			if slices.ContainsFunc(n.Succ, func(to int) bool { _, ok := p.Nodes[to].Stmt.(*core.Assume); return !ok }) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// drop takes the procedures out of the program of which calls were replaced and to which nothing leads.
func (s *smaller) drop() {
	// 1. What is called, and whose address is taken.
	used := map[*core.Proc]bool{s.prog.Entry: true}
	for _, p := range s.prog.Procs {
		for _, n := range p.Nodes {
			if c, ok := n.Stmt.(*core.Call); ok && c.Callee != nil {
				used[c.Callee] = true
			}
			core.StmtExprs(n.Stmt, func(e core.Expr) {
				core.Walk(e, func(e core.Expr) bool {
					if f, ok := e.(*core.FuncAddr); ok {
						used[f.Proc] = true
					}
					return true
				})
			})
		}
	}
	// 2. The others go.
	s.prog.Procs = slices.DeleteFunc(s.prog.Procs, func(p *core.Proc) bool { return s.replaced[p] && !used[p] })
}
