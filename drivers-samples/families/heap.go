package families

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// This file generates drivers whose objects are of six struct types, and point to each other.

// Heap returns a driver with a number of devices and of operations. A device has a queue, a channel and a
// lock, and each operation makes a request with a buffer, which it maps, gives to the channel, and gives up:
//
//	dev ── queue ── head ─┐
//	 ├──── chan ─── cur ──┴─ req ── buf
//	 └──── lock
//
// The property: locks are taken and released in turn, and requests, buffers and channels go through their
// states in order. It is checked in many places. In the unsafe program one operation gives up a request
// whose buffer is mapped, where the channel has an error.
//
// An operation has about 30 lines. Predicates has 20 object predicates.
func Heap(devices, operations int, seed uint64, unsafe bool) Program {
	h := &heapDriver{rand: newRand(seed), devices: devices, operations: operations}
	h.defect = h.rand.IntN(operations)
	defect := h.defect
	if !unsafe {
		h.defect = -1
	}
	p := Program{
		Name: fmt.Sprintf("heap-%d-%d-%d-safe", devices, operations, seed), Want: "TRUE",
		Text: h.text(), Predicates: heapPredicates,
	}
	if unsafe {
		// Open the first device; then the operation, with an error of the channel.
		p.Name, p.Want = strings.TrimSuffix(p.Name, "safe")+"unsafe", "FALSE"
		p.Witness = []int64{1, 0, 0, 1, 0, int64(defect + 2), 1}
		for i, line := range strings.Split(p.Text, "\n") {
			if strings.Contains(line, "r->buf->mapped == 0") {
				p.Line = i + 1
			}
		}
	}
	return p
}

// heapDriver is the data of such a driver.
type heapDriver struct {
	rand                *rand.Rand
	devices, operations int
	defect              int // the operation that is wrong; -1 if none is
}

// heapPredicates are the predicates of the family.
const heapPredicates = `struct lock:
    held == 0
struct dev:
    state == 0, state == 1, opens == 0, opens == 1
struct queue:
    frozen == 0, length == 0, length == 1
struct req:
    status == 0, status == 1, status == 2, owner == 0, done == 0
struct buf:
    mapped == 0, mapped == 1, dirty == 0, dirty == 1
struct chan:
    busy == 0, busy == 1, error == 0
`

// heapHead has the types and the procedures for each.
const heapHead = `#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#define CHECK(cond) do { if (!(cond)) reach_error(); } while (0)

struct dev;
struct req;

struct lock { int held; };
struct buf { int mapped; int dirty; int bytes; };
struct queue { struct req *head; struct dev *dev; int frozen; int length; };
struct chan { struct req *cur; int busy; int error; };
struct req { struct dev *dev; struct buf *buf; int status; int owner; int done; int code; };
struct dev { struct queue *queue; struct chan *chan; struct lock *lock; int state; int opens; };

static void lock(struct lock *l)
{
	CHECK(l->held == 0);
	l->held = 1;
}

static void unlock(struct lock *l)
{
	CHECK(l->held != 0);
	l->held = 0;
}

static struct req *req_new(struct dev *d, int code)
{
	struct req *r = malloc(sizeof(*r));

	if (!r)
		return NULL;
	r->dev = d;
	r->buf = NULL;
	r->status = 0;
	r->owner = 0;
	r->done = 0;
	r->code = code;
	return r;
}

static int req_buffer(struct req *r, int bytes)
{
	struct buf *b = malloc(sizeof(*b));

	if (!b)
		return -12;
	b->mapped = 0;
	b->dirty = 0;
	b->bytes = bytes;
	r->buf = b;
	return 0;
}

static void buf_fill(struct buf *b, int n)
{
	CHECK(b->mapped == 0);
	b->dirty = 1;
	b->bytes = n;
}

static void buf_flush(struct buf *b)
{
	if (b->dirty)
		b->dirty = 0;
}

static void buf_map(struct buf *b)
{
	CHECK(b->mapped == 0);
	CHECK(b->dirty == 0);
	b->mapped = 1;
}

static void buf_unmap(struct buf *b)
{
	CHECK(b->mapped == 1);
	b->mapped = 0;
}

static void enqueue(struct queue *q, struct req *r)
{
	CHECK(q->length == 0);
	CHECK(r->status == 0);
	q->head = r;
	q->length = 1;
}

static struct req *dequeue(struct queue *q)
{
	struct req *r = q->head;

	CHECK(q->length == 1);
	q->head = NULL;
	q->length = 0;
	return r;
}

static void submit(struct chan *c, struct req *r)
{
	CHECK(c->busy == 0);
	CHECK(r->status == 0);
	c->busy = 1;
	c->cur = r;
	r->status = 1;
	r->owner = 1;
}

static void finish(struct chan *c, int error)
{
	struct req *r = c->cur;

	CHECK(c->busy == 1);
	CHECK(r->status == 1);
	r->status = 2;
	r->owner = 0;
	r->done = 1;
	c->cur = NULL;
	c->busy = 0;
	c->error = error;
}

static void req_put(struct req *r)
{
	CHECK(r->status != 1);
	CHECK(r->owner == 0);
	if (r->buf) {
		CHECK(r->buf->mapped == 0);
		free(r->buf);
	}
	free(r);
}

static int dev_open(struct dev *d)
{
	lock(d->lock);
	if (d->state == 1) {
		unlock(d->lock);
		return -16;
	}
	CHECK(d->opens == 0);
	d->state = 1;
	d->opens = 1;
	d->queue->frozen = 0;
	unlock(d->lock);
	return 0;
}

static int dev_close(struct dev *d)
{
	lock(d->lock);
	if (d->state != 1) {
		unlock(d->lock);
		return -19;
	}
	CHECK(d->opens == 1);
	CHECK(d->queue->length == 0);
	CHECK(d->chan->busy == 0);
	d->state = 0;
	d->opens = 0;
	d->queue->frozen = 1;
	unlock(d->lock);
	return 0;
}

`

// text returns the program.
func (h *heapDriver) text() string {
	var t text
	t.WriteString(heapHead)
	for i := range h.devices {
		t.line("static struct lock lock%d;", i)
		t.line("static struct queue queue%d;", i)
		t.line("static struct chan chan%d;", i)
		t.line("static struct dev dev%d;", i)
	}
	t.line("")
	for i := range h.operations {
		h.operation(&t, i)
	}
	// The devices, and the loop that operates them.
	t.line("int main(void)")
	t.line("{")
	t.line("struct dev *d;")
	t.line("int arg;")
	t.line("")
	for i := range h.devices {
		t.line("dev%d.queue = &queue%d;", i, i)
		t.line("dev%d.chan = &chan%d;", i, i)
		t.line("dev%d.lock = &lock%d;", i, i)
		t.line("queue%d.dev = &dev%d;", i, i)
		t.line("queue%d.frozen = 1;", i)
	}
	t.line("while (__VERIFIER_nondet_int()) {")
	t.line("switch (__VERIFIER_nondet_int()) {")
	for i := 1; i < h.devices; i++ {
		t.line("case %d:", i)
		t.line("d = &dev%d;", i)
		t.line("break;")
	}
	t.line("default:")
	t.line("d = &dev0;")
	t.line("break;")
	t.line("}")
	t.line("switch (__VERIFIER_nondet_int()) {")
	t.line("case 0:")
	t.line("dev_open(d);")
	t.line("break;")
	t.line("case 1:")
	t.line("dev_close(d);")
	t.line("break;")
	for i := range h.operations {
		t.line("case %d:", i+2)
		t.line("arg = __VERIFIER_nondet_int();")
		t.line("operation%d(d, arg);", i)
		t.line("break;")
	}
	t.line("default:")
	t.line("break;")
	t.line("}")
	t.line("}")
	t.line("return 0;")
	t.line("}")
	return t.String()
}

// operation writes operation i.
func (h *heapDriver) operation(t *text, i int) {
	queued, filled := h.rand.IntN(2) == 0, h.rand.IntN(2) == 0
	t.line("static int operation%d(struct dev *d, int arg)", i)
	t.line("{")
	t.line("struct req *r;")
	t.line("int err = -19, command = %d;", h.rand.IntN(256))
	t.line("")
	t.line("lock(d->lock);")
	t.line("if (d->state != 1)")
	t.line("\tgoto out;")
	t.line("err = -12;")
	t.line("r = req_new(d, command);")
	t.line("if (!r)")
	t.line("\tgoto out;")
	t.line("if (req_buffer(r, %d) < 0)", 1+h.rand.IntN(4096))
	t.line("\tgoto put;")
	if filled {
		t.line("buf_fill(r->buf, arg);")
	}
	t.line("buf_flush(r->buf);")
	t.line("buf_map(r->buf);")
	if queued {
		t.line("enqueue(d->queue, r);")
	}
	// What the command is made of.
	for range 3 + h.rand.IntN(6) {
		t.line("command %s arg %s %d;", [...]string{"^=", "|=", "&="}[h.rand.IntN(3)], [...]string{"&", ">>", "^"}[h.rand.IntN(3)], 1+h.rand.IntN(7))
	}
	if queued {
		t.line("r = dequeue(d->queue);")
	}
	t.line("submit(d->chan, r);")
	t.line("finish(d->chan, arg & 1);")
	t.line("err = 0;")
	t.line("if (d->chan->error) {")
	t.line("err = -5;")
	if i != h.defect {
		t.line("buf_unmap(r->buf);")
	}
	t.line("goto put;")
	t.line("}")
	t.line("CHECK(r->done);")
	t.line("buf_unmap(r->buf);")
	t.line("put:")
	t.line("req_put(r);")
	t.line("out:")
	t.line("unlock(d->lock);")
	t.line("return err < 0 ? err : command;")
	t.line("}")
	t.line("")
}
