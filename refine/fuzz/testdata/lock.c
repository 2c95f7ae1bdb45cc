/* A lock that opens after eight different inputs in the right order. */
extern int __VERIFIER_nondet_int(void);
#include <assert.h>
int main(void)
{
	int turned = 0, idle = 0;
	while (__VERIFIER_nondet_int()) {
		int *junk = &idle;
		if (__VERIFIER_nondet_int() == turned * 371 + 1000)
			turned++;
		else
			turned = 0;
		*junk = __VERIFIER_nondet_int();
		assert(turned < 8);
	}
	return 0;
}
