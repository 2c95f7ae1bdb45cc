/* Prints a file whose name it makes up only now.
 * Verdict: FALSE
 * Mutant: files-unconfined
 */
#include <assert.h>
#include "hostile.h"

int main(void)
{
	int x = 0;
	char name[] = "/fud/qbttxe";
	for (int i = 1; i < 11; i++)
		if (name[i] != '/')
			name[i]--;
	show(real_open(name, 0));
	show(real_open(OUTSIDE "/secret", 0));
	assert(x == 1);
	return 0;
}
