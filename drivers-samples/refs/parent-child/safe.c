/*
 * parent-child - hubs and ports that know each other.
 *
 * A hub has one place for a port.  A port that is attached leaves the hub it
 * was on, and the port that was in its place has to go.
 *
 * Properties: the hub of a port has this port, and the two agree whether there
 * is power; a port without a hub has none.
 */
#include <assert.h>
#include <stddef.h>

extern int __VERIFIER_nondet_int(void);

struct port;

struct hub {
	struct port *port;
	int power;
};

struct port {
	struct hub *hub;
	int power;
};

static struct hub near, far;
static struct port mouse, modem;

static void port_check(struct port *p)
{
	if (p->hub) {
		assert(p->hub->port == p);
		assert(p->hub->power == p->power);
	} else {
		assert(!p->power);
	}
}

static void detach(struct port *p)
{
	struct hub *h = p->hub;

	h->port = NULL;
	h->power = 0;
	p->hub = NULL;
	p->power = 0;
}

static void attach(struct hub *h, struct port *p)
{
	if (p->hub)
		detach(p);
	if (h->port)
		detach(h->port);
	h->port = p;
	h->power = 0;
	p->hub = h;
	p->power = 0;
}

static void power_on(struct hub *h)
{
	if (!h->port)
		return;
	h->power = 1;
	h->port->power = 1;
}

static void power_off(struct port *p)
{
	if (!p->hub)
		return;
	p->power = 0;
	p->hub->power = 0;
}

int main(void)
{
	struct hub *h;
	struct port *p;

	while (__VERIFIER_nondet_int()) {
		h = __VERIFIER_nondet_int() ? &near : &far;
		p = __VERIFIER_nondet_int() ? &mouse : &modem;
		switch (__VERIFIER_nondet_int()) {
		case 0:
			attach(h, p);
			break;
		case 1:
			if (p->hub)
				detach(p);
			break;
		case 2:
			power_on(h);
			break;
		default:
			power_off(p);
			break;
		}
		port_check(&mouse);
		port_check(&modem);
	}
	return 0;
}
