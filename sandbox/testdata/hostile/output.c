/* Prints without end.
 * Verdict: FALSE
 * Ends: output
 * Mutant: output-unlimited
 */
#include <assert.h>
#include "hostile.h"

int main(void)
{
	static char page[65536];
	real_memset(page, 'a', sizeof page);
	for (int i = 0; i < 1000 && real_write(1, page, sizeof page) > 0; i++)
		;
	int x = 0;
	assert(x == 1);
	return 0;
}
