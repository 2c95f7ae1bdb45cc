/* The error path waits before it releases. */
#include "rule.h"

static spinlock_t lock, other;
static struct mutex mutex;

int main(void)
{
	spin_lock(&lock);
	if (input() < 0) {
		msleep(10); /* fails: sleeping-call */
		spin_unlock(&lock);
		return -5;
	}
	spin_unlock(&lock);
	return 0;
}
