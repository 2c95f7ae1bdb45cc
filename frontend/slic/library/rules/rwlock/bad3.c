/* The two tables may be one. */
#include "rule.h"

struct table { rwlock_t lock; int size; };
static struct table old, young;

static void move(struct table *from, struct table *to)
{
	write_lock(&from->lock);
	write_lock(&to->lock); /* fails: double-write */
	lookup(from->size);
	write_unlock(&to->lock);
	write_unlock(&from->lock);
}

int main(void)
{
	struct table *t = lookup(0) ? &old : &young;

	move(&old, t);
	return 0;
}
