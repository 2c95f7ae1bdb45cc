/* Two pointers to the device, and its region is released by both. */
typedef int (*irq_handler_t)(int irq, void *dev);
struct resource { unsigned long start; };
struct dev { int irq; unsigned long port; void *regs; };

extern int request_irq(unsigned int irq, irq_handler_t handler, unsigned long flags, const char *name, void *dev);
extern void *free_irq(unsigned int irq, void *dev);
extern void *ioremap(unsigned long offset, unsigned long size);
extern void iounmap(void *addr);
extern struct resource *request_region(unsigned long start, unsigned long n, const char *name);
extern void release_region(unsigned long start, unsigned long n);
extern int hardware(int n);
static int handler(int irq, void *dev) { return irq; }
static struct dev d;

int main(void)
{
	struct dev *p = &d, *q = p;

	p->port = 768;
	if (!request_region(p->port, 8, "lamp"))
		return -16;
	release_region(p->port, 8);
	if (hardware(0))
		release_region(q->port, 8); /* fails: below-start */
	return 0;
}
