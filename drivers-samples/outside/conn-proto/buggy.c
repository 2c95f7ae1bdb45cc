/*
 * conn-proto - a link that delivers messages in order, over any protocol.
 *
 * A link is greeted (HELLO, answered by WELCOME), proves who it is (AUTH,
 * answered by GRANT), is open for data, and is closed by a BYE of either
 * side.  Data are numbered; at most WINDOW of them may be under way without
 * having been acknowledged, and those stay on a list from which the timer
 * sends them again.  Data belong to channels, and each channel has credit:
 * how many messages its other end is ready to take.
 *
 * How bytes come and go is not known here.  A connection names its protocol,
 * which has a table of operations and, perhaps, a codec; whoever made the
 * connection may want to hear of events; and each channel has a handler.
 * Any of these pointers may be null, any method may be missing, and whatever
 * is called may change everything that a connection leads to: it is memory
 * of others, which we only look after for a while.  So:
 *
 *   - a method is called only if it is there;
 *   - what was tested before a call is tested again behind it;
 *   - what must survive such calls is kept in `line`, which is our own.
 *
 * There is one line, so that one connection at a time has a link.
 *
 * Properties: our lock is taken and released in turn, and nobody is called
 * with it; a state is left only by one who is in it; no proof goes out before
 * the peer has answered, and no data before the grant; no more than WINDOW
 * messages are under way; a channel is charged only if it has credit; what has
 * been given up leaves neither messages nor a timer behind; the counters are
 * those of types that exist.
 */
#include <assert.h>
#include <stddef.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

#define EIO		5
#define ENOMEM		12
#define EBUSY		16
#define EINVAL		22
#define EPROTO		71
#define EBADMSG		74
#define EOPNOTSUPP	95
#define ENOBUFS		105
#define EISCONN		106
#define ENOTCONN	107
#define ETIMEDOUT	110

#define WINDOW		8u	/* messages without acknowledgement */
#define PAYLOAD		64
#define VERSION_MIN	2	/* of the protocols that we speak */
#define VERSION_MAX	5
#define MAX_RETRIES	5
#define MAX_REFILL	16u

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

/* How far a link has come, as we know it ourselves. */
enum stage {
	L_IDLE,
	L_GREETED,		/* HELLO is out */
	L_WELCOME,		/* and was answered */
	L_GRANTED
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

/* What the rest of the system has for us. */
extern struct conn *next_conn(void);
extern struct message *next_message(struct conn *c);

/* The line.  Nobody else knows this. */
static struct {
	struct conn *conn;	/* that has a link, or null */
	enum stage stage;
} line;

static int locked;

static int has_link(const struct conn *c)
{
	return line.conn && line.conn == c;
}

/* ---- the lock ---------------------------------------------------------- */

static void line_lock(void)
{
	assert(!locked);
	locked = 1;
}

static void line_unlock(void)
{
	assert(locked);
	locked = 0;
}

/* ---- whom it concerns -------------------------------------------------- */

static void tell_changed(struct conn *c, enum state old, enum state now)
{
	struct events *ev = c->events;

	if (!ev || !ev->changed)
		return;
	line_unlock();
	ev->changed(c, old, now);
	line_lock();
}

static void tell_room(struct conn *c)
{
	struct events *ev = c->events;

	if (!ev || !ev->room)
		return;
	line_unlock();
	ev->room(c);
	line_lock();
}

static void tell_failed(struct conn *c, int err)
{
	if (!c->events || !c->events->failed)
		return;
	line_unlock();
	c->events->failed(c, err);
	line_lock();
}

/* ---- states ------------------------------------------------------------ */

static int state_known(const struct conn *c)
{
	switch (c->state) {
	case S_CLOSED:
	case S_GREETING:
	case S_PROVING:
	case S_OPEN:
	case S_CLOSING:
		return 1;
	}
	return 0;
}

/* Whoever listens is told last: then nothing is known of `c` any more. */
static void set_state(struct conn *c, enum state from, enum state to)
{
	assert(c->state == from);
	c->state = to;
	if (from != to)
		tell_changed(c, from, to);
}

/* ---- counters ---------------------------------------------------------- */

static void count_in(struct conn *c, enum type type)
{
	struct counters *n = c->counters;

	if (!n)
		return;
	assert((unsigned int)type < TYPES);
	n->in[type]++;
}

static void count_out(struct conn *c, enum type type)
{
	struct counters *n = c->counters;

	if (n && (unsigned int)type < TYPES)
		n->out[type]++;
}

static void count_lost(struct conn *c)
{
	if (c->counters)
		c->counters->lost++;
}

/* ---- the wire ---------------------------------------------------------- */

/* What the peer would take for an attack: a proof or data out of turn. */
static int in_order(enum type type)
{
	if (type == T_AUTH)
		return line.stage == L_WELCOME;
	if (type == T_DATA)
		return line.stage == L_GRANTED;
	return 1;
}

/* Messages that nobody has to keep for us are sealed in place. */
static int seal(struct conn *c, struct message *m)
{
	const struct codec *codec;
	int err;

	if (!c->proto || !c->proto->codec)
		return 0;
	codec = c->proto->codec;
	if (!codec->seal)
		return 0;
	line_unlock();
	err = codec->seal(c, m);
	line_lock();
	return err;
}

static int transmit(struct conn *c, struct message *m, enum type type)
{
	struct proto *p;
	int err;

	err = seal(c, m);
	if (err < 0)
		return err;
	/* The codec has had its hands on both. */
	p = c->proto;
	if (!p || !p->ops || !p->ops->send)
		return -EOPNOTSUPP;
	m->type = type;
	m->owner = O_WIRE;
	count_out(c, type);
	assert(in_order(type));
	line_unlock();
	err = p->ops->send(c, m);
	line_lock();
	return err;
}

static int send_control(struct conn *c, enum type type, unsigned int number)
{
	struct message m;

	m.next = NULL;
	m.owner = O_LINK;
	m.type = type;
	m.number = number;
	m.channel = -1;
	m.length = 0;
	return transmit(c, &m, type);
}

/* ---- what is under way ------------------------------------------------- */

static void append(struct conn *c, struct message *m)
{
	struct message *last;

	m->next = NULL;
	if (!c->unacked) {
		c->unacked = m;
		return;
	}
	for (last = c->unacked; last->next; last = last->next)
		;
	last->next = m;
}

/* Takes what has arrived off the list. */
static int forget_before(struct conn *c, unsigned int ack)
{
	struct message *m;
	int n = 0;

	while (c->unacked) {
		m = c->unacked;
		if (m->number - c->acked >= ack - c->acked)
			break;
		c->unacked = m->next;
		m->next = NULL;
		m->owner = O_POOL;
		n++;
	}
	return n;
}

static void forget_all(struct conn *c)
{
	struct message *m;

	while (c->unacked) {
		m = c->unacked;
		c->unacked = m->next;
		m->next = NULL;
		m->owner = O_POOL;
		count_lost(c);
	}
	c->timer = 0;
	c->retries = 0;
	assert(!c->unacked && !c->timer);
}

/* ---- a link begins and ends -------------------------------------------- */

static int proto_usable(const struct proto *p)
{
	if (!p || !p->ops || !p->ops->send)
		return 0;
	return p->version >= VERSION_MIN && p->version <= VERSION_MAX;
}

static void line_free(void)
{
	line.conn = NULL;
	line.stage = L_IDLE;
}

/* The connection has no link any more, whatever it was in the middle of. */
static void link_down(struct conn *c, int err)
{
	enum state old;

	if (c->proto && c->proto->ops && c->proto->ops->stop) {
		line_unlock();
		c->proto->ops->stop(c);
		line_lock();
	}
	line_free();
	forget_all(c);
	old = c->state;
	c->state = S_CLOSED;
	if (err)
		tell_failed(c, err);
	else if (old != S_CLOSED)
		tell_changed(c, old, S_CLOSED);
}

static int link_connect(struct conn *c)
{
	int err;

	if (line.conn)
		return line.conn == c ? -EISCONN : -EBUSY;
	if (c->state != S_CLOSED || c->unacked)
		return -EISCONN;
	if (!proto_usable(c->proto))
		return -EPROTO;
	if (c->proto->ops->start) {
		line_unlock();
		err = c->proto->ops->start(c);
		line_lock();
		if (err < 0)
			return err;
		/* It takes its time: is all of that still so? */
		if (line.conn)
			return -EBUSY;
	}
	line.conn = c;
	line.stage = L_IDLE;
	c->next = 0;
	c->acked = 0;
	c->expected = 0;
	c->timer = 1;
	c->retries = 0;
	set_state(c, S_CLOSED, S_GREETING);
	err = send_control(c, T_HELLO, VERSION_MAX);
	if (err < 0) {
		link_down(c, err);
		return err;
	}
	line.stage = L_GREETED;
	return 0;
}

static int link_close(struct conn *c)
{
	int err;

	if (!has_link(c))
		return -ENOTCONN;
	switch (c->state) {
	case S_OPEN:
	case S_PROVING:
		if (line.stage == L_IDLE)
			break;
		c->timer = 1;
		c->retries = 0;
		set_state(c, c->state, S_CLOSING);
		err = send_control(c, T_BYE, 0);
		if (err >= 0)
			return 0;
		break;
	case S_CLOSING:
		return 0;
	default:
		break;
	}
	link_down(c, 0);
	return 0;
}

/* ---- data out ---------------------------------------------------------- */

static struct channel *channel_of(struct conn *c, int id)
{
	struct channel *ch;

	for (ch = c->channels; ch; ch = ch->next)
		if (ch->id == id)
			break;
	return ch;
}

/* Charges one message to the channel, asking for credit if there is none. */
static int charge(struct conn *c, struct channel *ch)
{
	const struct handler *h = ch->handler;
	int err;

	if (ch->credit == 0) {
		if (!h || !h->refill)
			return -ENOBUFS;
		line_unlock();
		err = h->refill(c, ch);
		line_lock();
		if (err < 0)
			return err;
		if (ch->credit == 0)
			return -ENOBUFS;
	}
	assert(ch->credit > 0);
	ch->credit--;
	return 0;
}

/*
 * Takes a message of the user.  If the result is negative, it is still the
 * user's; else it is ours until the peer has got it.
 */
static int link_write(struct conn *c, struct message *m)
{
	struct channel *ch;
	int err;

	if (!has_link(c) || c->state != S_OPEN)
		return -ENOTCONN;
	if (m->owner != O_USER || m->length < 0 || m->length > PAYLOAD)
		return -EINVAL;
	ch = channel_of(c, m->channel);
	if (!ch || ch->muted)
		return -EINVAL;
	err = charge(c, ch);
	if (err < 0)
		return err;
	/* It may have asked the peer, who may have gone. */
	if (c->state != S_OPEN || line.stage != L_GRANTED || c->next - c->acked >= WINDOW) {
		ch->credit++;
		return -ENOBUFS;
	}
	m->owner = O_LINK;
	m->type = T_DATA;
	m->number = c->next++;
	assert(c->next - c->acked <= WINDOW);
	append(c, m);
	c->timer = 1;
	transmit(c, m, T_DATA);		/* or else the timer does */
	return 0;
}

/* ---- messages in ------------------------------------------------------- */

static int got_welcome(struct conn *c, struct message *m)
{
	if (c->state != S_GREETING || line.stage != L_GREETED)
		return -EPROTO;
	if (m->number < VERSION_MIN || m->number > VERSION_MAX)
		return -EPROTO;
	line.stage = L_WELCOME;
	c->retries = 0;
	set_state(c, S_GREETING, S_PROVING);
	return send_control(c, T_AUTH, m->number);
}

static int got_grant(struct conn *c)
{
	if (c->state != S_PROVING || line.stage != L_WELCOME)
		return -EPROTO;
	line.stage = L_GRANTED;
	c->timer = 0;
	c->retries = 0;
	set_state(c, S_PROVING, S_OPEN);
	tell_room(c);
	return 0;
}

/* The codec may refuse what does not come from the peer. */
static int authentic(struct conn *c, struct message *m)
{
	const struct codec *codec;
	int ok;

	if (!c->proto || !c->proto->codec || !c->proto->codec->check)
		return 1;
	codec = c->proto->codec;
	line_unlock();
	ok = codec->check(c, m);
	line_lock();
	return ok;
}

static int got_data(struct conn *c, struct message *m)
{
	struct channel *ch;

	if (line.stage != L_GRANTED)
		return -EPROTO;
	if (!authentic(c, m))
		return -EBADMSG;
	if (c->state != S_OPEN && c->state != S_CLOSING)
		return -EPROTO;
	if (m->number != c->expected)
		return send_control(c, T_ACK, c->expected);
	ch = channel_of(c, m->channel);
	if (!ch)
		return -EPROTO;
	c->expected++;
	ch->delivered++;
	if (!ch->muted && ch->handler && ch->handler->deliver) {
		line_unlock();
		ch->handler->deliver(c, ch, m);
		line_lock();
	}
	return send_control(c, T_ACK, c->expected);
}

static int got_ack(struct conn *c, struct message *m)
{
	unsigned int ack = m->number;

	if (line.stage != L_GRANTED || c->state == S_CLOSED)
		return -EPROTO;
	if (ack - c->acked > c->next - c->acked)
		return -EPROTO;		/* of what we have not sent */
	if (forget_before(c, ack) == 0)
		return 0;
	c->acked = ack;
	c->retries = 0;
	c->timer = c->unacked != NULL;
	tell_room(c);
	return 0;
}

static int got_credit(struct conn *c, struct message *m)
{
	struct channel *ch = channel_of(c, m->channel);

	if (!ch || line.stage != L_GRANTED)
		return -EPROTO;
	if (m->number > MAX_REFILL || ch->credit > MAX_REFILL)
		return -EPROTO;
	ch->credit += m->number;
	return 0;
}

/* The peer begins again: so do we, on the same line. */
static int got_reset(struct conn *c)
{
	if (line.stage < L_WELCOME)
		return -EPROTO;
	if (c->state != S_OPEN && c->state != S_PROVING)
		return -EPROTO;
	forget_all(c);
	c->next = 0;
	c->acked = 0;
	c->expected = 0;
	c->timer = 1;
	line.stage = L_IDLE;
	set_state(c, c->state, S_GREETING);
	if (send_control(c, T_HELLO, VERSION_MIN) < 0) {
		link_down(c, -EIO);
		return -EIO;
	}
	line.stage = L_GREETED;
	return 0;
}

static int link_receive(struct conn *c, struct message *m)
{
	int err;

	if (!has_link(c) || !state_known(c))
		return -ENOTCONN;
	if ((unsigned int)m->type >= TYPES)
		return -EPROTO;
	count_in(c, m->type);
	switch (m->type) {
	case T_WELCOME:
		err = got_welcome(c, m);
		break;
	case T_GRANT:
		err = got_grant(c);
		break;
	case T_DATA:
		err = got_data(c, m);
		break;
	case T_ACK:
		err = got_ack(c, m);
		break;
	case T_CREDIT:
		err = got_credit(c, m);
		break;
	case T_RESET:
		err = got_reset(c);
		break;
	case T_BYE:
		link_down(c, 0);
		return 0;
	default:
		err = -EPROTO;
		break;
	}
	if (err == -EPROTO)
		count_lost(c);
	return err;
}

/* ---- the timer --------------------------------------------------------- */

/* Sends again what is on the list.  Whoever sends may change the list. */
static int send_again(struct conn *c)
{
	struct message *m = c->unacked;
	unsigned int n;
	int err;

	for (n = 0; m && n < WINDOW; n++) {
		if (m->owner != O_WIRE && m->owner != O_LINK)
			return -EINVAL;
		if (c->counters)
			c->counters->again++;
		err = transmit(c, m, T_DATA);
		if (err < 0)
			return err;
		m = m->next;
	}
	return 0;
}

static int link_tick(struct conn *c)
{
	if (!has_link(c) || !c->timer)
		return 0;
	if (c->retries < 0 || c->retries >= MAX_RETRIES) {
		link_down(c, -ETIMEDOUT);
		return -ETIMEDOUT;
	}
	c->retries++;
	switch (c->state) {
	case S_GREETING:
		if (send_control(c, T_HELLO, VERSION_MIN) < 0)
			break;
		line.stage = L_GREETED;
		return 0;
	case S_OPEN:
		if (line.stage != L_GRANTED)
			break;
		return send_again(c);
	case S_CLOSING:
		if (line.stage != L_IDLE && send_control(c, T_BYE, 1) >= 0)
			return 0;
		break;
	default:
		return 0;
	}
	link_down(c, -EIO);
	return -EIO;
}

/* The protocol has room again, and wants to know if there is something. */
static void link_kick(struct conn *c)
{
	struct proto *p = c->proto;

	if (!has_link(c) || !c->unacked || !p)
		return;
	if (p->ops && p->ops->kick) {
		line_unlock();
		p->ops->kick(c);
		line_lock();
	}
}

/* ---- a nondeterministic world ------------------------------------------ */

/* Someone writes what he has allocated, and has not filled in. */
static void write_new(struct conn *c)
{
	struct message *m = malloc(sizeof(*m));

	if (!m)
		return;
	if (link_write(c, m) < 0)
		free(m);
}

/* A message comes in a buffer on the stack, as the hardware has left it. */
static void receive_raw(struct conn *c)
{
	struct message m;

	link_receive(c, &m);
}

/* Someone writes one of his own. */
static void write_old(struct conn *c)
{
	struct message *m = next_message(c);

	if (m)
		link_write(c, m);
}

static void receive(struct conn *c)
{
	struct message *m = next_message(c);

	if (m)
		link_receive(c, m);
}

int main(void)
{
	struct conn *c;

	while ((c = next_conn()) != NULL) {
		line_lock();
		switch (__VERIFIER_nondet_int()) {
		case 0:
			link_connect(c);
			break;
		case 1:
			write_old(c);
			break;
		case 2:
			write_new(c);
			break;
		case 3:
			link_tick(c);
			break;
		case 4:
			link_close(c);
			break;
		case 5:
			link_kick(c);
			break;
		case 6:
			receive_raw(c);
			break;
		default:
			receive(c);
			break;
		}
		line_unlock();
	}
	return 0;
}
