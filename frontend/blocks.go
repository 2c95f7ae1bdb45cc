package frontend

import (
	"fmt"
	"strings"
)

// This file numbers the blocks of a function: objects of blocks that are not executed together may have
// the same address (C17 6.2.4p2, 6.2.4p6). The statement of an if, a switch or a loop is a block as
// well, with or without braces (6.8.4p3, 6.8.5p5).

// inBlock calls lower, which lowers the contents of a block, with the path of a new block.
func (b *frame) inBlock(lower func()) {
	outer := b.block
	b.blocks++
	b.block = fmt.Sprintf("%s%d/", strings.TrimSuffix(outer, "/")+"/", b.blocks)
	lower()
	b.block = outer
}

// ownedBlock returns the path of the present block, for a variable declared in it; "" for the outermost
// one, which ends with the activation.
func (b *frame) ownedBlock() string {
	if strings.Count(b.block, "/") <= 2 {
		return ""
	}
	return b.block
}

// ownBlock returns the path of a new block inside the present one, for a temporary or compound literal,
// which lives at most as long as the block around it.
func (b *frame) ownBlock() string {
	b.blocks++
	return fmt.Sprintf("%s%d/", strings.TrimSuffix(b.block, "/")+"/", b.blocks)
}
