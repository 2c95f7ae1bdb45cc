/* Has the assembler read a file into the program.
 * Verdict: FALSE
 * Mutant: files-unconfined
 */
#include <assert.h>
#include "hostile.h"

#define HIDDEN _Pragma("pack(8)") asm(".data\nloot: .incbin \"" OUTSIDE "/secret\"\n.byte 0\n.text");
HIDDEN
extern char loot[] __attribute__((weak));

int main(void)
{
	if (loot)
		say(loot);
	int x = 0;
	assert(x == 1);
	return 0;
}
