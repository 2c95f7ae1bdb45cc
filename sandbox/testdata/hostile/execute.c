/* Becomes a shell.
 * Verdict: FALSE
 * Mutant: execution-unconfined
 */
#include <assert.h>
#include "hostile.h"

extern int real_execve(const char *, char *const *, char *const *) asm("execve");

int main(void)
{
	int x = 0;
	char *args[] = { "sh", "-c", "echo harm: a shell", 0 };
	real_execve("/bin/sh", args, 0);
	assert(x == 1);
	return 0;
}
