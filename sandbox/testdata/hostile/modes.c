/* Changes what others may do with a file, and its times.
 * Verdict: FALSE
 * Without: Calls
 */
#include <assert.h>
#include "hostile.h"

extern int chmod(const char *, unsigned);
extern int utimes(const char *, const void *);

int main(void)
{
	int x = 0;
	chmod(OUTSIDE "/secret", 0777);
	utimes(OUTSIDE "/secret", 0);
	assert(x == 1);
	return 0;
}
