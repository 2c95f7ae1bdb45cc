/* A round of the loop without a use. */
struct device { int id; };
struct chip { int on; struct device dev; };

extern int pm_runtime_get_sync(struct device *dev);
extern int pm_runtime_put(struct device *dev);
extern void pm_runtime_put_noidle(struct device *dev);
extern int pm_runtime_get_if_in_use(struct device *dev);
extern int transfer(int n);
static struct chip chip;

int main(void)
{
	while (transfer(0)) {
		if (pm_runtime_get_if_in_use(&chip.dev) > 0)
			transfer(1);
		pm_runtime_put_noidle(&chip.dev); /* fails: below-start */
	}
	return 0;
}
