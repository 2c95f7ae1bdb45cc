/* The callee unmaps what it is given. */
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

static void undo(void *regs)
{
	if (regs)
		iounmap(regs);
}

int main(void)
{
	d.regs = ioremap(4096, 16);
	hardware(0);
	undo(d.regs);
	return 0;
}
