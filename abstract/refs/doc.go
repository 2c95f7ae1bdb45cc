// Package refs decides which pointers of a program an abstraction keeps as references (Qadeer–Rajamani
// 2005, §1: "the backbone" of the heap; Andrews et al. 2004, §4), and says why it keeps the others not.
//
// In the Boolean program a struct type that is kept is a class, with a Boolean field for each object
// predicate and a reference field for each pointer member that is kept; pointers to objects of the type
// are references. So the checker resolves every question of aliasing while it runs:
//
//	struct dev { int state; struct dev *next; }      class dev { bool {state == 1} := *; ref dev next; }
//	p = malloc(sizeof *p)                            p := new dev
//	p->state = 1                                     assume(p != null); p.{state == 1} := 1
//	p->next = q                                      p.next := q
//	p == q->next                                     p = q.next
//	p = get()                                        p := any dev new
//
// # Trade-offs
//
// A reference stands for the address of the first byte of an object of its class, or null. A program that
// does anything else with such a pointer is not refused: a value that no reference expresses is any
// object, or one that was never seen ("any dev new"); a store that does not go through a reference makes
// the fields that it may reach arbitrary in all objects. Only a type is refused whose objects cannot be
// told apart from others at all: memory that is two types at once, and parts of kept objects in unions or in
// arrays.
//
// An object that lies in another one, such as the lock in a device, is an object of its own, and the two lead to each
// other: &d->lock is a way down, container_of a way up (inner.go). A write to one of them is a write to the other,
// where bytes are common; predicates that read those are forgotten unless the write knows both.
//
// Elements of arrays and members of variables are objects, and have names if they are few: an index that is
// not known chooses among these. A pointer that leads to objects of several classes is a reference for each
// class; one at most is not null.
//
// # The relation between C and the Boolean program
//
// In each state of a run there is a map from the objects of the Boolean program to places in memory such
// that
//
//	(1) two objects are at different places, and these do not overlap, unless one lies in the other by its type:
//	    then each leads to the other, and else a part leads to no owner;
//	(2) a variable, or a field of an object, that is kept refers to the object at the address that it
//	    holds in C, and is null where that is null;
//	(3) a Boolean field says whether its predicate holds of the place of its object.
//
// An object in memory need not be an object of the Boolean program: one that no reference leads to there
// is forgotten. Where a run comes back to it, by a pointer that is not kept, "any dev new" makes an object
// for it, with fields that are chosen when they are read, as they are in memory then.
//
// # Which pointers
//
// Package alias tells the places that a pointer may lead to. With O(R) for the objects of a type R that is
// wanted (variables, members and elements of variables that are declared with it, and allocations that are
// used as it):
//
//	a type R is refused      if some of its objects overlap with those of another type that is kept, and are not
//	                         parts of these by their types
//	a variable is kept       if all its targets are first bytes of objects in O(R1), …, O(Rn), n <= 3, or are
//	                         outside and it is declared to point to R1
//	a member of R is kept    likewise, by the targets that it has in all objects of O(R)
//
// Pointers from outside lead to places of the types that they are declared with, unless the program uses
// some memory as two types; where these are types that are kept, pointers from outside are not.
//
// A type is wanted, too, if a member of it leads to objects of one that is kept, if one lies in it, or if it lies in one
// and the program computes the address of that from it.
//
// Files:
//
//	plan.go       which pointers are kept, and as references to which classes
//	wanted.go     types without which little is known of those that are wanted
//	objects.go    the objects O(R) of a type; inner.go: those that lie in others; spots.go: their names
//	fields.go     the members that are kept; anyof.go: an expression that leads to all objects of a class
//	locate.go     the object that an address leads to; span.go: the bytes from it on; sole.go: the one variable
package refs
