/* The loop takes more than it gives. */
struct module { int state; };
struct file_operations { struct module *owner; int (*open)(int unit); };
typedef _Bool bool;

extern struct module __this_module;
#define THIS_MODULE (&__this_module)
extern void __module_get(struct module *module);
extern bool try_module_get(struct module *module);
extern void module_put(struct module *module);
extern int hardware(int unit);

int main(void)
{
	int i;

	for (i = 0; i < 2; i++)
		__module_get(THIS_MODULE);
	hardware(0);
	module_put(THIS_MODULE);
	return 0;
} /* fails: left-at-end */
