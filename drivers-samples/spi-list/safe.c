/*
 * spiq - message queue of an SPI controller.
 *
 * Messages come from the drivers of the chips on the bus and wait in a doubly
 * linked list, of which the controller's `queue` is the head; the list's
 * nodes are members of the messages.  One message at a time is transferred,
 * chunk by chunk, by interrupts; then its owner's callback is called with
 * the node that was in the list.
 *
 * Properties: the lock is taken and released in turn; nothing is taken from an
 * empty list; a message is transferred only between start and completion, and
 * its callback is called exactly once for each submission, with the lock not
 * held.
 */
#include <assert.h>
#include <stddef.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern unsigned int inl(unsigned long port);
extern void outl(unsigned int value, unsigned long port);

#define EIO		5
#define EBUSY		16
#define EINVAL		22
#define ESHUTDOWN	108
#define EINPROGRESS	115

#define SPI_DATA	0x0u
#define SPI_SELECT	0x4u
#define SPI_STATUS	0x8u
#define STATUS_DONE	0x1u
#define STATUS_FAULT	0x2u

#define CHUNK		16u
#define MAX_LEN		4096u
#define CHIPS		4u
#define MESSAGES	8u	/* of all chips together */

struct list_head {
	struct list_head *next;
	struct list_head *prev;
};

#define container_of(ptr, type, member) \
	((type *)((char *)(ptr) - offsetof(type, member)))

struct spi_message {
	unsigned int chip;
	unsigned int len;
	unsigned int done;
	int status;		/* -EINPROGRESS from submission to completion */
	struct list_head node;
};

struct spi_ctrl {
	int locked;
	int stopped;
	unsigned long base;
	struct list_head queue;
	struct spi_message *cur;
	unsigned int finished;
};

static struct spi_ctrl ctrl;	/* the one on the board */
static struct spi_message messages[MESSAGES];

/* ---- lists ------------------------------------------------------------- */

static void list_init(struct list_head *head)
{
	head->next = head;
	head->prev = head;
}

static int list_empty(const struct list_head *head)
{
	return head->next == head;
}

static void list_add_tail(struct list_head *node, struct list_head *head)
{
	struct list_head *last = head->prev;

	node->next = head;
	node->prev = last;
	last->next = node;
	head->prev = node;
}

/* Unlink the first node. */
static struct list_head *list_pop(struct list_head *head)
{
	struct list_head *first = head->next;
	struct list_head *second = first->next;

	assert(first != head);
	head->next = second;
	second->prev = head;
	return first;
}

/* ---- the lock ---------------------------------------------------------- */

static void ctrl_lock(struct spi_ctrl *c)
{
	assert(!c->locked);
	c->locked = 1;
}

static void ctrl_unlock(struct spi_ctrl *c)
{
	assert(c->locked);
	c->locked = 0;
}

/* ---- completion: the owner's callback ---------------------------------- */

static void chip_done(struct list_head *node, int status)
{
	struct spi_message *m = container_of(node, struct spi_message, node);

	assert(m->status == -EINPROGRESS);
	m->status = status;
}

static void spi_complete(struct spi_ctrl *c, struct spi_message *m, int status)
{
	assert(!c->locked);
	c->finished++;
	chip_done(&m->node, status);
}

/* ---- the controller ---------------------------------------------------- */

static void spi_chunk(struct spi_ctrl *c, struct spi_message *m)
{
	unsigned int i;

	assert(c->locked);
	assert(m->status == -EINPROGRESS);
	for (i = 0; i < CHUNK && m->done < m->len; i++) {
		outl(__VERIFIER_nondet_uint(), c->base + SPI_DATA);
		m->done++;
	}
}

/* Begin with the first message that waits, if there is one. */
static void spi_start(struct spi_ctrl *c)
{
	struct spi_message *m;

	assert(c->locked);
	if (c->cur || c->stopped)
		return;
	while (!list_empty(&c->queue)) {
		m = container_of(list_pop(&c->queue), struct spi_message,
				 node);
		if (m->status != -EINPROGRESS)
			continue;	/* a stray */
		c->cur = m;
		outl(1u << m->chip, c->base + SPI_SELECT);
		spi_chunk(c, m);
		return;
	}
}

static int spi_submit(struct spi_ctrl *c, struct spi_message *m)
{
	if (m->status == -EINPROGRESS)
		return -EBUSY;
	if (m->len == 0 || m->len > MAX_LEN || m->chip >= CHIPS)
		return -EINVAL;

	ctrl_lock(c);
	if (c->stopped) {
		ctrl_unlock(c);
		return -ESHUTDOWN;
	}
	m->done = 0;
	m->status = -EINPROGRESS;
	list_add_tail(&m->node, &c->queue);
	spi_start(c);
	ctrl_unlock(c);
	return 0;
}

static void spi_interrupt(struct spi_ctrl *c)
{
	struct spi_message *m;
	unsigned int status;
	int result = 0;

	status = inl(c->base + SPI_STATUS);
	if (!(status & STATUS_DONE))
		return;
	ctrl_lock(c);
	m = c->cur;
	if (!m) {
		ctrl_unlock(c);
		return;
	}
	if (status & STATUS_FAULT) {
		result = -EIO;
	} else if (m->done < m->len) {
		spi_chunk(c, m);
		ctrl_unlock(c);
		return;
	}
	c->cur = NULL;
	outl(0, c->base + SPI_SELECT);
	ctrl_unlock(c);

	spi_complete(c, m, result);

	ctrl_lock(c);
	spi_start(c);
	ctrl_unlock(c);
}

/* Everything that waits is given back; what is being sent is let go. */
static void spi_stop(struct spi_ctrl *c)
{
	struct spi_message *m;

	ctrl_lock(c);
	c->stopped = 1;
	m = c->cur;
	c->cur = NULL;
	outl(0, c->base + SPI_SELECT);
	ctrl_unlock(c);
	if (m)
		spi_complete(c, m, -ESHUTDOWN);

	ctrl_lock(c);
	while (!list_empty(&c->queue)) {
		m = container_of(list_pop(&c->queue), struct spi_message,
				 node);
		if (m->status == -EINPROGRESS) {	/* no stray */
			ctrl_unlock(c);
			spi_complete(c, m, -ESHUTDOWN);
			ctrl_lock(c);
		}
	}
	ctrl_unlock(c);
}

static void spi_resume(struct spi_ctrl *c)
{
	ctrl_lock(c);
	c->stopped = 0;
	spi_start(c);
	ctrl_unlock(c);
}

/* ---- a nondeterministic world ------------------------------------------ */

static int chip_send(struct spi_ctrl *c)
{
	unsigned int i = __VERIFIER_nondet_uint();
	struct spi_message *m;

	if (i >= MESSAGES)
		return -EINVAL;
	m = &messages[i];
	if (m->status != -EINPROGRESS) {
		m->chip = __VERIFIER_nondet_uint();
		m->len = __VERIFIER_nondet_uint();
	}
	return spi_submit(c, m);
}

int main(void)
{
	struct spi_ctrl *c = &ctrl;

	c->base = 0xa000u;
	list_init(&c->queue);
	while (__VERIFIER_nondet_int()) {
		switch (__VERIFIER_nondet_int()) {
		case 0:
			chip_send(c);
			break;
		case 1:
			spi_stop(c);
			break;
		case 2:
			spi_resume(c);
			break;
		default:
			spi_interrupt(c);
			break;
		}
	}
	return 0;
}
