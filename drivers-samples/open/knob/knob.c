/*
 * A driver for the volume knob of a loudspeaker, as kernels have drivers: without a function main, with a
 * probe function and an interrupt handler. The declarations that a kernel's headers would
 * give are at the beginning.
 */
typedef struct { int raw; } spinlock_t;
void spin_lock(spinlock_t *lock);
void spin_unlock(spinlock_t *lock);

struct device { void *driver_data; };
struct platform_device { const char *name; struct device dev; };
struct platform_driver {
	int (*probe)(struct platform_device *pdev);
	int (*remove)(struct platform_device *pdev);
};
int platform_driver_register(struct platform_driver *drv);
void platform_driver_unregister(struct platform_driver *drv);
int request_irq(unsigned int irq, int (*handler)(int irq, void *data), unsigned long flags, const char *name, void *data);
void free_irq(unsigned int irq, void *data);
int read_position(void);

#define KNOB_IRQ 17
#define IRQ_NONE 0
#define IRQ_HANDLED 1

static struct knob {
	spinlock_t lock;
	int position;
	int moves;
} knob;

/* The knob was turned, or another device on the same line wants something. */
static int knob_interrupt(int irq, void *data)
{
	int position;

	spin_lock(&knob.lock);
	position = read_position();
	if (position < 0)
		return IRQ_NONE;
	if (position != knob.position) {
		knob.position = position;
		knob.moves++;
	}
	spin_unlock(&knob.lock);
	return IRQ_HANDLED;
}

static int knob_probe(struct platform_device *pdev)
{
	knob.position = 0;
	knob.moves = 0;
	return request_irq(KNOB_IRQ, knob_interrupt, 0, "knob", pdev);
}

static int knob_remove(struct platform_device *pdev)
{
	free_irq(KNOB_IRQ, pdev);
	return 0;
}

static struct platform_driver knob_driver = {
	.probe = knob_probe,
	.remove = knob_remove,
};

int init_module(void)
{
	return platform_driver_register(&knob_driver);
}

void cleanup_module(void)
{
	platform_driver_unregister(&knob_driver);
}
