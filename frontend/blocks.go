package frontend

import (
	"fmt"
	"strings"
)

// This file keeps the blocks of a function apart: objects of blocks that are not executed
// together may have the same address (C17 6.2.4p2, 6.2.4p6). The statement of an if, a
// switch or a loop is a block as well, with or without braces (6.8.4p3, 6.8.5p5).

// inBlock lowers what is in a block of its own.
func (b *functionLowerer) inBlock(lower func()) {
	outer := b.block
	b.blocks++
	b.block = fmt.Sprintf("%s%d/", strings.TrimSuffix(outer, "/")+"/", b.blocks)
	lower()
	b.block = outer
}

// ownedBlock returns the present block, as that of a variable declared in it; the outermost one
// ends with the activation.
func (b *functionLowerer) ownedBlock() string {
	if strings.Count(b.block, "/") <= 2 {
		return ""
	}
	return b.block
}

// ownBlock returns a block inside the present one for a temporary or compound literal: it lives
// as long as the block around it, or not as long.
func (b *functionLowerer) ownBlock() string {
	b.blocks++
	return fmt.Sprintf("%s%d/", strings.TrimSuffix(b.block, "/")+"/", b.blocks)
}
