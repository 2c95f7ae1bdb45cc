/* The callee unregisters, by another name. */
#include "rule.h"

static struct usb_interface intf;
static struct usb_class_driver class = { "lamp" };

static void gone(struct usb_interface *same)
{
	usb_deregister_dev(same, &class);
}

int main(void)
{
	if (usb_register_dev(&intf, &class) == 0)
		gone(&intf);
	return 0;
}
