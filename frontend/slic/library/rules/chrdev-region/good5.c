/* Two regions, undone in reverse. */
typedef unsigned int dev_t;
struct file_operations { int (*open)(void); };

extern int register_chrdev_region(dev_t from, unsigned count, const char *name);
extern int alloc_chrdev_region(dev_t *dev, unsigned first, unsigned count, const char *name);
extern void unregister_chrdev_region(dev_t from, unsigned count);
extern int register_chrdev(unsigned int major, const char *name, const struct file_operations *fops);
extern void unregister_chrdev(unsigned int major, const char *name);
extern int add(dev_t dev);

static void undo(dev_t *d)
{
	unregister_chrdev_region(*d, 1);
}

int main(void)
{
	dev_t a = 1 << 20, b = 2 << 20;
	int err;

	err = register_chrdev_region(a, 1, "a");
	if (err)
		return err;
	err = register_chrdev_region(b, 1, "b");
	if (err)
		goto out;
	undo(&b);
out:
	undo(&a);
	return err;
}
