/* From the middle, and if there is none from the start. */
#include "rule.h"

static unsigned long map[2];

int main(void)
{
	unsigned long mid = input() % 128;
	unsigned long bit = find_next_zero_bit(map, 128, mid);

	if (bit >= 128)
		bit = find_next_zero_bit(map, mid, 0);
	return bit == mid;
}
