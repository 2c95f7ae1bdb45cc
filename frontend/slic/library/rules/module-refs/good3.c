/* The owner of an operation table, which may be none. */
struct module { int state; };
struct file_operations { struct module *owner; int (*open)(int unit); };
typedef _Bool bool;

extern struct module __this_module;
#define THIS_MODULE (&__this_module)
extern void __module_get(struct module *module);
extern bool try_module_get(struct module *module);
extern void module_put(struct module *module);
extern int hardware(int unit);

static struct module other;
static struct file_operations table[2] = { { &other, hardware }, { 0, hardware } };

static int call(struct file_operations *ops)
{
	int ret;

	if (!try_module_get(ops->owner))
		return -19;
	ret = ops->open(0);
	module_put(ops->owner);
	return ret;
}

int main(void)
{
	return call(&table[0]) + call(&table[1]);
}
