/* Asks for 100 GiB.
 * Verdict: FALSE
 * Mutant: memory-unlimited
 */
#include <assert.h>
#include "hostile.h"

extern void *real_mmap(void *, unsigned long, int, int, int, long) asm("mmap");

int main(void)
{
	int x = 0;
	void *p = real_mmap(0, 100ul << 30, 3, 0x4022, -1, 0); /* without reserving it */
	if (p != (void *)-1)
		real_write(1, "harm: 100 GiB\n", 14);
	assert(x == 1);
	return 0;
}
