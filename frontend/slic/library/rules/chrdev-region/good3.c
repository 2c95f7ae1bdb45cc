/* The number is the result. */
typedef unsigned int dev_t;
struct file_operations { int (*open)(void); };

extern int register_chrdev_region(dev_t from, unsigned count, const char *name);
extern int alloc_chrdev_region(dev_t *dev, unsigned first, unsigned count, const char *name);
extern void unregister_chrdev_region(dev_t from, unsigned count);
extern int register_chrdev(unsigned int major, const char *name, const struct file_operations *fops);
extern void unregister_chrdev(unsigned int major, const char *name);
extern int add(dev_t dev);

static struct file_operations ops;

int main(void)
{
	int major = register_chrdev(0, "lamp", &ops);

	if (major < 0)
		return major;
	add(major);
	unregister_chrdev(major, "lamp");
	return 0;
}
