/* It sleeps only if the attempt was in vain. */
#include "rule.h"

static spinlock_t lock, other;
static struct mutex mutex;

int main(void)
{
	if (!spin_trylock(&lock)) {
		msleep(1);
		return -11;
	}
	input();
	spin_unlock(&lock);
	return 0;
}
