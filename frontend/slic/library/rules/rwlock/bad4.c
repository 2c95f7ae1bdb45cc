/* After an attempt in vain the loop releases as well. */
#include "rule.h"

static rwlock_t table;

int main(void)
{
	int i;

	for (i = 0; i < 5; i++) {
		if (read_trylock(&table))
			lookup(i);
		read_unlock(&table); /* fails: read-unlock */
	}
	return 0;
}
