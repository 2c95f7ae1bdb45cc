/* The arguments are exchanged. */
#include "rule.h"

static unsigned long map[2];

int main(void)
{
	unsigned long mid = input();

	if (mid >= 128)
		return -22;
	return find_next_bit(map, mid, 128) == mid; /* fails: offset-beyond-size */
}
