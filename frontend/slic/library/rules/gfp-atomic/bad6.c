/* One of two locks is still held. */
#include "rule.h"

static spinlock_t lock, other;
static struct mutex mutex;

int main(void)
{
	spinlock_t *a = &lock, *b = &other;

	spin_lock(a);
	spin_lock(b);
	spin_unlock(b);
	mutex_lock(&mutex); /* fails: sleeping-call */
	mutex_unlock(&mutex);
	spin_unlock(a);
	return 0;
}
