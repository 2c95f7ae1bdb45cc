/* Two tables: one is read while the other is written. */
#include "rule.h"

struct table { rwlock_t lock; int size; };
static struct table old, young;

static void move(struct table *from, struct table *to)
{
	unsigned long flags;

	read_lock(&from->lock);
	write_lock_irqsave(&to->lock, flags);
	lookup(from->size);
	_raw_write_unlock_irqrestore(&to->lock, flags);
	read_unlock(&from->lock);
}

int main(void)
{
	move(&old, &young);
	move(&young, &old);
	return 0;
}
