/* The caller frees what its callee has freed. */
#include "rule.h"

static int start(struct urb *u)
{
	if (usb_submit_urb(u, GFP_KERNEL) < 0) {
		usb_free_urb(u);
		return -5;
	}
	return 0;
}

int main(void)
{
	struct urb *u = usb_alloc_urb(0, GFP_KERNEL);

	if (!u)
		return -12;
	if (start(u) == 0)
		usb_kill_urb(u);
	usb_free_urb(u); /* fails: double-free */
	return 0;
}
