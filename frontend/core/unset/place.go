package unset

import "c2bp/frontend/core"

// This file finds places of the variable or object in expressions.

// place is a place in the variable or object: it begins at byte off, or up to width bytes after it.
// For &d.a[i], where a has 4 elements of 8 bytes from byte 16 on, off is 16 and width 24.
type place struct {
	off, width int64
}

// place returns the place that addr points to, if that may be in the variable or object. Other
// values in addr are read; if ok is false, nothing has been examined yet.
func (w *step) place(addr core.Expr) (p place, ok bool) {
	var indices []core.Expr
	for {
		// Walk from the address to its base, adding up offsets. An index that is not constant
		// widens the place.
		switch e := addr.(type) {
		case *core.Offset:
			p.off += e.Off
			addr = e.X
			continue
		case *core.Index:
			if i, ok := core.ConstantOf(e.I); ok {
				p.off += i * e.Size
			} else {
				indices = append(indices, e.I)
				// Any element of the array, if its length is known.
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
	// The address leads into the object: its indices are read.
	if ok {
		for _, i := range indices {
			w.value(i)
		}
	}
	return p, ok
}

// bytes returns the size bytes at p: all bytes, if they are not known. For a store that is as much
// as it may set, and for a read as much as it may read.
func (w *step) bytes(p place, size core.Expr) core.Range {
	n, ok := core.ConstantOf(size)
	if !ok || p.width >= core.Far || n < 0 || n >= core.Far {
		return w.whole
	}
	return core.Range{Off: p.off, End: p.off + p.width + n}
}

// bytesOf returns the bytes of a location at p.
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

// value examines e for reads of the variable or object, and for its address. After the address has
// gone anywhere, the rest of e does not matter.
func (w *step) value(e core.Expr) {
	if e == nil || w.over {
		return
	}
	switch e := e.(type) {
	// A whole variable is read; a name of the object, used as a value, exposes it.
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
	// Comparisons with null.
	case *core.Binary:
		if e.Op == core.Eq || e.Op == core.Ne {
			for _, x := range [2][2]core.Expr{{e.X, e.Y}, {e.Y, e.X}} {
				if ref, ok := x[0].(*core.VarRef); ok && w.names[ref.Var] && core.IsNull(x[1]) {
					return // a comparison with null reads nothing of the object
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
