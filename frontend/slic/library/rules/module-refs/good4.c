/* A loop that opens and closes. */
#include "rule.h"

int main(void)
{
	while (hardware(0)) {
		if (!try_module_get(THIS_MODULE))
			break;
		hardware(1);
		module_put(THIS_MODULE);
	}
	return 0;
}
