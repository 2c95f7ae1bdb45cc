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
		if c := h.plan.Var(v); c != nil {
			list = append(list, &boolprog.Var{Name: refName(v), Class: c.Name})
		}
		if c := h.plan.Object(v); c != nil {
			list = append(list, &boolprog.Var{Name: objectName(v), Class: c.Name})
		}
	}
	return list
}

// returnsRef reports whether the result of a procedure is a reference.
func (a *abstraction) returnsRef(p *core.Proc) bool {
	return a.heap != nil && p.Result != nil && a.heap.plan.Var(p.Result) != nil
}

// declareRefs adds parameters, results and locals to a procedure.
func (a *abstraction) declareRefs(p *core.Proc, out *boolprog.Proc) {
	if a.heap == nil {
		return
	}
	h := a.heap
	// 1. Parameters, and objects that are formals.
	for _, v := range p.Formals {
		if c := h.plan.Var(v); c != nil {
			out.Params = append(out.Params, &boolprog.Var{Name: refName(v), Class: c.Name})
		} else {
			out.Locals = append(out.Locals, h.refsFor([]*core.Var{v})...)
		}
	}
	// 2. The result.
	if a.returnsRef(p) {
		out.Returns = make([]string, out.Results, out.Results+1)
		out.Returns = append(out.Returns, h.plan.Var(p.Result).Name)
		out.Results++
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
	for _, n := range p.Nodes {
		list := h.follows(operands(n.Stmt))
		if c, ok := n.Stmt.(*core.Call); ok {
			list = append(list, h.aroundCall(c, need)...)
		}
		for _, f := range list {
			if !f.kept {
				need(f.name, f.class)
			}
		}
	}
}

// aroundCall declares the references that a call needs, and returns those that lead to the place of its
// result.
func (h *heap) aroundCall(c *core.Call, need func(string, *refs.Class)) (list []follow) {
	for i, f := range c.Callee.Formals {
		if class := h.plan.Var(f); class != nil && c.Callee.HasBody() {
			need(argName(i, class), class)
		}
	}
	if c.Callee.Result != nil {
		if class := h.plan.Var(c.Callee.Result); class != nil {
			need(resultName(class), class)
		}
	}
	if c.Lhs != nil {
		list = h.follows([]core.Expr{c.Lhs})
		for _, f := range list {
			need(destName(f.class), f.class)
		}
	}
	return list
}

// enterRefs returns the statements with which a procedure begins. Its objects come into being. Where the
// program starts, those of globals do, too, and pointers that nobody has set come from outside, as those
// in formals do that are objects.
func (a *abstraction) enterRefs(p *core.Proc) (out []*boolprog.Stmt) {
	if a.heap == nil {
		return nil
	}
	vars := slices.Concat(p.Formals, p.Locals)
	if p == a.prog.Entry {
		vars = slices.Concat(a.prog.Globals, vars)
	}
	outside := func(e core.Expr) bool { return a.alias.PointsTo(e).Outside() }
	for _, v := range vars {
		// 1. A pointer of the program, or of who starts it.
		if c := a.heap.plan.Var(v); c != nil && p == a.prog.Entry && v.Kind != core.Local && v.Kind != core.Temp && outside(v.Ref()) {
			out = append(out, assignRef(&boolprog.Ref{Name: refName(v)}, &boolprog.Any{Class: c.Name, New: true}))
		}
		// 2. An object.
		c := a.heap.plan.Object(v)
		if c == nil {
			continue
		}
		out = append(out, assignRef(&boolprog.Ref{Name: objectName(v)}, &boolprog.New{Class: c.Name}))
		for _, f := range c.Fields {
			place := f.At(&core.AddrOf{Var: v, Typ: a.heap.pointer}, c)
			if v.Kind == core.Formal || v.Kind == core.Global && outside(place) {
				out = append(out, assignRef(&boolprog.Ref{Name: objectName(v), Field: f.Name}, &boolprog.Any{Class: f.Class.Name, New: true}))
			}
		}
	}
	return out
}

// unsetRefs returns the statements that let those pointers of a new object lead anywhere that are read
// although nothing has set them.
func (s *scope) unsetRefs(st core.Stmt) (out []*boolprog.Stmt) {
	alloc, ok := st.(*core.Alloc)
	if !ok || len(alloc.Unset) == 0 {
		return nil
	}
	c := s.a.heap.plan.Site(alloc)
	v, isVar := alloc.Lhs.(*core.VarRef)
	if c == nil {
		return nil
	}
	size := core.Bytes(s.a.heap.pointer)
	for _, f := range c.Fields {
		if len(core.Ranges{{Off: f.Off, End: f.Off + size}}.Common(alloc.Unset)) == 0 {
			continue
		}
		if isVar && s.a.heap.plan.Var(v.Var) == c {
			out = append(out, assignRef(&boolprog.Ref{Name: refName(v.Var), Field: f.Name}, &boolprog.Any{Class: f.Class.Name, New: true}))
		} else {
			out = append(out, &boolprog.Stmt{Op: &boolprog.Dead{Fields: []*boolprog.Ref{{Name: c.Name, Field: f.Name}}}})
		}
	}
	return out
}
