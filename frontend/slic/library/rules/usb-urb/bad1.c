/* The error path forgets the first request block. */
#include "rule.h"

int main(void)
{
	struct urb *in, *out;

	in = usb_alloc_urb(0, GFP_KERNEL);
	if (!in)
		return -12;
	out = usb_alloc_urb(0, GFP_KERNEL);
	if (!out)
		return -12;
	usb_free_urb(out);
	usb_free_urb(in);
	return 0;
} /* fails: left-at-end */
