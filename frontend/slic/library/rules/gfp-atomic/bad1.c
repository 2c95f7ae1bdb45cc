/* Allocated under the lock. */
#include "rule.h"

static spinlock_t lock, other;
static struct mutex mutex;

int main(void)
{
	void *p;

	spin_lock(&lock);
	p = kmalloc(16, GFP_KERNEL); /* fails: sleeping-allocation */
	spin_unlock(&lock);
	kfree(p);
	return 0;
}
