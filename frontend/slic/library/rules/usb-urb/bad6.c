/* The caller frees what its callee has freed. */
typedef unsigned int gfp_t;
#define GFP_KERNEL 0xcc0u
struct urb { int status; void *context; };

extern struct urb *usb_alloc_urb(int iso_packets, gfp_t mem_flags);
extern struct urb *usb_get_urb(struct urb *urb);
extern void usb_free_urb(struct urb *urb);
extern int usb_submit_urb(struct urb *urb, gfp_t mem_flags);
extern void usb_kill_urb(struct urb *urb);
extern int endpoint(int n);

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
