/* A reader does not get a lock that he reads for writing, and goes on. */
#include "rule.h"

static rwlock_t table;

int main(void)
{
	read_lock(&table);
	if (write_trylock(&table)) {
		lookup(0);
		write_unlock(&table);
	}
	if (read_trylock(&table) == 1)
		read_unlock(&table);
	read_unlock(&table);
	return 0;
}
