/* An allocation that does not sleep, and an error path. */
#include "rule.h"

static spinlock_t lock, other;
static struct mutex mutex;

int main(void)
{
	void *p;

	spin_lock(&lock);
	p = kmalloc(16, GFP_ATOMIC);
	if (!p)
		goto out;
	kfree(p);
out:
	spin_unlock(&lock);
	return 0;
}
