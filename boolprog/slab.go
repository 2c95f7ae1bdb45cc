package boolprog

// slab hands out values of one type that lie in a few large pieces of memory. Programs
// and their graphs are many small objects that live and die together: allocated and
// collected one by one, they would cost more than what is done with them.
type slab[T any] struct {
	rest []T // not handed out yet
	size int // of the latest piece
}

// The sizes of the pieces: each is twice as large as the one before it, within these.
const (
	firstPiece = 8
	lastPiece  = 512
)

// new returns a zero value.
func (s *slab[T]) new() *T { return &s.list(1)[0] }

// list returns n zero values, to which nothing can be appended in place.
func (s *slab[T]) list(n int) []T {
	if n > len(s.rest) {
		s.size = max(n, firstPiece, min(2*s.size, lastPiece))
		s.rest = make([]T, s.size)
	}
	out := s.rest[:n:n]
	s.rest = s.rest[n:]
	return out
}

// copyOf returns a copy of a list; of none at all, nil.
func (s *slab[T]) copyOf(list []T) []T {
	if len(list) == 0 {
		return nil
	}
	out := s.list(len(list))
	copy(out, list)
	return out
}

// emptied returns an empty map: m itself unless much was in it, for to clear a map takes
// as long as it once took to fill.
func emptied[V any](m map[string]V) map[string]V {
	const much = 64
	if len(m) > much {
		return map[string]V{}
	}
	clear(m)
	return m
}

// memory is where the parser puts the nodes of a program.
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
