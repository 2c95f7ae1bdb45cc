/* The error path of open keeps the reference. */
struct module { int state; };
struct file_operations { struct module *owner; int (*open)(int unit); };
typedef _Bool bool;

extern struct module __this_module;
#define THIS_MODULE (&__this_module)
extern void __module_get(struct module *module);
extern bool try_module_get(struct module *module);
extern void module_put(struct module *module);
extern int hardware(int unit);

static int dev_open(int unit)
{
	if (!try_module_get(THIS_MODULE))
		return -19;
	if (hardware(unit) < 0)
		return -5;
	return 0;
}

int main(void)
{
	if (dev_open(0) == 0)
		module_put(THIS_MODULE);
	return 0;
} /* fails: left-at-end */
