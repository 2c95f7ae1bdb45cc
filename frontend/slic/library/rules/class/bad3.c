/* The second one is forgotten. */
struct class { const char *name; };

extern struct class *class_create(const char *name);
extern void class_destroy(struct class *cls);
extern int class_register(struct class *cls);
extern void class_unregister(struct class *cls);
extern int add_device(int minor);
static inline long PTR_ERR(const void *p) { return (long)p; }
static inline _Bool IS_ERR(const void *p) { return (unsigned long)p >= (unsigned long)-4095; }

static struct class table[2];

int main(void)
{
	int err = class_register(&table[0]);

	if (err < 0)
		return err;
	err = class_register(&table[1]);
	class_unregister(&table[0]);
	return err;
} /* fails: left-at-end */
