/* The device keeps its request block; to free none is allowed. */
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
	struct urb *u = p->irq;

	p->irq = 0;
	usb_free_urb(u);
}

int main(void)
{
	m.irq = usb_alloc_urb(0, GFP_KERNEL);
	if (m.irq)
		usb_submit_urb(m.irq, GFP_KERNEL);
	disconnect(&m);
	return 0;
}
