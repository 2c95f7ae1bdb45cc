/*
 * parent-child - hubs and ports that know each other.
 *
 * A hub has one place for a port.  A port that is attached leaves the hub it
 * was on, and the port that was in its place has to go.
 *
 * Properties: the hub of a port has this port, and the two agree whether there
 * is power; a port without a hub has none.
 *
 * Whether a hub and its port agree is a property of two objects, so there are
 * two watches: one of the hubs and one of the ports, chosen apart.  The power
 * of each is kept beside it, and is asserted where that of the watch is.  That
 * a hub has its port compares pointers, and needs no watch.
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

static struct hub *watch_hub;	/* one hub, any */
static int watch_hub_power;	/* its power */

static struct port *watch_port;	/* one port, any */
static int watch_port_power;	/* its power */

static void hub_set(struct hub *h, int power)
{
	h->power = power;
	if (h == watch_hub)
		watch_hub_power = power;
}

static void port_set(struct port *p, int power)
{
	p->power = power;
	if (p == watch_port)
		watch_port_power = power;
}

static void port_check(struct port *p)
{
	if (p->hub) {
		assert(p->hub->port == p);
		assert(p != watch_port || p->hub != watch_hub ||
		       watch_hub_power == watch_port_power);
	} else {
		assert(p != watch_port || !watch_port_power);
	}
}

static void detach(struct port *p)
{
	struct hub *h = p->hub;

	h->port = NULL;
	hub_set(h, 0);
	p->hub = NULL;
	port_set(p, 0);
}

static void attach(struct hub *h, struct port *p)
{
	if (p->hub)
		detach(p);
	if (h->port)
		detach(h->port);
	h->port = p;
	hub_set(h, 0);
	p->hub = h;
	port_set(p, 0);
}

static void power_on(struct hub *h)
{
	if (!h->port)
		return;
	hub_set(h, 1);
	port_set(h->port, 1);
}

static void power_off(struct port *p)
{
	if (!p->hub)
		return;
	port_set(p, 0);
	hub_set(p->hub, 0);
}

int main(void)
{
	struct hub *h;
	struct port *p;

	watch_hub = __VERIFIER_nondet_int() ? &near : &far;
	watch_port = __VERIFIER_nondet_int() ? &mouse : &modem;
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
