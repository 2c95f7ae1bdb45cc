/* Prints what is in its environment.
 * Verdict: FALSE
 * Mutant: environment-inherited
 */
#include <assert.h>
#include "hostile.h"

extern char *real_getenv(const char *) asm("getenv");

int main(void)
{
	int x = 0;
	char *value = real_getenv("C2BP_TEST_SECRET");
	if (value)
		say(value);
	assert(x == 1);
	return 0;
}
