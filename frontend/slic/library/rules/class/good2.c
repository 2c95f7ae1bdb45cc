/* A class of the program is registered. */
struct class { const char *name; };

extern struct class *class_create(const char *name);
extern void class_destroy(struct class *cls);
extern int class_register(struct class *cls);
extern void class_unregister(struct class *cls);
extern int add_device(int minor);
static inline long PTR_ERR(const void *p) { return (long)p; }
static inline _Bool IS_ERR(const void *p) { return (unsigned long)p >= (unsigned long)-4095; }

static struct class lamp = { "lamp" };

int main(void)
{
	int err = class_register(&lamp);

	if (err)
		return err;
	add_device(0);
	class_unregister(&lamp);
	return 0;
}
