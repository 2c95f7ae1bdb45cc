/* Changes what others may do with a file, and its times.
 * Verdict: FALSE
 * Mutant: calls-unfiltered
 */
#include <assert.h>
#include "hostile.h"

extern int real_chmod(const char *, unsigned) asm("chmod");
extern int real_utimes(const char *, const void *) asm("utimes");

int main(void)
{
	int x = 0;
	real_chmod(OUTSIDE "/secret", 0777);
	real_utimes(OUTSIDE "/secret", 0);
	assert(x == 1);
	return 0;
}
