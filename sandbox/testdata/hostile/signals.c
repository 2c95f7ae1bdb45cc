/* Sends signals to another process: as such, and as the owner of a pipe.
 * Verdict: FALSE
 * Without: Signals, Scope
 */
#include <assert.h>
#include "hostile.h"

extern int kill(int, int);
extern int pipe(int *);
extern int fcntl(int, int, ...);

int main(void)
{
	int ends[2];
	int x = 0;
	kill(VICTIM, 9);
	syscall(200, (long)VICTIM, 9L);               /* tkill */
	syscall(234, (long)VICTIM, (long)VICTIM, 9L); /* tgkill */
	if (pipe(ends) == 0) {
		fcntl(ends[0], 10, 9);      /* F_SETSIG */
		fcntl(ends[0], 8, VICTIM);  /* F_SETOWN */
		fcntl(ends[0], 4, 0020000); /* F_SETFL, O_ASYNC */
		write(ends[1], "x", 1);
	}
	assert(x == 1);
	return 0;
}
