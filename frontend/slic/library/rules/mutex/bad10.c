/* The device is still locked after its reset. */
struct mutex { int raw; };
struct device { int id; struct mutex mutex; };
struct usb_device { int speed; struct device dev; };
struct usb_interface { int number; };
extern void mutex_lock(struct mutex *m);
extern void mutex_unlock(struct mutex *m);
extern int usb_lock_device_for_reset(struct usb_device *udev, const struct usb_interface *iface);
extern struct usb_device *usb_get(void);

static struct usb_interface first;

int main(void)
{
	struct usb_device *udev = usb_get();

	if (!udev || usb_lock_device_for_reset(udev, &first))
		return 0;
	mutex_lock(&udev->dev.mutex); /* fails: double-lock */
	mutex_unlock(&udev->dev.mutex);
	return 0;
}
