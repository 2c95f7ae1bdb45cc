package lowerzing

import (
	"c2bp/checker/zom"
	"c2bp/frontend/zing"
)

// This file writes the code of a block, and branches in it.

// writer adds code to a block. Scratch slots are taken one after the other; each block starts anew.
type writer struct {
	*coder
	to      *block
	node    int32
	scratch int32 // the next free one
}

// writer returns a writer for instructions that belong to a node.
func (c *coder) writer(b *block, node int32) *writer {
	return &writer{c, b, node, int32(c.proc.Scratch)}
}

// emit adds an instruction.
func (w *writer) emit(op zom.Op, a, b, c int32) *instr {
	in := w.coder.emit(w.to, op, a, b, c)
	in.Node = w.node
	return in
}

// alloc returns the first of n neighbouring scratch slots.
func (w *writer) alloc(n int32) int32 {
	at := w.scratch
	w.scratch += n
	// Scratch slots hold values of all kinds, one after the other.
	for int(w.scratch) > len(w.proc.Slots) {
		w.proc.Slots = append(w.proc.Slots, zom.Slot{Kind: zom.Int, Class: -1})
	}
	return at
}

// number returns a slot with a constant.
func (w *writer) number(n zom.Word) int32 {
	at := w.alloc(1)
	w.emit(zom.Const, at, 0, 0).Imm = n
	return at
}

// copy copies n slots.
func (w *writer) copy(to, from, n int32) {
	switch {
	case n == 1:
		w.emit(zom.Copy, to, from, 0)
	case n > 1:
		w.emit(zom.CopyN, to, from, n)
	}
}

// mark puts a label here.
func (w *writer) mark(l *label) { l.at = len(w.to.code) }

// leap jumps to a label.
func (w *writer) leap(l *label) { w.coder.leap(w.to).to = []target{here(l)} }

// branch goes to one of two targets, as a condition says.
func (w *writer) branch(e zing.Expr, yes, no target) {
	switch e := e.(type) {
	case *zing.Unary:
		if e.Op == zing.Not {
			w.branch(e.X, no, yes)
			return
		}
	case *zing.Binary:
		// The right operand is evaluated only if the left one does not decide.
		right := &label{}
		switch e.Op {
		case zing.AndAnd:
			w.branch(e.X, here(right), no)
		case zing.OrOr:
			w.branch(e.X, yes, here(right))
		}
		if e.Op == zing.AndAnd || e.Op == zing.OrOr {
			w.mark(right)
			w.branch(e.Y, yes, no)
			return
		}
	}
	w.emit(zom.Branch, w.expr(e), 0, 0).to = []target{yes, no}
}

// isTrue reports whether a condition is true whatever the state, after literals were folded.
func isTrue(e zing.Expr) bool {
	switch e := e.(type) {
	case *zing.BoolLit:
		return e.Value
	case *zing.Binary:
		switch e.Op {
		case zing.AndAnd:
			return isTrue(e.X) && isTrue(e.Y)
		case zing.OrOr:
			return isTrue(e.X)
		}
	}
	return false
}
