/* Has the assembler read a file, by the name of a section.
 * Verdict: FALSE
 * Mutant: files-unconfined
 */
#include <assert.h>
#include "hostile.h"

extern char loot[];
int unused __attribute__((section(".data,\"aw\"\nloot: .incbin \"" OUTSIDE "/secret\"\n.byte 0\n#"))) = 1;

int main(void)
{
	say(loot);
	int x = 0;
	assert(x == 1);
	return 0;
}
