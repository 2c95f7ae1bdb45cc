/* A class is created, and destroyed if its device cannot be added. */
struct class { const char *name; };

extern struct class *class_create(const char *name);
extern void class_destroy(struct class *cls);
extern int class_register(struct class *cls);
extern void class_unregister(struct class *cls);
extern int add_device(int minor);
static inline long PTR_ERR(const void *p) { return (long)p; }
static inline _Bool IS_ERR(const void *p) { return (unsigned long)p >= (unsigned long)-4095; }

static struct class *cls;

static int start(void)
{
	cls = class_create("lamp");
	if (IS_ERR(cls))
		return PTR_ERR(cls);
	if (add_device(0) < 0) {
		class_destroy(cls);
		return -5;
	}
	return 0;
}

int main(void)
{
	if (start() == 0)
		class_destroy(cls);
	return 0;
}
