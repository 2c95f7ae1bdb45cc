/* The loop frees what the next round submits. */
#include "rule.h"

int main(void)
{
	struct urb *u = usb_alloc_urb(0, GFP_KERNEL);
	int i;

	if (!u)
		return -12;
	for (i = 0; i < 2; i++) {
		usb_submit_urb(u, GFP_KERNEL); /* fails: use-after-free */
		if (i == 0)
			usb_free_urb(u);
	}
	return 0;
}
