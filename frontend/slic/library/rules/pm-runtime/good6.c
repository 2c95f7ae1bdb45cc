/* Uses nest. */
#include "rule.h"

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
