/* The pointer in the device stays, and is used again. */
#include "rule.h"

struct mouse { struct urb *irq; };
static struct mouse m;

static void disconnect(struct mouse *p)
{
	usb_free_urb(p->irq); /* fails: double-free */
}

int main(void)
{
	m.irq = usb_alloc_urb(0, GFP_KERNEL);
	if (!m.irq)
		return -12;
	if (usb_submit_urb(m.irq, GFP_KERNEL) < 0)
		disconnect(&m);
	disconnect(&m);
	return 0;
}
