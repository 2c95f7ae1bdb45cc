/*
 * locks-inside - two locks in each port, the first at its beginning.
 *
 * A port has a lock for each direction. Functions of the lock layer get the
 * address of a lock and know nothing of ports. A transfer takes the sending
 * lock of one port and the receiving lock of another; loopback, the other one
 * is the same port.
 *
 * Property: a lock is taken only if it is free, and released only if it is
 * held.
 */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

struct lock {
	int held;
	int owner;
};

struct port {
	struct lock rx;
	int speed;
	struct lock tx;
	struct port *peer;
};

static struct port ports[2];

static void lock_acquire(struct lock *l, int who)
{
	assert(!l->held);
	l->held = 1;
	l->owner = who;
}

static void lock_release(struct lock *l)
{
	assert(l->held);
	l->held = 0;
}

/* The lock at the beginning of a port has the port's address. */
static void port_idle(struct port *p)
{
	lock_release((struct lock *)p);
}

static void transfer(struct port *from)
{
	struct port *to = from->peer;
	struct lock *out = &from->tx;
	struct lock *in = to == from ? &to->tx : &to->rx;

	lock_acquire(out, 1);
	lock_acquire(in, 2);
	to->speed = from->speed;
	lock_release(&from->tx);
	port_idle(to);
}

int main(void)
{
	ports[0].peer = &ports[1];
	ports[1].peer = &ports[0];
	if (__VERIFIER_nondet_int())
		ports[1].peer = &ports[1];
	while (__VERIFIER_nondet_int()) {
		if (__VERIFIER_nondet_int())
			transfer(&ports[0]);
		else
			transfer(&ports[1]);
	}
	return 0;
}
