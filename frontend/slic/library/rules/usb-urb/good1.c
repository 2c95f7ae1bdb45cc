/* Two request blocks, and an error path for each. */
#include "rule.h"

int main(void)
{
	struct urb *in, *out;
	int ret = -12;

	in = usb_alloc_urb(0, GFP_KERNEL);
	if (!in)
		return ret;
	out = usb_alloc_urb(0, GFP_KERNEL);
	if (!out)
		goto free_in;
	ret = usb_submit_urb(in, GFP_KERNEL);
	usb_kill_urb(in);
	usb_free_urb(out);
free_in:
	usb_free_urb(in);
	return ret;
}
