/*
 * A driver for a block device in non-volatile memory, in the style of Linux: requests of the queue are carried out
 * by copying, sectors that are worn out are replaced by spare ones, and a device for control reads what is known of
 * the wear.
 *
 * The lock of the queue is held when the kernel calls the function of the queue. The table of replaced sectors has
 * many readers and seldom a writer. Limits are exchanged while requests read them, under RCU.
 */
#include "kernel.h"

#define MAJOR 240
#define SECTORS 4096
#define SECTOR 512
#define SPARES 32
#define FIRST_SPARE SECTORS

#define OP_READ 0
#define OP_WRITE 1
#define OP_FLUSH 2
#define OP_CHECK 34

#define VAULT_CHECK 0x5601
#define VAULT_LIMIT 0x5602
#define VAULT_REPLACE 0x5603

struct limits {
	u32 writes;		/* of a sector, before it is replaced */
	u32 length;		/* of a request, in bytes */
};

struct spare {
	unsigned long sector;	/* that is replaced */
	int used;
};

struct report {
	u32 requests;
	u32 failed;
	u32 replaced;
};

/* The device. */
static spinlock_t queue_lock;
static struct request_queue *queue;
static struct gendisk *disk;
static u8 *memory;
static struct class vault_class = { .name = "vault" };

/* What is replaced. */
static rwlock_t spares_lock;
static struct spare spares[SPARES];
static u32 replaced;

/* The limits. */
static struct mutex limits_lock;
static struct limits *limits;

/* What was done; under the lock of the queue. */
static u32 requests, failed;

/*
 * Sectors that are replaced.
 */

/* Where the sector is; a negative number if there is none. */
static long spare_find(unsigned long sector)
{
	long at = sector;
	int n;

	if (sector >= SECTORS)
		return -EINVAL;
	read_lock(&spares_lock);
	if (replaced == 0) {
		read_unlock(&spares_lock);
		return at;
	}
	for (n = 0; n < SPARES; n++) {
		if (spares[n].used && spares[n].sector == sector) {
			at = FIRST_SPARE + n;
			break;
		}
	}
	read_unlock(&spares_lock);
	return at;
}

/* Replace a sector. Others who write wait for it, or try again if they cannot. */
static int spare_use(unsigned long sector, int wait)
{
	int n;

	if (wait)
		write_lock(&spares_lock);
	else if (!write_trylock(&spares_lock))
		return -EAGAIN;
	for (n = 0; n < SPARES; n++) {
		if (!spares[n].used) {
			spares[n].used = 1;
			spares[n].sector = sector;
			replaced++;
			write_unlock(&spares_lock);
			return 0;
		}
	}
	write_unlock(&spares_lock);
	return -ENOSPC;
}

static void spares_clear(void)
{
	int n;

	write_lock(&spares_lock);
	for (n = 0; n < SPARES; n++)
		spares[n].used = 0;
	replaced = 0;
	write_unlock(&spares_lock);
}

/*
 * Limits.
 */

/* Whether a request is within the limits: 0, or a negative number. */
static int limits_check(u32 length)
{
	struct limits *l;
	int ret = 0;

	rcu_read_lock_bh();
	l = limits;
	if (!l) {
		rcu_read_unlock_bh();
		return -EAGAIN;
	}
	if (length > l->length)
		ret = -EINVAL;
	rcu_read_unlock_bh();
	return ret;
}

/* The number of writes that wear a sector out. */
static u32 limits_writes(void)
{
	u32 writes = 0;

	rcu_read_lock_sched();
	if (limits)
		writes = limits->writes;
	rcu_read_unlock_sched();
	return writes;
}

static int limits_set(u32 writes, u32 length)
{
	struct limits *fresh, *old;

	if (length == 0 || length % SECTOR != 0)
		return -EINVAL;
	fresh = kmalloc(sizeof(*fresh), GFP_KERNEL);
	if (!fresh)
		return -ENOMEM;
	fresh->writes = writes;
	fresh->length = length;
	mutex_lock(&limits_lock);
	old = limits;
	limits = fresh;
	mutex_unlock(&limits_lock);
	if (old) {
		synchronize_rcu();
		kfree(old);
	}
	return 0;
}

/*
 * Requests.
 */

static int sector_copy(long at, u8 *buffer, int op)
{
	u8 *sector = memory + at * SECTOR;
	int n;

	for (n = 0; n < SECTOR; n++) {
		if (op == OP_WRITE)
			sector[n] = buffer[n];
		else
			buffer[n] = sector[n];
	}
	return op == OP_WRITE ? sector[SECTOR - 1] != buffer[SECTOR - 1] : 0;
}

/* Carry a request out. The lock of the queue is held, so nothing may sleep. */
static int request_do(struct request *r)
{
	u32 done;
	long at;
	int ret;

	if (r->op == OP_FLUSH)
		return 0;
	if (r->op != OP_READ && r->op != OP_WRITE)
		return -EIO;
	ret = limits_check(r->length);
	if (ret < 0)
		return ret;
	for (done = 0; done < r->length; done += SECTOR) {
		at = spare_find(r->sector + done / SECTOR);
		if (at < 0)
			return at;
		if (sector_copy(at, (u8 *)r->buffer + done, r->op) == 0)
			continue;
		/* It is worn out. */
		ret = spare_use(r->sector + done / SECTOR, 0);
		if (ret < 0)
			return ret;
	}
	return 0;
}

/* The function of the queue: the kernel holds its lock. */
static void vault_requests(struct request_queue *q)
{
	struct request *r;
	int ret;

	while ((r = blk_fetch_request(q)) != NULL) {
		ret = request_do(r);
		requests++;
		if (ret < 0)
			failed++;
		blk_end_request_all(r, ret);
	}
}

/* Ask for a check of the medium: a request of our own, which waits its turn. */
static int vault_check(unsigned long first, u32 length)
{
	struct request *r;
	void *buffer;
	int ret;

	if (length == 0 || length > SPARES * SECTOR)
		return -EINVAL;
	buffer = kzalloc(length, GFP_KERNEL);
	if (!buffer)
		return -ENOMEM;
	r = blk_get_request(queue, OP_CHECK, GFP_KERNEL);
	if (IS_ERR(r)) {
		ret = PTR_ERR(r);
		goto out;
	}
	r->sector = first;
	r->length = length;
	r->buffer = buffer;
	ret = blk_execute_rq(queue, r);
	if (ret < 0) {
		blk_put_request(r);
		goto out;
	}
	ret = r->length == length ? 0 : -EIO;
	blk_put_request(r);
out:
	kfree(buffer);
	return ret;
}

static void vault_report(struct report *to)
{
	spin_lock_irq(&queue_lock);
	to->requests = requests;
	to->failed = failed;
	spin_unlock_irq(&queue_lock);
	read_lock(&spares_lock);
	to->replaced = replaced;
	read_unlock(&spares_lock);
}

/*
 * The block device.
 */

static int vault_open(struct block_device *b, unsigned mode)
{
	if (!try_module_get(THIS_MODULE))
		return -ENODEV;
	return 0;
}

static void vault_release(struct block_device *b, unsigned mode)
{
	module_put(THIS_MODULE);
}

static int vault_ioctl(struct block_device *b, unsigned mode, unsigned command, unsigned long argument)
{
	struct limits l;
	int ret;

	switch (command) {
	case VAULT_CHECK:
		return vault_check(argument, SECTOR);
	case VAULT_LIMIT:
		if (copy_from_user(&l, (void *)argument, sizeof(l)))
			return -EFAULT;
		return limits_set(l.writes, l.length);
	case VAULT_REPLACE:
		if (limits_writes() == 0)
			return -EINVAL;
		ret = spare_use(argument, 1);
		return ret;
	}
	return -ENOTTY;
}

static const struct block_device_operations vault_ops = {
	.open = vault_open,
	.release = vault_release,
	.ioctl = vault_ioctl,
};

/*
 * The device for control.
 */

static ssize_t control_read(struct file *f, char *to, size_t n, loff_t *at)
{
	struct report now;

	if (n < sizeof(now))
		return -EINVAL;
	vault_report(&now);
	if (copy_to_user(to, &now, sizeof(now)))
		return -EFAULT;
	return sizeof(now);
}

static const struct file_operations control_fops = {
	.read = control_read,
};

static struct miscdevice control = { .minor = 255, .name = "vault-control", .fops = &control_fops };

int init_module(void)
{
	int ret;

	spin_lock_init(&queue_lock);
	rwlock_init(&spares_lock);
	mutex_init(&limits_lock);
	ret = limits_set(100000, 16 * SECTOR);
	if (ret < 0)
		return ret;
	memory = ioremap(0xf0000000, (SECTORS + SPARES) * SECTOR);
	if (!memory) {
		ret = -ENOMEM;
		goto err_limits;
	}
	ret = class_register(&vault_class);
	if (ret < 0)
		goto err_memory;
	ret = register_chrdev(MAJOR, "vault", &control_fops);
	if (ret < 0)
		goto err_class;
	queue = blk_init_queue(vault_requests, &queue_lock);
	if (!queue) {
		ret = -ENOMEM;
		goto err_chrdev;
	}
	queue->queuedata = NULL;
	ret = misc_register(&control);
	if (ret < 0)
		goto err_queue;
	ret = register_blkdev(MAJOR, "vault");
	if (ret < 0)
		goto err_misc;
	disk = alloc_disk(1);
	if (!disk) {
		ret = -ENOMEM;
		goto err_blkdev;
	}
	disk->major = MAJOR;
	disk->first_minor = 0;
	disk->fops = &vault_ops;
	disk->queue = queue;
	set_capacity(disk, SECTORS);
	add_disk(disk);
	return 0;

err_blkdev:
	unregister_blkdev(MAJOR, "vault");
err_misc:
	misc_deregister(&control);
err_queue:
	blk_cleanup_queue(queue);
err_chrdev:
	unregister_chrdev(MAJOR, "vault");
err_class:
	class_unregister(&vault_class);
err_memory:
	iounmap(memory);
err_limits:
	kfree(limits);
	return ret;
}

void cleanup_module(void)
{
	del_gendisk(disk);
	put_disk(disk);
	unregister_blkdev(MAJOR, "vault");
	misc_deregister(&control);
	blk_cleanup_queue(queue);
	unregister_chrdev(MAJOR, "vault");
	class_unregister(&vault_class);
	iounmap(memory);
	spares_clear();
	kfree(limits);
}
