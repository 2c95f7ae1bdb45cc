package backward

import (
	"slices"

	"c2bp/frontend/core"
	"c2bp/refine/algebra"
	"c2bp/refine/cex"
	"c2bp/wp"
)

// This file finds words for a pointer that caller and callee both read from memory, as drivers do with their private data:
//
//	int probe(struct device *dev) {
//	    struct priv *p = dev->driver_data;
//	    setup(dev);
//	    if (p->on) …                           on, as setup has left it
//	}
//	void setup(struct device *dev) {
//	    struct priv *q = dev->driver_data;
//	    q->on = 0;                             '(dev->driver_data)->on, which is p->on
//	}

// memoryProvenance returns two expressions for the value that the caller's variable v has at the call on the path: inside,
// with a symbolic constant of the callee, and before, in terms of the caller. It is a constant number of bytes away from a
// pointer in memory that the callee reads, the first on the path; they are nil if there is none.
func (w *Walk) memoryProvenance(v *core.Var, call *core.Call, f *cex.Frame) (inside, before core.Expr) {
	if v.Kind == core.Ghost || v.InMemory() {
		return nil, nil
	}
	list := slices.DeleteFunc(w.pointersRead(f), func(m *core.Mem) bool { return !known(m, call) })
	if len(list) == 0 {
		return nil, nil
	}
	x := w.atCall(f)
	value := x.Eval(f.Caller, f.Call, v.Ref())
	for _, m := range list {
		pointer := wp.Actual(call, m)
		if d := x.Table.Sub(value, x.Eval(f.Caller, f.Call, pointer)); d.IsConst() && d.Val.IsInt64() {
			away := d.Val.Int64()
			return algebra.Displace(w.Constants.Of(f.Proc, m).Ref(), away), algebra.Displace(pointer, away)
		}
	}
	return nil, nil
}

// known reports whether the arguments tell the place m, which is in terms of the callee, before the call.
func known(m *core.Mem, call *core.Call) bool {
	return !core.Mentions(m, func(v *core.Var) bool {
		i := slices.Index(call.Callee.Formals, v)
		return i >= 0 && (i >= len(call.Args) || call.Args[i] == nil)
	})
}

// pointersRead returns the pointers in memory that activation f reads on the path, in terms of its formals and of globals
// at its entry, as far as variables outside of memory lead to them.
func (w *Walk) pointersRead(f *cex.Frame) (list []*core.Mem) {
	// The variables of f in terms of its entry. A formal that was not assigned to is what it was.
	values := map[*core.Var]core.Expr{}
	atEntry := func(e core.Expr) core.Expr {
		known := true
		e = core.Replace(e, func(y core.Expr) core.Expr {
			r, ok := y.(*core.VarRef)
			if !ok {
				return nil
			}
			value, set := values[r.Var]
			known = known && (set && value != nil || !set && !r.Var.InMemory() && (r.Var.Kind == core.Formal || r.Var.Kind == core.Global))
			return value
		})
		if !known {
			return nil
		}
		return e
	}
	seen := map[string]bool{}
	for i := f.Call + 1; i < f.Return; i++ {
		s := w.Path.Steps[i]
		if s.Frame != f {
			continue
		}
		// 1. The pointers that the statement reads.
		core.StmtExprs(s.Stmt(), func(e core.Expr) {
			for _, l := range core.Loads(e) {
				m, ok := l.(*core.Mem)
				if _, isPtr := l.Type().(core.Ptr); !ok || !isPtr {
					continue
				}
				if e, ok := atEntry(m).(*core.Mem); ok && !seen[core.ExprString(e)] {
					seen[core.ExprString(e)] = true
					list = append(list, e)
				}
			}
		})
		// 2. What it assigns.
		var set []core.Expr
		a, ok := s.Stmt().(*core.Assign)
		if ok {
			for _, e := range a.Rhs {
				set = append(set, atEntry(e))
			}
		}
		for k, l := range core.Destinations(s.Stmt()) {
			if v := algebra.Variable(l); v != nil {
				values[v] = nil
				if ok && algebra.Size(a.Rhs[k]) <= maxSize {
					values[v] = set[k]
				}
			}
		}
	}
	return list
}
