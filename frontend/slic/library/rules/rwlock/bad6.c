/* Of two readers one stays. */
#include "rule.h"

static rwlock_t table;

int main(void)
{
	int n = 0;

	read_lock(&table);
	read_lock(&table);
	n = lookup(n);
	if (n < 0) {
		read_unlock(&table);
		return n;
	}
	read_unlock(&table);
	read_unlock(&table);
	return 0;
} /* fails: read-at-end */
