/* Declarations of the kernel for the examples of chrdev-region. */
typedef unsigned int dev_t;
struct file_operations { int (*open)(void); };

extern int register_chrdev_region(dev_t from, unsigned count, const char *name);
extern int alloc_chrdev_region(dev_t *dev, unsigned first, unsigned count, const char *name);
extern void unregister_chrdev_region(dev_t from, unsigned count);
extern int register_chrdev(unsigned int major, const char *name, const struct file_operations *fops);
extern void unregister_chrdev(unsigned int major, const char *name);
extern int add(dev_t dev);
