/* Uses nest. */
struct device { int id; };
struct chip { int on; struct device dev; };

extern int pm_runtime_get_sync(struct device *dev);
extern int pm_runtime_put(struct device *dev);
extern void pm_runtime_put_noidle(struct device *dev);
extern int pm_runtime_get_if_in_use(struct device *dev);
extern int transfer(int n);
static struct chip chip;

static int read(void)
{
	int v;

	pm_runtime_get_sync(&chip.dev);
	v = transfer(2);
	pm_runtime_put(&chip.dev);
	return v;
}

int main(void)
{
	int v;

	pm_runtime_get_sync(&chip.dev);
	v = read();
	pm_runtime_put_noidle(&chip.dev);
	return v;
}
