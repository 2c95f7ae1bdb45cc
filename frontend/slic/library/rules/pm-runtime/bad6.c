/* The error path skips one of two that nest. */
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
	int ret;

	pm_runtime_get_sync(&chip.dev);
	pm_runtime_get_sync(&chip.dev);
	ret = transfer(2);
	if (ret < 0)
		goto out;
	pm_runtime_put(&chip.dev);
out:
	pm_runtime_put(&chip.dev);
	return ret;
} /* fails: left-at-end */
