/* A request block that somebody else has allocated is given back to him. */
#include "rule.h"

extern struct urb *next_completed(void);

int main(void)
{
	struct urb *u;

	while ((u = next_completed()) != 0)
		if (usb_submit_urb(u, GFP_KERNEL) < 0)
			usb_free_urb(u);
	return 0;
}
