/* Starts processes, by each call that there is. The bomb is a small one.
 * Verdict: FALSE
 * Mutant: forks-allowed
 */
#include <assert.h>
#include "hostile.h"

extern int real_fork(void) asm("fork");

int main(void)
{
	for (int i = 0; i < 3; i++)
		if (real_fork() >= 0) /* the parent says it, too: the child may come too late */
			real_write(1, "harm: a child\n", 14);
	long child = real_syscall(56, 17L, 0L, 0L, 0L, 0L); /* clone */
	if (child >= 0)
		real_write(1, "harm: a child\n", 14);
	if (child == 0)
		real__exit(0);
	int x = 0;
	assert(x == 1);
	return 0;
}
