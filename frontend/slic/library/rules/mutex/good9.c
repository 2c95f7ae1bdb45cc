/* The function locks the device, which is unlocked by its mutex. */
struct mutex { int raw; };
struct device { int id; struct mutex mutex; };
struct usb_device { int speed; struct device dev; };
struct usb_interface { int number; };
extern void mutex_lock(struct mutex *m);
extern void mutex_unlock(struct mutex *m);
extern int usb_lock_device_for_reset(struct usb_device *udev, const struct usb_interface *iface);
extern int usb_reset_device(struct usb_device *udev);

static int reset(struct usb_device *udev, struct usb_interface *i)
{
	int err = usb_lock_device_for_reset(udev, i);

	if (err)
		return err;
	err = usb_reset_device(udev);
	mutex_unlock(&udev->dev.mutex);
	return err;
}

static struct usb_device hub, camera;
static struct usb_interface first;

int main(void)
{
	mutex_lock(&hub.dev.mutex);
	reset(&camera, &first);
	mutex_unlock(&hub.dev.mutex);
	return reset(&hub, &first);
}
