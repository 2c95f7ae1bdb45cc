/* The pointer in the device stays, and is used again. */
typedef unsigned int gfp_t;
#define GFP_KERNEL 0xcc0u
struct urb { int status; void *context; };

extern struct urb *usb_alloc_urb(int iso_packets, gfp_t mem_flags);
extern struct urb *usb_get_urb(struct urb *urb);
extern void usb_free_urb(struct urb *urb);
extern int usb_submit_urb(struct urb *urb, gfp_t mem_flags);
extern void usb_kill_urb(struct urb *urb);
extern int endpoint(int n);

struct mouse { struct urb *irq; };
static struct mouse m;

static void disconnect(struct mouse *p)
{
	usb_free_urb(p->irq); /* fails: double-free */
}

int main(void)
{
	m.irq = usb_alloc_urb(0, GFP_KERNEL);
	if (!m.irq)
		return -12;
	if (usb_submit_urb(m.irq, GFP_KERNEL) < 0)
		disconnect(&m);
	disconnect(&m);
	return 0;
}
