/* Each path that has acquired a thing releases it. */
#include "rule.h"

static struct thing first, second;

static int use(struct thing *t)
{
	int err = acquire(t);

	if (err)
		return err;
	err = work(1);
	release(t);
	return err;
}

int main(void)
{
	if (use(&first) < 0)
		return 1;
	return use(&second) < 0;
}
