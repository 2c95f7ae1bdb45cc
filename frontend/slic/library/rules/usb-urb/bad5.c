/* Another name of the request block that was freed. */
#include "rule.h"

int main(void)
{
	struct urb *u = usb_alloc_urb(0, GFP_KERNEL);
	struct urb *last = u;

	if (!u)
		return -12;
	usb_free_urb(u);
	if (endpoint(1))
		usb_kill_urb(last); /* fails: use-after-free */
	return 0;
}
