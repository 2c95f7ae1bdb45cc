/* What is missing is added under the lock of the reader. */
#include "rule.h"

static rwlock_t table;

int main(void)
{
	read_lock(&table);
	if (lookup(1) < 0) {
		write_lock(&table); /* fails: write-while-reading */
		lookup(1);
		write_unlock(&table);
	}
	read_unlock(&table);
	return 0;
}
