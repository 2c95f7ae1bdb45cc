/* The callee has the flags of its other caller. */
#include "rule.h"

static spinlock_t lock, other;
static struct mutex mutex;

static void *make(gfp_t flags)
{
	return kmalloc(8, flags | GFP_NOIO); /* fails: sleeping-allocation */
}

int main(void)
{
	void *b;

	spin_lock(&lock);
	b = make(GFP_ATOMIC);
	spin_unlock(&lock);
	kfree(b);
	return 0;
}
