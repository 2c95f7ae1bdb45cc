/* Leaves a process in a session of its own, which keeps the output open.
 * Verdict: FALSE
 * Processes: yes
 * Without: Group
 */
#include <assert.h>
#include "hostile.h"

extern int fork(void);
extern int setsid(void);
extern unsigned sleep(unsigned);

int main(void)
{
	int x = 0;
	if (fork() == 0) {
		setsid();
		sleep(20);
		_exit(0);
	}
	sleep(1);
	assert(x == 1);
	return 0;
}
