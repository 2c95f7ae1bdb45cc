/* Two locks by pointers, both released before. */
#include "rule.h"

static spinlock_t lock, other;
static struct mutex mutex;

int main(void)
{
	spinlock_t *a = input() ? &lock : &other;
	spinlock_t *b = a == &lock ? &other : &lock;

	spin_lock(a);
	spin_lock(b);
	spin_unlock(b);
	spin_unlock(a);
	mutex_lock(&mutex);
	mutex_unlock(&mutex);
	return 0;
}
