/* Asks for memory that no limit of address space counts, and that outlives the program.
 * Verdict: FALSE
 * Mutant: calls-unfiltered
 */
#include <assert.h>
#include "hostile.h"

int main(void)
{
	int x = 0;
	if (real_syscall(319, "m", 0L) >= 0) /* memfd_create */
		real_write(1, "harm: memfd_create\n", 19);
	assert(x == 1);
	return 0;
}
