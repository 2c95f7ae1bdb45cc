/*
 * A driver for a pad of keys with lamps, in the style of Linux: a platform device with registers that is an input
 * device for its users.
 *
 * An interrupt says that a key has moved. A timer waits until it does not bounce any more, and a work item reads the
 * rows, which takes time, since their clock is slow. Lamps are set by events that the system sends. A file of the class misc
 * tells how often keys were pressed. The lock is taken by the interrupt and the timer, too; the mutex orders those who read
 * the rows or change settings.
 */
#include "kernel.h"

#define KEYS_CTRL 0x00
#define KEYS_STATUS 0x04
#define KEYS_ROW 0x10
#define KEYS_LAMPS 0x30
#define KEYS_SPEED 0x34

#define CTRL_SCAN 0x01
#define CTRL_IRQ 0x02
#define STATUS_MOVED 0x01
#define STATUS_STUCK 0x02
#define ROW_BUSY 0x80000000u

#define ROWS 8
#define COLUMNS 8
#define KEYS (ROWS * COLUMNS)
#define LAMPS 4
#define REGISTERS 0x40
#define BOUNCE (HZ / 50)

#define KEYS_CLEAR 0x4b01
#define KEYS_SETTLE 0x4b02
#define KEYS_COUNT 0x4b03

struct keys_counts {
	u32 total;
	u32 pressed[KEYS];
};

struct keys {
	struct device *parent;
	struct input_dev *input;
	unsigned long start;
	u8 *base;
	int irq;
	struct clk *clk;		/* of the rows */
	struct timer_list timer;	/* until keys do not bounce */
	struct work_struct work;	/* reads the rows */

	struct mutex settings;
	unsigned long settle;		/* ticks until keys do not bounce */
	unsigned long state;		/* a bit for each key */
	int users;

	spinlock_t lock;		/* of all that follows */
	int moving;
	u32 stuck;
	u32 lamps;
};

/* How often keys were pressed: of all pads. */
static rwlock_t counts_lock;
static struct keys_counts counts;

static u32 keys_read(struct keys *keys, unsigned reg)
{
	return readl(keys->base + reg);
}

static void keys_write(struct keys *keys, unsigned reg, u32 value)
{
	writel(value, keys->base + reg);
}

/*
 * Counts.
 */

static void counts_add(unsigned key)
{
	write_lock(&counts_lock);
	if (key >= KEYS) {
		write_unlock(&counts_lock);
		return;
	}
	counts.pressed[key]++;
	counts.total++;
	write_unlock(&counts_lock);
}

/* Forget what was counted. */
static int counts_clear(void)
{
	unsigned key;

	if (!write_trylock(&counts_lock))
		return -EAGAIN;
	if (counts.total == 0)
		goto out;
	for (key = 0; key < KEYS; key++)
		counts.pressed[key] = 0;
	counts.total = 0;
out:
	write_unlock(&counts_lock);
	return 0;
}

/*
 * The rows. Their clock runs while they are read.
 */

static int keys_read_row(struct keys *keys, unsigned row, u32 *value)
{
	int tries;

	for (tries = 0; tries < 3; tries++) {
		*value = keys_read(keys, KEYS_ROW + 4 * row);
		if (!(*value & ROW_BUSY))
			return 0;
	}
	return -ETIMEDOUT;
}

static int keys_scan(struct keys *keys, struct clk *clk, unsigned long *state)
{
	unsigned row;
	u32 value;
	int ret;

	ret = clk_prepare_enable(clk);
	if (ret < 0)
		return ret;
	ret = clk_set_rate(clk, 32768);
	if (ret < 0)
		goto out;
	*state = 0;
	for (row = 0; row < ROWS; row++) {
		ret = keys_read_row(keys, row, &value);
		if (ret < 0)
			goto out;
		*state |= (unsigned long)(value & 0xff) << row * COLUMNS;
	}
out:
	clk_disable_unprepare(clk);
	return ret;
}

/* The key after those before from that is pressed; KEYS if there is none. */
static unsigned keys_next(unsigned long state, unsigned from)
{
	if (from > KEYS)
		return KEYS;
	return find_next_bit(&state, KEYS, from);
}

static int keys_report(struct keys *keys, unsigned long old, unsigned long new)
{
	unsigned key;
	int n = 0;

	for (key = keys_next(old ^ new, 0); key < KEYS; key = keys_next(old ^ new, key + 1)) {
		input_event(keys->input, EV_KEY, key, (new >> key) & 1);
		counts_add(key);
		n++;
	}
	if (n > 0)
		input_sync(keys->input);
	return n;
}

static void keys_work(struct work_struct *work)
{
	struct keys *keys = container_of(work, struct keys, work);
	struct device *parent = keys->parent;
	struct clk *clk = keys->clk;
	unsigned long now;
	int ret;

	ret = pm_runtime_resume_and_get(parent);
	if (ret < 0)
		return;
	mutex_lock(&keys->settings);
	if (keys->users == 0) {
		mutex_unlock(&keys->settings);
		goto out;
	}
	ret = keys_scan(keys, clk, &now);
	if (ret == 0) {
		keys_report(keys, keys->state, now);
		keys->state = now;
	}
	mutex_unlock(&keys->settings);

	spin_lock_irq(&keys->lock);
	keys->moving = 0;
	keys_write(keys, KEYS_CTRL, CTRL_SCAN | CTRL_IRQ);
	spin_unlock_irq(&keys->lock);
out:
	pm_runtime_put(parent);
}

/*
 * The timer and the interrupt.
 */

static void keys_timer(struct timer_list *timer)
{
	struct keys *keys = container_of(timer, struct keys, timer);

	spin_lock(&keys->lock);
	if (!keys->moving) {
		spin_unlock(&keys->lock);
		return;
	}
	schedule_work(&keys->work);
	spin_unlock(&keys->lock);
}

static irqreturn_t keys_interrupt(int irq, void *data)
{
	struct keys *keys = data;
	u32 status = keys_read(keys, KEYS_STATUS);

	if (!(status & (STATUS_MOVED | STATUS_STUCK)))
		return IRQ_NONE;
	spin_lock(&keys->lock);
	if (status & STATUS_STUCK) {
		keys->stuck++;
		keys_write(keys, KEYS_CTRL, 0);
		spin_unlock(&keys->lock);
		return IRQ_HANDLED;
	}
	if (!keys->moving) {
		keys->moving = 1;
		mod_timer(&keys->timer, jiffies + keys->settle);
	}
	spin_unlock(&keys->lock);
	return IRQ_HANDLED;
}

/*
 * The input device.
 */

static int keys_open(struct input_dev *input)
{
	struct keys *keys = input_get_drvdata(input);

	if (!try_module_get(THIS_MODULE))
		return -ENODEV;
	mutex_lock(&keys->settings);
	keys->users++;
	keys->state = 0;
	mutex_unlock(&keys->settings);
	spin_lock_irq(&keys->lock);
	keys->moving = 0;
	keys_write(keys, KEYS_CTRL, CTRL_SCAN | CTRL_IRQ);
	spin_unlock_irq(&keys->lock);
	return 0;
}

static void keys_close(struct input_dev *input)
{
	struct keys *keys = input_get_drvdata(input);

	spin_lock_irq(&keys->lock);
	keys_write(keys, KEYS_CTRL, 0);
	spin_unlock_irq(&keys->lock);
	del_timer_sync(&keys->timer);
	cancel_work_sync(&keys->work);
	mutex_lock(&keys->settings);
	keys->users--;
	mutex_unlock(&keys->settings);
	module_put(THIS_MODULE);
}

static int keys_event(struct input_dev *input, unsigned type, unsigned code, int value)
{
	struct keys *keys = input_get_drvdata(input);

	if (type != EV_LED)
		return -EINVAL;
	spin_lock_irq(&keys->lock);
	if (code >= LAMPS) {
		spin_unlock_irq(&keys->lock);
		return -EINVAL;
	}
	if (value)
		keys->lamps |= 1u << code;
	else
		keys->lamps &= ~(1u << code);
	keys_write(keys, KEYS_LAMPS, keys->lamps);
	spin_unlock_irq(&keys->lock);
	return 0;
}

/*
 * The file with the counts.
 */

static long keys_ioctl(struct file *file, unsigned command, unsigned long argument)
{
	struct keys_counts *copy;
	int missing;

	switch (command) {
	case KEYS_CLEAR:
		return counts_clear();
	case KEYS_COUNT:
		copy = kmalloc(sizeof(*copy), GFP_KERNEL);
		if (!copy)
			return -ENOMEM;
		read_lock(&counts_lock);
		if (counts.total == 0) {
			read_unlock(&counts_lock);
			kfree(copy);
			return -ENOENT;
		}
		*copy = counts;
		read_unlock(&counts_lock);
		missing = copy_to_user((void *)argument, copy, sizeof(*copy)) != 0;
		kfree(copy);
		return missing ? -EFAULT : 0;
	default:
		return -ENOTTY;
	}
}

static const struct file_operations keys_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = keys_ioctl,
};

static struct miscdevice keys_misc = {
	.name = "keys",
	.fops = &keys_fops,
};

/*
 * The device.
 */

static int keys_probe(struct platform_device *pdev)
{
	struct input_dev *input;
	struct keys *keys;
	unsigned long state;
	int ret;

	keys = kzalloc(sizeof(*keys), GFP_KERNEL);
	if (!keys)
		return -ENOMEM;
	keys->parent = &pdev->dev;
	keys->start = pdev->start;
	keys->irq = pdev->irq;
	keys->settle = BOUNCE;
	mutex_init(&keys->settings);
	spin_lock_init(&keys->lock);
	INIT_WORK(&keys->work, keys_work);
	timer_setup(&keys->timer, keys_timer, 0);

	if (!request_mem_region(keys->start, REGISTERS, "keys")) {
		ret = -EBUSY;
		goto err_free;
	}
	keys->base = ioremap(keys->start, REGISTERS);
	if (!keys->base) {
		ret = -ENOMEM;
		goto err_region;
	}
	keys->clk = clk_get(&pdev->dev, "rows");
	if (IS_ERR(keys->clk)) {
		ret = PTR_ERR(keys->clk);
		goto err_unmap;
	}
	pm_runtime_enable(&pdev->dev);
	ret = keys_scan(keys, keys->clk, &state);
	if (ret < 0)
		goto err_clock;

	input = input_allocate_device();
	if (!input) {
		ret = -ENOMEM;
		goto err_clock;
	}
	keys->input = input;
	input->name = "keys";
	input->open = keys_open;
	input->close = keys_close;
	input->event = keys_event;
	input_set_drvdata(input, keys);
	ret = request_irq(keys->irq, keys_interrupt, 0, "keys", keys);
	if (ret < 0)
		goto err_input;
	ret = input_register_device(input);
	if (ret < 0)
		goto err_irq;
	dev_set_drvdata(&pdev->dev, keys);
	return 0;

err_irq:
	free_irq(keys->irq, keys);
err_input:
	input_free_device(input);
err_clock:
	pm_runtime_disable(&pdev->dev);
	clk_put(keys->clk);
err_unmap:
	iounmap(keys->base);
err_region:
	release_mem_region(keys->start, REGISTERS);
err_free:
	kfree(keys);
	return ret;
}

static int keys_remove(struct platform_device *pdev)
{
	struct keys *keys = dev_get_drvdata(&pdev->dev);

	free_irq(keys->irq, keys);
	del_timer_sync(&keys->timer);
	cancel_work_sync(&keys->work);
	input_unregister_device(keys->input);
	pm_runtime_disable(&pdev->dev);
	clk_put(keys->clk);
	iounmap(keys->base);
	release_mem_region(keys->start, REGISTERS);
	kfree(keys);
	return 0;
}

static struct platform_driver keys_driver = {
	.probe = keys_probe,
	.remove = keys_remove,
	.driver = { .name = "keys" },
};

int init_module(void)
{
	int ret;

	rwlock_init(&counts_lock);
	ret = misc_register(&keys_misc);
	if (ret < 0)
		return ret;
	ret = platform_driver_register(&keys_driver);
	if (ret)
		misc_deregister(&keys_misc);
	return ret;
}

void cleanup_module(void)
{
	platform_driver_unregister(&keys_driver);
	misc_deregister(&keys_misc);
}
