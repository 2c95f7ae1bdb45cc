/* Declarations of the kernel for the examples of interface. */
struct input_dev { const char *name; };
struct miscdevice { int minor; const char *name; };
struct net_device { int ifindex; };
struct usb_interface { int minor; };
struct usb_class_driver { const char *name; };
struct platform_driver { const char *name; };
struct lamp { struct miscdevice misc; struct input_dev *input; };

extern int misc_register(struct miscdevice *misc);
extern void misc_deregister(struct miscdevice *misc);
extern struct input_dev *input_allocate_device(void);
extern struct input_dev *devm_input_allocate_device(void *dev);
extern int input_register_device(struct input_dev *dev);
extern void input_unregister_device(struct input_dev *dev);
extern void input_free_device(struct input_dev *dev);
extern int register_netdev(struct net_device *dev);
extern void unregister_netdev(struct net_device *dev);
extern int usb_register_dev(struct usb_interface *intf, struct usb_class_driver *driver);
extern void usb_deregister_dev(struct usb_interface *intf, struct usb_class_driver *driver);
extern int __platform_driver_register(struct platform_driver *drv, void *owner);
extern void platform_driver_unregister(struct platform_driver *drv);
extern int hardware(int n);
