package lowerzing

import (
	"c2bp/checker/zom"
)

// This file makes blocks, and lays them out as the code of a procedure.

// block is a block that is being made.
type block struct {
	zom.Block
	code []instr
	wait *block // where a process that stands here may wait
	at   int32  // pc, once it is laid out
	done bool
}

// instr is an instruction whose targets are blocks, or labels in the same block.
type instr struct {
	zom.Instr
	to []target
}

// target is where an instruction leads: the begin of a block or, if block is nil, a label.
type target struct {
	block *block
	label *label
}

// label is a place in the code of a block.
type label struct{ at int }

// flow returns the target that is a block.
func flow(b *block) target { return target{block: b} }

// here returns the target that is a label.
func here(l *label) target { return target{label: l} }

// layout lays out the blocks that can be reached from entry.
func (c *coder) layout(entry *block) {
	p := c.proc
	var order []*block
	var visit func(b *block)
	visit = func(b *block) {
		if b.done {
			return
		}
		b.done = true
		b.at = int32(len(p.Code))
		order = append(order, b)
		for i := range b.code {
			p.Code = append(p.Code, b.code[i].Instr)
		}
		for i := range b.code {
			for _, t := range b.code[i].to {
				if t.block != nil {
					visit(t.block)
				}
			}
		}
		if b.wait != nil {
			visit(b.wait)
		}
		// A call returns to the block after it.
	}
	visit(entry)
	for _, h := range c.cases {
		visit(h.entry)
	}
	c.facts(order)
	// The targets, now that all places are known.
	for _, b := range order {
		for i := range b.code {
			in := &p.Code[int(b.at)+i]
			for _, t := range b.code[i].to {
				if t.block != nil {
					in.Targets = append(in.Targets, t.block.at)
				} else {
					in.Targets = append(in.Targets, b.at+int32(t.label.at))
				}
			}
		}
	}
	for _, h := range c.cases {
		p.Handlers[h.handler].Cases = append(p.Handlers[h.handler].Cases, zom.Case{Exception: h.exception, PC: h.entry.at})
	}
	p.Entry = entry.at
}

// facts fills in the facts about each block.
func (c *coder) facts(order []*block) {
	p := c.proc
	n := len(p.Code)
	p.Starts, p.Blocks = make([]bool, n), make([]zom.Block, n)
	p.Live, p.Globals = make([]zom.Bitset, n), make([]zom.Bitset, n)
	// Every variable is a part of the state.
	all, globals := zom.NewBitset(len(p.Slots)), zom.NewBitset(len(c.b.out.Prog.Globals))
	for i := range p.Scratch {
		all.Set(i)
	}
	for i := range c.b.out.Prog.Globals {
		globals.Set(i)
	}
	for _, b := range order {
		p.Starts[b.at] = true
		b.Wait = -1
		if b.wait != nil {
			b.Wait = b.wait.at
		}
		p.Blocks[b.at] = b.Block
		p.Live[b.at], p.Globals[b.at] = all, globals
	}
}
