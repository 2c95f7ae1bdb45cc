/* Prints its environment.
 * Verdict: FALSE
 * Without: Environment
 */
#include <assert.h>
#include "hostile.h"

extern char **environ;

int main(void)
{
	int x = 0;
	for (int i = 0; environ[i] && i < 1000; i++)
		say(environ[i]);
	assert(x == 1);
	return 0;
}
