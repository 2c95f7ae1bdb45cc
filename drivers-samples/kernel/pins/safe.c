/*
 * A driver for lines of a port, in the style of Linux: a character device for each port, through which
 * processes reserve lines, read and drive them, and wait for edges.
 *
 * A port has up to 64 lines. Who opens the file of a port gets a session, which may reserve lines; another
 * session cannot drive them. Sessions hold a reference to the module that registered the port, so that this
 * is not unloaded while its lines are in use.
 */
#include "kernel.h"

#define PORTS 2
#define LINES 64
#define LONG_BITS 64

#define PINS_RESERVE 0x5001
#define PINS_RELEASE 0x5002
#define PINS_OUTPUT 0x5003
#define PINS_INPUT 0x5004
#define PINS_COUNT 0x5005
#define PINS_FIRST 0x5006

#define REG_DATA 0x00
#define REG_DIRECTION 0x08

struct port;

/* One who has opened the file of a port. */
struct session {
	struct port *port;
	unsigned long reserved;		/* lines of this session */
	unsigned count;
	unsigned reads, writes;
};

struct port {
	struct mutex lock;		/* of all that follows */
	unsigned long reserved;		/* lines of all sessions */
	unsigned long outputs;
	unsigned long levels;
	u32 sessions;
	unsigned lines;
	void *base;
	struct module *owner;
	dev_t number;
	int listed;			/* there is a device for it */
};

static struct port ports[PORTS];
static dev_t pins_first;
static struct class *pins_class;
static struct cdev pins_cdev;

/*
 * Lines. The functions are called with the lock of the port.
 */

static unsigned long bit(unsigned n)
{
	return 1ul << (n % LONG_BITS);
}

static int line_valid(const struct port *p, unsigned n)
{
	return n < p->lines && n < LINES;
}

static void port_write(struct port *p)
{
	if (!p->base)
		return;
	writel(p->levels & p->outputs, p->base);
	writel(p->outputs, (u8 *)p->base + REG_DIRECTION);
}

/* The first free line from a line on; as many as there are lines if there is none. */
static unsigned first_free(struct port *p, unsigned from)
{
	unsigned long n;

	if (from > p->lines)
		return p->lines;
	n = find_next_zero_bit(&p->reserved, p->lines, from);
	if (n >= p->lines)
		return p->lines;
	return n;
}

/* The next line of a session from a line on. */
static unsigned next_reserved(struct session *s, unsigned from)
{
	unsigned lines = s->port->lines;

	if (from >= lines)
		return lines;
	return find_next_bit(&s->reserved, lines, from);
}

static int line_reserve(struct session *s, unsigned n)
{
	struct port *p = s->port;

	if (!line_valid(p, n))
		return -EINVAL;
	if (p->reserved & bit(n))
		return s->reserved & bit(n) ? 0 : -EBUSY;
	p->reserved |= bit(n);
	s->reserved |= bit(n);
	s->count++;
	return 0;
}

static int line_release(struct session *s, unsigned n)
{
	struct port *p = s->port;

	if (!line_valid(p, n) || !(s->reserved & bit(n)))
		return -EINVAL;
	p->reserved &= ~bit(n);
	p->outputs &= ~bit(n);
	s->reserved &= ~bit(n);
	s->count--;
	port_write(p);
	return 0;
}

static void release_all(struct session *s)
{
	struct port *p = s->port;

	p->reserved &= ~s->reserved;
	p->outputs &= ~s->reserved;
	s->reserved = 0;
	s->count = 0;
	port_write(p);
}

static int line_direction(struct session *s, unsigned n, int output)
{
	struct port *p = s->port;

	if (!line_valid(p, n))
		return -EINVAL;
	if (!(s->reserved & bit(n)))
		return -EBUSY;
	if (output)
		p->outputs |= bit(n);
	else
		p->outputs &= ~bit(n);
	port_write(p);
	return 0;
}

/*
 * Files.
 */

static int pins_open(struct inode *inode, struct file *file)
{
	unsigned minor = inode->i_rdev - pins_first;
	struct session *s;
	struct port *p;

	if (minor >= PORTS)
		return -ENODEV;
	p = &ports[minor];
	s = kzalloc(sizeof(*s), GFP_KERNEL);
	if (!s)
		return -ENOMEM;
	s->port = p;
	if (!try_module_get(p->owner)) {
		kfree(s);
		return -ENODEV;
	}
	mutex_lock(&p->lock);
	if (!p->listed) {
		mutex_unlock(&p->lock);
		module_put(p->owner);
		kfree(s);
		return -ENODEV;
	}
	p->sessions++;
	mutex_unlock(&p->lock);
	file->private_data = s;
	return 0;
}

static int pins_release(struct inode *inode, struct file *file)
{
	struct session *s = file->private_data;
	struct port *p = s->port;

	mutex_lock(&p->lock);
	release_all(s);
	p->sessions--;
	mutex_unlock(&p->lock);
	module_put(p->owner);
	kfree(s);
	return 0;
}

/* Levels of the session's lines. */
static ssize_t pins_read(struct file *file, char *to, size_t n, loff_t *at)
{
	struct session *s = file->private_data;
	struct port *p = s->port;
	unsigned long levels;

	if (n < sizeof(levels))
		return -EINVAL;
	if (mutex_lock_interruptible(&p->lock))
		return -EAGAIN;
	levels = p->levels & p->outputs;
	if (p->base)
		levels |= readl(p->base) & ~p->outputs;
	levels &= s->reserved;
	s->reads++;
	mutex_unlock(&p->lock);
	if (copy_to_user(to, &levels, sizeof(levels)))
		return -EFAULT;
	return sizeof(levels);
}

static ssize_t pins_write(struct file *file, const char *from, size_t n, loff_t *at)
{
	struct session *s = file->private_data;
	struct port *p = s->port;
	unsigned long levels;

	if (n != sizeof(levels))
		return -EINVAL;
	if (copy_from_user(&levels, from, sizeof(levels)))
		return -EFAULT;
	if (file->f_flags & 1) {
		if (!mutex_trylock(&p->lock))
			return -EAGAIN;
	} else {
		mutex_lock(&p->lock);
	}
	if (s->count == 0) {
		mutex_unlock(&p->lock);
		return -EBUSY;
	}
	p->levels = (p->levels & ~s->reserved) | (levels & s->reserved);
	port_write(p);
	s->writes++;
	mutex_unlock(&p->lock);
	return n;
}

static long pins_ioctl(struct file *file, unsigned command, unsigned long argument)
{
	struct session *s = file->private_data;
	struct port *p = s->port;
	unsigned n;
	long ret = 0;

	mutex_lock(&p->lock);
	switch (command) {
	case PINS_RESERVE:
		ret = line_reserve(s, argument);
		break;
	case PINS_RELEASE:
		ret = line_release(s, argument);
		break;
	case PINS_OUTPUT:
	case PINS_INPUT:
		ret = line_direction(s, argument, command == PINS_OUTPUT);
		break;
	case PINS_COUNT:
		for (n = next_reserved(s, 0); n < p->lines; n = next_reserved(s, n + 1))
			ret++;
		break;
	case PINS_FIRST:
		ret = first_free(p, argument % LINES);
		if (ret == p->lines)
			ret = -ENOSPC;
		break;
	default:
		mutex_unlock(&p->lock);
		return -ENOTTY;
	}
	mutex_unlock(&p->lock);
	return ret;
}

static const struct file_operations pins_fops = {
	.open = pins_open,
	.release = pins_release,
	.read = pins_read,
	.write = pins_write,
	.unlocked_ioctl = pins_ioctl,
};

/*
 * Ports.
 */

static void port_init(struct port *p, unsigned n)
{
	mutex_init(&p->lock);
	p->reserved = 0;
	p->outputs = 0;
	p->levels = 0;
	p->lines = n == 0 ? LINES : LINES / 2;
	p->base = NULL;
	p->owner = THIS_MODULE;
	p->number = pins_first + n;
}

static int port_list(struct port *p)
{
	struct device *d = device_create(pins_class, NULL, p->number, p, "pins");

	if (IS_ERR(d))
		return PTR_ERR(d);
	mutex_lock(&p->lock);
	p->listed = 1;
	mutex_unlock(&p->lock);
	return 0;
}

static void port_unlist(struct port *p)
{
	mutex_lock(&p->lock);
	if (!p->listed) {
		mutex_unlock(&p->lock);
		return;
	}
	p->listed = 0;
	mutex_unlock(&p->lock);
	device_destroy(pins_class, p->number);
}

int init_module(void)
{
	int ret, n;

	ret = alloc_chrdev_region(&pins_first, 0, PORTS, "pins");
	if (ret < 0)
		return ret;
	pins_class = class_create(THIS_MODULE, "pins");
	if (IS_ERR(pins_class)) {
		ret = PTR_ERR(pins_class);
		goto err_region;
	}
	for (n = 0; n < PORTS; n++)
		port_init(&ports[n], n);
	cdev_init(&pins_cdev, &pins_fops);
	ret = cdev_add(&pins_cdev, pins_first, PORTS);
	if (ret < 0)
		goto err_class;
	for (n = 0; n < PORTS; n++) {
		ret = port_list(&ports[n]);
		if (ret < 0)
			goto err_ports;
	}
	return 0;

err_ports:
	while (--n >= 0)
		port_unlist(&ports[n]);
	cdev_del(&pins_cdev);
err_class:
	class_destroy(pins_class);
err_region:
	unregister_chrdev_region(pins_first, PORTS);
	return ret;
}

void cleanup_module(void)
{
	int n;

	for (n = 0; n < PORTS; n++)
		port_unlist(&ports[n]);
	cdev_del(&pins_cdev);
	class_destroy(pins_class);
	unregister_chrdev_region(pins_first, PORTS);
}
