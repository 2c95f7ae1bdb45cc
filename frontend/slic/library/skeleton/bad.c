/* The error path forgets to release the thing. */
#include "rule.h"

static struct thing first;

static int use(struct thing *t)
{
	int err = acquire(t);

	if (err)
		return err;
	err = work(1);
	if (err < 0)
		return err;
	release(t);
	return 0;
}

int main(void)
{
	return use(&first);
} /* fails: left-at-end */
