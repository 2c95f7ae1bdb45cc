/* Fills the disk with small files, and then goes on for ever.
 * Verdict: FALSE
 * Ends: files
 * Mutant: disk-unlimited
 */
#include <assert.h>
#include "hostile.h"

extern unsigned real_sleep(unsigned) asm("sleep");

static char page[1 << 20];

int main(void)
{
	char name[2] = "A";
	int x = 0;
	for (int fd = 0; name[0] < 'A' + 80 && fd >= 0; name[0]++) {
		fd = real_open(name, O_WRONLY | O_CREAT, 0600);
		real_write(fd, page, sizeof page);
		real_close(fd);
	}
	real_sleep(1);
	assert(x == 1);
	return 0;
}
