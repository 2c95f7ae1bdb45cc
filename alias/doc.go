// Package alias finds out where pointers point. The abstraction asks it whether two
// places in memory may be the same, which places a map from addresses to values can
// stand for together, what a call may change, and what a call through a pointer may
// call:
//
//	struct dev { int lock; struct dev *next; } a, b;
//	struct dev *p = &a;                            main.p -> {a}
//	p->next = &b;                                  a+8:8 -> {b}
//	p->next->lock = 1;                             regions: a.next, b.lock
//	int *q = malloc(40) + i;                       main.q -> {alloc@f.c:5+4k}
//
// It is Andersen's analysis (inclusion-based, Andersen 1994): it looks at all statements,
// reachable or not, in no order, and does not tell the calls of a procedure apart (but
// a call is only said to change what it can get at, see reach.go). What it does tell
// apart:
//
//   - fields, by offset ("field-sensitive"): a [Target] is an object and an offset, or
//     the offsets Off + k*Stride that an index can reach. &tab[i].p of a table of
//     structs of 16 bytes is tab+8+16k and differs from &tab[j].n, tab+16k;
//   - objects: each variable that lives in memory (all its activations are one), each
//     allocation site, each procedure;
//   - bit-fields in one byte.
//
// What it is not: it follows no conditions, kills nothing at an assignment, and knows
// nothing of the lives of objects.
//
// # What it relies on
//
// A pointer stays a pointer however it travels. Integers of any width, bytes, unions,
// copies of memory and arithmetic carry addresses: adding a constant to an integer as
// wide as a pointer displaces the address, any other arithmetic may lead anywhere in
// the same object, and what is narrower than a pointer is a piece of one. But
//
//   - pointer arithmetic ([core.Offset], [core.Index]) stays in the object: else it is
//     undefined; only its left operand says which;
//   - what nobody has set since its life began points nowhere, and to follow it is
//     undefined: contents of a fresh object, a variable that begins to live;
//   - a number that becomes an address, by a cast, a union or a copy of bytes, points
//     outside: to memory that the program does not define, such as a device, or to what
//     is known there; or to what is exposed (expose.go). One in the first or last page
//     points nowhere.
//
// # Outside
//
// One object, [Outside], stands for all memory that the program does not define and,
// in one, for every object that has escaped to procedures without a body or to
// assembly. The arguments of an external call escape, and so does what escaped objects
// hold; in turn they may hold pointers to everything outside. Pointers from outside
// are results of externals, what a [core.Havoc] or a Fill without a byte makes
// arbitrary, formals of the entry, globals that the entry's first nodes do not set,
// and foreign ones. So a pointer from outside may alias every escaped object, and
// nothing else of the program's.
//
// Which places outside, or in escaped objects, may overlap is decided by their types, unless the
// program is to be read without ([core.EnvironmentAny]): a place of a type lies in an object of
// that type or of one that contains it (shape.go). So that this is right for a program that takes
// one object for two, pointers from outside are told apart by where they come from (origin.go), and
// types that one of them is followed as are merged (follow.go).
//
// What an external call may change follows [core.Program.Extern]. With
// [core.ExternArgs] that is what its arguments lead to; as an escaped object that is
// large enough to hold an address may hold any that is known outside, an argument that
// points into one leads to all escaped objects. An argument that is narrower than a
// pointer, before it is converted to one as wide, leads nowhere unless it carries an address of the program's.
//
// # Phases
//
//	constraints   value.go build.go call.go   one pass over the program
//	offsets       move.go linear.go cell.go   what arithmetic does to addresses
//	solution      graph.go apply.go merge.go  rounds of propagation in topological
//	                                          order; cycles merged between rounds
//	memory        memory.go                   slots for stores, views for loads, edges
//	                                          between those that overlap
//	escape, calls call.go                     on the fly
//	exposure      expose.go                   on the fly
//	origins       origin.go                   on the fly
//	types         shape.go follow*.go stored.go meet.go  which places outside may overlap
//	effects       effects.go                  bottom-up over the call graph
//	answers       query.go only.go affected.go reach.go regions.go resolve.go
//	constants     constant.go tables.go truth.go
//	extra         extra.go                    variable arguments become memory
//	ledger        assume.go
//
// The constraint graph has a vertex for each variable outside of memory, for each
// cell (range of bits at an offset and stride) that is stored to or loaded from, and
// for intermediate values. A vertex holds a set of addresses; an edge says that one
// set includes another; rules say what to do for each address: a load or store makes
// edges to the cells there, arithmetic makes other addresses. In a loop such as
// p = p + 16 a move that has made eight addresses in one object merges all into one
// with a stride. Large programs have few different sets, which many vertices share;
// so sets are stored once, and loads and stores through equal sets share their edges.
//
//	core             constraint
//	x := y           x includes y
//	x := *(y + 8)    for each address a in y: x includes the cells that overlap a+8
//	*(y + 8) := x    for each address a in y: cell a+8 includes x
//	x := &y + 8      x includes y+8
//	x := y + i*16    for each address a in y: x includes a+16k
//	copy y, x, 24    for all addresses: the cells in 24 bytes, moved
//	x := f(y)        formal includes y, x includes the result; f by callee or pointer
//	x := ext(y)      outside includes y, and what that leads to; x includes outside
//	havoc x          x includes outside
//
// # Constants
//
// What C's initialisers set and no statement or call may change afterwards, whether it is
// declared const or not, is constant: tables of operations above all. [Resolve] puts into
// the program what is read there, so that neither predicates nor proofs have to say it.
// It is a place that is constant, not an object: a struct may have a member that changes.
//
// # Effects
//
// A procedure's effect is the globals and cells that it may write, and those of its
// callees, transitively; procedures that call each other share one. What a procedure
// stores by name in its own variables is no effect: under recursion the caller's
// variable of that name is another one. What it stores through a pointer is, but for
// variables of procedures that are not recursive and have returned.
package alias
