/*
 * What the drivers of this directory know of the kernel: the documented signatures of a few of its functions,
 * and structures with the members that these drivers use.
 */
#ifndef KERNEL_H
#define KERNEL_H

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long size_t;
typedef long ssize_t, loff_t;
typedef unsigned int gfp_t, dev_t;
typedef int irqreturn_t;

#define NULL ((void *)0)
#define EIO 5
#define ENXIO 6
#define EAGAIN 11
#define ENOMEM 12
#define EFAULT 14
#define EBUSY 16
#define ENODEV 19
#define ENOENT 2
#define ETIMEDOUT 110
#define EINVAL 22
#define ENOTTY 25
#define ENOSPC 28
#define IRQ_NONE 0
#define IRQ_HANDLED 1

/* Memory. */
#define __GFP_HIGH 0x20u
#define __GFP_IO 0x40u
#define __GFP_FS 0x80u
#define __GFP_ATOMIC 0x200u
#define __GFP_DIRECT_RECLAIM 0x400u
#define __GFP_KSWAPD_RECLAIM 0x800u
#define __GFP_RECLAIM (__GFP_DIRECT_RECLAIM | __GFP_KSWAPD_RECLAIM)
#define GFP_ATOMIC (__GFP_HIGH | __GFP_ATOMIC | __GFP_KSWAPD_RECLAIM)
#define GFP_NOIO __GFP_RECLAIM
#define GFP_KERNEL (__GFP_RECLAIM | __GFP_IO | __GFP_FS)
void *kzalloc(size_t size, gfp_t flags);
void *kmalloc(size_t size, gfp_t flags);
void kfree(const void *p);
unsigned long copy_to_user(void *to, const void *from, unsigned long n);
unsigned long copy_from_user(void *to, const void *from, unsigned long n);

/* Errors in pointers. */
#define MAX_ERRNO 4095
static inline int IS_ERR(const void *p) { return (unsigned long)p >= (unsigned long)-MAX_ERRNO; }
static inline long PTR_ERR(const void *p) { return (long)p; }

/* Locks. */
typedef struct spinlock { u32 raw; } spinlock_t;
void spin_lock_init(spinlock_t *l);
void spin_lock(spinlock_t *l);
int spin_trylock(spinlock_t *l);
void spin_unlock(spinlock_t *l);
void spin_lock_irq(spinlock_t *l);
void spin_unlock_irq(spinlock_t *l);
typedef struct rwlock { u32 raw; } rwlock_t;
void rwlock_init(rwlock_t *l);
void read_lock(rwlock_t *l);
void read_unlock(rwlock_t *l);
void write_lock(rwlock_t *l);
int write_trylock(rwlock_t *l);
void write_unlock(rwlock_t *l);
struct mutex { long owner; };
void mutex_init(struct mutex *m);
void mutex_lock(struct mutex *m);
int mutex_lock_interruptible(struct mutex *m);
int mutex_trylock(struct mutex *m);
void mutex_unlock(struct mutex *m);
void rcu_read_lock(void);
void rcu_read_unlock(void);
void rcu_read_lock_bh(void);
void rcu_read_unlock_bh(void);
void rcu_read_lock_sched(void);
void rcu_read_unlock_sched(void);
void synchronize_rcu(void);

/* Modules, devices, classes. */
struct module { int state; };
extern struct module __this_module;
#define THIS_MODULE (&__this_module)
int try_module_get(struct module *m);
void module_put(struct module *m);
struct device { struct device *parent; void *driver_data; };
static inline void *dev_get_drvdata(const struct device *d) { return d->driver_data; }
static inline void dev_set_drvdata(struct device *d, void *data) { d->driver_data = data; }
struct class { const char *name; };
int class_register(struct class *c);
void class_unregister(struct class *c);
struct class *class_create(struct module *owner, const char *name);
void class_destroy(struct class *c);
struct device *device_create(struct class *c, struct device *parent, dev_t number, void *data, const char *name);
void device_destroy(struct class *c, dev_t number);
int pm_runtime_resume_and_get(struct device *d);
int pm_runtime_put(struct device *d);
void pm_runtime_enable(struct device *d);
void pm_runtime_disable(struct device *d);

/* Resources. */
struct resource;
struct resource *request_mem_region(unsigned long start, unsigned long n, const char *name);
void release_mem_region(unsigned long start, unsigned long n);
void *ioremap(unsigned long start, size_t n);
void iounmap(volatile void *base);
u32 readl(const volatile void *at);
void writel(u32 value, volatile void *at);
int request_irq(unsigned irq, irqreturn_t (*handler)(int, void *), unsigned long flags, const char *name, void *dev);
void *free_irq(unsigned irq, void *dev);
struct clk;
struct clk *clk_get(struct device *d, const char *id);
void clk_put(struct clk *c);
int clk_prepare_enable(struct clk *c);
void clk_disable_unprepare(struct clk *c);
int clk_set_rate(struct clk *c, unsigned long rate);
unsigned long find_next_bit(const unsigned long *map, unsigned long size, unsigned long offset);
unsigned long find_next_zero_bit(const unsigned long *map, unsigned long size, unsigned long offset);

/* Platform drivers. */
struct platform_device { struct device dev; int id, irq; unsigned long start; };
struct dev_pm_ops { int (*suspend)(struct device *d); int (*resume)(struct device *d); };
struct device_driver { const char *name; const struct dev_pm_ops *pm; };
struct platform_driver {
	int (*probe)(struct platform_device *pdev);
	int (*remove)(struct platform_device *pdev);
	struct device_driver driver;
};
int platform_driver_register(struct platform_driver *d);
void platform_driver_unregister(struct platform_driver *d);

/* Character devices. */
struct inode { dev_t i_rdev; };
struct file { void *private_data; unsigned f_flags; };
struct file_operations {
	struct module *owner;
	int (*open)(struct inode *i, struct file *f);
	int (*release)(struct inode *i, struct file *f);
	ssize_t (*read)(struct file *f, char *to, size_t n, loff_t *at);
	ssize_t (*write)(struct file *f, const char *from, size_t n, loff_t *at);
	long (*unlocked_ioctl)(struct file *f, unsigned command, unsigned long argument);
};
int alloc_chrdev_region(dev_t *first, unsigned base, unsigned count, const char *name);
void unregister_chrdev_region(dev_t first, unsigned count);
struct cdev { const struct file_operations *ops; dev_t number; };
void cdev_init(struct cdev *c, const struct file_operations *ops);
int cdev_add(struct cdev *c, dev_t first, unsigned count);
void cdev_del(struct cdev *c);

int register_chrdev(unsigned major, const char *name, const struct file_operations *ops);
void unregister_chrdev(unsigned major, const char *name);
struct miscdevice { int minor; const char *name; const struct file_operations *fops; };
int misc_register(struct miscdevice *m);
void misc_deregister(struct miscdevice *m);

/* Waiting. */
struct completion { unsigned done; };
void init_completion(struct completion *c);
void complete(struct completion *c);
unsigned long wait_for_completion_timeout(struct completion *c, unsigned long ticks);
void msleep(unsigned ms);

/* Work and timers. */
struct work_struct { void (*func)(struct work_struct *w); };
#define INIT_WORK(w, f) ((w)->func = (f))
int schedule_work(struct work_struct *w);
int cancel_work_sync(struct work_struct *w);
struct timer_list { unsigned long expires; void (*function)(struct timer_list *t); };
void timer_setup(struct timer_list *t, void (*function)(struct timer_list *t), unsigned flags);
int mod_timer(struct timer_list *t, unsigned long expires);
int del_timer_sync(struct timer_list *t);
extern unsigned long jiffies;
#define HZ 250
#define container_of(p, type, member) ((type *)((char *)(p) - __builtin_offsetof(type, member)))

/* Network devices. */
#define ETH_ALEN 6
#define NETDEV_TX_OK 0
#define NETDEV_TX_BUSY 16
struct net_device;
struct sk_buff { u32 len; u8 *data; };
struct sk_buff *netdev_alloc_skb(struct net_device *d, unsigned length);
u8 *skb_put(struct sk_buff *s, unsigned length);
void dev_kfree_skb_any(struct sk_buff *s);
struct napi_struct { int weight; };
struct net_device_stats { unsigned long rx_packets, tx_packets, rx_errors, tx_errors, rx_bytes, tx_bytes; };
struct net_device {
	const struct net_device_ops *netdev_ops;
	struct device dev;
	u8 dev_addr[ETH_ALEN];
	unsigned mtu, flags;
	struct net_device_stats stats;
};
#define IFF_PROMISC 0x100
struct net_device_ops {
	int (*ndo_open)(struct net_device *d);
	int (*ndo_stop)(struct net_device *d);
	int (*ndo_start_xmit)(struct sk_buff *s, struct net_device *d);
	void (*ndo_set_rx_mode)(struct net_device *d);
	int (*ndo_change_mtu)(struct net_device *d, int mtu);
	int (*ndo_set_mac_address)(struct net_device *d, void *address);
	void (*ndo_tx_timeout)(struct net_device *d, unsigned queue);
};
struct net_device *alloc_etherdev(int size);
void free_netdev(struct net_device *d);
static inline void *netdev_priv(const struct net_device *d) { return (char *)d + sizeof(struct net_device); }
int register_netdev(struct net_device *d);
void unregister_netdev(struct net_device *d);
void netif_start_queue(struct net_device *d);
void netif_stop_queue(struct net_device *d);
void netif_wake_queue(struct net_device *d);
void netif_napi_add(struct net_device *d, struct napi_struct *n, int (*poll)(struct napi_struct *n, int budget));
void netif_napi_del(struct napi_struct *n);
void napi_enable(struct napi_struct *n);
void napi_disable(struct napi_struct *n);
void napi_schedule(struct napi_struct *n);
int napi_complete_done(struct napi_struct *n, int done);
int napi_gro_receive(struct napi_struct *n, struct sk_buff *s);

/* Input devices. */
#define EV_KEY 1
#define EV_LED 17
struct input_dev {
	const char *name;
	struct device dev;
	unsigned long keybit[12];
	int (*open)(struct input_dev *d);
	void (*close)(struct input_dev *d);
	int (*event)(struct input_dev *d, unsigned type, unsigned code, int value);
};
struct input_dev *input_allocate_device(void);
void input_free_device(struct input_dev *d);
int input_register_device(struct input_dev *d);
void input_unregister_device(struct input_dev *d);
void input_event(struct input_dev *d, unsigned type, unsigned code, int value);
void input_sync(struct input_dev *d);
static inline void input_set_drvdata(struct input_dev *d, void *data) { d->dev.driver_data = data; }
static inline void *input_get_drvdata(struct input_dev *d) { return d->dev.driver_data; }

/* USB. */
struct usb_device { int devnum; struct device dev; };
struct usb_interface { struct device dev; struct usb_device *device; };
struct usb_device_id { u16 vendor, product; };
struct usb_class_driver { const char *name; const struct file_operations *fops; int minor_base; };
int usb_register_dev(struct usb_interface *i, struct usb_class_driver *c);
void usb_deregister_dev(struct usb_interface *i, struct usb_class_driver *c);
static inline void *usb_get_intfdata(struct usb_interface *i) { return dev_get_drvdata(&i->dev); }
static inline void usb_set_intfdata(struct usb_interface *i, void *data) { dev_set_drvdata(&i->dev, data); }
struct urb {
	int status;
	u32 actual_length;
	void *context;
	void (*complete)(struct urb *u);
	u8 *transfer_buffer;
	u32 transfer_buffer_length;
};
struct urb *usb_alloc_urb(int packets, gfp_t flags);
void usb_free_urb(struct urb *u);
int usb_submit_urb(struct urb *u, gfp_t flags);
void usb_kill_urb(struct urb *u);
struct usb_driver {
	const char *name;
	int (*probe)(struct usb_interface *i, const struct usb_device_id *id);
	void (*disconnect)(struct usb_interface *i);
	int (*suspend)(struct usb_interface *i, int message);
	int (*resume)(struct usb_interface *i);
};
int usb_register(struct usb_driver *d);
void usb_deregister(struct usb_driver *d);

/* Block devices. */
struct request { int op; unsigned long sector; u32 length; void *buffer; };
struct request_queue { void *queuedata; };
struct block_device;
struct block_device_operations {
	struct module *owner;
	int (*open)(struct block_device *b, unsigned mode);
	void (*release)(struct block_device *b, unsigned mode);
	int (*ioctl)(struct block_device *b, unsigned mode, unsigned command, unsigned long argument);
};
struct request_queue *blk_init_queue(void (*strategy)(struct request_queue *q), spinlock_t *l);
void blk_cleanup_queue(struct request_queue *q);
struct request *blk_get_request(struct request_queue *q, int op, gfp_t flags);
void blk_put_request(struct request *r);
int blk_execute_rq(struct request_queue *q, struct request *r);
struct request *blk_fetch_request(struct request_queue *q);
void blk_end_request_all(struct request *r, int error);
struct gendisk { int major, first_minor; const struct block_device_operations *fops; struct request_queue *queue; };
struct gendisk *alloc_disk(int minors);
void put_disk(struct gendisk *d);
void add_disk(struct gendisk *d);
void del_gendisk(struct gendisk *d);
void set_capacity(struct gendisk *d, unsigned long sectors);
int register_blkdev(unsigned major, const char *name);
void unregister_blkdev(unsigned major, const char *name);

#endif
