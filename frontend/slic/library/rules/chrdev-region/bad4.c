/* The loop goes on when it has got one. */
typedef unsigned int dev_t;
struct file_operations { int (*open)(void); };

extern int register_chrdev_region(dev_t from, unsigned count, const char *name);
extern int alloc_chrdev_region(dev_t *dev, unsigned first, unsigned count, const char *name);
extern void unregister_chrdev_region(dev_t from, unsigned count);
extern int register_chrdev(unsigned int major, const char *name, const struct file_operations *fops);
extern void unregister_chrdev(unsigned int major, const char *name);
extern int add(dev_t dev);

int main(void)
{
	dev_t d = 7;
	int i, got = -1;

	for (i = 0; i < 2; i++)
		if (register_chrdev_region(d + i, 1, "lamp") == 0)
			got = i;
	if (got >= 0)
		unregister_chrdev_region(d + got, 1);
	return 0;
} /* fails: left-at-end */
