/* The caller unmaps what its callee has unmapped. */
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

static int check(void *regs)
{
	if (hardware(0) < 0) {
		iounmap(regs);
		return -19;
	}
	return 0;
}

int main(void)
{
	d.regs = ioremap(4096, 16);
	if (!d.regs)
		return -12;
	check(d.regs);
	iounmap(d.regs); /* fails: double-destroy */
	return 0;
}
