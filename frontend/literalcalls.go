package frontend

import (
	"bytes"

	"modernc.org/cc/v4"

	"c2bp/frontend/core"
)

// This file computes the results of strlen and strcmp for string literals. For other strings the
// result is left open.

// literalCall lowers a call for which the built-in model m stands, if its value follows from
// the literals that it is given, and reports whether it did.
func (b *frame) literalCall(m *model, args []cc.ExpressionNode, dst core.Loc) bool {
	if m.file != "" || m.name != "strlen" && m.name != "strcmp" {
		return false
	}
	// All arguments must be literals of characters of one byte, cut at the first byte 0.
	var texts [][]byte
	for _, a := range args {
		text, width, ok := b.StringBytes(a)
		if !ok || width != 1 {
			return false
		}
		text, _, _ = bytes.Cut(text, []byte{0})
		texts = append(texts, text)
	}
	b.useModel(m)
	// Nobody uses the result, and there are no other effects.
	if dst == nil {
		return true
	}
	if m.name == "strlen" {
		n, _ := core.Word(m.proc.RetType)
		b.assign(dst, to(core.NewConst(int64(len(texts[0])), n), dst.Type()))
		return true
	}
	// strcmp: the sign of the result is certain, and its size is not (C11 7.24.4.2).
	v := b.temp(core.Int32)
	order := bytes.Compare(texts[0], texts[1])
	if order == 0 {
		b.assign(v.Ref(), core.NewConst(0, core.Int32))
	} else { // how far it is from 0 is left open
		op := core.Gt
		if order < 0 {
			op = core.Lt
		}
		b.emit(&core.Havoc{Locs: []core.Loc{v.Ref()}, Why: m.name})
		b.emit(&core.Assume{Cond: &core.Binary{Op: op, X: v.Ref(), Y: core.NewConst(0, core.Int32)}})
	}
	b.assign(dst, to(v.Ref(), dst.Type()))
	return true
}
