package frontend

import "modernc.org/cc/v4"

// pointsToVolatile reports whether the pointer n points to a volatile object, where its
// type does not tell.
func (b *functionLowerer) pointsToVolatile(n cc.ExpressionNode) bool { return false }
