/* The callee gives the use back. */
struct device { int id; };
struct chip { int on; struct device dev; };

extern int pm_runtime_get_sync(struct device *dev);
extern int pm_runtime_put(struct device *dev);
extern void pm_runtime_put_noidle(struct device *dev);
extern int pm_runtime_get_if_in_use(struct device *dev);
extern int transfer(int n);
static struct chip chip;

static void rest(struct chip *c)
{
	c->on = 0;
	pm_runtime_put(&c->dev);
}

int main(void)
{
	struct chip *c = &chip;

	pm_runtime_get_sync(&c->dev);
	c->on = 1;
	rest(&chip);
	return 0;
}
