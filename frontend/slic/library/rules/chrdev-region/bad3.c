/* A number above 0 is taken for a failure. */
#include "rule.h"

static struct file_operations ops;

int main(void)
{
	if (register_chrdev(0, "lamp", &ops))
		return -16;
	add(0);
	unregister_chrdev(0, "lamp");
	return 0;
} /* fails: left-at-end */
