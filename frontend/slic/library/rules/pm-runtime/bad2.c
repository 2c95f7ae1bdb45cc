/* The error path gives back what was not counted. */
struct device { int id; };
struct chip { int on; struct device dev; };

extern int pm_runtime_get_sync(struct device *dev);
extern int pm_runtime_put(struct device *dev);
extern void pm_runtime_put_noidle(struct device *dev);
extern int pm_runtime_get_if_in_use(struct device *dev);
extern int transfer(int n);
static struct chip chip;

extern int pm_runtime_resume_and_get(struct device *dev);

int main(void)
{
	int ret = pm_runtime_resume_and_get(&chip.dev);

	if (ret == 0)
		ret = transfer(1);
	pm_runtime_put(&chip.dev); /* fails: below-start */
	return ret;
}
