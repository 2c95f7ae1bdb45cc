/* The offset is read through a pointer. */
#include "rule.h"

static unsigned long map[2];

struct pool { unsigned long next, size; };
static struct pool pool = { 0, 64 };

int main(void)
{
	struct pool *p = &pool;

	p->next = input();
	if (p->next > pool.size)
		pool.next = 0;
	find_next_zero_bit(map, p->size, p->next);
	return 0;
}
