/* Declarations of the kernel for the examples of module-refs. */
struct module { int state; };
struct file_operations { struct module *owner; int (*open)(int unit); };
typedef _Bool bool;

extern struct module __this_module;
#define THIS_MODULE (&__this_module)
extern void __module_get(struct module *module);
extern bool try_module_get(struct module *module);
extern void module_put(struct module *module);
extern int hardware(int unit);

struct iio_trigger { struct module *owner; };
struct iio_dev { struct iio_trigger *trig; };
static inline struct iio_trigger *iio_trigger_get(struct iio_trigger *t)
{
	__module_get(t->owner);
	return t;
}
static inline void iio_trigger_put(struct iio_trigger *t)
{
	module_put(t->owner);
}
