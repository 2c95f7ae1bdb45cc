package core

// This file bounds the bytes that a statement accesses in a row.

// BytesFrom returns the number of bytes that a statement may access which accesses size of them from at on: the value
// of size, or if that is no constant, the rest of the array of a structure in which at lies, if no access goes past
// arrays: an assumption, [Program].ArraysApart. If nothing is known, known is false.
//
//	memcpy(dev->text, from, n)        at most the 64 bytes of char text[64], unless it is the last member
func BytesFrom(at, size Expr) (n int64, known bool) {
	if n, known = ConstantOf(size); known {
		return n, true
	}
	// 1. The place in a structure.
	var past int64
	for {
		o, isOffset := at.(*Offset)
		if !isOffset {
			return 0, false
		}
		if o.Of != nil {
			return o.Of.restOfArray(o.Member + past)
		}
		past += o.Off
		at = o.X
	}
}

// restOfArray returns the number of bytes from byte off of r to the end of the array of scalars that is a member there.
// Of a union, or beside an empty array, several members may be there, and all must be such arrays: nothing tells which
// one is meant. An array that is the last member may go on after its end.
//
//	union { char tag[4]; struct head head; }     a copy that begins in head may go on after tag
func (r *Record) restOfArray(off int64) (n int64, known bool) {
	for i, m := range r.Members {
		end := m.Off + m.Count*m.Size
		switch {
		case off < m.Off || off >= max(end, m.Off+1):
		case m.Record != nil || m.Count <= 1 || m.Count >= OpenEnd || i == len(r.Members)-1:
			return 0, false
		default:
			n, known = max(n, end-off), true
		}
	}
	return n, known
}

// RowAt returns the array of scalars of size bytes, or the one scalar, of which an element is at byte off of r: a
// member, or a member of one; ok is false if there is none, or if there are several, in a union. One without an end has the
// Count [OpenEnd].
func (r *Record) RowAt(off, size int64) (row Member, ok bool) {
	found := 0
	for _, m := range r.Members {
		at := off - m.Off
		switch {
		case at == 0 && m.Count == 0: // it marks the place
			return Member{}, false
		case at < 0 || at >= m.Count*m.Size:
			continue
		case m.Record == nil:
			row, ok = m, m.Size == size && at%size == 0
		default: // in an element of an array of structs
			in := at % m.Size
			row, ok = m.Record.RowAt(in, size)
			row.Off += off - in
		}
		found++
	}
	return row, ok && found == 1
}
