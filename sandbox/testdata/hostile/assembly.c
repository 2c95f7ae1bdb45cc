/* Makes system calls by assembly, once with an output that says what became of it.
 * Verdict: FALSE
 * Mutant: files-unconfined
 */
#include <assert.h>
#include "hostile.h"

static const char name[] = OUTSIDE "/created";

int main(void)
{
	long result;
	register long flags asm("rsi") = O_WRONLY | O_CREAT;
	register long mode asm("rdx") = 0666;

	__asm__ __volatile__("syscall" : : "a"(2L), "D"(name), "r"(flags), "r"(mode) : "rcx", "r11", "memory");
	asm volatile("mov $85, %%eax\n\tsyscall" : "=a"(result) : "D"(name), "S"(0666L) : "rcx", "r11");
	int x = 0;
	assert(x == 1);
	return result > 0;
}
