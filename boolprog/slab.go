package boolprog

// This file allocates the nodes of programs and graphs in large pieces.

// slab hands out values of one type from a few large pieces of memory. Programs and their graphs are
// many small objects that live and die together, and single allocations would cost more than the
// work on them.
type slab[T any] struct {
	rest []T // values not handed out yet
	size int // length of the latest piece
}

// Sizes of the pieces: each is twice as large as the one before it, within these.
const (
	firstPiece = 8
	lastPiece  = 512
)

// new returns a zero value.
func (s *slab[T]) new() *T { return &s.list(1)[0] }

// list returns n zero values. The slice has no spare capacity.
func (s *slab[T]) list(n int) []T {
	// A new piece, twice as large as the last one; the rest of that is wasted.
	if n > len(s.rest) {
		s.size = max(n, firstPiece, min(2*s.size, lastPiece))
		// A longer list than the largest piece gets one of its own size.
		s.rest = make([]T, s.size)
	}
	out := s.rest[:n:n]
	s.rest = s.rest[n:]
	return out
}

// copyOf returns a copy of a list; nil for an empty list.
func (s *slab[T]) copyOf(list []T) []T {
	if len(list) == 0 {
		return nil
	}
	out := s.list(len(list))
	copy(out, list)
	return out
}

// emptied returns an empty map: m itself unless it had many entries, because clearing a map takes
// as long as it once took to fill.
func emptied[V any](m map[string]V) map[string]V {
	const much = 64
	if len(m) > much {
		return map[string]V{}
	}
	clear(m)
	return m
}

// memory is where the parser allocates the nodes of a program.
type memory struct {
	vars    slab[Var]
	procs   slab[Proc]
	stmts   slab[Stmt]
	assigns slab[Assign]
	calls   slab[Call]
	ifs     slab[If]

	consts   slab[Const]
	refs     slab[Ref]
	nots     slab[Not]
	binaries slab[Binary]

	varLists   slab[*Var]
	stmtLists  slab[*Stmt]
	blockLists slab[[]*Stmt]
	refLists   slab[*Ref]
	exprLists  slab[Expr]
}
