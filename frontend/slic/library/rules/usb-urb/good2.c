/* The device keeps its request block; to free none is allowed. */
#include "rule.h"

struct mouse { struct urb *irq; };
static struct mouse m;

static void disconnect(struct mouse *p)
{
	struct urb *u = p->irq;

	p->irq = 0;
	usb_free_urb(u);
}

int main(void)
{
	m.irq = usb_alloc_urb(0, GFP_KERNEL);
	if (m.irq)
		usb_submit_urb(m.irq, GFP_KERNEL);
	disconnect(&m);
	return 0;
}
