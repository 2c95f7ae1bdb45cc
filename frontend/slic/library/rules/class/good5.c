/* The callee destroys whatever it gets, error pointers too. */
struct class { const char *name; };

extern struct class *class_create(const char *name);
extern void class_destroy(struct class *cls);
extern int class_register(struct class *cls);
extern void class_unregister(struct class *cls);
extern int add_device(int minor);
static inline long PTR_ERR(const void *p) { return (long)p; }
static inline _Bool IS_ERR(const void *p) { return (unsigned long)p >= (unsigned long)-4095; }

static void drop(struct class *c)
{
	class_destroy(c);
}

int main(void)
{
	struct class *c = class_create("lamp");

	add_device(0);
	drop(c);
	return 0;
}
