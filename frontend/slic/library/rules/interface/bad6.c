/* Unregistered twice, by two names. */
#include "rule.h"

static struct usb_interface intf, *current;
static struct usb_class_driver class = { "lamp" };

int main(void)
{
	if (usb_register_dev(&intf, &class))
		return 1;
	current = &intf;
	usb_deregister_dev(&intf, &class);
	if (hardware(0) < 0)
		usb_deregister_dev(current, &class); /* fails: double-unregister */
	return 0;
}
