/* A given number, or any. */
typedef unsigned int dev_t;
struct file_operations { int (*open)(void); };

extern int register_chrdev_region(dev_t from, unsigned count, const char *name);
extern int alloc_chrdev_region(dev_t *dev, unsigned first, unsigned count, const char *name);
extern void unregister_chrdev_region(dev_t from, unsigned count);
extern int register_chrdev(unsigned int major, const char *name, const struct file_operations *fops);
extern void unregister_chrdev(unsigned int major, const char *name);
extern int add(dev_t dev);

static dev_t dev = 0;

static int reserve(void)
{
	if (dev)
		return register_chrdev_region(dev, 1, "lamp");
	return alloc_chrdev_region(&dev, 0, 1, "lamp");
}

int main(void)
{
	dev = add(0) > 0 ? 5 << 20 : 0;
	if (reserve())
		return -16;
	unregister_chrdev_region(dev, 1);
	return 0;
}
