/* The error path searches, too. */
#include "rule.h"

static unsigned long map[2];

static int search(unsigned long size, unsigned long from)
{
	if (from > size)
		goto wrap;
	return find_next_bit(map, size, from) < size;
wrap:
	return find_next_bit(map, from - size, from) < from; /* fails: offset-beyond-size */
}

int main(void)
{
	return search(64, 70);
}
