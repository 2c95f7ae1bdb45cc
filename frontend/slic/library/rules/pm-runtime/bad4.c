/* Both names are those of the parent, which is given back twice. */
struct device { int id; };
struct chip { int on; struct device dev; };

extern int pm_runtime_get_sync(struct device *dev);
extern int pm_runtime_put(struct device *dev);
extern void pm_runtime_put_noidle(struct device *dev);
extern int pm_runtime_get_if_in_use(struct device *dev);
extern int transfer(int n);
static struct chip chip;

static struct device parent;

static void rest(struct device *a, struct device *b)
{
	pm_runtime_put(a);
	pm_runtime_put(b); /* fails: below-start */
}

int main(void)
{
	pm_runtime_get_sync(&parent);
	transfer(0);
	rest(&parent, &parent);
	return 0;
}
