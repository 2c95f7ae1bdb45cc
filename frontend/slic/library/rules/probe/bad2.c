/* The interrupt stays if that of the other device cannot be had. */
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

static struct dev other;

int main(void)
{
	if (request_irq(9, handler, 128, "a", &d))
		return -16;
	if (request_irq(9, handler, 128, "b", &other))
		return -16;
	free_irq(9, &other);
	free_irq(9, &d);
	return 0;
} /* fails: left-at-end */
