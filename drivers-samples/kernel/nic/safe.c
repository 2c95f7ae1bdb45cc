/*
 * A driver for a network card, in the style of Linux: a platform device with registers, rings for both directions,
 * and an interrupt that has the work done by polling (NAPI).
 *
 * Packets are sent with a lock held that completions take, too; the mutex orders those who change settings. The clock
 * of the registers that are seldom used, and the power of the management interface, are on only while they are used. The
 * filter of addresses is exchanged while interrupts read it, under RCU.
 */
#include "kernel.h"

#define NIC_CTRL 0x00
#define NIC_STATUS 0x04
#define NIC_MASK 0x08
#define NIC_TX_HEAD 0x10
#define NIC_TX_TAIL 0x14
#define NIC_RX_HEAD 0x18
#define NIC_RX_LENGTH 0x1c
#define NIC_MAC_LOW 0x20
#define NIC_MAC_HIGH 0x24
#define NIC_PHY 0x28
#define NIC_FILTER 0x2c
#define NIC_MTU 0x30

#define CTRL_RX 0x01
#define CTRL_TX 0x02
#define CTRL_PROMISC 0x04
#define STATUS_RX 0x01
#define STATUS_TX 0x02
#define STATUS_LINK 0x04
#define STATUS_ERROR 0x80
#define PHY_BUSY 0x80000000u

#define RING 32
#define REGISTERS 0x100
#define MTU_MIN 68
#define MTU_MAX 1500
#define PACKET_MAX 1536

struct nic_filter {
	u32 hash;
	u32 missed;
};

struct nic {
	struct net_device *ndev;
	struct device *parent;
	unsigned long start;
	u8 *base;
	int irq;
	struct clk *clk;		/* of the management registers */
	struct napi_struct napi;

	struct mutex settings;		/* orders changes of address, size and filter */
	struct nic_filter *filter;

	spinlock_t lock;		/* of all that follows */
	struct sk_buff *sent[RING];
	unsigned head, tail;
	int stopped;
	u32 errors;
};

static u32 nic_read(struct nic *nic, unsigned reg)
{
	return readl(nic->base + reg);
}

static void nic_write(struct nic *nic, unsigned reg, u32 value)
{
	writel(value, nic->base + reg);
}

/*
 * The ring of packets that are sent. Its functions are called with the lock held.
 */

static int ring_full(struct nic *nic)
{
	return (nic->head + 1) % RING == nic->tail;
}

static void ring_put(struct nic *nic, struct sk_buff *skb)
{
	nic->sent[nic->head % RING] = skb;
	nic->head = (nic->head + 1) % RING;
	nic_write(nic, NIC_TX_HEAD, nic->head);
}

/* Free what the card has sent. */
static int ring_reclaim(struct nic *nic)
{
	unsigned done = nic_read(nic, NIC_TX_TAIL) % RING;
	int n = 0;

	while (nic->tail != done) {
		dev_kfree_skb_any(nic->sent[nic->tail % RING]);
		nic->sent[nic->tail % RING] = NULL;
		nic->tail = (nic->tail + 1) % RING;
		n++;
	}
	return n;
}

static void ring_clear(struct nic *nic)
{
	nic->head = 0;
	nic->tail = 0;
	nic->stopped = 0;
}

/*
 * Sending.
 */

static int nic_start_xmit(struct sk_buff *skb, struct net_device *ndev)
{
	struct nic *nic = netdev_priv(ndev);

	if (skb->len > PACKET_MAX) {
		dev_kfree_skb_any(skb);
		ndev->stats.tx_errors++;
		return NETDEV_TX_OK;
	}
	spin_lock(&nic->lock);
	if (ring_full(nic)) {
		netif_stop_queue(ndev);
		nic->stopped = 1;
		spin_unlock(&nic->lock);
		return NETDEV_TX_BUSY;
	}
	ring_put(nic, skb);
	ndev->stats.tx_packets++;
	spin_unlock(&nic->lock);
	return NETDEV_TX_OK;
}

static void nic_tx_timeout(struct net_device *ndev, unsigned queue)
{
	struct nic *nic = netdev_priv(ndev);

	spin_lock(&nic->lock);
	nic->errors++;
	ring_clear(nic);
	nic_write(nic, NIC_CTRL, CTRL_RX | CTRL_TX);
	spin_unlock(&nic->lock);
	netif_wake_queue(ndev);
}

/*
 * Receiving, and the interrupt.
 */

static int nic_wanted(struct nic *nic, u32 hash)
{
	struct nic_filter *filter;
	int wanted;

	rcu_read_lock();
	filter = nic->filter;
	if (!filter) {
		rcu_read_unlock();
		return 1;
	}
	wanted = (filter->hash & hash) != 0;
	if (!wanted)
		filter->missed++;
	rcu_read_unlock();
	return wanted;
}

static int nic_receive_one(struct nic *nic)
{
	u32 length = nic_read(nic, NIC_RX_LENGTH);
	struct sk_buff *skb;

	if (length > PACKET_MAX || !nic_wanted(nic, length))
		return 0;
	skb = netdev_alloc_skb(nic->ndev, length);
	if (!skb)
		return -ENOMEM;
	skb_put(skb, length);
	napi_gro_receive(&nic->napi, skb);
	return 1;
}

static int nic_poll(struct napi_struct *napi, int budget)
{
	struct nic *nic = container_of(napi, struct nic, napi);
	int done = 0, ret;

	spin_lock(&nic->lock);
	if (ring_reclaim(nic) > 0 && nic->stopped) {
		nic->stopped = 0;
		netif_wake_queue(nic->ndev);
	}
	spin_unlock(&nic->lock);

	while (done < budget) {
		if (!(nic_read(nic, NIC_STATUS) & STATUS_RX))
			break;
		ret = nic_receive_one(nic);
		if (ret < 0)
			break;
		nic_write(nic, NIC_RX_HEAD, done);
		done++;
	}
	if (done < budget) {
		napi_complete_done(napi, done);
		nic_write(nic, NIC_MASK, STATUS_RX | STATUS_TX | STATUS_ERROR);
	}
	return done;
}

static irqreturn_t nic_interrupt(int irq, void *data)
{
	struct nic *nic = data;
	u32 status = nic_read(nic, NIC_STATUS);

	if (!(status & (STATUS_RX | STATUS_TX | STATUS_ERROR)))
		return IRQ_NONE;
	if (status & STATUS_ERROR) {
		spin_lock(&nic->lock);
		nic->errors++;
		if (nic->errors > 100) {
			nic_write(nic, NIC_CTRL, 0);
			spin_unlock(&nic->lock);
			return IRQ_HANDLED;
		}
		spin_unlock(&nic->lock);
	}
	nic_write(nic, NIC_MASK, 0);
	napi_schedule(&nic->napi);
	return IRQ_HANDLED;
}

/*
 * The management registers. Their clock has to run, and the device to be awake.
 */

static int nic_phy_read(struct nic *nic, struct clk *clk, unsigned reg, u32 *value)
{
	int ret, tries;

	ret = clk_prepare_enable(clk);
	if (ret < 0)
		return ret;
	nic_write(nic, NIC_PHY, PHY_BUSY | reg);
	ret = -ETIMEDOUT;
	for (tries = 0; tries < 10; tries++) {
		*value = nic_read(nic, NIC_PHY);
		if (!(*value & PHY_BUSY)) {
			ret = 0;
			break;
		}
	}
	if (ret < 0)
		goto out;
	if (*value == 0)
		ret = -ENODEV;
out:
	clk_disable_unprepare(clk);
	return ret;
}

static int nic_link(struct nic *nic, struct device *parent)
{
	struct clk *clk = nic->clk;
	u32 value;
	int ret;

	ret = pm_runtime_resume_and_get(parent);
	if (ret < 0)
		return ret;
	ret = nic_phy_read(nic, clk, 1, &value);
	if (ret < 0)
		goto out;
	ret = (value & STATUS_LINK) != 0;
out:
	pm_runtime_put(parent);
	return ret;
}

/*
 * Settings.
 */

static void nic_set_rx_mode(struct net_device *ndev)
{
	struct nic *nic = netdev_priv(ndev);
	u32 ctrl = CTRL_RX | CTRL_TX;

	if (ndev->flags & IFF_PROMISC)
		ctrl |= CTRL_PROMISC;
	spin_lock(&nic->lock);
	nic_write(nic, NIC_CTRL, ctrl);
	spin_unlock(&nic->lock);
}

static int nic_change_mtu(struct net_device *ndev, int mtu)
{
	struct nic *nic = netdev_priv(ndev);

	if (mtu < MTU_MIN || mtu > MTU_MAX)
		return -EINVAL;
	mutex_lock(&nic->settings);
	if (ndev->mtu == (unsigned)mtu) {
		mutex_unlock(&nic->settings);
		return 0;
	}
	ndev->mtu = mtu;
	nic_write(nic, NIC_MTU, mtu);
	mutex_unlock(&nic->settings);
	return 0;
}

/* A filter in the place of the old one, whose memory is asked for before the lock is taken. */
static int nic_set_mac_address(struct net_device *ndev, void *address)
{
	struct nic *nic = netdev_priv(ndev);
	const u8 *mac = address;
	struct nic_filter *fresh;
	int ret;

	if (mac[0] & 1)
		return -EINVAL;
	fresh = kzalloc(sizeof(*fresh), GFP_KERNEL);
	if (!fresh)
		return -ENOMEM;
	fresh->hash = mac[ETH_ALEN - 1];
	ret = mutex_lock_interruptible(&nic->settings);
	if (ret) {
		kfree(fresh);
		return ret;
	}
	nic->filter = fresh;
	nic_write(nic, NIC_FILTER, mac[ETH_ALEN - 1]);
	nic_write(nic, NIC_MAC_LOW, mac[0] | mac[1] << 8 | mac[2] << 16);
	nic_write(nic, NIC_MAC_HIGH, mac[3] | mac[4] << 8);
	mutex_unlock(&nic->settings);
	synchronize_rcu();
	return 0;
}

/*
 * Up and down.
 */

static int nic_open(struct net_device *ndev)
{
	struct nic *nic = netdev_priv(ndev);
	int ret;

	if (!try_module_get(THIS_MODULE))
		return -ENODEV;
	ret = nic_link(nic, nic->parent);
	if (ret < 0)
		goto err_module;
	ret = request_irq(nic->irq, nic_interrupt, 0, "nic", nic);
	if (ret < 0)
		goto err_module;
	mutex_lock(&nic->settings);
	if (nic->errors > 100) {
		ret = -EIO;
		mutex_unlock(&nic->settings);
		goto err_irq;
	}
	mutex_unlock(&nic->settings);
	spin_lock_irq(&nic->lock);
	ring_clear(nic);
	spin_unlock_irq(&nic->lock);
	napi_enable(&nic->napi);
	nic_write(nic, NIC_CTRL, CTRL_RX | CTRL_TX);
	netif_start_queue(ndev);
	return 0;

err_irq:
	free_irq(nic->irq, nic);
err_module:
	module_put(THIS_MODULE);
	return ret;
}

static int nic_stop(struct net_device *ndev)
{
	struct nic *nic = netdev_priv(ndev);

	netif_stop_queue(ndev);
	napi_disable(&nic->napi);
	nic_write(nic, NIC_CTRL, 0);
	free_irq(nic->irq, nic);
	module_put(THIS_MODULE);
	return 0;
}

static const struct net_device_ops nic_ops = {
	.ndo_open = nic_open,
	.ndo_stop = nic_stop,
	.ndo_start_xmit = nic_start_xmit,
	.ndo_set_rx_mode = nic_set_rx_mode,
	.ndo_change_mtu = nic_change_mtu,
	.ndo_set_mac_address = nic_set_mac_address,
	.ndo_tx_timeout = nic_tx_timeout,
};

/*
 * The device.
 */

static int nic_probe(struct platform_device *pdev)
{
	struct net_device *ndev;
	struct nic *nic;
	u32 id;
	int ret;

	ndev = alloc_etherdev(sizeof(struct nic));
	if (!ndev)
		return -ENOMEM;
	nic = netdev_priv(ndev);
	nic->ndev = ndev;
	nic->parent = &pdev->dev;
	nic->start = pdev->start;
	nic->irq = pdev->irq;
	mutex_init(&nic->settings);
	spin_lock_init(&nic->lock);

	if (!request_mem_region(nic->start, REGISTERS, "nic")) {
		ret = -EBUSY;
		goto err_free;
	}
	nic->base = ioremap(nic->start, REGISTERS);
	if (!nic->base) {
		ret = -ENOMEM;
		goto err_region;
	}
	nic->clk = clk_get(&pdev->dev, "nic");
	if (IS_ERR(nic->clk)) {
		ret = PTR_ERR(nic->clk);
		goto err_unmap;
	}
	pm_runtime_enable(&pdev->dev);
	ret = nic_phy_read(nic, nic->clk, 0, &id);
	if (ret < 0)
		goto err_power;
	ndev->netdev_ops = &nic_ops;
	ndev->mtu = MTU_MAX;
	netif_napi_add(ndev, &nic->napi, nic_poll);
	ret = register_netdev(ndev);
	if (ret < 0)
		goto err_napi;
	dev_set_drvdata(&pdev->dev, ndev);
	return 0;

err_napi:
	netif_napi_del(&nic->napi);
err_power:
	pm_runtime_disable(&pdev->dev);
	clk_put(nic->clk);
err_unmap:
	iounmap(nic->base);
err_region:
	release_mem_region(nic->start, REGISTERS);
err_free:
	free_netdev(ndev);
	return ret;
}

static int nic_remove(struct platform_device *pdev)
{
	struct net_device *ndev = dev_get_drvdata(&pdev->dev);
	struct nic *nic = netdev_priv(ndev);

	unregister_netdev(ndev);
	netif_napi_del(&nic->napi);
	pm_runtime_disable(&pdev->dev);
	clk_put(nic->clk);
	iounmap(nic->base);
	release_mem_region(nic->start, REGISTERS);
	free_netdev(ndev);
	return 0;
}

static int nic_suspend(struct device *dev)
{
	struct net_device *ndev = dev_get_drvdata(dev);
	struct nic *nic = netdev_priv(ndev);

	if (!mutex_trylock(&nic->settings))
		return -EBUSY;
	nic_write(nic, NIC_CTRL, 0);
	mutex_unlock(&nic->settings);
	return 0;
}

static int nic_resume(struct device *dev)
{
	struct net_device *ndev = dev_get_drvdata(dev);

	nic_set_rx_mode(ndev);
	return 0;
}

static const struct dev_pm_ops nic_pm = {
	.suspend = nic_suspend,
	.resume = nic_resume,
};

static struct platform_driver nic_driver = {
	.probe = nic_probe,
	.remove = nic_remove,
	.driver = { .name = "nic", .pm = &nic_pm },
};

int init_module(void)
{
	return platform_driver_register(&nic_driver);
}

void cleanup_module(void)
{
	platform_driver_unregister(&nic_driver);
}
