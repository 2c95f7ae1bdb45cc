/* Sends signals to another process: as such, and as the owner of a pipe.
 * Verdict: FALSE
 * Mutant: signals-allowed
 */
#include <assert.h>
#include "hostile.h"

extern int real_kill(int, int) asm("kill");
extern int real_pipe(int *) asm("pipe");
extern int real_fcntl(int, int, ...) asm("fcntl");

int main(void)
{
	int ends[2];
	int x = 0;
	real_kill(VICTIM, 9);
	real_syscall(200, (long)VICTIM, 9L);               /* tkill */
	real_syscall(234, (long)VICTIM, (long)VICTIM, 9L); /* tgkill */
	if (real_pipe(ends) == 0) {
		real_fcntl(ends[0], 10, 9);      /* F_SETSIG */
		real_fcntl(ends[0], 8, VICTIM);  /* F_SETOWN */
		real_fcntl(ends[0], 4, 0020000); /* F_SETFL, O_ASYNC */
		real_write(ends[1], "x", 1);
	}
	assert(x == 1);
	return 0;
}
