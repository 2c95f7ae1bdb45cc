package refs

import (
	"fmt"
	"slices"

	"c2bp/frontend/core"
)

// This file finds the types without which little is known of those that are wanted.

// leading lists the types that are not wanted, and that have a member which leads to objects of one that is
// kept, or is declared to, or is one itself, if there are pointers to them.
func (p *Plan) leading(wants []Want) (list []Want) {
	known := map[*core.Record]bool{}
	for _, w := range wants {
		known[w.Record] = true
	}
	add := func(r *core.Record, format string, args ...any) {
		known[r] = true
		list = append(list, Want{Record: r, Why: fmt.Sprintf(format, args...)})
	}
	pointed := map[*core.Record]bool{}
	p.eachVar(func(v *core.Var) { pointed[v.To] = true })
	for _, a := range p.accesses {
		pointed[a.mem.To] = true
		if _, isPointer := a.mem.Typ.(core.Ptr); !isPointer || known[a.record] || a.name == "" {
			continue
		}
		c := p.class(a.mem.To)
		for _, t := range p.result.PointsTo(a.mem).Targets() {
			if classes := p.classesAt(t); len(classes) > 0 {
				c = classes[0]
			}
		}
		if c != nil {
			add(a.record, "its member %s leads to %s", a.name, c.Record.Name)
		}
	}
	p.eachFlow(func(to core.Loc, from core.Expr) {
		r, part := declaredTo(to), declaredTo(core.Base(from))
		at := along(wayTo(from), 1)
		if c := p.class(r); c == nil || part == nil || known[part] || at.Some || at.Size != 1 {
			return
		}
		if offsets, ok := offsetsIn(r, part); ok && slices.Contains(offsets, -at.Off) {
			add(part, "pointers to it lead to the %s that it is a part of", r.Name)
		}
	})
	for _, r := range p.prog.Records() {
		if !pointed[r] || known[r] {
			continue
		}
		for _, c := range p.Classes {
			if offsets, ok := offsetsIn(r, c.Record); ok && len(offsets) > 0 {
				add(r, "a part of it is %s", c.Record.Name)
				break
			}
		}
	}
	return list
}

// eachFlow calls f for all assignments and arguments.
func (p *Plan) eachFlow(f func(to core.Loc, from core.Expr)) {
	for _, q := range p.prog.Procs {
		for _, n := range q.Nodes {
			switch st := n.Stmt.(type) {
			case *core.Assign:
				for i, l := range st.Lhs {
					f(l, st.Rhs[i])
				}
			case *core.Call:
				for i, v := range st.Callee.Formals {
					f(v.Ref(), st.Args[i])
				}
			}
		}
	}
}

// declaredTo returns the type that a pointer is declared to point to; nil if that is not known.
func declaredTo(e core.Expr) *core.Record {
	switch e := e.(type) {
	case *core.VarRef:
		return e.Var.To
	case *core.Mem:
		return e.To
	}
	return nil
}
