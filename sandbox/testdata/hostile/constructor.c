/* Writes files before main, after main, and when it fails.
 * Verdict: FALSE
 * Mutant: files-unconfined
 */
#include <assert.h>
#include "hostile.h"

extern int real_atexit(void (*)(void)) asm("atexit");

static void late(void) { create(OUTSIDE "/late"); }

__attribute__((constructor)) static void early(void)
{
	create(OUTSIDE "/early");
	real_atexit(late);
}

__attribute__((destructor)) static void last(void) { create(OUTSIDE "/last"); }

int main(void)
{
	int x = 0;
	assert(x == 1);
	return 0;
}
