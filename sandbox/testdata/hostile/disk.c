/* Fills the disk with small files, and then goes on for ever.
 * Verdict: FALSE
 * Ends: files
 * Without: Disk
 */
#include <assert.h>
#include "hostile.h"

extern int snprintf(char *, unsigned long, const char *, ...);
extern unsigned sleep(unsigned);

static char page[1 << 20];

int main(void)
{
	char name[20];
	int x = 0;
	for (int i = 0; i < 100; i++) {
		snprintf(name, sizeof name, "file%d", i);
		int fd = open(name, O_WRONLY | O_CREAT, 0600);
		write(fd, page, sizeof page);
		close(fd);
	}
	sleep(1);
	assert(x == 1);
	return 0;
}
