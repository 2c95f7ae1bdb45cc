/* The next round of the loop takes the mutex with the lock. */
#include "rule.h"

static spinlock_t lock, other;
static struct mutex mutex;

int main(void)
{
	int i;

	for (i = 0; i < 2; i++) {
		mutex_lock(&mutex); /* fails: sleeping-call */
		if (i == 0)
			spin_lock(&lock);
		mutex_unlock(&mutex);
	}
	spin_unlock(&lock);
	return 0;
}
