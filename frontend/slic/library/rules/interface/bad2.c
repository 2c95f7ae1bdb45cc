/* Unregistered although the registration failed. */
#include "rule.h"

static struct net_device port;

int main(void)
{
	int err = register_netdev(&port);

	if (err < 0 && hardware(0))
		return err;
	unregister_netdev(&port); /* fails: double-unregister */
	return 0;
}
