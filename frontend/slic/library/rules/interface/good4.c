/* Ports in a loop, unregistered in reverse. */
#include "rule.h"

static struct net_device ports[2];

int main(void)
{
	int i;

	for (i = 0; i < 2; i++)
		if (register_netdev(&ports[i]))
			break;
	while (--i >= 0)
		unregister_netdev(&ports[i]);
	return 0;
}
