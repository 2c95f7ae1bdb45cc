/* Maps a file of somebody else, to write into it; and makes code out of data.
 * Verdict: FALSE
 * Mutant: files-unconfined
 */
#include <assert.h>
#include "hostile.h"

extern void *real_mmap(void *, unsigned long, int, int, int, long) asm("mmap");

int main(void)
{
	int x = 0;
	int fd = real_open(OUTSIDE "/secret", 2);
	char *p = real_mmap(0, 4096, 3, 1, fd, 0);
	if (fd >= 0 && p != (void *)-1)
		*p = 'X';
	/* mov $60, %eax; mov $3, %edi; syscall; ret: exits, if the filter lets it, which it may */
	p = real_mmap(0, 4096, 7, 0x22, -1, 0);
	if (p != (void *)-1)
		p[0] = 0xc3;
	assert(x == 1);
	return 0;
}
