package alias

import (
	"math/big"

	"c2bp/frontend/core"
)

// This file finds constants: places in global variables that the first nodes of the entry, C's
// initialisers, set and that nothing changes afterwards. A place counts whether it is declared
// const or not: no statement or call, wherever it is, may change it.
//
//	static struct ops ops = { open_a, close_a };     ops.open is &open_a, if nothing writes it
//
// All other statements count as later ones, reachable or not: the analysis is not flow-sensitive.

// Constants is the contents of the constant places of a program.
type Constants struct {
	result  *Result
	initial map[*core.Node]bool      // the nodes that initialise
	stores  map[*core.Var][]contents // their stores, in order
	later   *effect                  // the effect of all other nodes
}

// contents is what one of these nodes stores in a range of bits.
type contents struct {
	cell
	typ   core.Type // of value
	value core.Expr // a constant; nil if bytes are stored
	bytes []byte    // of the whole cell; nil if what is stored is not known
	zero  bool      // all bytes are 0
}

// Constants returns the constants of the program.
func (r *Result) Constants() *Constants {
	r.mu.Lock()
	defer r.mu.Unlock()
	k := &Constants{result: r, initial: map[*core.Node]bool{}, stores: map[*core.Var][]contents{}, later: &effect{}}
	// 1. Collect the stores of the nodes that initialise.
	if r.EntryRunsOnce() {
		k.findInitial()
	}
	// 2. Collect the effect of all others.
	for _, p := range r.prog.Procs {
		for _, n := range p.Nodes {
			if !k.initial[n] {
				r.addNode(k.later, p, n)
			}
		}
	}
	return k
}

// Initial reports whether n is one of the nodes that initialise globals.
func (k *Constants) Initial(n *core.Node) bool { return k.initial[n] }

// EntryRunsOnce reports whether nobody calls the entry, so that its first nodes are the first of
// each run and are executed once.
func (r *Result) EntryRunsOnce() bool {
	once := true
	for _, p := range r.prog.Procs {
		for _, n := range p.Nodes {
			if c, ok := n.Stmt.(*core.Call); ok {
				once = once && c.Callee != r.prog.Entry
			}
			// Its address might be called as well.
			core.StmtExprs(n.Stmt, func(e core.Expr) {
				core.Walk(e, func(e core.Expr) bool {
					f, ok := e.(*core.FuncAddr)
					once = once && !(ok && f.Proc == r.prog.Entry)
					return once
				})
			})
		}
	}
	return once
}

// findInitial follows the entry from its first node on while it only sets variables and places in
// them, as long as each node has one way in and one way out.
func (k *Constants) findInitial() {
	nodes := k.result.prog.Entry.Nodes
	waysIn := make([]int, len(nodes))
	waysIn[0] = 1
	for _, n := range nodes {
		for _, m := range n.Succ {
			waysIn[m]++
		}
	}
	// Stop at a node that others lead to: it might be executed again.
	for i := 0; waysIn[i] == 1 && len(nodes[i].Succ) == 1; i = nodes[i].Succ[0] {
		if !k.initialises(nodes[i].Stmt) {
			return
		}
		k.initial[nodes[i]] = true
	}
}

// initialises notes the stores of s; it reports whether s stores to known places only. A store
// whose value is not fixed is noted, too: it hides earlier ones.
func (k *Constants) initialises(s core.Stmt) bool {
	switch s := s.(type) {
	case *core.Skip:
		return true
	case *core.Havoc:
		return s.Begin && !s.Region
	// 1. Assignments of fixed values to known places.
	case *core.Assign:
		for _, l := range s.Lhs {
			if m, ok := l.(*core.Mem); ok {
				if v, _ := PlaceIn(m.Addr); v == nil {
					return false
				}
			}
		}
		for i, l := range s.Lhs {
			k.assigned(l, s.Rhs[i])
		}
		return true
	// 2. Bytes: zeros count, others only hide earlier stores.
	case *core.Fill:
		size, ok := constant(s.Size)
		v, off := PlaceIn(s.Dst)
		if !ok || v == nil || size <= 0 || size > limit {
			return false
		}
		zero := false
		if b, known := s.Byte.(*core.Const); known {
			zero = b.Val.Sign() == 0
		}
		k.store(v, contents{cell: cell{off: off * 8, bits: size * 8}, zero: zero})
		return true
	case *core.Data:
		v, off := PlaceIn(s.Dst)
		if v == nil {
			return false
		}
		k.store(v, contents{cell: cell{off: off * 8, bits: int64(len(s.Bytes)) * 8}, bytes: s.Bytes})
		return true
	}
	return false
}

// assigned notes that value is stored in l, a variable or a known place in one.
func (k *Constants) assigned(l core.Loc, value core.Expr) {
	v, off, bit := (*core.Var)(nil), int64(0), 0
	switch l := l.(type) {
	case *core.VarRef:
		v = l.Var
	case *core.Mem:
		v, off = PlaceIn(l.Addr)
		bit = l.Bit
	}
	if !isFixed(value) {
		value = nil
	}
	first, bits := bitRange(l.Type(), bit)
	k.store(v, contents{cell: cell{off: off*8 + first, bits: bits}, typ: l.Type(), value: value})
}

// store notes a store to v.
func (k *Constants) store(v *core.Var, c contents) { k.stores[v] = append(k.stores[v], c) }

// PlaceIn returns the variable and the byte in it that address a names; v is nil if it is not
// known.
//
//	&tab[2].p       tab, byte 40       with p at byte 8 of 16
//	&tab[i].p       nil
//	p + 8           nil
func PlaceIn(a core.Expr) (v *core.Var, off int64) {
	for {
		switch x := a.(type) {
		case *core.AddrOf:
			return x.Var, off
		case *core.Offset:
			off += x.Off
			a = x.X
		// A constant index, small enough not to overflow.
		case *core.Index:
			i, ok := constant(x.I)
			if !ok || max(abs(i), abs(x.Size)) > 1<<20 {
				return nil, 0
			}
			off += i * x.Size
			a = x.X
		default:
			return nil, 0
		}
		if abs(off) > limit {
			return nil, 0
		}
	}
}

// isFixed reports whether e has the same value in all states.
func isFixed(e core.Expr) bool {
	fixed := true
	core.Walk(e, func(e core.Expr) bool {
		switch x := e.(type) {
		case *core.Const, *core.FuncAddr, *core.Offset, *core.ToPtr, *core.Conv:
		// Addresses of local variables differ from call to call.
		case *core.AddrOf:
			fixed = fixed && x.Var.Kind == core.Global
		default:
			fixed = false
		}
		return fixed
	})
	return fixed
}

// At returns the value that is read at byte off of v with type typ, from bit on; nil if it is not
// known or may change. The value is an expression without variables: a constant, or an address.
func (k *Constants) At(v *core.Var, off int64, typ core.Type, bit int) core.Expr {
	if v.Kind != core.Global || v.Foreign || v.Volatile || !v.InMemory() {
		return nil
	}
	// 1. The place must be in the variable.
	first, bits := bitRange(typ, bit)
	c := cell{off: off*8 + first, bits: bits}
	size := core.Bytes(v.Type) * 8
	if c.off < 0 || c.end() > size || bits > 64 {
		return nil
	}
	k.result.mu.Lock()
	defer k.result.mu.Unlock()
	// 2. Nothing may change it later.
	o, known := k.result.solver.varObject[v]
	if !known || k.result.affectsCell(k.later, at(o, off), first, bits) {
		return nil
	}
	// 3. The last store to it counts.
	list := k.stores[v]
	for i := len(list) - 1; i >= 0; i-- {
		if list[i].overlaps(c) {
			return list[i].read(c, typ)
		}
	}
	return nil
}

// read returns the contents of cell c, which overlaps that of s, after s, read with type typ; nil
// if they are not known. A store of another type is not converted, but zeros and bytes may be read
// as any integer.
func (s contents) read(c cell, typ core.Type) core.Expr {
	w, ok := core.Word(typ)
	if !ok || c.off < s.off || c.end() > s.end() {
		return nil
	}
	// The same value; zeros, of any size; bytes, put together little end first.
	switch {
	case s.value != nil && typ == s.typ && c == s.cell:
		return s.value
	case s.zero:
		if t, isPtr := typ.(core.Ptr); isPtr {
			return core.Null(t)
		}
		return core.NewConst(0, w)
	case s.bytes != nil && typ == core.Type(w) && !w.Bool && c.off%8 == 0 && c.bits%8 == 0:
		v := new(big.Int)
		for i := c.end()/8 - 1; i >= c.off/8; i-- {
			v.Lsh(v, 8)
			v.Or(v, big.NewInt(int64(s.bytes[i-s.off/8])))
		}
		return &core.Const{Val: w.Convert(v), Typ: w}
	}
	return nil
}
