// Package unset finds out which variables and allocated objects of a program are read although
// nothing has set them, and which bytes of them.
//
//	struct dev d;              begin d                  from here on nobody has set d
//	d.n = 1;                   d.n := 1                 bytes 0 to 4 are set
//	probe(&d);                 probe(&d)                others see d: bytes 4 to 16 may be read
//
// Such a place stands for what comes from outside: programs that leave a structure as it is, and
// look what is in it, mean any structure. A pointer there is one from outside. A place is another
// matter if some way to where it is read sets it:
//
//	int *p;  if (c) p = &x;  use(p);
//
// C leaves undefined what happens without c, as it does for any other access outside of an object;
// p points to x or, if c does not hold, nowhere. That is worth much. What an initialiser leaves
// undone when it fails, nobody looks at; and of a list that the program has built itself, no pointer
// leads outside.
//
// Mark follows each life forward, from the Havoc that begins it or the Alloc that makes it. Of
// each node it knows which bytes have been set on some way there, and which variables may hold the
// address of the new object. A life is exposed where its address goes anywhere else: into memory,
// to a function outside, into arithmetic. From there on anybody may read it, and what cannot have
// been set by then counts as read. A function of the program that is given the address is followed
// likewise, from its beginning to where it returns.
package unset

import (
	"maps"
	"slices"

	"c2bp/frontend/core"
)

// Mark notes at each Havoc with Begin and at each Alloc of p what of it is read although nothing
// has set it.
func Mark(p *core.Program) {
	m := &marker{summaries: map[*core.Var]*life{}}
	for _, q := range p.Procs {
		for i, n := range q.Nodes {
			switch s := n.Stmt.(type) {
			case *core.Havoc:
				if s.Begin {
					s.Unset = m.begun(q, i, s)
				}
			case *core.Alloc:
				s.Unset = m.made(q, i, s)
			}
		}
	}
}

// marker marks one program.
type marker struct {
	summaries map[*core.Var]*life // of what formals point to
}

// begun is what is unset of each variable that s, node i of q, begins; nil if nothing is.
func (m *marker) begun(q *core.Proc, i int, s *core.Havoc) (out []core.Ranges) {
	for k, l := range s.Locs {
		ref, ok := l.(*core.VarRef)
		if !ok {
			continue
		}
		x := &life{marker: m, proc: q, begin: i, v: ref.Var, whole: core.Range{Off: 0, End: core.Far}}
		if n := core.Bytes(ref.Var.Type); n > 0 {
			x.whole.End = n
		}
		if x.follow(nil); x.unset != nil {
			if out == nil {
				out = make([]core.Ranges, len(s.Locs))
			}
			out[k] = x.unset
		}
	}
	return out
}

// made is what is unset of what a, node i of q, makes.
func (m *marker) made(q *core.Proc, i int, a *core.Alloc) core.Ranges {
	x := &life{marker: m, proc: q, begin: i, alloc: a, whole: core.Range{Off: 0, End: core.Far}}
	if n, ok := constant(a.Size); ok && n > 0 {
		x.whole.End = n
	}
	name, ok := a.Lhs.(*core.VarRef)
	if !ok || !isRegister(name.Var) {
		return core.Ranges{x.whole}
	}
	x.follow(name.Var)
	return x.unset
}

// summary follows what formal, of q, points to: what of it q reads that it cannot have set, and
// what it may have set when it returns.
func (m *marker) summary(q *core.Proc, formal *core.Var) *life {
	x := m.summaries[formal]
	if x == nil {
		x = &life{marker: m, proc: q, begin: -1, whole: core.Range{Off: -core.Far, End: core.Far}, open: true}
		m.summaries[formal] = x
		x.follow(formal)
		x.open = false
	}
	return x
}

// isRegister reports whether v is a variable that only its own procedure reads and writes.
func isRegister(v *core.Var) bool { return v.Kind != core.Global && !v.InMemory() }

func constant(e core.Expr) (int64, bool) {
	c, ok := e.(*core.Const)
	if !ok || !c.Val.IsInt64() {
		return 0, false
	}
	return c.Val.Int64(), true
}

// life is that of a variable, of an object that one Alloc makes, or of what a formal points to.
type life struct {
	*marker
	proc  *core.Proc
	begin int         // node; -1 is in front of the first
	v     *core.Var   // nil for an object
	alloc *core.Alloc // nil for others
	whole core.Range
	open  bool // it is being followed

	results
}

// results are what is found out of a life.
type results struct {
	unset   core.Ranges // what is read and cannot be set
	exposed bool        // on some way anybody may read and write it
	returns bool        // the procedure returns while it is not exposed,
	left    core.Ranges // and this may be set then
}

// state is what is known at a node.
type state struct {
	set   core.Ranges        // bytes that some way there has set
	names map[*core.Var]bool // variables that may hold the address of the object
}

func (s *state) clone() *state { return &state{slices.Clone(s.set), maps.Clone(s.names)} }

// join adds to s what t knows, and reports whether that is more.
func (s *state) join(t *state) (more bool) {
	set := s.set.With(t.set...)
	more = !slices.Equal(set, s.set)
	s.set = set
	for v := range t.names {
		if !s.names[v] {
			s.names[v], more = true, true
		}
	}
	return more
}

// follow goes all ways from the beginning, where name holds the address of the object.
func (x *life) follow(name *core.Var) {
	at := map[int]*state{}
	var work []int
	arrive := func(next []int, s *state) {
		for _, k := range next {
			old := at[k]
			if old == nil {
				at[k] = s.clone()
				work = append(work, k)
			} else if old.join(s) && !slices.Contains(work, k) {
				work = append(work, k)
			}
		}
	}
	s, first := &state{names: map[*core.Var]bool{}}, []int{0}
	if name != nil {
		s.names[name] = true
	}
	if x.begin >= 0 {
		first = x.proc.Nodes[x.begin].Succ
	}
	arrive(first, s)
	for len(work) > 0 {
		k := work[len(work)-1]
		work = work[:len(work)-1]
		if w := x.step(k, at[k]); !w.over {
			arrive(x.proc.Nodes[k].Succ, w.state)
		}
	}
	x.results = results{} // of states that were not final
	for k, s := range at {
		x.step(k, s)
	}
}

// step executes node k in state s.
func (x *life) step(k int, s *state) *step {
	w := &step{life: x, state: s.clone()}
	if k == x.begin {
		w.again()
	} else {
		w.node(x.proc.Nodes[k].Stmt)
	}
	return w
}

// step is the execution of one node.
type step struct {
	*life
	*state
	over bool // the life has ended, or nothing more is to be found out
}

// again is the beginning of another life of the kind. An object that is still known may be read
// later.
func (w *step) again() {
	if w.alloc != nil {
		if delete(w.names, w.alloc.Lhs.(*core.VarRef).Var); len(w.names) > 0 {
			w.expose()
		}
	}
	w.over = true
}

// expose notes that from now on anybody may read what is not set.
func (w *step) expose() {
	w.read(w.whole)
	w.over, w.exposed = true, true
}

// read notes a read of bytes.
func (w *step) read(list ...core.Range) {
	w.unset = w.unset.With(core.Ranges(list).Common(core.Ranges{w.whole}).Without(w.set)...)
}

// node executes s.
func (w *step) node(s core.Stmt) {
	switch s := s.(type) {
	case *core.Assume:
		w.value(s.Cond)
	case *core.Assert:
		w.value(s.Cond)
	case *core.Assign:
		w.assign(s)
	case *core.Copy:
		w.value(s.Size)
		if p, ok := w.place(s.Src); ok {
			w.read(w.bytes(p, s.Size))
		} else {
			w.value(s.Src)
		}
		w.store(s.Dst, s.Size)
	case *core.Fill:
		w.value(s.Size)
		w.value(s.Byte)
		w.store(s.Dst, s.Size)
	case *core.Data:
		w.store(s.Dst, core.NewConst(int64(len(s.Bytes)), core.Int64))
	case *core.Alloc:
		w.value(s.Size)
		w.destination(s.Lhs)
	case *core.Free:
		if ref, ok := s.Ptr.(*core.VarRef); ok && w.names[ref.Var] {
			w.over = w.alloc != nil && len(w.names) == 1
			return
		}
		w.value(s.Ptr)
	case *core.Havoc:
		w.havoc(s)
	case *core.Call:
		w.call(s)
	case *core.Return:
		w.leave()
	}
}

// assign executes s: a variable that gets the address of the object is a further name of it.
func (w *step) assign(s *core.Assign) {
	named := make([]bool, len(s.Lhs))
	for i, e := range s.Rhs {
		from, isRef := e.(*core.VarRef)
		to, isVar := s.Lhs[i].(*core.VarRef)
		if named[i] = isRef && isVar && w.names[from.Var] && isRegister(to.Var); !named[i] {
			w.value(e)
		}
	}
	for _, l := range s.Lhs {
		w.destination(l)
	}
	for i, l := range s.Lhs {
		if named[i] {
			w.names[l.(*core.VarRef).Var] = true
		}
	}
	if w.v == nil && len(w.names) == 0 {
		w.over = true // nobody knows the object
	}
}

// destination is the store to l; what is stored was looked at.
func (w *step) destination(l core.Loc) {
	switch l := l.(type) {
	case *core.VarRef:
		if l.Var == w.v {
			w.set = w.set.With(w.whole)
		}
		delete(w.names, l.Var)
	case *core.Mem:
		if p, ok := w.place(l.Addr); ok {
			w.set = w.set.With(w.bytesOf(p, l))
		} else {
			w.value(l.Addr)
		}
	}
}

// store sets size bytes at an address.
func (w *step) store(addr, size core.Expr) {
	if p, ok := w.place(addr); ok {
		w.set = w.set.With(w.bytes(p, size))
	} else {
		w.value(addr)
	}
}

// havoc makes locations arbitrary: that sets them.
func (w *step) havoc(s *core.Havoc) {
	if s.Region && (w.v == nil || w.v.InMemory()) {
		w.expose()
		return
	}
	for _, x := range s.From {
		w.value(x.Value)
		w.value(x.At)
		w.value(x.Size)
	}
	if s.Reads != nil {
		w.value(s.Reads)
	}
	for _, l := range s.Locs {
		if ref, ok := l.(*core.VarRef); ok && s.Begin && ref.Var == w.v {
			w.over = true // by another statement
			return
		}
		w.destination(l)
	}
}

// leave returns.
func (w *step) leave() {
	if r := w.proc.Result; r != nil {
		w.value(r.Ref())
	}
	if !w.over { // not exposed by the result
		w.left, w.returns = w.left.With(w.set...), true
	}
	w.over = true
}

// call calls: a procedure that is given the address may read and set what is there.
func (w *step) call(s *core.Call) {
	w.value(s.Target)
	var given *core.Var
	var at int64
	for i, a := range slices.Concat(s.Args, s.Extra) {
		if a == nil {
			continue
		}
		p, ok := w.place(a)
		if !ok {
			w.value(a)
			continue
		}
		if s.Callee == nil || !s.Callee.HasBody() || i >= len(s.Callee.Formals) {
			w.expose()
			return
		}
		formal := s.Callee.Formals[i]
		switch _, byValue := formal.Type.(core.Agg); {
		case byValue:
			w.read(w.bytesOf(p, &core.Mem{Typ: formal.Type}))
		case given != nil || p.width > 0 || !isRegister(formal):
			w.expose()
			return
		default:
			given, at = formal, p.off
		}
	}
	if given != nil && !w.over {
		w.pass(w.summary(s.Callee, given), at)
	}
	if s.Lhs != nil && !w.over {
		w.destination(s.Lhs)
	}
}

// pass hands the place at byte off over to what the procedure does that x is about.
func (w *step) pass(x *life, off int64) {
	if x.open { // it calls itself
		w.expose()
		return
	}
	shifted := func(list core.Ranges) (out core.Ranges) {
		for _, r := range list {
			out = append(out, core.Range{Off: r.Off + off, End: r.End + off})
		}
		return out
	}
	w.read(shifted(x.unset)...) // where it is exposed, too
	w.exposed, w.over = w.exposed || x.exposed, !x.returns
	w.set = w.set.With(shifted(x.left)...)
}

// place is one in the variable or object: width bytes behind byte off at most.
type place struct {
	off, width int64
}

// place is where addr leads, if that may be into the variable or object. What else is in addr is
// read.
func (w *step) place(addr core.Expr) (p place, ok bool) {
	var indices []core.Expr
	for {
		switch e := addr.(type) {
		case *core.Offset:
			p.off += e.Off
			addr = e.X
			continue
		case *core.Index:
			if i, ok := constant(e.I); ok {
				p.off += i * e.Size
			} else {
				indices = append(indices, e.I)
				if p.width += e.Size * (e.Count - 1); e.Count <= 0 || e.Count == core.OpenEnd || p.width >= core.Far {
					p.width = core.Far
				}
			}
			addr = e.X
			continue
		case *core.AddrOf:
			ok = w.v != nil && e.Var == w.v
		case *core.VarRef:
			ok = w.names[e.Var]
		}
		break
	}
	if ok {
		for _, i := range indices {
			w.value(i)
		}
	}
	return p, ok
}

// bytes is the size bytes at p: all, if it is not known which.
func (w *step) bytes(p place, size core.Expr) core.Range {
	n, ok := constant(size)
	if !ok || p.width >= core.Far || n < 0 || n >= core.Far {
		return w.whole
	}
	return core.Range{Off: p.off, End: p.off + p.width + n}
}

// bytesOf is those of a location at p.
func (w *step) bytesOf(p place, l *core.Mem) core.Range {
	n := core.Bytes(l.Typ)
	if n <= 0 {
		n = core.Far
	}
	if t, ok := l.Typ.(core.Int); ok {
		n = int64(l.Bit+t.Bits+7) / 8
	}
	return w.bytes(p, core.NewConst(n, core.Int64))
}

// value looks for reads of the variable or object in e, and for its address.
func (w *step) value(e core.Expr) {
	if e == nil || w.over {
		return
	}
	switch e := e.(type) {
	case *core.VarRef:
		switch {
		case w.v != nil && e.Var == w.v:
			w.read(w.whole)
		case w.names[e.Var]:
			w.expose()
		}
		return
	case *core.AddrOf:
		if w.v != nil && e.Var == w.v {
			w.expose()
		}
		return
	case *core.Mem:
		if p, ok := w.place(e.Addr); ok {
			w.read(w.bytesOf(p, e))
			return
		}
	case *core.Binary:
		if e.Op == core.Eq || e.Op == core.Ne {
			for _, x := range [2][2]core.Expr{{e.X, e.Y}, {e.Y, e.X}} {
				if ref, ok := x[0].(*core.VarRef); ok && w.names[ref.Var] && core.IsNull(x[1]) {
					return // whether there is an object tells nothing of it
				}
			}
		}
	case *core.Unary:
		if ref, ok := e.X.(*core.VarRef); ok && e.Op == core.Not && w.names[ref.Var] {
			return
		}
	}
	for _, c := range core.Children(e) {
		w.value(c)
	}
}
