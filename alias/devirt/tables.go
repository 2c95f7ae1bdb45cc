package devirt

import (
	"c2bp/alias"
	"c2bp/frontend/core"
)

// This file replaces reads of constants, those in tables of operations above all. A read at a known
// address is replaced by its value; a statement that reads through a pointer that leads to
// constants alone, by a case for each.
//
//	0: assume f->op->get == &get_b -> 1     0: assume f->op == &table_b -> 1
//
//	0: x := op->size -> 1                   0: branch              -> 2 4
//	                                        2: assume op == &table_a -> 3
//	                                        3: x := 8              -> 1
//	                                        4: assume op == &table_b -> 5
//	                                        5: x := 16             -> 1
//
// A pointer that leads nowhere is in none of the cases: dereferencing it is undefined.

// constants is the constant places of a program, and the analysis that found them.
type constants struct {
	*alias.Constants
	result *alias.Result
}

// maxCases bounds the number of cases of one statement.
const maxCases = 8

// arm is one case of a statement: its assumptions about pointers, and its effect; stmt is nil if it
// has none.
type arm struct {
	tests []core.Expr
	stmt  core.Stmt
}

// reads returns the expansion of node n of the procedure, nil if it stays.
func (r *resolver) reads(n *core.Node) *expansion {
	if r.constants.Initial(n) {
		return nil
	}
	// 1. Replace reads at known addresses.
	n.Stmt = core.ReplaceOperands(n.Stmt, r.constants.known)
	// 2. Split the others into cases.
	arms := r.constants.arms(n.Stmt, maxCases)
	if len(arms) == 1 && len(arms[0].tests) == 0 && arms[0].stmt == n.Stmt {
		return nil
	}
	if len(arms) == 0 {
		arms = []arm{{tests: []core.Expr{core.NewConst(0, core.Int32)}}}
	}
	// 3. A branch with an arm for each case.
	x := &expansion{}
	if len(arms) > 1 {
		x.nodes = append(x.nodes, &core.Node{Stmt: &core.Branch{}})
	}
	for _, a := range arms {
		var list []*core.Node
		for _, t := range a.tests {
			list = append(list, &core.Node{Stmt: &core.Assume{Cond: t}})
		}
		if a.stmt != nil {
			list = append(list, &core.Node{Stmt: a.stmt})
		}
		if _, isAssume := n.Stmt.(*core.Assume); isAssume {
			list[0].Origin, list[0].Text = n.Origin, n.Text
		} else {
			list[len(list)-1].Text = n.Text
		}
		x.chain(0, list...)
	}
	return x
}

// arms returns the cases of s, s alone if there are more than most.
func (k constants) arms(s core.Stmt, most int) []arm {
	// A case that is impossible has no arms.
	if a, ok := s.(*core.Assume); ok {
		if holds, known := decide(a.Cond); known && !holds {
			return nil
		}
	}
	// Replace one read in each of its cases, and split the result again.
	read, cases := k.firstRead(s)
	var out []arm
	for _, c := range cases {
		text := core.ExprString(read)
		t := core.ReplaceOperands(s, func(e core.Expr) core.Expr {
			return k.known(core.Replace(e, func(e core.Expr) core.Expr {
				if m, ok := e.(*core.Mem); ok && m.Typ == read.Typ && core.ExprString(m) == text {
					return c.value
				}
				return nil
			}))
		})
		for _, a := range k.arms(t, most) {
			a.tests = append([]core.Expr{c.test}, a.tests...)
			out = append(out, a.decided())
		}
		if len(out) > most {
			return []arm{{stmt: s}}
		}
	}
	if len(cases) == 0 {
		return []arm{{stmt: s}}
	}
	return out
}

// decided returns a without an assumption that always holds.
func (a arm) decided() arm {
	if s, ok := a.stmt.(*core.Assume); ok {
		if holds, known := decide(s.Cond); known && holds {
			a.stmt = nil
		}
	}
	return a
}

// oneCase is the value of a read if its address is one of those that it may be.
type oneCase struct {
	test  core.Expr // the address is this one
	value core.Expr
}

// firstRead finds a read in s, an assumption or assignment, whose cases are known. Inner reads come
// first.
func (k constants) firstRead(s core.Stmt) (read *core.Mem, cases []oneCase) {
	// 1. Visit operands before the expression itself.
	var visit func(core.Expr)
	visit = func(e core.Expr) {
		for _, c := range core.Children(e) {
			visit(c)
		}
		if m, ok := e.(*core.Mem); ok && len(cases) == 0 {
			if cases = k.cases(m); len(cases) > 0 {
				read = m
			}
		}
	}
	// 2. Only assumptions and assignments have cases.
	switch s := s.(type) {
	case *core.Assume:
		visit(s.Cond)
	case *core.Assign:
		for i, e := range s.Rhs {
			if m, ok := s.Lhs[i].(*core.Mem); ok {
				visit(m.Addr)
			}
			visit(e)
		}
	}
	return read, cases
}

// cases returns the values that m may read, by its address; nil if some are not known, or if there
// are many.
func (k constants) cases(m *core.Mem) (out []oneCase) {
	for _, t := range k.result.PointsTo(m.Addr).Targets() {
		// Other objects are not constant.
		if t.Object.Kind != alias.Variable {
			return nil
		}
		// Try each element of an array that the address may be.
		stride, count := t.Stride, t.Count
		if stride != 0 {
			fit := (t.Object.Size - t.Off - core.Bytes(m.Typ) + stride) / stride
			if count == 0 || count > fit {
				count = fit
			}
		}
		for i := range max(count, 1) {
			off := t.Off + i*stride
			value := k.At(t.Object.Var, off, m.Typ, m.Bit)
			if value == nil || len(out) == maxCases {
				return nil
			}
			out = append(out, oneCase{isAt(m.Addr, t.Object.Var, off), value})
		}
	}
	return out
}

// isAt returns the condition that address a is that of byte off of v.
func isAt(a core.Expr, v *core.Var, off int64) core.Expr {
	// 1. Move constant offsets to the other side.
	base, rest := a, off
	for {
		x, ok := base.(*core.Offset)
		if !ok {
			break
		}
		base, rest = x.X, rest-x.Off
	}
	// 2. An element of an array in v: compare the index.
	if x, ok := base.(*core.Index); ok && x.Size > 0 {
		if w, first := alias.PlaceIn(x.X); w == v && (rest-first)%x.Size == 0 {
			t := x.I.Type().(core.Int)
			if i := core.NewConst((rest-first)/x.Size, t); t.Contains(i.Val) {
				return &core.Binary{Op: core.Eq, X: x.I, Y: i}
			}
		}
	}
	// 3. Compare addresses.
	if rest < 0 || rest > core.Bytes(v.Type) {
		base, rest = a, off
	}
	var to core.Expr = &core.AddrOf{Var: v, Typ: base.Type().(core.Ptr)}
	if rest != 0 {
		to = &core.Offset{X: to, Off: rest}
	}
	return &core.Binary{Op: core.Eq, X: base, Y: to}
}

// known returns e with the values of its reads at known addresses of constants.
func (k constants) known(e core.Expr) core.Expr {
	// 1. Operands first: the address of a read may become known.
	if old := core.Children(e); len(old) > 0 {
		next, changed := make([]core.Expr, len(old)), false
		for i, c := range old {
			next[i] = k.known(c)
			changed = changed || next[i] != c
		}
		if changed {
			e = core.WithChildren(e, next)
		}
	}
	// 2. The value at a known address.
	var value core.Expr
	switch l := e.(type) {
	case *core.VarRef:
		value = k.At(l.Var, 0, l.Var.Type, 0)
	case *core.Mem:
		if v, off := alias.PlaceIn(l.Addr); v != nil {
			value = k.At(v, off, l.Typ, l.Bit)
		}
	}
	if value != nil {
		return value
	}
	return e
}
