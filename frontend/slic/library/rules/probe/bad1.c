/* The mapping stays if the interrupt cannot be had. */
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

static int probe(struct dev *p)
{
	p->regs = ioremap(4096, 16);
	if (!p->regs)
		return -12;
	return request_irq(p->irq, handler, 0, "lamp", p);
}

int main(void)
{
	if (probe(&d))
		return -16;
	free_irq(d.irq, &d);
	iounmap(d.regs);
	return 0;
} /* fails: left-at-end */
