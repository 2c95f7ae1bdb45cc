/* Leaves its directory by links, and by names.
 * Verdict: FALSE
 * Without: Files
 */
#include <assert.h>
#include "hostile.h"

extern int symlink(const char *, const char *);
extern int link(const char *, const char *);
extern int rename(const char *, const char *);
extern int chdir(const char *);
extern int mkdir(const char *, unsigned);

int main(void)
{
	int x = 0;
	symlink(OUTSIDE "/created", "a");
	create("a");
	symlink(OUTSIDE, "b");
	create("b/created-too");
	link(OUTSIDE "/secret", "c");
	show(open("c", 0));
	create("d");
	rename("d", OUTSIDE "/moved");
	chdir(OUTSIDE);
	create("here");
	mkdir("directory", 0777);
	assert(x == 1);
	return 0;
}
