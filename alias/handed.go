package alias

import (
	"slices"

	"c2bp/frontend/core"
)

// This file finds the procedures of a driver that only its harness calls. A driver hands them over, to functions
// without a body, and a harness stands for all the calls that these make:
//
//	static const struct ops ops = { .stream = stream };
//	register_sub(s, &ops);                 stream is handed over
//	s->source->ops->stream(…)              a pointer from outside does not lead to it
//
// What the driver puts into memory itself, it may find there again, by whatever way the memory comes back:
//
//	s->ops = &ops;                         stream is not only handed over, nor would it be if ops were no constant
//
// Nor is what a function without a body may give back, or what a table has for the driver's own use:
//
//	match = match_node(ids, node);                         { .compatible = "a", .data = &chip_a } in ids
//	chip = match->data;  chip->init(dev);                  with a data of type void *

// handedOver returns the procedures of p whose addresses are given to functions without a body and nowhere else, by
// themselves or in constant tables of which this is true.
func handedOver(p *core.Program) map[*core.Proc]bool {
	h := &handing{kept: map[any]bool{}, in: map[*core.Var][]any{}, taken: map[*core.Proc]bool{}}
	for _, q := range p.Procs {
		for _, n := range q.Nodes {
			h.statement(n.Stmt)
		}
	}
	// What a table holds is kept where the table is.
	for more := true; more; {
		more = false
		for v, list := range h.in {
			for _, x := range list {
				if h.kept[v] && !h.kept[x] {
					h.kept[x], more = true, true
				}
			}
		}
	}
	for f := range h.taken {
		if h.kept[f] {
			delete(h.taken, f)
		}
	}
	return h.taken
}

// handing is one search for procedures that are handed over. A variable or a procedure stands for its address.
type handing struct {
	taken map[*core.Proc]bool // procedures whose addresses the program mentions
	kept  map[any]bool        // variables and procedures whose addresses may be in memory that the program reads
	in    map[*core.Var][]any // by table, the variables and procedures in its initial value
}

// isFunction reports whether e is the address of a procedure.
func isFunction(e core.Expr) bool {
	_, is := e.(*core.FuncAddr)
	return is
}

// statement notes the addresses in s.
func (h *handing) statement(s core.Stmt) {
	switch s := s.(type) {
	// 1. An assignment, perhaps the initialiser of a table.
	case *core.Assign:
		for i, l := range s.Lhs {
			m, ok := l.(*core.Mem)
			if !ok {
				// The program gets nothing from a rule.
				if !l.(*core.VarRef).Var.Rule {
					h.keep(s.Rhs[i])
				}
				continue
			}
			if v, _ := PlaceIn(m.Addr); v != nil && v.Const && (m.To != nil || isFunction(s.Rhs[i])) {
				h.addresses(s.Rhs[i], func(x any) { h.in[v] = append(h.in[v], x) })
			} else {
				h.keep(l)
				h.keep(s.Rhs[i])
			}
		}
	// 2. A call of a function without a body.
	case *core.Call:
		if s.Callee == nil || s.Callee.HasBody() || s.Callee.Assembly || givesBack(s) {
			core.StmtExprs(s, h.keep)
			return
		}
		for _, a := range slices.Concat(s.Args, s.Extra) {
			if a != nil {
				h.addresses(a, func(any) {})
			}
		}
	// 3. Bytes without addresses, of a variable that is named.
	case *core.Fill:
		if v, _ := PlaceIn(s.Dst); v == nil {
			h.keep(s.Dst)
		}
	case *core.Data:
		if v, _ := PlaceIn(s.Dst); v == nil {
			h.keep(s.Dst)
		}
	default:
		core.StmtExprs(s, h.keep)
	}
}

// givesBack reports whether the program may get a pointer from c, a call of a function without a body: as its result, or
// in a variable to which it gives a pointer. It may be one that the function was given, or has found there.
//
//	const struct id *match_id(const struct id *table, struct dev *d)
//	int find_id(const struct id *table, const void **data)
func givesBack(c *core.Call) bool {
	return c.Lhs != nil && isPtr(c.Lhs.Type()) || slices.ContainsFunc(slices.Concat(c.Args, c.Extra), func(a core.Expr) bool {
		v, is := a.(*core.AddrOf)
		return is && isPtr(v.Var.Type)
	})
}

// keep notes that the addresses in e may get anywhere.
func (h *handing) keep(e core.Expr) { h.addresses(e, func(x any) { h.kept[x] = true }) }

// addresses calls f for each address in e that its value may be computed from, or that a pointer may be found equal to.
// Other comparisons, as with null, tell nothing. The value of a member of a table may be any address in it: for that f
// is called with the table.
func (h *handing) addresses(e core.Expr, f func(any)) {
	switch e := e.(type) {
	case *core.FuncAddr:
		h.taken[e.Proc] = true
		f(e.Proc)
		return
	case *core.AddrOf:
		f(e.Var)
		return
	case *core.Mem:
		if v, _ := PlaceIn(e.Addr); v != nil {
			f(v)
			return
		}
	case *core.Binary:
		if e.Op.IsComparison() && (e.Op != core.Eq && e.Op != core.Ne || leadsNowhere(e.X) || leadsNowhere(e.Y)) {
			f = func(any) {}
		}
	}
	for _, c := range core.Children(e) {
		h.addresses(c, f)
	}
}

// leadsNowhere reports whether e is null or another number, or a pointer made of one.
func leadsNowhere(e core.Expr) bool {
	if p, ok := e.(*core.ToPtr); ok {
		e = p.X
	}
	return isNumber(e)
}
