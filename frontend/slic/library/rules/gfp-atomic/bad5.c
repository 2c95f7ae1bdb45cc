/* It sleeps if the attempt was not in vain. */
#include "rule.h"

static spinlock_t lock, other;
static struct mutex mutex;

int main(void)
{
	if (spin_trylock(&lock)) {
		msleep(1); /* fails: sleeping-call */
		spin_unlock(&lock);
	}
	return 0;
}
