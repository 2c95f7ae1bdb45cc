/* A device that could not be locked is unlocked all the same. */
struct mutex { int raw; };
struct device { int id; struct mutex mutex; };
struct usb_device { int speed; struct device dev; };
struct usb_interface { int number; };
extern void mutex_unlock(struct mutex *m);
extern int usb_lock_device_for_reset(struct usb_device *udev, const struct usb_interface *iface);
extern int usb_reset_device(struct usb_device *udev);

static struct usb_device camera;
static struct usb_interface first;

int main(void)
{
	if (usb_lock_device_for_reset(&camera, &first) == 0)
		usb_reset_device(&camera);
	mutex_unlock(&camera.dev.mutex); /* fails: double-unlock */
	return 0;
}
