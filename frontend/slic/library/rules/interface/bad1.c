/* The error path leaves the first interface. */
#include "rule.h"

static struct lamp lamp;

static int probe(struct lamp *l)
{
	int err = misc_register(&l->misc);

	if (err)
		return err;
	return hardware(0);
}

int main(void)
{
	if (probe(&lamp) < 0)
		return 1;
	misc_deregister(&lamp.misc);
	return 0;
} /* fails: left-at-end */
