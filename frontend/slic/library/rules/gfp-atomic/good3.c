/* The caller tells the callee which flags are right. */
#include "rule.h"

static spinlock_t lock, other;
static struct mutex mutex;

static void *make(gfp_t flags)
{
	return kmalloc(8, flags);
}

int main(void)
{
	void *a = make(GFP_KERNEL), *b;

	spin_lock(&lock);
	b = make(GFP_ATOMIC);
	spin_unlock(&lock);
	kfree(a);
	kfree(b);
	return 0;
}
