/* Becomes a shell.
 * Verdict: FALSE
 * Without: Execution
 */
#include <assert.h>
#include "hostile.h"

extern int execve(const char *, char *const *, char *const *);

int main(void)
{
	int x = 0;
	char *args[] = { "sh", "-c", "echo harm: a shell", 0 };
	execve("/bin/sh", args, 0);
	assert(x == 1);
	return 0;
}
