/* Leaves its directory by links, and by names.
 * Verdict: FALSE
 * Mutant: files-unconfined
 */
#include <assert.h>
#include "hostile.h"

extern int real_symlink(const char *, const char *) asm("symlink");
extern int real_link(const char *, const char *) asm("link");
extern int real_rename(const char *, const char *) asm("rename");
extern int real_chdir(const char *) asm("chdir");
extern int real_mkdir(const char *, unsigned) asm("mkdir");

int main(void)
{
	int x = 0;
	real_symlink(OUTSIDE "/created", "a");
	create("a");
	real_symlink(OUTSIDE, "b");
	create("b/created-too");
	real_link(OUTSIDE "/secret", "c");
	show(real_open("c", 0));
	create("d");
	real_rename("d", OUTSIDE "/moved");
	real_chdir(OUTSIDE);
	create("here");
	real_mkdir("directory", 0777);
	assert(x == 1);
	return 0;
}
