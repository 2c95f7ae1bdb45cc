/* A loop that only tries. */
#include "rule.h"

static rwlock_t table;

int main(void)
{
	int i;

	for (i = 0; i < 5; i++) {
		if (!write_trylock(&table))
			continue;
		lookup(i);
		write_unlock(&table);
	}
	return 0;
}
