/* Allocated before the lock is taken. */
#include "rule.h"

static spinlock_t lock, other;
static struct mutex mutex;

int main(void)
{
	void *p = kmalloc(16, GFP_KERNEL);

	if (!p)
		return -12;
	spin_lock(&lock);
	input();
	spin_unlock(&lock);
	kfree(p);
	return 0;
}
