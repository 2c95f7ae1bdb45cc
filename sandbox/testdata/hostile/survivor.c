/* Leaves a process in a session of its own, which keeps the output open.
 * Verdict: FALSE
 * Processes: yes
 * Mutant: group-survives
 */
#include <assert.h>
#include "hostile.h"

extern int real_fork(void) asm("fork");
extern int real_setsid(void) asm("setsid");
extern int real_pipe(int *) asm("pipe");
extern unsigned real_sleep(unsigned) asm("sleep");

int main(void)
{
	int ends[2];
	char told;
	int x = 0;
	real_pipe(ends);
	if (real_fork() == 0) {
		real_setsid();
		real_write(ends[1], "x", 1);
		real_sleep(600);
		real__exit(0);
	}
	real_close(ends[1]);
	real_read(ends[0], &told, 1);
	assert(x == 1);
	return 0;
}
