/* A request block for each round. */
#include "rule.h"

int main(void)
{
	int i;

	for (i = 0; i < 4; i++) {
		struct urb *u = usb_alloc_urb(0, GFP_KERNEL);

		if (!u)
			return -12;
		if (usb_submit_urb(u, GFP_KERNEL) == 0)
			usb_kill_urb(u);
		usb_free_urb(u);
	}
	return 0;
}
