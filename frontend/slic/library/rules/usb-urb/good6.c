/* The callee allocates, and frees it if it cannot be submitted. */
#include "rule.h"

static struct urb *start(int n)
{
	struct urb *u = usb_alloc_urb(0, GFP_KERNEL);

	if (u && usb_submit_urb(u, GFP_KERNEL) < 0) {
		usb_free_urb(u);
		u = 0;
	}
	return u;
}

int main(void)
{
	struct urb *u = start(endpoint(1));

	if (!u)
		return -5;
	usb_kill_urb(u);
	usb_free_urb(u);
	return 0;
}
