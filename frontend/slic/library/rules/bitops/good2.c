/* A loop over the bits. */
#include "rule.h"

static unsigned long map[2];

int main(void)
{
	unsigned long i;

	for (i = 0; i < 128; i++)
		if (find_next_zero_bit(map, 128, i) == i)
			break;
	return 0;
}
