package extents

import (
	"c2bp/alias"
	"c2bp/frontend/core"
)

// This file lists the accesses and moves of a node.
//
//	*(p + i) = q->f        accesses q->f, moves p by i and accesses that: one access, i from p
//	r = p + i              moves p by i

// access is an access of memory at addr, or a move of a pointer: then addr is its new value.
type access struct {
	addr  core.Expr
	width int64     // bytes; 0 for a move
	size  core.Expr // bytes, if they are not a constant; else nil
	text  string
	move  bool
}

// exact are the library functions whose models say exactly which bytes they access.
var exact = map[string]bool{
	"memcpy": true, "memmove": true, "memset": true, "mempcpy": true, "bcopy": true, "bzero": true, "explicit_bzero": true, "strncpy": true, "stpncpy": true,
	"copy_from_user": true, "copy_to_user": true,
	"RtlCopyMemory": true, "RtlMoveMemory": true, "RtlZeroMemory": true, "RtlFillMemory": true,
}

// accesses lists the accesses and moves of node n, inner ones first. apart says to leave out the place of the
// result of a call.
func (in *instrumenter) accesses(n *core.Node, apart bool) (list []access) {
	value := func(e core.Expr) { in.value(e, &list) }
	block := func(addr, size core.Expr) {
		in.address(addr, &list)
		value(size)
		if k, ok := core.ConstantOf(size); ok {
			if k > 0 {
				list = append(list, access{addr: addr, width: k, text: called(n)})
			}
			return
		}
		list = append(list, access{addr: addr, size: size, text: called(n)})
	}
	s := n.Stmt
	switch x := s.(type) {
	// 1. Blocks of bytes.
	case *core.Copy:
		block(x.Src, x.Size)
		block(x.Dst, x.Size)
		return list
	case *core.Fill:
		block(x.Dst, x.Size)
		if x.Byte != nil {
			value(x.Byte)
		}
		return list
	case *core.Data:
		in.address(x.Dst, &list)
		return append(list, access{addr: x.Dst, width: int64(len(x.Bytes)), text: called(n)})
	// 2. Structures that are passed.
	case *core.Call:
		for i, arg := range x.Args {
			size := in.passed(x, i)
			if size == 0 || arg == nil {
				continue
			}
			in.address(arg, &list)
			list = append(list, access{addr: arg, width: size, text: spelled(arg)})
		}
		bare := *x
		bare.Args = nil
		for i, arg := range x.Args {
			if arg != nil && in.passed(x, i) == 0 {
				bare.Args = append(bare.Args, arg)
			}
		}
		if m, ok := x.Lhs.(*core.Mem); ok && apart {
			in.address(m.Addr, &list)
			bare.Lhs = nil
		}
		s = &bare
	// 3. Values that say where other values come from are not read.
	case *core.Havoc:
		bare := *x
		bare.From = nil
		s = &bare
	}
	core.StmtExprs(s, value)
	return list
}

// passed returns the number of bytes of the structure that argument number i of c is the address of; 0 if it is
// none.
func (in *instrumenter) passed(c *core.Call, i int) (size int64) {
	callees := []*core.Proc{c.Callee}
	if c.Callee == nil {
		callees = nil
		for _, t := range in.result.PointsTo(c.Target).Targets() {
			if t.Object.Kind == alias.Function {
				callees = append(callees, t.Object.Proc)
			}
		}
	}
	for _, q := range callees {
		if i < len(q.Formals) {
			if t, isAgg := q.Formals[i].Type.(core.Agg); isAgg {
				size = max(size, t.Size)
			}
		}
	}
	return size
}

// value adds the accesses and moves that the value of e takes.
func (in *instrumenter) value(e core.Expr, list *[]access) {
	switch x := e.(type) {
	case *core.Mem:
		in.address(x.Addr, list)
		bits := int64(8 * core.Bytes(x.Typ))
		if t, isInt := x.Typ.(core.Int); isInt {
			bits = int64(t.Bits)
		}
		if first := int64(x.Bit); bits > 0 {
			a := access{addr: x.Addr, width: (first%8 + bits + 7) / 8, text: spelled(x)}
			if first >= 8 {
				a.addr = &core.Offset{X: x.Addr, Off: first / 8}
			}
			*list = append(*list, a)
		}
	case *core.Offset, *core.Index:
		in.address(x, list)
		if _, d := distanceOf(x); !d.constant() || d.off != 0 {
			*list = append(*list, access{addr: x, move: true, text: spelled(x)})
		}
	default:
		for _, c := range core.Children(e) {
			in.value(c, list)
		}
	}
}

// address adds the accesses and moves that the address e takes, but for that of the whole.
func (in *instrumenter) address(e core.Expr, list *[]access) {
	base, d := distanceOf(e)
	in.value(base, list)
	for _, x := range d.indices {
		in.value(x.I, list)
	}
}

// called returns the call of a library function that n is a part of, as text: free(p). Elsewhere it is the text of n.
func called(n *core.Node) string {
	m := n.Model
	if m == nil {
		return n.Text
	}
	text := m.Func.CName + "("
	for i, a := range m.Args {
		if i > 0 {
			text += ", "
		}
		if a != nil {
			text += spelled(a)
		}
	}
	return text + ")"
}

// spelled returns e as C spells it.
func spelled(e core.Expr) string { return core.CString(e) }
