/* Two names of the class that is created. */
struct class { const char *name; };

extern struct class *class_create(const char *name);
extern void class_destroy(struct class *cls);
extern int class_register(struct class *cls);
extern void class_unregister(struct class *cls);
extern int add_device(int minor);
static inline long PTR_ERR(const void *p) { return (long)p; }
static inline _Bool IS_ERR(const void *p) { return (unsigned long)p >= (unsigned long)-4095; }

struct driver { struct class *mine, *shared; };

int main(void)
{
	struct driver d;

	d.mine = class_create("lamp");
	d.shared = d.mine;
	if (IS_ERR(d.mine))
		return -12;
	if (add_device(0) == 0)
		class_destroy(d.shared);
	else
		class_destroy(d.mine);
	return 0;
}
