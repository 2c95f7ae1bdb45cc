package families

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// This file generates drivers whose objects come from outside.

// Outside returns a driver over objects of that number of struct types, all of which come from
// functions without a body, and from members of such objects: peers of other types, lists, tables
// of methods that may be null. No statement initialises any. Each type has unitProcs procedures,
// which take the one lock, change their argument and objects reachable from it, and return status
// codes.
//
// The property: the lock is taken and released alternately, an object keeps the state that a
// procedure sets while that changes other objects, and rings are indexed within their bounds. It is
// checked in one place, the procedure check. In the unsafe program one procedure returns with the
// lock held if its object has no peer.
//
// A type has about 180 lines. Outside panics if types is less than 2.
func Outside(types int, seed uint64, unsafe bool) Program {
	if types < 2 {
		panic("families: Outside needs two types")
	}
	o := &outside{rand: newRand(seed), types: types, peers: make([]int, types)}
	for i := range o.peers {
		// Types form a random graph.
		o.peers[i] = (i + 1 + o.rand.IntN(types-1)) % types // not its own
	}
	o.defect = o.rand.IntN(types * unitProcs)
	request := int64(o.defect + 1)
	if !unsafe {
		o.defect = -1
	}
	name := fmt.Sprintf("outside-%d-%d", types, seed)
	p := finish(name, o.text(name), unsafe, []int64{request, 1, request, 1})
	p.Environment, p.Predicates = o.environment(), o.predicates()
	return p
}

// unitProcs is the number of procedures of a type.
const unitProcs = 4

// outside is the data of such a driver: procedure p of type i has the number i*unitProcs+p.
type outside struct {
	rand   *rand.Rand
	types  int
	peers  []int // the type of each type's peers
	defect int   // the number of the procedure that is wrong; -1 if none is
}

// outsideHead has the procedures for the lock.
const outsideHead = `extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#define STATUS_OK       0
#define STATUS_NONE    -19
#define STATUS_INVALID -22

#define RING 16

int device_lock;

static void check(int holds)
{
    if (!holds)
        reach_error();
}

static void lock_device(void)
{
    check(device_lock == 0);
    device_lock = 1;
}

static void unlock_device(void)
{
    check(device_lock == 1);
    device_lock = 0;
}
`

// text returns the driver as C.
func (o *outside) text(name string) string {
	var t text
	t.line("/* %s: objects of %d types, all from outside */", name, o.types)
	t.WriteString(outsideHead)
	t.line("")
	for i := range o.types {
		t.line("struct unit%d;", i)
	}
	for i := range o.types {
		o.declarations(&t, i)
	}
	for i := range o.types {
		for p := range unitProcs {
			o.proc(&t, i, p)
		}
	}
	t.line("")
	t.line("int main(void)")
	t.line("{")
	t.line("int request, argument, status = STATUS_OK;")
	t.line("")
	t.line("device_lock = 0;")
	t.line("while (1) {")
	t.line("request = __VERIFIER_nondet_int();")
	t.line("if (request == 0)")
	t.line("    break;")
	t.line("argument = __VERIFIER_nondet_int();")
	t.line("switch (request) {")
	for n := range o.types * unitProcs {
		t.line("case %d:", n+1)
		t.line("    status = unit%d_%s(find%d(argument), argument);", n/unitProcs, verbs[n%unitProcs], n/unitProcs)
		t.line("    break;")
	}
	t.line("default:")
	t.line("    status = STATUS_INVALID;")
	t.line("    break;")
	t.line("}")
	t.line("}")
	t.line("return status != STATUS_OK;")
	t.line("}")
	return t.String()
}

// declarations writes type i, and declares the functions outside that return or take its objects.
func (o *outside) declarations(t *text, i int) {
	t.line("")
	t.line("struct ops%d {", i)
	t.line("int (*start)(struct unit%d *u, int how);", i)
	t.line("void (*stop)(struct unit%d *u);", i)
	t.line("};")
	t.line("")
	t.line("struct unit%d {", i)
	t.line("int state;")
	t.line("unsigned int flags;")
	t.line("struct unit%d *next;", i)
	t.line("struct unit%d *peer;", o.peers[i])
	t.line("const struct ops%d *ops;", i)
	t.line("unsigned int count;")
	t.line("int head;")
	t.line("int ring[RING];")
	t.line("};")
	t.line("")
	t.line("extern struct unit%d *find%d(int number);", i, i)
	t.line("extern void report%d(struct unit%d *u);", i, i)
}

// proc writes procedure p of type i.
//
//	static int unit0_start(struct unit0 *u, int argument)
//	{
//	    struct unit0 *v;
//	    int status = STATUS_OK, n = 0;
//
//	    if (!u)
//	        return STATUS_NONE;
//	    lock_device();
//	    if (!u->peer) {
//	        unlock_device();
//	        return STATUS_NONE;
//	    }
//	    u->state = 5;
//	    …
//	    check(u->state == 5);
//	    unlock_device();
//	    return status;
//	}
func (o *outside) proc(t *text, i, p int) {
	t.line("")
	t.line("static int unit%d_%s(struct unit%d *u, int argument)", i, verbs[p], i)
	t.line("{")
	t.line("struct unit%d *v;", i)
	t.line("int status = STATUS_OK, n = 0;")
	t.line("")
	t.line("if (!u)")
	t.line("    return STATUS_NONE;")
	t.line("lock_device();")
	t.line("if (!u->peer) {")
	// The defect: this exit keeps the lock.
	if o.defect != i*unitProcs+p {
		t.line("unlock_device();")
	}
	t.line("return STATUS_NONE;")
	t.line("}")
	for range 2 {
		// Set the state, do something else, check the state.
		state := 1 + o.rand.IntN(8)
		t.line("u->state = %d;", state)
		for _, step := range o.rand.Perm(4)[:2] {
			o.keep(t, step)
		}
		t.line("check(u->state == %d);", state)
	}
	o.leave(t, i, o.rand.IntN(3))
	t.line("unlock_device();")
	t.line("return status;")
	t.line("}")
}

// keep writes a step that does not change the state of the object.
func (o *outside) keep(t *text, step int) {
	switch step {
	case 0:
		t.line("u->peer->count = u->peer->count + (unsigned int)argument;")
		t.line("u->peer->flags = u->peer->flags | 1u;")
	case 1:
		t.line("for (v = u->next; v && n < 8; v = v->next) {")
		t.line("v->flags = v->flags & ~2u;")
		t.line("n = n + 1;")
		t.line("}")
	case 2:
		t.line("if (u->head < 0 || u->head >= RING)")
		t.line("    u->head = 0;")
		t.line("check(u->head >= 0 && u->head < RING);")
		t.line("u->ring[u->head] = argument;")
		t.line("u->head = u->head + 1;")
	case 3:
		t.line("if (u->count < 100u && u->peer->state > 2)")
		t.line("    u->count = u->count + 1;")
	}
}

// leave writes a step that calls a function outside of the driver.
func (o *outside) leave(t *text, i, step int) {
	switch step {
	case 0:
		t.line("if (u->ops && u->ops->start) {")
		t.line("status = u->ops->start(u, argument);")
		t.line("if (status < 0) {")
		t.line("unlock_device();")
		t.line("return status;")
		t.line("}")
		t.line("}")
	case 1:
		t.line("report%d(u);", i)
	case 2:
		t.line("unlock_device();")
		t.line("if (u->ops && u->ops->stop)")
		t.line("    u->ops->stop(u);")
		t.line("lock_device();")
	}
}

// environment defines the functions outside: for each type an object without a peer, number 1, and
// a complete one.
func (o *outside) environment() string {
	var t text
	for i := range o.types {
		t.line("")
		t.line("static int start%d(struct unit%d *u, int how) { u->state = how; return how; }", i, i)
		t.line("static void stop%d(struct unit%d *u) { u->count = 0; }", i, i)
		t.line("static const struct ops%d table%d = { start%d, stop%d };", i, i, i, i)
		t.line("static struct unit%d bare%d, full%d;", i, i, i)
		t.line("void report%d(struct unit%d *u) { u->flags = 0; }", i, i)
	}
	for i := range o.types {
		t.line("")
		t.line("struct unit%d *find%d(int number)", i, i)
		t.line("{")
		t.line("if (number == 0)")
		t.line("    return 0;")
		t.line("full%d.next = number %% 2 ? &full%d : &bare%d;", i, i, i)
		t.line("full%d.peer = &full%d;", i, o.peers[i])
		t.line("full%d.ops = &table%d;", i, i)
		t.line("return number == 1 ? &bare%d : &full%d;", i, i)
		t.line("}")
	}
	return t.String()
}

// predicates returns twenty predicates, as a user would give them.
func (o *outside) predicates() string {
	var b strings.Builder
	b.WriteString("global:\n    device_lock == 0, device_lock == 1\n")
	for n := range 9 {
		fmt.Fprintf(&b, "\nunit%d_%s:\n    u->state == %d, u->head < 16\n", n%o.types, verbs[n/o.types%unitProcs], 1+n%8)
	}
	return b.String()
}
