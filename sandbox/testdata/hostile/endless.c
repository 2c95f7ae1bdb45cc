/* Goes on for ever, in code that no sanitizer looks at.
 * Verdict: UNKNOWN
 * Ends: time
 * Without: Time
 */
#include <assert.h>
#include "hostile.h"

volatile int forever = 1;

__attribute__((constructor)) static void wait(void)
{
	while (forever)
		;
}

int main(void)
{
	int x = 0;
	assert(x == 1);
	return 0;
}
