// Package bdd provides reduced ordered binary decision diagrams: canonical
// graphs for Boolean functions, on which the symbolic engine represents sets of
// states and relations between states.
//
// What it is: a small package for many small and medium diagrams, with the
// operations that image computation needs. What it is not: it has no complement
// edges and no zero-suppressed variant. The order of the variables decides everything (a k-bit
// adder is linear in one order and exponential in another); the caller chooses the first one, and
// it is changed only when the caller asks for it.
//
// A [Manager] owns the nodes; a [Ref] names one. Equal functions have equal Refs,
// so == decides equivalence. Variables are named by the level that they have at first:
// level 0 is tested first.
//
//	m := bdd.New(3, bdd.Options{})
//	f := m.Or(m.And(m.Var(0), m.Var(1)), m.NVar(2))
//	fmt.Println(m.String(f))
//	fmt.Println(m.String(m.Exists(f, m.Cube([]int{1}))))
//	// 0 & 1 | !2
//	// 0 | !2
//
// # Memory
//
// Nodes are reclaimed only by [Manager.Collect], which the caller runs at safe
// points, between two operations, naming every Ref that it still needs. Inside an
// operation nothing is ever reclaimed, so intermediate results need no care.
//
// # Reordering
//
// [Manager.Reorder] moves blocks of adjacent variables to where the diagrams are smallest. It is
// also a collection: Refs that are kept name the same functions of the same variables, and
// variables, cubes and renamings keep their names, wherever they are now. Only results that depend
// on the order change: the answers of [Manager.SatOne] and [Manager.Cover], and the order in which
// they are listed. A renaming must keep the present order of the variables that it renames; one
// that moves variables inside a block does.
//
// # Running out
//
// When the node limit is reached, or when [Options.Poll] reports an error, the
// operation under way panics with a private value. The exported border of the
// caller turns it into an error again:
//
//	func solve() (err error) {
//		defer bdd.Catch(&err)
//		…
//	}
//
// The Manager stays valid: all earlier Refs keep their meaning.
//
// # Recursion
//
// Every operation recurses at most once per level, so the depth of the Go stack
// is bounded by the number of variables.
//
// The algorithms are the textbook ones (docs/references.md): Bryant 1986 for the operations,
// Minato 1993 for [Manager.Cover], Rudell 1993 for [Manager.Reorder].
package bdd
