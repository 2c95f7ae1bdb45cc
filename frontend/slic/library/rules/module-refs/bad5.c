/* Two pointers to one module. */
struct module { int state; };
struct file_operations { struct module *owner; int (*open)(int unit); };
typedef _Bool bool;

extern struct module __this_module;
#define THIS_MODULE (&__this_module)
extern void __module_get(struct module *module);
extern bool try_module_get(struct module *module);
extern void module_put(struct module *module);
extern int hardware(int unit);

static struct module codec;

static void drop(struct module *m)
{
	module_put(m); /* fails: below-start */
}

int main(void)
{
	struct module *a = &codec, *b = a;

	if (!try_module_get(a))
		return -19;
	drop(a);
	drop(b);
	return 0;
}
