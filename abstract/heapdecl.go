package abstract

import (
	"slices"

	"c2bp/abstract/refs"
	"c2bp/boolprog"
	"c2bp/frontend/core"
)

// This file declares classes and references.

// classes returns the classes of the Boolean program.
func (a *abstraction) classes() (list []*boolprog.Class) {
	if a.heap == nil {
		return nil
	}
	for _, c := range a.heap.plan.Classes {
		out := &boolprog.Class{Name: c.Name}
		// The contents of a new object are arbitrary; a pointer that was not set leads nowhere.
		for _, p := range a.heap.preds[c] {
			out.Fields = append(out.Fields, &boolprog.Field{Name: p.Var(), Init: &boolprog.Nondet{}})
		}
		for _, f := range c.Fields {
			out.Fields = append(out.Fields, &boolprog.Field{Name: f.Name, Class: f.Class.Name})
		}
		for _, in := range c.Inner {
			out.Fields = append(out.Fields, &boolprog.Field{Name: in.Down(), Class: in.Class.Name})
		}
		for _, in := range c.Outer {
			out.Fields = append(out.Fields, &boolprog.Field{Name: in.Up(), Class: in.Owner.Name})
		}
		list = append(list, out)
	}
	return list
}

// globalRefs declares the references that are global: pointers, and objects.
func (a *abstraction) globalRefs() (list []*boolprog.Var) {
	if a.heap == nil {
		return nil
	}
	return a.heap.refsFor(a.prog.Globals)
}

// refsFor returns the references for variables.
func (h *heap) refsFor(vars []*core.Var) (list []*boolprog.Var) {
	for _, v := range vars {
		for _, c := range h.plan.Var(v) {
			list = append(list, &boolprog.Var{Name: h.refName(v, c), Class: c.Name})
		}
		for _, x := range h.plan.Spots(v) {
			list = append(list, &boolprog.Var{Name: objectName(x), Class: x.Class.Name})
		}
	}
	return list
}

// returned lists the classes of the references that a procedure returns.
func (a *abstraction) returned(p *core.Proc) []*refs.Class {
	if a.heap == nil || p.Result == nil {
		return nil
	}
	return a.heap.plan.Var(p.Result)
}

// declareRefs adds parameters, results and locals to a procedure.
func (a *abstraction) declareRefs(p *core.Proc, out *boolprog.Proc) {
	if a.heap == nil {
		return
	}
	h := a.heap
	// 1. Parameters, and objects that are formals.
	for _, v := range p.Formals {
		if list := h.refsFor([]*core.Var{v}); len(h.plan.Var(v)) > 0 {
			out.Params = append(out.Params, list...)
		} else {
			out.Locals = append(out.Locals, list...)
		}
	}
	// 2. The result.
	if list := a.returned(p); len(list) > 0 {
		out.Returns = make([]string, out.Results, out.Results+len(list))
		for _, c := range list {
			out.Returns = append(out.Returns, c.Name)
			out.Results++
		}
	}
	// 3. Locals, and references that single nodes need.
	out.Locals = append(out.Locals, h.refsFor(p.Locals)...)
	if p.Result != nil && !slices.Contains(p.Locals, p.Result) && !slices.Contains(p.Formals, p.Result) {
		out.Locals = append(out.Locals, h.refsFor([]*core.Var{p.Result})...)
	}
	declared := map[string]bool{}
	need := func(name string, c *refs.Class) {
		if !declared[name] {
			declared[name] = true
			out.Locals = append(out.Locals, &boolprog.Var{Name: name, Class: c.Name})
		}
	}
	x := scope{a: a, proc: p, preds: a.set.inScope(p)}
	for i, n := range p.Nodes {
		exprs := h.operands(n.Stmt)
		if alloc, ok := n.Stmt.(*core.Alloc); ok && h.plan.Site(alloc) != nil && len(h.plan.Site(alloc).Inner) > 0 {
			need(partName(h.plan.Site(alloc)), h.plan.Site(alloc))
			h.needParts(h.plan.Site(alloc), need)
		}
		c, isCall := n.Stmt.(*core.Call)
		if isCall {
			h.aroundCall(c, need)
			if c.Lhs != nil {
				exprs = append(exprs, c.Lhs)
			}
		}
		for _, roles := range h.roles(exprs) {
			list := h.follows(h.operands(n.Stmt), roles)
			x.roles = roles
			consulted, _ := x.consulted(i, list)
			list = append(list, consulted...)
			if isCall {
				more := h.destination(c, roles)
				for _, f := range more {
					need(destName(f.class), f.class)
				}
				list = append(list, more...)
			}
			for _, f := range list {
				if !f.kept {
					need(f.name, f.class)
				}
			}
		}
	}
}

// aroundCall declares the references that a call needs for its arguments and its result.
func (h *heap) aroundCall(c *core.Call, need func(string, *refs.Class)) {
	if !c.Callee.HasBody() {
		return
	}
	for i, f := range c.Callee.Formals {
		for _, class := range h.plan.Var(f) {
			need(argName(i, class), class)
		}
	}
	if c.Callee.Result != nil {
		for _, class := range h.plan.Var(c.Callee.Result) {
			need(resultName(class), class)
		}
	}
}

// enterRefs returns the statements with which a procedure begins. Its objects come into being. Where the
// program starts, those of globals do, too, and pointers that nobody has set come from outside, as those
// in formals do that are objects.
func (a *abstraction) enterRefs(p *core.Proc) (out []*boolprog.Stmt) {
	if a.heap == nil {
		return nil
	}
	outside := func(e core.Expr) bool { return a.alias.PointsTo(e).Outside() }
	// 1. Globals. Members of all objects that there are then lead anywhere, which is decided when they are read.
	if p == a.prog.Entry {
		open, set := &boolprog.Dead{}, a.setFirst()
		for _, v := range a.prog.Globals {
			if outside(v.Ref()) && !set[v] {
				out = append(out, a.heap.anything(v)...)
			}
			out = append(out, a.heap.begin(v)...)
			for _, x := range a.heap.plan.Spots(v) {
				for _, f := range x.Class.Fields {
					field := &boolprog.Ref{Name: x.Class.Name, Field: f.Name}
					if outside(f.At(x.Address, x.Class)) && !slices.ContainsFunc(open.Fields, func(r *boolprog.Ref) bool { return *r == *field }) {
						open.Fields = append(open.Fields, field)
					}
				}
			}
		}
		if len(open.Fields) > 0 {
			out = append(out, &boolprog.Stmt{Op: open})
		}
	}
	// 2. Formals and locals.
	for _, v := range slices.Concat(p.Formals, p.Locals) {
		if p == a.prog.Entry && v.Kind == core.Formal && outside(v.Ref()) {
			out = append(out, a.heap.anything(v)...)
		}
		out = append(out, a.heap.begin(v)...)
		if v.Kind != core.Formal {
			continue
		}
		for _, x := range a.heap.plan.Spots(v) {
			for _, f := range x.Class.Fields {
				out = append(out, assignRef(&boolprog.Ref{Name: objectName(x), Field: f.Name}, &boolprog.Any{Class: f.Class.Name, New: true}))
			}
		}
	}
	return out
}

// setFirst returns the globals to which the program assigns before it does anything else.
func (a *abstraction) setFirst() map[*core.Var]bool {
	set, constants := map[*core.Var]bool{}, a.alias.Constants()
	for _, n := range a.prog.Entry.Nodes {
		if !constants.Initial(n) {
			continue
		}
		for _, l := range core.Destinations(n.Stmt) {
			if v := variable(l); v != nil {
				set[v] = true
			}
		}
	}
	return set
}

// begin returns the statements that make the objects in a variable: owners before their parts.
func (h *heap) begin(v *core.Var) (out []*boolprog.Stmt) {
	for _, x := range h.plan.Spots(v) {
		object := &boolprog.Ref{Name: objectName(x)}
		out = append(out, assignRef(object, &boolprog.New{Class: x.Class.Name}))
		if from, in, _ := h.plan.Step(x.Address); from != nil {
			owner := &boolprog.Ref{Name: objectName(*h.plan.Spot(from))}
			out = append(out, assignRef(&boolprog.Ref{Name: owner.Name, Field: in.Down()}, object),
				assignRef(&boolprog.Ref{Name: object.Name, Field: in.Up()}, owner))
		}
	}
	return out
}

// allocParts returns the statements that make the parts of the object that an allocation makes.
func (s *scope) allocParts(st core.Stmt) []*boolprog.Stmt {
	alloc, ok := st.(*core.Alloc)
	if !ok {
		return nil
	}
	c := s.a.heap.plan.Site(alloc)
	for _, x := range s.a.heap.targets(alloc.Lhs, s.follows) {
		switch {
		case x.class != c || len(c.Inner) == 0:
		case x.ref.Field == "":
			return s.a.heap.newParts(x.ref, c, 0, alloc.Unset)
		default:
			object := &boolprog.Ref{Name: partName(c)}
			load := assignRef(object, &boolprog.Select{X: &boolprog.Ref{Name: x.ref.Name}, Field: x.ref.Field})
			return append([]*boolprog.Stmt{load}, s.a.heap.newParts(object, c, 0, alloc.Unset)...)
		}
	}
	return nil
}

// unsetRefs returns the statements that let those pointers of a new object lead anywhere that are read
// although nothing has set them.
func (s *scope) unsetRefs(st core.Stmt) (out []*boolprog.Stmt) {
	alloc, ok := st.(*core.Alloc)
	if !ok || len(alloc.Unset) == 0 {
		return nil
	}
	c := s.a.heap.plan.Site(alloc)
	var to *boolprog.Ref
	if v, isVar := alloc.Lhs.(*core.VarRef); isVar && slices.Contains(s.a.heap.plan.Var(v.Var), c) {
		to = &boolprog.Ref{Name: s.a.heap.refName(v.Var, c)}
	}
	if c == nil {
		return nil
	}
	for _, f := range c.Fields {
		if !s.a.heap.isUnset(f, 0, alloc.Unset) {
			continue
		}
		if to != nil {
			out = append(out, assignRef(&boolprog.Ref{Name: to.Name, Field: f.Name}, &boolprog.Any{Class: f.Class.Name, New: true}))
		} else {
			out = append(out, &boolprog.Stmt{Op: &boolprog.Dead{Fields: []*boolprog.Ref{{Name: c.Name, Field: f.Name}}}})
		}
	}
	return out
}
