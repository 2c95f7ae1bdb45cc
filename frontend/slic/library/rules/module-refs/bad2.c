/* The reference is given back although there was none. */
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
	int ret = -19;

	if (try_module_get(THIS_MODULE))
		ret = hardware(unit);
	module_put(THIS_MODULE); /* fails: below-start */
	return ret;
}

int main(void)
{
	return dev_open(0);
}
