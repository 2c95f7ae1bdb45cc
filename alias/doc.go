// Package alias computes points-to sets. The abstraction asks it whether two places in memory may be
// the same, which places one map from addresses to values can represent, which places a call may
// change, and which procedures a call through a pointer may call:
//
//	struct dev { int lock; struct dev *next; } a, b;
//	struct dev *p = &a;                            main.p -> {a}
//	p->next = &b;                                  a+8:8 -> {b}
//	p->next->lock = 1;                             regions: a.next, b.lock
//	int *q = malloc(40) + i;                       main.q -> {alloc@f.c:5+4k}
//
// It is Andersen's analysis (Andersen 1994): inclusion-based, flow-insensitive and context-insensitive.
// It looks at all statements, reachable or not, in no order, and does not distinguish the calls of a
// procedure; but the effect of a call is restricted to memory that the call can reach
// (reachability.go). It distinguishes
//
//   - fields, by offset ("field-sensitive"): a [Target] is an object and an offset, or
//     the offsets Off + k*Stride that an index can reach. &tab[i].p of a table of
//     structs of 16 bytes is tab+8+16k and differs from &tab[j].n, tab+16k;
//   - objects: each variable that lives in memory (all its activations are one), each
//     allocation site, each procedure;
//   - bit-fields in one byte.
//
// It ignores conditions, kills nothing at an assignment, and does not model the lifetimes of objects.
//
// # Assumptions
//
// Addresses are followed through integers of any width, bytes, unions, copies of memory and
// arithmetic: adding a constant to an integer as wide as a pointer displaces the address, any other
// arithmetic may give any address in the same object, and a value that is narrower than a pointer is
// a piece of one. But
//
//   - pointer arithmetic ([core.Offset], [core.Index]) stays in the object, as anything else is
//     undefined; its left operand alone determines the object;
//   - a value that nobody has set since its lifetime began points nowhere, and dereferencing it is
//     undefined: contents of a fresh object, a variable that begins to live;
//   - a number that becomes an address, by a cast, a union or a copy of bytes, points outside: to
//     memory that the program does not define, such as a device, or to objects that are known
//     there; or to exposed objects (expose.go). A number in the first or last page points nowhere.
//
// # Outside
//
// One object, [Outside], represents all memory that the program does not define and also every object
// that has escaped to procedures without a body (externals) or to assembly. The arguments of an
// external call escape, and so do the contents of escaped objects; in turn escaped objects may hold
// pointers to everything outside. Pointers from outside are results of externals, values that a
// [core.Havoc] or a Fill without a byte makes arbitrary, formals of the entry, globals that the
// entry's first nodes do not set, and foreign globals. So a pointer from outside may alias every
// escaped object, and no other object of the program.
//
// Types decide which places outside, or in escaped objects, may overlap, unless the program is to be
// analysed without types ([core.EnvironmentAny]): a place of a type lies in an object of that type or
// of one that contains it (shape.go). For programs that use one object as two types, pointers from
// outside are distinguished by their origins (origin.go), and the types that one of them is
// dereferenced as may lie over each other at the distances of the dereferences (follow.go, overlay.go).
//
// [core.Program.Extern] says which memory an external call may change. With [core.ExternArgs] that is
// the memory that its arguments reach; an escaped object that is large enough to hold an address may
// hold any that is known outside, so that an argument that points into one reaches all escaped
// objects. An argument that is narrower than a pointer, before conversions, reaches nothing unless it
// carries an address of the program.
//
// # Types that lie over each other
//
// A value that the program follows as a struct a, and d bytes further on as a struct b, is an overlay (a, d, b). It
// says of memory outside: a b may begin d bytes after the start of an a, wherever neither type holds the other there.
//
//	void *p = get();  ((struct a *)p)->x = 1;  ((struct b *)(p + 8))->y = 2;       (a, 8, b)
//	b = &q->m;  ((struct b *)b)->y                  m at byte 16 of a struct a     (a, 16, b)
//	((struct b *)(p + 24 * i))->y                                                  (a, 24k, b)
//	((struct b *)(p + f(i)))->y                     arithmetic of any kind         (a, k, b)
//
// The runs that the assumption about nesting admits are those in which any two objects outside that share a byte are
// nested, or parts of members of a union, or laid so: there is an overlay (a, d, b), one of the objects is an a, a part
// of one or around one, the other one likewise of a b, and the two are where their being so puts them. Member m of
// the first and member n of the second share a bit just if their ranges do, at one of these distances.
//
// This is sound for such runs: two places that share a bit are in objects that overlap, and the answer is no only if
// no distance at which these may lie lets the ranges meet. And it takes no run from a program that uses one value as
// several types. By induction over the run, a value is followed only as the list of its origin has it, that is of the
// statement or place where the program got it: it comes from outside, to an origin; it is moved as points-to sets include; it
// is stored and read again, and then the two places share a bit, so that there is a flow from the one origin to the other, along
// which uses pass back (flows.go); or it lies outside and is read at several places, all of which share a bit, so that of
// each two the list of one includes the list of the other. Any two members of a list are nested, apart, or an
// overlay. Which places share a bit depends on the overlays and these on the lists, so that they are computed
// together until nothing changes. Lists only grow, and have finitely many distances; of two types more than 64 become
// all at a stride.
//
// Distances add up along values: if a value read at one place is one that was stored, less 8 bytes, all uses of the value read
// are uses of the one stored, 8 bytes further on. They do not add up along types: if one value is used as an a and a b, and
// another one as a b and a c, an a and a c do not overlap. That the two values are the same is excluded by the assumption,
// which is about pairs of types; the program does not say so of any value. Nor do they where two values are stored in one
// place: what is read there may be either, so that its uses are uses of both, but no use of the one is one of the other.
//
// A number that is written through a pointer to numbers, *(long *)a, is at a place that shows no struct. It is placed in
// the smallest struct that the values of a's origin are followed as and that has room for it there (placed, in meet.go):
// a pointer that leads outside leads to a place of its types. Larger ones hold that struct, or lie over it. If the origin
// is used as none, or at no fixed distance, it is a number anywhere.
//
// A number that is accessed at an index, word[i], is in the array of numbers that word leads into, and so is one through a
// pointer that is moved along it once, p = word + i (moved.go). Of a value that the program follows as a struct which has a row of
// such numbers there, just the elements of the row are numbers (settled, in follow.go): to test bits of q->state lays no numbers
// over a struct queue. Numbers in an array of characters of the struct, ((u16 *)card->rom)[i], are in that array. A byte that the
// program accesses as a part of a number counts as the number.
//
//	struct queue { void *owner; unsigned long state; };      test_bit(n, &q->state)      8 bytes at byte 8, not at 8k
//	                                                         test_bit(n, (void *)q)      8 bytes at 8k: an overlay
//
// In a procedure that each call passes the address of a member to, and that does not change its parameter, an access through that is
// one to the member, as it would be with the text of the procedure in the place of each call (passed.go). Unlike what values are
// followed as, that says of each single access where it goes.
//
//	void set_one(long *word) { *word |= 1; }      set_one(&q->state); set_one(&p->flags);      q->state or p->flags, and no pointer
//
// An array without an end, rows[] at the end of a struct, has elements from its first one on, however many, and none before. So
// memory that is allocated for such a struct is the struct and its elements, as memory of the size of another struct is that.
// A struct that begins before an object of the program, as container_of finds one around the head of an empty list, is used
// where it lies in the object, at most (objectTouch): no access is outside of it. Just the members count that are accessed of the
// value, here or wherever it flows: that the head of a list is taken for a node takes the object around it for no other struct.
//
// # Pointers to pointers
//
// What is read through a pointer to pointers, rows[i], may lie in any struct. If it were the pointer of each member of
// that size, the program would use each as all types that such members lead to: all types would lie over each other. So
// the shape of a pointer has the tag of the struct that it is declared to lead to, and is that of no member with another
// tag. A member, a variable or a read without a tag, of a number, a void * or a pointer to numbers, may be any.
//
//	struct row **rows;  rows[i]->n          8 bytes, struct row, in any struct that has a struct row *, a void * or a long
//	d->bus->n                               byte 16 of a struct dev, which is a struct bus *: not rows[i]
//	*(struct row **)&d->bus                 the value &d->bus is followed as both, an overlay (struct row *, -16, struct dev)
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
//	types         shape.go follow*.go moved.go stored.go flows.go overlay.go passed.go meet.go  which places outside may overlap
//	callbacks     callbacks.go                procedures that externals call back; repeats all the above
//	effects       callgraph.go effects.go     bottom-up over the call graph
//	answers       query.go                    points-to sets and aliases
//	              single.go                   pointers with a single target
//	              calleffects.go modsets.go   what calls and procedures may change
//	              reachability.go             memory that a call can reach
//	              regions.go                  partition of memory accesses
//	              kept.go                     pointers that differ from a new object
//	              living.go                   pointers whose objects were not freed since they were set
//	              ends.go                     what a pointer that is freed may lead to
//	              distance.go                 where in a range of bytes a place is
//	              room.go                     objects that have no room for the target of a result
//	              constant.go                 places that are constant
//	ledger        assume.go
//	dump          dump.go                     --dump alias
//
// Shared data structures: solver.go (the solver), object.go (objects and sets of targets), sets.go blocks.go
// (hash-consed sets), bitset.go, queue.go.
//
// The constraint graph has a vertex for each variable outside of memory, for each cell (range of bits
// at an offset and stride) that is stored to or loaded from, and for intermediate values. A vertex
// holds a set of addresses; an edge says that one set includes another; a rule says what to do for
// each address: a load or store makes edges to the cells there, arithmetic makes other addresses. In a
// loop such as p = p + 16, a move that has made eight addresses in one object merges all into one with
// a stride. Large programs have few different sets, which many vertices share; so sets are stored once
// (hash-consing, Barbar–Sui 2021), and loads and stores through equal sets share their edges.
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
// # Termination
//
// A program has finitely many variables, statements and expressions, and each makes its constraints once;
// what is made while solving is shared by its purpose, so that it suffices to bound the addresses and the
// slots. Sets only grow.
//
//   - Addresses. Rules move them, and each move makes at most eight different ones in an object. The next
//     one merges them to an address with a stride, which includes all; a merged address changes
//     only to one whose stride divides the last, which happens seldom (spread).
//   - Slots. A store makes one for each address. A copy makes one in its destination for each in its source,
//     which may be the same object some bytes further on, or lead back there by other copies. The image
//     of one slot is five slots at most, however long it is: stores of unknown length cover
//     whatever is copied (link.image). An object that has more slots than it can have members is blurred: its
//     slots are merged into one for the whole object (blur). Then each link copies one slot.
//   - Buffers and hubs. There is one for each rule and set of addresses that comes to it.
//
// All of it only adds to sets: a merged address includes those that it was merged from, and the slot of a whole
// object is seen by every load from the object, and copied along every link. So the result includes the
// least fixpoint of the constraints, and what that includes (TestRunsBlurred).
//
// # Constants
//
// A place that C's initialisers set and that no statement or call may change afterwards is constant,
// whether it is declared const or not: tables of operations above all. Package devirt replaces reads
// of constant places by their values, so that neither predicates nor proofs need to mention them.
// Places are constant, not objects: a struct may have a member that changes.
//
// # Effects
//
// The effect of a procedure is the globals and cells that it and its callees, transitively, may write;
// procedures that call each other share one effect. Stores by name to the procedure's own variables
// are no effect: under recursion the caller's variable of that name is another one. Stores through
// pointers are, except to variables of procedures that are not recursive and have returned.
//
// # Example
//
// Devices are on a list of nodes that are members, and container_of goes back from a node to its
// device (devirt/testdata/c/list.txtar):
//
//	struct node { struct node *next, *prev; };
//	struct dev { int irq; struct node link; int *regs; };
//	struct node devices = { &devices, &devices };
//	int window[8];
//
//	insert(&d->link, &devices);                        d = malloc(sizeof *d)
//	for (n = devices.next; n != &devices; n = n->next) {
//	    d = (struct dev *)((char *)n - offsetof(struct dev, link));
//	    *d->regs = d->irq;
//	}
//
// The analysis finds
//
//	devices+0:8 -> {devices, alloc@f.c:16+8}           8 bytes at byte 0: next
//	insert.n -> {alloc@f.c:16+8}
//	main.n -> {devices, alloc@f.c:16+8}
//	main.d -> {devices-8, alloc@f.c:16}
//	regions: devices.next, devices.prev, window, alloc@f.c:16.irq, alloc@f.c:16.regs
//	insert writes: devices+0:8, devices+8:8, alloc@f.c:16+8:8, alloc@f.c:16+16:8
//
// main.d may be the list head less 8 bytes, since conditions are ignored; but a dereference there is
// out of bounds, so that d->irq is a place in allocated devices alone.
//
// # Tests
//
// Random programs (package coregen), and random drivers with pointers from outside (package cgen), are
// executed, and everything that happens is compared with the result: targets of pointers, places that
// coincide, callees, effects, regions. The solver is compared with one that merges and shares nothing.
// Arithmetic of cells is compared with sets of bits. testdata/mutants has a defect for each rule, and
// the test that notices it.
package alias
