/* The start is checked. */
#include "rule.h"

static unsigned long map[2];

int main(void)
{
	unsigned long start = input();

	if (start > 128)
		return -22;
	return find_next_bit(map, 128, start) < 128;
}
