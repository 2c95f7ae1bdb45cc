package lowerzing

import (
	"strings"

	"c2bp/checker/zom"
	"c2bp/frontend/zing"
	"c2bp/source"
)

// This file makes blocks that belong to a place of the source text.

// node returns a new node; without text, it is the source text of the span on one line.
func (b *builder) node(s zing.Span, text, method string) int32 {
	if text == "" {
		text = b.text(s)
	}
	b.out.Nodes = append(b.out.Nodes, Node{Pos: s.Start, Text: text, Method: method})
	return int32(len(b.out.Nodes) - 1)
}

// text returns the source text of a span, on one line.
func (b *builder) text(s zing.Span) string {
	f := b.files[s.Start.File]
	if f == nil {
		return ""
	}
	from, to := f.Offset(s.Start), f.Offset(s.End)
	return strings.Join(strings.Fields(string(f.Text[from:max(from, to)])), " ")
}

// header returns the text of a statement up to its body.
func (b *builder) header(s zing.Node, body zing.Node) string {
	return b.text(zing.Span{Start: s.Pos(), End: body.Pos()})
}

// lastOf returns the place of the brace that ends a block.
func lastOf(s *zing.Block) source.Pos {
	end := s.End
	if end.Col > 1 {
		end.Col--
	}
	return end
}

// block returns a new block without code, for a statement with a text (its own, if it is "").
func (c *coder) block(s zing.Node, level int32, flags zom.Flags, text string) *block {
	return &block{Block: zom.Block{Level: level, Flags: flags, Scope: c.scope, Node: c.b.node(s.Range(), text, c.name())}}
}

// node sets the node of a block.
func (b *block) node(n int32) { b.Node = n }

// skip returns a block that does nothing.
func (c *coder) skip(s zing.Node, level int32, flags zom.Flags, next *block) *block {
	b := c.block(s, level, flags, "")
	c.jump(b, next)
	return b
}

// emit adds an instruction to a block.
func (c *coder) emit(b *block, op zom.Op, x, y, z int32) *instr {
	b.code = append(b.code, instr{Instr: zom.Instr{Op: op, A: x, B: y, C: z, Node: b.Node}})
	return &b.code[len(b.code)-1]
}

// jump ends a block.
func (c *coder) jump(b, next *block) { c.leap(b).to = []target{flow(next)} }

// leap adds a jump that belongs to the node of the instruction before it.
func (c *coder) leap(b *block) *instr {
	in := c.emit(b, zom.Jump, 0, 0, 0)
	if n := len(b.code); n > 1 {
		in.Node = b.code[n-2].Node
	}
	return in
}
