/* The mutex outside, the spin lock inside, in a loop. */
#include "rule.h"

static spinlock_t lock, other;
static struct mutex mutex;

int main(void)
{
	while (input()) {
		mutex_lock(&mutex);
		spin_lock(&lock);
		input();
		spin_unlock(&lock);
		mutex_unlock(&mutex);
		msleep(10);
	}
	return 0;
}
