package invgen

import (
	"context"
	"math/big"
	"slices"

	"c2bp/frontend/core"
	"c2bp/frontend/core/interp"
	"c2bp/refine/algebra"
	"c2bp/refine/cex"
	"c2bp/refine/fuzz"
	"c2bp/wp"
)

// This file finds predicates where no unsat core leads to any: the values themselves. If in runs with
// random inputs a variable holds but a few values, each of them is a predicate. Of
//
//	static int f(int n) { int k = n & 1; if (n <= 0) return 1; int v = f(n - 1); return v + k; }
//
// called with 0, 1, 2 or 3, no comparison in the program speaks of the relation between n and the result;
// with n == 0 … n == 3 and \result == 1 … \result == 3 the abstraction is a table of the function.

const (
	mostValues = 8       // of a place: with more of them it is not one of few
	mostEqual  = 48      // predicates of this kind for a path
	fewSteps   = 100_000 // of the runs that are looked at
)

// domain is the values that a place was seen to hold.
type domain struct {
	proc   *core.Proc // nil for a global
	place  core.Loc
	values []*big.Int
	many   bool
}

// see adds a value.
func (d *domain) see(v *big.Int) {
	if d.many || slices.ContainsFunc(d.values, func(w *big.Int) bool { return w.Cmp(v) == 0 }) {
		return
	}
	d.values = append(d.values, v)
	d.many = len(d.values) > mostValues
}

// domains are places, by procedure and text, in the order in which they were asked for.
type domains struct {
	aliases       wp.Aliases
	bits          int // of pointers
	list          []*domain
	by            map[domainKey]*domain
	reads, writes *memo
}

// domainKey identifies a place in a procedure.
type domainKey struct {
	proc *core.Proc
	text string
}

// add adds a place of numbers; isNew is false if it is there already or holds no number.
func (d *domains) add(p *core.Proc, l core.Loc) (isNew bool) {
	if _, number := l.Type().(core.Int); !number {
		return false
	}
	if !core.Mentions(l, func(v *core.Var) bool { return v.Kind != core.Global }) {
		p = nil
	}
	// Each place once.
	key := domainKey{p, core.ExprString(l)}
	if d.by[key] != nil {
		return false
	}
	d.by[key] = &domain{proc: p, place: l}
	d.list = append(d.list, d.by[key])
	return true
}

// of returns the domain of l in p, nil if it was not asked for.
func (d *domains) of(p *core.Proc, l core.Loc) *domain {
	// A place of the procedure, or a global one.
	text := core.ExprString(l)
	if x := d.by[domainKey{p, text}]; x != nil {
		return x
	}
	return d.by[domainKey{nil, text}]
}

// elementsOf returns the elements of a small array that l may be, if its index is no constant; none
// otherwise.
func elementsOf(l core.Loc) (out []core.Loc) {
	m, ok := l.(*core.Mem)
	if !ok {
		return nil
	}
	var array *core.Index
	core.Walk(m.Addr, func(e core.Expr) bool {
		if x, ok := e.(*core.Index); ok && array == nil {
			if _, known := x.I.(*core.Const); !known {
				array = x
			}
		}
		return array == nil
	})
	if array == nil {
		return nil
	}
	// 1. Arrays of few elements only.
	n := array.Count
	if v, ok := array.X.(*core.AddrOf); ok && n == 0 && array.Size > 0 {
		n = core.Bytes(v.Var.Type) / array.Size
	}
	if n > mostValues {
		return nil
	}
	// 2. One place for each index.
	for i := range n {
		addr := core.Replace(m.Addr, func(e core.Expr) core.Expr {
			if e == core.Expr(array) {
				return &core.Index{X: array.X, I: core.NewConst(i, core.Int64), Size: array.Size, Count: array.Count}
			}
			return nil
		})
		out = append(out, m.At(addr))
	}
	return out
}

// computedFrom returns the places that the condition at the end of a path is computed from, the nearest
// first, and then those of its other conditions, the last first.
func (fd *Finder) computedFrom(p *cex.Path) *domains {
	d := &domains{aliases: fd.Aliases, bits: fd.Bits, by: map[domainKey]*domain{}}
	d.reads = &memo{map[*core.Node][]*domain{}, d.read}
	d.writes = &memo{map[*core.Node][]*domain{}, d.written}
	type item struct {
		proc *core.Proc
		expr core.Loc
	}
	var queue []item
	// read adds the places that e reads in q.
	read := func(q *core.Proc, e core.Expr) {
		core.Walk(e, func(e core.Expr) bool {
			if l, ok := e.(core.Loc); ok && algebra.IsScalar(l.Type()) {
				for _, l := range append(elementsOf(l), l) {
					if d.add(q, l) {
						queue = append(queue, item{q, l})
					}
				}
			}
			return true
		})
	}
	// copied adds the places that a copy of size bytes, from src in procedure from to dst in procedure
	// to, relates to l.
	copied := func(to, from *core.Proc, l core.Loc, dst, src core.Expr, size int64) {
		for _, o := range algebra.Offsets(l, dst, size, fd.Bits) {
			read(from, &core.Mem{Addr: algebra.Displace(src, o), Typ: l.Type(), Bit: algebra.Bit(l)})
			read(to, &core.Mem{Addr: algebra.Displace(dst, o), Typ: l.Type(), Bit: algebra.Bit(l)})
		}
	}
	// follow adds the places from which those in the queue get their values on the path, and so on.
	follow := func() {
		for len(queue) > 0 {
			x := queue[0]
			queue = queue[1:]
			text := core.ExprString(x.expr)
			// Each statement of the path that may have given x its value, in x's procedure or another.
			stored := algebra.InMemory(x.expr)
			for i, s := range p.Steps {
				q := s.Frame.Proc
				switch n := s.Stmt().(type) {
				case *core.Assign:
					for j, l := range n.Lhs {
						m, inMemory := l.(*core.Mem)
						switch {
						// The place itself is assigned to.
						case core.ExprString(l) == text && d.of(q, l) != nil:
							read(q, n.Rhs[j])
						// A place in memory is assigned to that may be x: which one it is matters, too.
						case inMemory && stored && fd.Aliases.MayAlias(l, x.expr):
							read(q, m.Addr)
							read(q, n.Rhs[j])
						}
					}
				case *core.Copy:
					// Bytes are copied that x may be among.
					if stored {
						copied(q, q, x.expr, n.Dst, n.Src, algebra.Constant(n.Size))
					}
				case *core.Call:
					if s.Enter == nil {
						continue
					}
					// A call returns a struct that x may be a part of, or passes one.
					callee := s.Enter.Proc
					if l, ok := n.Lhs.(*core.Mem); ok && stored && callee.Result != nil && !algebra.IsScalar(l.Typ) {
						copied(q, callee, x.expr, l.Addr, algebra.Address(callee.Result.Ref(), fd.Bits), core.Bytes(l.Typ))
					}
					for j, v := range callee.Formals {
						if stored && !algebra.IsScalar(v.Type) && n.Args[j] != nil {
							copied(callee, q, x.expr, algebra.Address(v.Ref(), fd.Bits), n.Args[j], core.Bytes(v.Type))
						}
					}
					// The call returns x, or passes it.
					if n.Lhs != nil && core.ExprString(n.Lhs) == text && s.Enter.Proc.Result != nil {
						read(s.Enter.Proc, s.Enter.Proc.Result.Ref())
					}
					for j, v := range s.Enter.Proc.Formals {
						if v == algebra.Variable(x.expr) && j < len(p.Steps[i].Stmt().(*core.Call).Args) {
							read(q, n.Args[j])
						}
					}
				}
			}
		}
	}
	// Begin with the last condition, and go on to those before it.
	for i := len(p.Steps) - 1; i >= 0; i-- {
		switch n := p.Steps[i].Stmt().(type) {
		case *core.Assert:
			if i == len(p.Steps)-1 {
				read(p.Steps[i].Frame.Proc, n.Cond)
			}
		case *core.Assume:
			read(p.Steps[i].Frame.Proc, n.Cond)
		}
		follow()
	}
	return d
}

// observe runs the program with random inputs and records the values of the places when they are
// written to, and where they are read but for conditions: the value of an input before it is checked
// does not matter.
func (d *domains) observe(ctx context.Context, k *fuzz.Campaign) {
	for left := fewSteps; left > 0 && ctx.Err() == nil; {
		m := k.Start()
		left -= fuzz.StateCost
		// A run, until it ends or the steps are spent.
		var calls []*core.Node // under way
		for m.Err() == nil && m.Steps() < fuzz.MaxRun && left > 0 {
			top := m.Top()
			if top == nil {
				break
			}
			// 1. The places that the next node reads.
			node := top.Proc().Nodes[top.Node()]
			d.note(top, d.reads.of(top.Proc(), node))
			// 2. Run it.
			e, err := m.Step()
			left--
			now := m.Top()
			if err != nil || e.Kind.Final() || now == nil {
				break
			}
			switch {
			case e.Kind == interp.Entered:
				calls = append(calls, node)
				d.note(now, d.formals(now.Proc()))
				continue
			case isReturn(node) && len(calls) > 0:
				node = calls[len(calls)-1]
				calls = calls[:len(calls)-1]
			}
			// 3. The places that it has written to; of a return, those that the call writes to.
			d.note(now, d.writes.of(now.Proc(), node))
		}
	}
}

// isReturn reports whether n returns from its procedure.
func isReturn(n *core.Node) bool {
	_, ok := n.Stmt.(*core.Return)
	return ok
}

// note records the values of places in f.
func (d *domains) note(f *interp.Frame, places []*domain) {
	for _, x := range places {
		if x.many {
			continue
		}
		// A place that cannot be read now has no value.
		if v, err := f.Eval(x.place); err == nil {
			x.see(v)
		}
	}
}

// memo keeps lists of places by node.
type memo struct {
	known map[*core.Node][]*domain
	list  func(*core.Proc, *core.Node) []*domain
}

// of returns the list of node n of p.
func (m *memo) of(p *core.Proc, n *core.Node) []*domain {
	list, ok := m.known[n]
	if !ok {
		list = m.list(p, n)
		m.known[n] = list
	}
	return list
}

// read lists the places that a node reads, unless it is a condition other than an assertion.
func (d *domains) read(p *core.Proc, n *core.Node) (list []*domain) {
	var lhs []core.Loc
	switch s := n.Stmt.(type) {
	case *core.Assign:
		lhs = s.Lhs
	case *core.Call:
		lhs = []core.Loc{s.Lhs}
	case *core.Assert, *core.Copy:
	default:
		return nil
	}
	core.StmtExprs(n.Stmt, func(e core.Expr) {
		core.Walk(e, func(e core.Expr) bool {
			if l, ok := e.(core.Loc); ok && algebra.IsScalar(l.Type()) && !slices.Contains(lhs, l) {
				if x := d.of(p, l); x != nil {
					list = append(list, x)
				}
			}
			return true
		})
	})
	return list
}

// written lists the places that a node may write to: a variable, or those in memory that overlap the
// bytes that it stores.
func (d *domains) written(p *core.Proc, n *core.Node) (list []*domain) {
	// 1. The places that the statement writes to.
	var locs []core.Loc
	bytes := func(dst core.Expr, size int64) {
		locs = append(locs, &core.Mem{Addr: dst, Typ: core.Agg{Size: size}})
	}
	switch s := n.Stmt.(type) {
	case *core.Assign:
		locs = s.Lhs
	case *core.Call:
		if s.Lhs != nil {
			locs = []core.Loc{s.Lhs}
		}
	case *core.Copy:
		bytes(s.Dst, algebra.Constant(s.Size))
	case *core.Fill:
		bytes(s.Dst, algebra.Constant(s.Size))
	case *core.Data:
		bytes(s.Dst, int64(len(s.Bytes)))
	}
	// 2. The domains that are such a place, or may overlap it.
	for _, l := range locs {
		if x := d.of(p, l); x != nil {
			list = append(list, x)
		}
		if v := algebra.Variable(l); v != nil && !v.InMemory() {
			continue
		}
		for _, x := range d.list {
			if (x.proc == nil || x.proc == p) && algebra.InMemory(x.place) && d.aliases.MayAlias(l, x.place) {
				list = append(list, x)
			}
		}
	}
	return list
}

// formals lists the places in the formals of p.
func (d *domains) formals(p *core.Proc) (list []*domain) {
	for _, x := range d.list {
		if x.proc == p && slices.ContainsFunc(p.Formals, func(v *core.Var) bool {
			if algebra.Variable(x.place) == v {
				return true
			}
			root, _, _ := algebra.Root(algebra.Address(x.place, d.bits))
			a, ok := root.(*core.AddrOf)
			return ok && a.Var == v
		}) {
			list = append(list, x)
		}
	}
	return list
}

// ObservedValues adds predicates for the places that the conditions of a path are computed from, if they
// hold few values in random runs.
func (fd *Finder) ObservedValues(ctx context.Context, p *cex.Path) {
	// 1. Which places, and which values in random runs?
	d := fd.computedFrom(p)
	d.observe(ctx, fuzz.New(fd.Prog, nil, 1, interp.Options{Typed: true}))
	// 2. Predicates for those with few values, the nearest to the end of the path first.
	n := 0
	for _, x := range d.list {
		if x.many || n+len(x.values) > mostEqual {
			continue
		}
		t := x.place.Type().(core.Int)
		slices.SortFunc(x.values, (*big.Int).Cmp)
		for _, v := range x.values {
			fd.Known.Add(x.proc, &core.Binary{Op: core.Eq, X: x.place, Y: &core.Const{Val: v, Typ: t}})
			n++
		}
	}
}
