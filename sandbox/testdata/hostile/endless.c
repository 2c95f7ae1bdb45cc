/* Goes on for ever before main.
 * Verdict: FALSE
 * Ends: time
 * Mutant: time-unlimited
 */
#include <assert.h>
#include "hostile.h"

extern int real_getppid(void) asm("getppid");

__attribute__((constructor)) static void wait(void)
{
	while (real_getppid() != -1)
		;
}

int main(void)
{
	int x = 0;
	assert(x == 1);
	return 0;
}
