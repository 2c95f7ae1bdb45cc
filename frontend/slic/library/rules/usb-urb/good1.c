/* Two request blocks, and an error path for each. */
typedef unsigned int gfp_t;
#define GFP_KERNEL 0xcc0u
struct urb { int status; void *context; };

extern struct urb *usb_alloc_urb(int iso_packets, gfp_t mem_flags);
extern struct urb *usb_get_urb(struct urb *urb);
extern void usb_free_urb(struct urb *urb);
extern int usb_submit_urb(struct urb *urb, gfp_t mem_flags);
extern void usb_kill_urb(struct urb *urb);
extern int endpoint(int n);

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
