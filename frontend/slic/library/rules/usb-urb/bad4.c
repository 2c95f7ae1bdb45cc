/* The second reference is not given back. */
#include "rule.h"

int main(void)
{
	struct urb *u = usb_alloc_urb(2, GFP_KERNEL);

	if (u) {
		usb_get_urb(u);
		usb_submit_urb(u, GFP_KERNEL);
		usb_free_urb(u);
	}
	return 0;
} /* fails: left-at-end */
