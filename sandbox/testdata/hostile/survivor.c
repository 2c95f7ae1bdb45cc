/* Leaves a process in a session of its own, which keeps the output open.
 * Verdict: FALSE
 * Processes: yes
 * Without: Group
 */
#include <assert.h>
#include "hostile.h"

extern int real_fork(void) asm("fork");
extern int real_setsid(void) asm("setsid");
extern unsigned real_sleep(unsigned) asm("sleep");

int main(void)
{
	int x = 0;
	if (real_fork() == 0) {
		real_setsid();
		real_sleep(20);
		real__exit(0);
	}
	real_sleep(1);
	assert(x == 1);
	return 0;
}
