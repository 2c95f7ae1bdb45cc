/* The size changes through another pointer after the check. */
#include "rule.h"

static unsigned long map[2];

struct pool { unsigned long next, size; };
static struct pool pool = { 0, 64 };

int main(void)
{
	struct pool *p = &pool;

	p->next = input();
	if (p->next > p->size)
		return -22;
	pool.size = 32;
	find_next_zero_bit(map, p->size, p->next); /* fails: offset-beyond-size */
	return 0;
}
