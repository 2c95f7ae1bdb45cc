/* Declarations of the kernel for the examples of usb-urb. */
typedef unsigned int gfp_t;
#define GFP_KERNEL 0xcc0u
struct urb { int status; void *context; };

extern struct urb *usb_alloc_urb(int iso_packets, gfp_t mem_flags);
extern struct urb *usb_get_urb(struct urb *urb);
extern void usb_free_urb(struct urb *urb);
extern int usb_submit_urb(struct urb *urb, gfp_t mem_flags);
extern void usb_kill_urb(struct urb *urb);
extern int endpoint(int n);
