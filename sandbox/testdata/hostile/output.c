/* Prints without end.
 * Verdict: UNKNOWN
 * Ends: output
 * Without: Output
 */
#include <assert.h>
#include "hostile.h"

int main(void)
{
	static char page[65536];
	memset(page, 'a', sizeof page);
	for (int i = 0; i < 1000; i++)
		write(1, page, sizeof page);
	int x = 0;
	assert(x == 1);
	return 0;
}
