/* The error path gives back what the callee has given back. */
struct module { int state; };
struct file_operations { struct module *owner; int (*open)(int unit); };
typedef _Bool bool;

extern struct module __this_module;
#define THIS_MODULE (&__this_module)
extern void __module_get(struct module *module);
extern bool try_module_get(struct module *module);
extern void module_put(struct module *module);
extern int hardware(int unit);

static int start(void)
{
	__module_get(THIS_MODULE);
	if (hardware(0) < 0) {
		module_put(THIS_MODULE);
		return -5;
	}
	return 0;
}

int main(void)
{
	if (start() < 0)
		goto out;
	hardware(1);
out:
	module_put(THIS_MODULE); /* fails: below-start */
	return 0;
}
