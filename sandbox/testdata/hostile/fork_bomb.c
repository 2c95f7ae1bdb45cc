/* Starts processes, by each call that there is. The bomb is a small one.
 * Verdict: FALSE
 * Without: Forks
 */
#include <assert.h>
#include "hostile.h"

extern int fork(void);

int main(void)
{
	for (int i = 0; i < 3; i++)
		if (fork() == 0)
			write(1, "harm: a child\n", 14);
	if (syscall(56, 17L, 0L, 0L, 0L, 0L) == 0) { /* clone */
		write(1, "harm: a child\n", 14);
		_exit(0);
	}
	int x = 0;
	assert(x == 1);
	return 0;
}
