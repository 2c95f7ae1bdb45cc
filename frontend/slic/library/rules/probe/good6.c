/* What is released by itself. */
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

extern int devm_request_irq(struct dev *dev, unsigned int irq, irq_handler_t handler, unsigned long flags, const char *name, void *id);

int main(void)
{
	if (devm_request_irq(&d, 5, handler, 0, "lamp", &d) < 0)
		return -16;
	if (!request_region(768, 8, "lamp"))
		return -16;
	release_region(768, 8);
	return 0;
}
