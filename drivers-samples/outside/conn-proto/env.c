/*
 * A world for safe.c and buggy.c: whose memory the connections are.
 *
 *	gcc -o world safe.c env.c && ./world
 *
 * Three connections over three protocols, one with all that there can be (a
 * codec, a listener, counters, two channels), one with the least, and one of
 * a version that nobody speaks.  At the other end of the line sits a peer who
 * answers what is sent, and sometimes loses it, begins again, or leaves.
 * Everything is drawn from one sequence of pseudo-random numbers, which is
 * the same in each run.  After EVENTS events there is no connection any more,
 * and the program ends.
 */
#include <stdio.h>
#include <string.h>

#define EVENTS		40000
#define PAYLOAD		64
#define MESSAGES	32
#define INBOX		16

enum type {
	T_HELLO,
	T_WELCOME,
	T_AUTH,
	T_GRANT,
	T_DATA,
	T_ACK,
	T_CREDIT,
	T_RESET,
	T_BYE,
	TYPES
};

enum state {
	S_CLOSED,
	S_GREETING,		/* HELLO is out */
	S_PROVING,		/* AUTH is out */
	S_OPEN,
	S_CLOSING		/* BYE is out */
};

enum owner {
	O_POOL,
	O_USER,
	O_LINK,
	O_WIRE
};

struct conn;
struct channel;
struct message;

struct proto_ops {
	int (*start)(struct conn *c);
	int (*send)(struct conn *c, struct message *m);
	void (*stop)(struct conn *c);
	void (*kick)(struct conn *c);
};

struct codec {
	int (*seal)(struct conn *c, struct message *m);
	int (*check)(struct conn *c, struct message *m);
};

struct proto {
	const char *name;
	int version;
	const struct proto_ops *ops;
	const struct codec *codec;	/* null: messages go as they are */
};

struct events {
	void (*changed)(struct conn *c, enum state old, enum state now);
	void (*room)(struct conn *c);
	void (*failed)(struct conn *c, int err);
};

struct handler {
	int (*deliver)(struct conn *c, struct channel *ch, struct message *m);
	int (*refill)(struct conn *c, struct channel *ch);
};

struct channel {
	struct channel *next;
	int id;
	const struct handler *handler;
	unsigned int credit;
	unsigned long delivered;
	int muted;
};

struct message {
	struct message *next;
	enum owner owner;
	enum type type;
	unsigned int number;
	int channel;
	int length;
	unsigned char payload[PAYLOAD];
};

struct counters {
	unsigned long in[TYPES];
	unsigned long out[TYPES];
	unsigned long again;
	unsigned long lost;
};

struct conn {
	struct proto *proto;
	struct events *events;		/* null: nobody listens */
	struct counters *counters;	/* null: nobody counts */
	struct channel *channels;
	enum state state;
	unsigned int next;		/* number of the next message out */
	unsigned int acked;		/* all before have arrived */
	unsigned int expected;		/* number of the next message in */
	struct message *unacked;
	int timer;
	int retries;
};

/* ---- chance ------------------------------------------------------------ */

static unsigned int seed = 2463534242u;

static unsigned int chance(unsigned int n)
{
	seed ^= seed << 13;
	seed ^= seed >> 17;
	seed ^= seed << 5;
	return seed % n;
}

/* ---- the peer ---------------------------------------------------------- */

static struct message inbox[INBOX];
static unsigned int put, got;
static unsigned int peer_next;		/* number of the next DATA from there */
static unsigned int peer_expected;
static unsigned long events_seen, delivered, failures;

static void answer(enum type type, unsigned int number, int channel)
{
	struct message *m = &inbox[put % INBOX];

	if (put - got == INBOX || chance(20) == 0)
		return;			/* lost */
	memset(m, 0, sizeof(*m));
	m->owner = O_WIRE;
	m->type = type;
	m->number = number;
	m->channel = channel;
	m->length = 8;
	put++;
}

static int wire_send(struct conn *c, struct message *m)
{
	(void)c;
	if (chance(40) == 0)
		return -1;
	switch (m->type) {
	case T_HELLO:
		put = got;
		peer_next = 0;
		peer_expected = 0;
		answer(T_WELCOME, chance(12) ? 3 : 9, 0);
		break;
	case T_AUTH:
		answer(T_GRANT, 0, 0);
		break;
	case T_DATA:
		if (m->number == peer_expected)
			peer_expected++;
		answer(T_ACK, peer_expected, 0);
		if (chance(3) == 0)
			answer(T_DATA, peer_next++, (int)chance(3));
		if (chance(5) == 0)
			answer(T_CREDIT, 1 + chance(4), (int)chance(3));
		if (chance(100) == 0)
			answer(T_RESET, 0, 0);
		if (chance(100) == 0)
			answer(T_BYE, 0, 0);
		break;
	case T_ACK:
		peer_next = m->number;
		break;
	case T_BYE:
		answer(T_BYE, 0, 0);
		break;
	default:
		break;
	}
	return 0;
}

/* Now and then the peer was faster, and has opened the connection himself. */
static int wire_start(struct conn *c)
{
	if (chance(10) == 0)
		return -1;
	if (chance(10) == 0)
		c->state = S_GREETING;
	return 0;
}

static void wire_stop(struct conn *c)
{
	(void)c;
	put = got;
}

static void wire_kick(struct conn *c)
{
	if (c->unacked && chance(4) == 0)
		c->timer = 1;
}

static int code_seal(struct conn *c, struct message *m)
{
	(void)c;
	m->payload[0] ^= 0x55;
	return chance(200) ? 0 : -1;
}

static int code_check(struct conn *c, struct message *m)
{
	(void)c;
	(void)m;
	return chance(50) != 0;
}

/* ---- who listens ------------------------------------------------------- */

static void on_changed(struct conn *c, enum state old, enum state now)
{
	(void)c;
	if (old != now)
		events_seen++;
}

static void on_failed(struct conn *c, int err)
{
	(void)err;
	failures++;
	c->retries = 0;
}

static int on_deliver(struct conn *c, struct channel *ch, struct message *m)
{
	(void)c;
	(void)m;
	delivered++;
	ch->muted = chance(30) == 0;
	return 0;
}

static int on_refill(struct conn *c, struct channel *ch)
{
	ch->muted = 0;
	switch (chance(6)) {
	case 0:
		return -1;
	case 1:
		return 0;		/* someone else was faster */
	case 2:
		if (chance(20) == 0)
			c->state = S_CLOSING;
		return 0;
	default:
		ch->credit += 1 + chance(4);
		return 0;
	}
}

/* ---- connections ------------------------------------------------------- */

static const struct proto_ops full_ops = { wire_start, wire_send, wire_stop, wire_kick };
static const struct proto_ops bare_ops = { .send = wire_send };
static const struct codec full_codec = { code_seal, code_check };
static const struct codec half_codec = { .check = code_check };
static const struct handler full_handler = { on_deliver, on_refill };

static struct proto full = { "full", 4, &full_ops, &full_codec };
static struct proto bare = { "bare", 2, &bare_ops, &half_codec };
static struct proto old = { "old", 1, &bare_ops, NULL };

static struct events listener = { .changed = on_changed, .failed = on_failed };
static struct counters counters;

/* The connections share what they can. */
static struct channel second = { .handler = NULL, .id = 1, .credit = 3 };
static struct channel first = { .handler = &full_handler, .next = &second, .id = 0 };

static struct conn conns[] = {
	{ .proto = &full, .events = &listener, .counters = &counters, .channels = &first },
	{ .proto = &bare, .counters = &counters, .channels = &second },
	{ .proto = &old },
};

static struct message messages[MESSAGES];
static unsigned int step;
static int event;

struct conn *next_conn(void)
{
	static struct conn *c = &conns[0];

	if (step++ == EVENTS) {
		printf("in:");
		for (int i = 0; i < TYPES; i++)
			printf(" %lu", counters.in[i]);
		printf("\nout:");
		for (int i = 0; i < TYPES; i++)
			printf(" %lu", counters.out[i]);
		printf("\nagain %lu, lost %lu, events %lu, failures %lu, delivered %lu\n",
		       counters.again, counters.lost, events_seen, failures, delivered);
		return NULL;
	}
	if (second.credit == 0 && chance(50) == 0)
		second.credit = 3;
	if (chance(400) == 0)
		first.muted = second.muted = 0;
	/* One that is stuck in the middle is wound up by its owner. */
	if (chance(200) == 0)
		for (int i = 0; i < 3; i++)
			if (!conns[i].unacked)
				conns[i].state = S_CLOSED;
	if (chance(100) == 0)
		return &conns[chance(3)];
	if (c->state == S_CLOSED && chance(2) == 0)
		c = &conns[chance(2)];
	return c;
}

int __VERIFIER_nondet_int(void)
{
	unsigned int n = chance(100);

	if (n < 8)
		event = 0;
	else if (n < 45)
		event = 1;
	else if (n < 47)
		event = 2;
	else if (n < 55)
		event = 3;
	else if (n < 56)
		event = 4;
	else if (n < 58)
		event = 5;
	else if (n < 60)
		event = 6;
	else
		event = 7 + (int)chance(3);
	return event;
}

struct message *next_message(struct conn *c)
{
	struct message *m;

	(void)c;
	if (event != 1)
		return put == got ? NULL : &inbox[got++ % INBOX];
	for (m = messages; m < messages + MESSAGES; m++) {
		if (m->owner != O_POOL && m->owner != O_USER)
			continue;
		m->owner = O_USER;
		m->channel = (int)chance(3);
		m->length = (int)chance(70) - 2;
		return m;
	}
	return NULL;
}
