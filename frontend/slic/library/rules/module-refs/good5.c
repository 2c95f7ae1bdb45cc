/* Two modules: each gets its own reference back. */
struct module { int state; };
struct file_operations { struct module *owner; int (*open)(int unit); };
typedef _Bool bool;

extern struct module __this_module;
#define THIS_MODULE (&__this_module)
extern void __module_get(struct module *module);
extern bool try_module_get(struct module *module);
extern void module_put(struct module *module);
extern int hardware(int unit);

static struct module codec, bus;

static void drop(struct module *m)
{
	module_put(m);
}

int main(void)
{
	struct module *first = &codec;

	if (!try_module_get(first))
		return -19;
	if (!try_module_get(&bus)) {
		drop(first);
		return -19;
	}
	drop(&bus);
	drop(&codec);
	return 0;
}
