/* An error path for a size of zero. */
#include "rule.h"

static unsigned long map[2];

static int search(unsigned long size)
{
	if (!size)
		goto none;
	return find_next_bit(map, size, size - 1) < size;
none:
	return -22;
}

int main(void)
{
	return search(input());
}
