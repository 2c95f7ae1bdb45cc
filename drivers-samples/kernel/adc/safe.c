/*
 * A driver for an analogue-digital converter with a ring of samples, in the style of Linux: a platform device
 * with registers, an interrupt, a clock, and power that is managed at run time.
 *
 * The converter takes samples at a rate; at each the interrupt handler stores one into the ring. Files read
 * from the ring, and set rate and channel. The lock of the ring is taken by the handler, too; the mutex orders
 * those who change settings.
 */
#include "kernel.h"

#define ADC_CTRL 0x00
#define ADC_STATUS 0x04
#define ADC_DATA 0x08
#define ADC_CHANNEL 0x0c
#define ADC_RATE 0x10

#define CTRL_ENABLE 0x01
#define CTRL_IRQ 0x02
#define STATUS_READY 0x01
#define STATUS_OVERRUN 0x02
#define STATUS_FAULT 0x80

#define CHANNELS 8
#define RING 64
#define REGISTERS 0x20

struct sample {
	u16 channel;
	u16 value;
	u32 number;
};

struct adc {
	struct device *dev;
	unsigned long start;
	u8 *base;
	int irq;
	struct clk *clk;

	struct mutex settings;		/* orders changes of channel and rate */
	unsigned channel;
	unsigned long rate;
	int users;			/* files that are open */

	spinlock_t lock;		/* of all that follows */
	struct sample *ring;
	unsigned head, fill;
	u32 number;
	u32 overruns;
	int faulty;
};

static u32 adc_read(struct adc *adc, unsigned reg)
{
	return readl(adc->base + reg);
}

static void adc_write(struct adc *adc, unsigned reg, u32 value)
{
	writel(value, adc->base + reg);
}

/*
 * The ring. Its functions are called with the lock held.
 */

static void ring_clear(struct adc *adc)
{
	adc->head = 0;
	adc->fill = 0;
	adc->overruns = 0;
}

static void ring_put(struct adc *adc, u16 channel, u16 value)
{
	struct sample *s;

	if (adc->fill == RING) {
		adc->overruns++;
		adc->head = (adc->head + 1) % RING;
		adc->fill--;
	}
	s = &adc->ring[(adc->head + adc->fill) % RING];
	s->channel = channel;
	s->value = value;
	s->number = adc->number++;
	adc->fill++;
}

static int ring_get(struct adc *adc, struct sample *to)
{
	if (adc->fill == 0)
		return 0;
	*to = adc->ring[adc->head];
	adc->head = (adc->head + 1) % RING;
	adc->fill--;
	return 1;
}

/* A ring in the place of the old one. The new one may be asked for under the lock, so nothing may sleep. */
static int ring_renew(struct adc *adc)
{
	struct sample *fresh;

	spin_lock_irq(&adc->lock);
	fresh = kzalloc(RING * sizeof(struct sample), GFP_ATOMIC);
	if (!fresh) {
		spin_unlock_irq(&adc->lock);
		return -ENOMEM;
	}
	kfree(adc->ring);
	adc->ring = fresh;
	ring_clear(adc);
	spin_unlock_irq(&adc->lock);
	return 0;
}

/*
 * Interrupts.
 */

static irqreturn_t adc_interrupt(int irq, void *data)
{
	struct adc *adc = data;
	u32 status = adc_read(adc, ADC_STATUS);

	if (!(status & (STATUS_READY | STATUS_FAULT)))
		return IRQ_NONE;
	spin_lock(&adc->lock);
	if (status & STATUS_FAULT) {
		adc->faulty = 1;
		adc_write(adc, ADC_CTRL, 0);
		spin_unlock(&adc->lock);
		return IRQ_HANDLED;
	}
	if (status & STATUS_OVERRUN)
		adc->overruns++;
	if (adc->ring)
		ring_put(adc, adc_read(adc, ADC_CHANNEL) % CHANNELS, adc_read(adc, ADC_DATA));
	spin_unlock(&adc->lock);
	return IRQ_HANDLED;
}

/*
 * Power and clock: on while the converter runs.
 */

static int adc_start(struct adc *adc)
{
	int ret;

	ret = pm_runtime_resume_and_get(adc->dev);
	if (ret < 0)
		return ret;
	ret = clk_prepare_enable(adc->clk);
	if (ret < 0)
		goto err_power;
	ret = clk_set_rate(adc->clk, adc->rate);
	if (ret < 0)
		goto err_clock;
	adc_write(adc, ADC_CHANNEL, adc->channel);
	adc_write(adc, ADC_CTRL, CTRL_ENABLE | CTRL_IRQ);
	return 0;

err_clock:
	clk_disable_unprepare(adc->clk);
err_power:
	pm_runtime_put(adc->dev);
	return ret;
}

static void adc_stop(struct adc *adc)
{
	adc_write(adc, ADC_CTRL, 0);
	clk_disable_unprepare(adc->clk);
	pm_runtime_put(adc->dev);
}

/* Set the rate; the clock has to run for that. */
static int adc_set_rate(struct adc *adc, unsigned long rate)
{
	int ret;

	if (rate == 0 || rate > 1000000)
		return -EINVAL;
	ret = mutex_lock_interruptible(&adc->settings);
	if (ret)
		return ret;
	ret = clk_prepare_enable(adc->clk);
	if (ret < 0)
		goto out;
	ret = clk_set_rate(adc->clk, rate);
	if (ret == 0)
		adc->rate = rate;
	clk_disable_unprepare(adc->clk);
out:
	mutex_unlock(&adc->settings);
	return ret;
}

static int adc_set_channel(struct adc *adc, unsigned channel)
{
	if (channel >= CHANNELS)
		return -EINVAL;
	mutex_lock(&adc->settings);
	if (adc->channel == channel) {
		mutex_unlock(&adc->settings);
		return 0;
	}
	adc->channel = channel;
	adc_write(adc, ADC_CHANNEL, channel);
	mutex_unlock(&adc->settings);
	return ring_renew(adc);
}

/* A sample, or a negative number. Three tries for a converter that is slow. */
static int adc_sample(struct adc *adc, unsigned channel, struct sample *to)
{
	int ret, tries;

	if (channel != adc->channel) {
		ret = adc_set_channel(adc, channel);
		if (ret < 0)
			return ret;
	}
	ret = adc_start(adc);
	if (ret < 0)
		return ret;
	ret = -EAGAIN;
	for (tries = 0; tries < 3; tries++) {
		spin_lock_irq(&adc->lock);
		if (adc->faulty) {
			spin_unlock_irq(&adc->lock);
			ret = -EIO;
			break;
		}
		if (ring_get(adc, to)) {
			spin_unlock_irq(&adc->lock);
			ret = 0;
			break;
		}
		spin_unlock_irq(&adc->lock);
	}
	adc_stop(adc);
	return ret;
}

/*
 * The device.
 */

static int adc_probe(struct platform_device *pdev)
{
	struct adc *adc;
	struct sample first;
	int ret;

	adc = kzalloc(sizeof(*adc), GFP_KERNEL);
	if (!adc)
		return -ENOMEM;
	adc->dev = &pdev->dev;
	adc->start = pdev->start;
	adc->irq = pdev->irq;
	adc->rate = 1000;
	mutex_init(&adc->settings);
	spin_lock_init(&adc->lock);

	if (!request_mem_region(adc->start, REGISTERS, "adc")) {
		ret = -EBUSY;
		goto err_free;
	}
	adc->base = ioremap(adc->start, REGISTERS);
	if (!adc->base) {
		ret = -ENOMEM;
		goto err_region;
	}
	adc->clk = clk_get(adc->dev, "adc");
	if (IS_ERR(adc->clk)) {
		ret = PTR_ERR(adc->clk);
		goto err_unmap;
	}
	ret = ring_renew(adc);
	if (ret < 0)
		goto err_clock;
	ret = request_irq(adc->irq, adc_interrupt, 0, "adc", adc);
	if (ret < 0)
		goto err_ring;
	pm_runtime_enable(adc->dev);
	ret = adc_sample(adc, 0, &first);
	if (ret < 0 && ret != -EAGAIN)
		goto err_irq;
	dev_set_drvdata(adc->dev, adc);
	return 0;

err_irq:
	pm_runtime_disable(adc->dev);
	free_irq(adc->irq, adc);
err_ring:
	kfree(adc->ring);
err_clock:
	clk_put(adc->clk);
err_unmap:
	iounmap(adc->base);
err_region:
	release_mem_region(adc->start, REGISTERS);
err_free:
	kfree(adc);
	return ret;
}

static int adc_remove(struct platform_device *pdev)
{
	struct adc *adc = dev_get_drvdata(&pdev->dev);

	pm_runtime_disable(adc->dev);
	free_irq(adc->irq, adc);
	kfree(adc->ring);
	clk_put(adc->clk);
	iounmap(adc->base);
	release_mem_region(adc->start, REGISTERS);
	kfree(adc);
	return 0;
}

static int adc_suspend(struct device *dev)
{
	struct adc *adc = dev_get_drvdata(dev);

	if (!mutex_trylock(&adc->settings))
		return -EBUSY;
	adc_write(adc, ADC_CTRL, 0);
	mutex_unlock(&adc->settings);
	return 0;
}

static int adc_resume(struct device *dev)
{
	struct adc *adc = dev_get_drvdata(dev);

	return adc_set_rate(adc, adc->rate);
}

static const struct dev_pm_ops adc_pm = {
	.suspend = adc_suspend,
	.resume = adc_resume,
};

static struct platform_driver adc_driver = {
	.probe = adc_probe,
	.remove = adc_remove,
	.driver = { .name = "adc", .pm = &adc_pm },
};

int init_module(void)
{
	return platform_driver_register(&adc_driver);
}

void cleanup_module(void)
{
	platform_driver_unregister(&adc_driver);
}
