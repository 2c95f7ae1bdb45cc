/* The loop goes one too far. */
#include "rule.h"

static unsigned long map[2];

int main(void)
{
	unsigned long i;

	for (i = 0; i <= 3; i++)
		find_next_zero_bit(map, 2, i); /* fails: offset-beyond-size */
	return 0;
}
