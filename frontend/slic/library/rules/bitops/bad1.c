/* The start comes unchecked from outside. */
#include "rule.h"

static unsigned long map[2];

int main(void)
{
	unsigned long start = input();

	return find_next_bit(map, 128, start) < 128; /* fails: offset-beyond-size */
}
