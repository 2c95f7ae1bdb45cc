/* References nest. */
#include "rule.h"

int main(void)
{
	__module_get(THIS_MODULE);
	__module_get(THIS_MODULE);
	hardware(1);
	module_put(THIS_MODULE);
	module_put(THIS_MODULE);
	return 0;
}
