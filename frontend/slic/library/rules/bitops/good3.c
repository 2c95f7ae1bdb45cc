/* The callee is given a size that is large enough. */
#include "rule.h"

static unsigned long map[2];

static unsigned long after(unsigned long size, unsigned long bit)
{
	return find_next_bit(map, size, bit + 1);
}

int main(void)
{
	unsigned long bit = input();

	return bit < 64 ? after(64, bit) == 64 : 0;
}
