// Package algebra computes with core expressions in the way that predicate discovery needs it:
// simplified, taken apart into atoms and linear sums, and with places in memory named by base and
// offset.
//
// Expressions here are proposals for predicates or parts of them. A simplification may lose meaning
// where it says so (Simplify); no verdict depends on it.
//
//	i + 1 - 1 < n + 0               becomes  i < n                 Simplify
//	!(a < b && c)                   has      a < b and c != 0      Atoms
//	&p->lock == &dev.lock           becomes  p == &dev             Simplify
//	short at p + 2, after long v    holds    (short)(v >> 16)      Overlay
//
// Files:
//
//	conditions.go   atoms of conditions, names of places, size of expressions
//	places.go       lvalues and addresses: base and constant offset, conversions, predicates on kinds
//	simplify.go     normal form of comparisons; linear sums (Sum)
//	overlay.go      contents of a place after a write to overlapping bytes
package algebra
