/* Two pointers to the number. */
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
	dev_t dev, *p = &dev, *q = p;

	if (alloc_chrdev_region(p, 0, 1, "lamp"))
		return -16;
	unregister_chrdev_region(*p, 1);
	if (add(0))
		unregister_chrdev_region(*q, 1); /* fails: below-start */
	return 0;
}
