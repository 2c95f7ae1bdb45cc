/* The module that is given back is not the owner, which may be none. */
struct module { int state; };
struct file_operations { struct module *owner; int (*open)(int unit); };
typedef _Bool bool;

extern struct module __this_module;
#define THIS_MODULE (&__this_module)
extern void __module_get(struct module *module);
extern bool try_module_get(struct module *module);
extern void module_put(struct module *module);
extern int hardware(int unit);

static struct module mine;
static struct file_operations table[2] = { { &mine, hardware }, { 0, hardware } };

static int call(struct file_operations *ops)
{
	int ret;

	if (!try_module_get(ops->owner))
		return -19;
	ret = ops->open(0);
	module_put(&mine); /* fails: below-start */
	return ret;
}

int main(void)
{
	return call(&table[hardware(1) ? 1 : 0]);
}
