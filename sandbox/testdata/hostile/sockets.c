/* Talks to others.
 * Verdict: FALSE
 * Mutant: network-allowed
 */
#include <assert.h>
#include "hostile.h"

extern int real_socket(int, int, int) asm("socket");
extern int real_connect(int, const void *, unsigned) asm("connect");

struct in { unsigned short family, port; unsigned address; char rest[8]; };

int main(void)
{
	struct in to;
	int x = 0;
	int fd = real_socket(2, 1, 0);
	real_memset(&to, 0, sizeof to);
	to.family = 2;
	to.port = (unsigned short)(PORT << 8 | PORT >> 8);
	to.address = 0x0100007f;
	if (fd >= 0 && real_connect(fd, &to, sizeof to) == 0)
		real_write(fd, "hello", 5);
	if (fd >= 0)
		real_write(1, "harm: a socket\n", 15);
	assert(x == 1);
	return 0;
}
