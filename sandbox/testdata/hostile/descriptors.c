/* Reads from descriptors that somebody has left open.
 * Verdict: FALSE
 * Mutant: descriptors-inherited
 */
#include <assert.h>
#include "hostile.h"

int main(void)
{
	int x = 0;
	for (int fd = 3; fd < 64; fd++)
		show(fd);
	assert(x == 1);
	return 0;
}
