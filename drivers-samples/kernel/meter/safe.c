/*
 * A driver for a meter on the USB, in the style of Linux: it measures weights, at request, and its readings are
 * corrected by a calibration that can be exchanged while others measure.
 *
 * A table has the meters that are plugged in; files are opened by their numbers in it. A measurement is one
 * transfer: a request block and a buffer that live as long as it takes. The calibration is protected by RCU:
 * readers see the old one or the new one.
 */
#include "kernel.h"

#define METERS 4
#define PACKET 16
#define TIMEOUT 500

#define OP_ZERO 0x01
#define OP_MEASURE 0x02
#define OP_CALIBRATE 0x03
#define OP_IDENTIFY 0x04

#define METER_ZERO 0x4d01
#define METER_CALIBRATE 0x4d02
#define METER_COUNTS 0x4d03

struct calibration {
	u32 factor;
	u32 offset;
};

struct meter {
	struct usb_interface *interface;
	struct usb_device *usb;
	int number;			/* in the table */
	int users;			/* files that are open; under the lock of the table */
	int gone;			/* unplugged */
	u32 last;
	struct mutex lock;		/* orders the transfers of this meter */
};

/* Of all meters: transfers, and those that failed. Counted where transfers end, which is in interrupts. */
struct counts {
	u32 transfers;
	u32 failures;
	u32 bytes;
};

static rwlock_t table_lock;
static struct meter *table[METERS];

static spinlock_t counts_lock;
static struct counts counts;

static struct mutex calibration_lock;	/* orders those who exchange it */
static struct calibration *calibration;

static struct class *meter_class;
static dev_t meter_number;

/*
 * The table.
 */

static int table_add(struct meter *m)
{
	int n;

	write_lock(&table_lock);
	for (n = 0; n < METERS; n++) {
		if (!table[n]) {
			table[n] = m;
			m->number = n;
			write_unlock(&table_lock);
			return n;
		}
	}
	write_unlock(&table_lock);
	return -ENOSPC;
}

/* Take a meter out of the table; the result says whether nobody uses it. */
static int table_remove(struct meter *m)
{
	int n, unused;

	write_lock(&table_lock);
	for (n = 0; n < METERS; n++)
		if (table[n] == m)
			table[n] = NULL;
	unused = m->users == 0;
	write_unlock(&table_lock);
	return unused;
}

/* The meter with a number, for a file. */
static struct meter *table_get(unsigned n)
{
	struct meter *m;

	if (n >= METERS)
		return NULL;
	write_lock(&table_lock);
	m = table[n];
	if (!m) {
		write_unlock(&table_lock);
		return NULL;
	}
	m->users++;
	write_unlock(&table_lock);
	return m;
}

/* A file does not use the meter any more; the result says whether it was the last, of one that is unplugged. */
static int table_put(struct meter *m)
{
	int unused;

	write_lock(&table_lock);
	m->users--;
	unused = m->users == 0 && table[m->number] != m;
	write_unlock(&table_lock);
	return unused;
}

static int table_used(void)
{
	int n, used = 0;

	read_lock(&table_lock);
	for (n = 0; n < METERS; n++)
		if (table[n])
			used++;
	read_unlock(&table_lock);
	return used;
}

/*
 * Counts.
 */

static void count_transfer(int status, u32 length)
{
	spin_lock(&counts_lock);
	counts.transfers++;
	if (status < 0) {
		counts.failures++;
		spin_unlock(&counts_lock);
		return;
	}
	counts.bytes += length;
	spin_unlock(&counts_lock);
}

static void counts_get(struct counts *to)
{
	spin_lock_irq(&counts_lock);
	*to = counts;
	spin_unlock_irq(&counts_lock);
}

/*
 * The calibration.
 */

static u32 corrected(u32 raw)
{
	struct calibration *c;
	u32 value;

	rcu_read_lock();
	c = calibration;
	if (!c) {
		rcu_read_unlock();
		return raw;
	}
	if (raw < c->offset) {
		rcu_read_unlock();
		return 0;
	}
	value = (raw - c->offset) * c->factor;
	rcu_read_unlock();
	return value;
}

/* Exchange the calibration, and free the old one when nobody reads it any more. */
static int calibrate(u32 factor, u32 offset)
{
	struct calibration *fresh, *old;
	int ret;

	if (factor == 0)
		return -EINVAL;
	fresh = kzalloc(sizeof(*fresh), GFP_KERNEL);
	if (!fresh)
		return -ENOMEM;
	fresh->factor = factor;
	fresh->offset = offset;
	ret = mutex_lock_interruptible(&calibration_lock);
	if (ret) {
		kfree(fresh);
		return ret;
	}
	old = calibration;
	calibration = fresh;
	mutex_unlock(&calibration_lock);
	synchronize_rcu();
	kfree(old);
	return 0;
}

/*
 * Transfers.
 */

static void transfer_done(struct urb *u)
{
	struct completion *done = u->context;

	count_transfer(u->status, u->actual_length);
	if (done)
		complete(done);
}

/* One transfer: an operation, and the answer. The module stays until it is over. */
static int meter_transfer(struct meter *m, u8 op, u32 *answer)
{
	struct completion done;
	struct urb *u;
	u8 *packet;
	int ret;

	if (!try_module_get(THIS_MODULE))
		return -ENODEV;
	packet = kzalloc(PACKET, GFP_KERNEL);
	if (!packet) {
		ret = -ENOMEM;
		goto out_module;
	}
	u = usb_alloc_urb(0, GFP_KERNEL);
	if (!u) {
		ret = -ENOMEM;
		goto out_packet;
	}
	init_completion(&done);
	packet[0] = op;
	u->transfer_buffer = packet;
	u->transfer_buffer_length = PACKET;
	u->context = &done;
	u->complete = transfer_done;
	ret = usb_submit_urb(u, GFP_KERNEL);
	if (ret < 0)
		goto out_urb;
	if (!wait_for_completion_timeout(&done, TIMEOUT)) {
		usb_kill_urb(u);
		ret = -ETIMEDOUT;
		goto out_urb;
	}
	ret = u->status;
	if (ret < 0)
		goto out_urb;
	*answer = packet[1] | packet[2] << 8;

out_urb:
	usb_free_urb(u);
out_packet:
	kfree(packet);
out_module:
	module_put(THIS_MODULE);
	return ret;
}

/* A measurement, corrected. A meter that is busy is asked again. */
static int meter_measure(struct meter *m, u32 *value)
{
	u32 raw = 0;
	int ret, tries;

	ret = mutex_lock_interruptible(&m->lock);
	if (ret)
		return ret;
	if (m->gone) {
		mutex_unlock(&m->lock);
		return -ENODEV;
	}
	for (tries = 0; tries < 3; tries++) {
		ret = meter_transfer(m, OP_MEASURE, &raw);
		if (ret != -EAGAIN)
			break;
		msleep(20);
	}
	if (ret == 0)
		m->last = raw;
	mutex_unlock(&m->lock);
	if (ret < 0)
		return ret;
	*value = corrected(raw);
	return 0;
}

static int meter_zero(struct meter *m)
{
	u32 ignored;
	int ret;

	if (!mutex_trylock(&m->lock))
		return -EBUSY;
	ret = m->gone ? -ENODEV : meter_transfer(m, OP_ZERO, &ignored);
	mutex_unlock(&m->lock);
	return ret;
}

/*
 * Files.
 */

static int meter_open(struct inode *i, struct file *f)
{
	struct meter *m = table_get(i->i_rdev & 0xff);

	if (!m)
		return -ENODEV;
	f->private_data = m;
	return 0;
}

static int meter_release(struct inode *i, struct file *f)
{
	struct meter *m = f->private_data;

	f->private_data = NULL;
	if (m && table_put(m))
		kfree(m);
	return 0;
}

static ssize_t meter_read(struct file *f, char *to, size_t n, loff_t *at)
{
	struct meter *m = f->private_data;
	u32 value;
	int ret;

	if (!m)
		return -ENODEV;
	if (n < sizeof(value))
		return -EINVAL;
	ret = meter_measure(m, &value);
	if (ret < 0)
		return ret;
	if (copy_to_user(to, &value, sizeof(value)))
		return -EFAULT;
	return sizeof(value);
}

static long meter_ioctl(struct file *f, unsigned command, unsigned long argument)
{
	struct meter *m = f->private_data;
	struct calibration c;
	struct counts now;

	if (!m)
		return -ENODEV;
	switch (command) {
	case METER_ZERO:
		return meter_zero(m);
	case METER_CALIBRATE:
		if (copy_from_user(&c, (void *)argument, sizeof(c)))
			return -EFAULT;
		return calibrate(c.factor, c.offset);
	case METER_COUNTS:
		counts_get(&now);
		if (copy_to_user((void *)argument, &now, sizeof(now)))
			return -EFAULT;
		return table_used();
	}
	return -ENOTTY;
}

static const struct file_operations meter_fops = {
	.open = meter_open,
	.release = meter_release,
	.read = meter_read,
	.unlocked_ioctl = meter_ioctl,
};

static struct usb_class_driver meter_files = { .name = "meter", .fops = &meter_fops, .minor_base = 192 };

/*
 * Devices.
 */

static int meter_probe(struct usb_interface *i, const struct usb_device_id *id)
{
	struct meter *m;
	u32 identity;
	int ret;

	m = kzalloc(sizeof(*m), GFP_KERNEL);
	if (!m)
		return -ENOMEM;
	m->interface = i;
	m->usb = i->device;
	mutex_init(&m->lock);
	ret = table_add(m);
	if (ret < 0)
		goto err_free;
	ret = meter_transfer(m, OP_IDENTIFY, &identity);
	if (ret < 0)
		goto err_table;
	usb_set_intfdata(i, m);
	ret = usb_register_dev(i, &meter_files);
	if (ret < 0)
		goto err_data;
	return 0;

err_data:
	usb_set_intfdata(i, NULL);
err_table:
	if (!table_remove(m))
		return ret;		/* the last file frees it */
err_free:
	kfree(m);
	return ret;
}

static void meter_disconnect(struct usb_interface *i)
{
	struct meter *m = usb_get_intfdata(i);

	usb_deregister_dev(i, &meter_files);
	usb_set_intfdata(i, NULL);
	if (!m)
		return;
	mutex_lock(&m->lock);
	m->gone = 1;
	mutex_unlock(&m->lock);
	if (table_remove(m))
		kfree(m);
}

static struct usb_driver meter_driver = {
	.name = "meter",
	.probe = meter_probe,
	.disconnect = meter_disconnect,
};

int init_module(void)
{
	struct device *d;
	int ret;

	rwlock_init(&table_lock);
	spin_lock_init(&counts_lock);
	mutex_init(&calibration_lock);
	meter_class = class_create(THIS_MODULE, "meter");
	if (IS_ERR(meter_class))
		return PTR_ERR(meter_class);
	d = device_create(meter_class, NULL, meter_number, NULL, "meters");
	if (IS_ERR(d)) {
		ret = PTR_ERR(d);
		goto err_class;
	}
	ret = usb_register(&meter_driver);
	if (ret < 0)
		goto err_device;
	return 0;

err_device:
	device_destroy(meter_class, meter_number);
err_class:
	class_destroy(meter_class);
	return ret;
}

void cleanup_module(void)
{
	usb_deregister(&meter_driver);
	device_destroy(meter_class, meter_number);
	class_destroy(meter_class);
	kfree(calibration);
}
