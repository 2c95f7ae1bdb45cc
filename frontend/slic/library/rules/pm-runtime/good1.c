/* The use is given back if the device does not wake. */
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
	int ret = pm_runtime_get_sync(&chip.dev);

	if (ret < 0) {
		pm_runtime_put_noidle(&chip.dev);
		return ret;
	}
	ret = transfer(0);
	pm_runtime_put(&chip.dev);
	return ret;
}
