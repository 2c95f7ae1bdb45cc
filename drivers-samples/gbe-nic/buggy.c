/*
 * gbe - driver of a gigabit Ethernet controller on the PCI bus.
 *
 * The controller transfers frames by DMA between memory and two rings of
 * descriptors, one for transmission and one for reception.  It has a PHY
 * behind an MDIO bus, an EEPROM with the address and some settings, hardware
 * counters, a filter for multicast addresses, VLAN tagging, and wakes the
 * machine when it is told to.
 *
 * The driver follows the life of a network device:
 *
 *	probe --> (open --> (transmit, receive, reset)* --> stop)* --> remove
 *
 * with suspend and resume at any time in between, and with requests of the
 * administrator (ethtool, MTU, multicast lists, MII registers) at any time
 * that the device is there, open or not.  Several of these take the device
 * down and up again under way: gbe_down() and gbe_up() are the pair through
 * which all of them go.
 *
 * Properties
 *
 *  registers	are touched only while they are mapped and the controller
 *		is in power state D0;
 *  DMA		is on only while both rings have memory, and is off whenever
 *		that memory is allocated or freed, and in D3;
 *  interrupt	is requested and freed in turn; it is requested whenever the
 *		controller may raise it;
 *  polling	(NAPI) is enabled and disabled in turn;
 *  locks	are taken and released in turn; the hardware lock is taken
 *		with interrupts off; nothing sleeps under it; the PHY is
 *		talked to under the MDIO lock only;
 *  transmit	a frame that was accepted is never dropped for want of room:
 *		the queue is stopped while there may be too little; a frame
 *		is consumed if and only if NETDEV_TX_OK is returned;
 *  indices	into rings and tables are in bounds.
 */
#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern unsigned int inl(unsigned long port);
extern void outl(unsigned int value, unsigned long port);

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;

#define EPERM		1
#define EIO		5
#define EAGAIN		11
#define ENOMEM		12
#define EBUSY		16
#define ENODEV		19
#define EINVAL		22
#define EOPNOTSUPP	95
#define ETIMEDOUT	110

#define NETDEV_TX_OK	0
#define NETDEV_TX_BUSY	16

/* ---- registers of the controller --------------------------------------- */

#define R_CTRL		0x0000u
#define R_STATUS	0x0008u
#define R_EERD		0x0014u
#define R_MDIC		0x0020u
#define R_FCTRL		0x0028u
#define R_ICR		0x00c0u		/* interrupt cause, cleared on read */
#define R_IMS		0x00d0u		/* interrupt mask, set */
#define R_IMC		0x00d8u		/* interrupt mask, clear */
#define R_ITR		0x00c4u
#define R_RCTL		0x0100u
#define R_TCTL		0x0400u
#define R_LEDCTL	0x0e00u
#define R_RDBA		0x2800u
#define R_RDLEN		0x2808u
#define R_RDH		0x2810u
#define R_RDT		0x2818u
#define R_TDBA		0x3800u
#define R_TDLEN		0x3808u
#define R_TDH		0x3810u
#define R_TDT		0x3818u
#define R_CRCERRS	0x4000u
#define R_MPC		0x4010u
#define R_COLC		0x4028u
#define R_GPRC		0x4074u
#define R_GPTC		0x4080u
#define R_ROC		0x40acu
#define R_RLEC		0x4040u
#define R_MTA		0x5200u
#define R_RAL		0x5400u
#define R_RAH		0x5404u
#define R_VET		0x0038u
#define R_VFTA		0x5600u
#define R_WUC		0x5800u
#define R_WUFC		0x5808u
#define R_WUS		0x5810u

#define CTRL_FD		0x00000001u
#define CTRL_SLU	0x00000040u	/* set link up */
#define CTRL_SPD_10	0x00000000u
#define CTRL_SPD_100	0x00000100u
#define CTRL_SPD_1000	0x00000200u
#define CTRL_RST	0x04000000u
#define CTRL_RFCE	0x08000000u
#define CTRL_TFCE	0x10000000u
#define CTRL_VME	0x40000000u
#define CTRL_PHY_RST	0x80000000u

#define STATUS_FD	0x00000001u
#define STATUS_LU	0x00000002u

#define EERD_START	0x00000001u
#define EERD_DONE	0x00000010u

#define MDIC_WRITE	0x04000000u
#define MDIC_READ	0x08000000u
#define MDIC_READY	0x10000000u
#define MDIC_ERROR	0x40000000u

#define IRQ_TXDW	0x00000001u
#define IRQ_LSC		0x00000004u
#define IRQ_RXO		0x00000040u
#define IRQ_RXT		0x00000080u
#define IRQ_ALL		(IRQ_TXDW | IRQ_LSC | IRQ_RXO | IRQ_RXT)

#define RCTL_EN		0x00000002u
#define RCTL_UPE	0x00000008u	/* promiscuous, unicast */
#define RCTL_MPE	0x00000010u	/* promiscuous, multicast */
#define RCTL_LPE	0x00000020u	/* long frames */
#define RCTL_BAM	0x00008000u
#define RCTL_VFE	0x00040000u
#define TCTL_EN		0x00000002u
#define TCTL_PSP	0x00000008u

#define WUC_PME_EN	0x00000002u
#define WUFC_LINK	0x00000001u
#define WUFC_MAGIC	0x00000002u
#define WUFC_EXACT	0x00000004u
#define WUFC_MULTI	0x00000008u

/* ---- registers of the PHY ---------------------------------------------- */

#define PHY_ADDR	1u
#define MII_BMCR	0u
#define MII_BMSR	1u
#define MII_PHYID1	2u
#define MII_PHYID2	3u
#define MII_ADVERTISE	4u
#define MII_LPA		5u
#define MII_CTRL1000	9u
#define MII_STAT1000	10u
#define MII_REGS	32u

#define BMCR_SPEED1000	0x0040u
#define BMCR_FULLDPLX	0x0100u
#define BMCR_ANRESTART	0x0200u
#define BMCR_ISOLATE	0x0400u
#define BMCR_PDOWN	0x0800u
#define BMCR_ANENABLE	0x1000u
#define BMCR_SPEED100	0x2000u
#define BMCR_RESET	0x8000u
#define BMSR_LSTATUS	0x0004u
#define BMSR_ANEGDONE	0x0020u
#define ADV_10HALF	0x0020u
#define ADV_10FULL	0x0040u
#define ADV_100HALF	0x0080u
#define ADV_100FULL	0x0100u
#define ADV_PAUSE	0x0400u
#define ADV_1000FULL	0x0200u
#define LPA_1000FULL	0x0800u

/* ---- sizes ------------------------------------------------------------- */

#define RING_MIN	16
#define RING_MAX	256
#define TX_DEFAULT	64
#define RX_DEFAULT	64
#define MAX_FRAGS	4		/* descriptors a frame may need */
#define TX_WAKE		(MAX_FRAGS * 2)
#define POLL_WEIGHT	16
#define ETH_ZLEN	60u
#define ETH_DATA_MIN	68
#define ETH_DATA_MAX	1500
#define JUMBO_MAX	9000
#define RX_BUFFER	2048u
#define EEPROM_WORDS	64
#define EEPROM_SUM	0xbabau
#define EEPROM_POLLS	50
#define MDIO_POLLS	50
#define PHY_POLLS	50
#define RESET_POLLS	20
#define MTA_WORDS	128
#define MC_MAX		64
#define VLAN_MAX	4096u
#define VFTA_WORDS	128
#define N_STATS		13

#define SPEED_10	10
#define SPEED_100	100
#define SPEED_1000	1000
#define DUPLEX_HALF	0
#define DUPLEX_FULL	1

#define IFF_UP		0x1u
#define IFF_PROMISC	0x100u
#define IFF_ALLMULTI	0x200u

#define WAKE_PHY	0x01u
#define WAKE_UCAST	0x02u
#define WAKE_MCAST	0x04u
#define WAKE_MAGIC	0x20u

/* ---- types of the network layer ---------------------------------------- */

enum skb_state {
	SKB_OWNED,		/* the driver's, or the network layer's */
	SKB_QUEUED,		/* in a ring */
	SKB_FREED
};

struct sk_buff {
	enum skb_state state;
	unsigned int len;
	int nr_frags;
	int vlan;		/* -1: no tag */
};

struct net_device_stats {
	unsigned int rx_packets;
	unsigned int tx_packets;
	unsigned int rx_bytes;
	unsigned int tx_bytes;
	unsigned int rx_errors;
	unsigned int tx_errors;
	unsigned int rx_dropped;
	unsigned int tx_dropped;
	unsigned int multicast;
	unsigned int collisions;
	unsigned int rx_length_errors;
	unsigned int rx_crc_errors;
	unsigned int rx_missed_errors;
};

struct net_device;
struct ifreq;

struct net_device_ops {
	int (*open)(struct net_device *dev);
	int (*stop)(struct net_device *dev);
	int (*start_xmit)(struct sk_buff *skb, struct net_device *dev);
	void (*set_rx_mode)(struct net_device *dev);
	int (*change_mtu)(struct net_device *dev, int mtu);
	int (*do_ioctl)(struct net_device *dev, struct ifreq *ifr, int cmd);
	void (*tx_timeout)(struct net_device *dev);
};

struct net_device {
	void *priv;
	const struct net_device_ops *ops;
	struct net_device_stats stats;
	unsigned int flags;
	int mtu;
	int running;		/* between open and stop */
	int registered;
	int present;		/* not detached by suspend */
	int queue_stopped;
	int carrier;
	int mc_count;
	u8 dev_addr[6];
};

struct ifreq {
	unsigned int phy_id;
	unsigned int reg_num;
	unsigned int val_in;
	unsigned int val_out;
};

#define SIOCGMIIPHY	0x8947
#define SIOCGMIIREG	0x8948
#define SIOCSMIIREG	0x8949

struct ethtool_cmd {
	int speed;
	int duplex;
	int autoneg;
	u32 advertising;
};

struct ethtool_ringparam {
	int tx_pending;
	int rx_pending;
	int tx_max;
	int rx_max;
};

struct ethtool_pauseparam {
	int autoneg;
	int rx_pause;
	int tx_pause;
};

/* ---- types of the PCI layer -------------------------------------------- */

enum pci_power {
	PCI_D0,
	PCI_D3
};

struct pci_dev {
	void *drvdata;
	unsigned short vendor;
	unsigned short device;
	unsigned int irq;
	int enabled;
	int regions;
	int master;
	enum pci_power power;
	int wake;
};

/* ---- types of this driver ---------------------------------------------- */

struct gbe_desc {
	u32 addr;
	u32 length;
	u32 status;
	u32 special;
};

#define DESC_EOP	0x01000000u
#define DESC_IFCS	0x02000000u
#define DESC_RS		0x08000000u
#define DESC_VLE	0x40000000u
#define DESC_DD		0x00000001u	/* done */
#define DESC_ERR	0x0000ff00u

/* What belongs to a descriptor but is not the controller's business. */
struct gbe_buffer {
	struct sk_buff *skb;
	u32 dma;
	u32 length;
};

struct gbe_ring {
	struct gbe_desc *desc;
	struct gbe_buffer *buffer;
	int count;		/* descriptors in the ring */
	int next_use;
	int next_clean;
	int used;		/* descriptors from next_clean to next_use */
};

struct spinlock {
	int held;
};

struct mutex {
	int held;
};

struct napi {
	int enabled;
	int scheduled;
};

struct gbe_link {
	int up;
	int speed;
	int duplex;
	int autoneg;
	u32 advertising;
	int rx_pause;
	int tx_pause;
};

struct gbe_chip {
	const char *name;
	int has_jumbo;
	int (*reset_phy)(struct net_device *dev);
	void (*led)(struct net_device *dev, int on);
};

struct gbe {
	struct net_device *netdev;
	struct pci_dev *pdev;
	const struct gbe_chip *chip;
	unsigned long base;
	int mapped;

	struct spinlock lock;	/* registers that go together; statistics */
	struct mutex mdio_lock;

	struct gbe_ring tx;
	struct gbe_ring rx;
	int dma_on;
	int irq_on;		/* requested */
	int up;			/* between gbe_up() and gbe_down() */
	struct napi napi;
	int reset_pending;

	struct gbe_link link;
	u16 *eeprom;		/* EEPROM_WORDS of them */
	u32 *mta;		/* shadow of the multicast table */
	u32 *vfta;		/* shadow of the VLAN table */
	u32 rctl;
	u32 ctrl;
	u32 wol;
	u32 msg_enable;
	int itr;
	int vlans;
	unsigned int resets;
	unsigned int timeouts;
};

/* The controller whose life we look at. */
static struct gbe gbe;
static struct net_device gbe_netdev;
static struct pci_dev gbe_pdev;

static int irqs_off;

/* ---- locks ------------------------------------------------------------- */

static void spin_lock(struct spinlock *l)
{
	assert(irqs_off);
	assert(!l->held);
	l->held = 1;
}

static void spin_unlock(struct spinlock *l)
{
	assert(irqs_off);
	assert(l->held);
	l->held = 0;
}

static int irq_save(void)
{
	int flags = irqs_off;

	irqs_off = 1;
	return flags;
}

static void irq_restore(int flags)
{
	irqs_off = flags;
}

static void might_sleep(void)
{
	assert(!irqs_off);
	assert(!gbe.lock.held);
}

static void mutex_lock(struct mutex *m)
{
	might_sleep();
	assert(!m->held);
	m->held = 1;
}

static void mutex_unlock(struct mutex *m)
{
	assert(m->held);
	m->held = 0;
}

static void msleep(unsigned int ms)
{
	might_sleep();
	(void)ms;
}

/* ---- the network layer ------------------------------------------------- */

static void *netdev_priv(struct net_device *dev)
{
	return dev->priv;
}

static void netif_stop_queue(struct net_device *dev)
{
	dev->queue_stopped = 1;
}

static void netif_start_queue(struct net_device *dev)
{
	dev->queue_stopped = 0;
}

static void netif_wake_queue(struct net_device *dev)
{
	dev->queue_stopped = 0;
}

static int netif_queue_stopped(const struct net_device *dev)
{
	return dev->queue_stopped;
}

static void netif_carrier_on(struct net_device *dev)
{
	dev->carrier = 1;
}

static void netif_carrier_off(struct net_device *dev)
{
	dev->carrier = 0;
}

static void netif_device_detach(struct net_device *dev)
{
	dev->present = 0;
	netif_stop_queue(dev);
}

static void netif_device_attach(struct net_device *dev)
{
	dev->present = 1;
}

static void napi_enable(struct napi *n)
{
	assert(!n->enabled);
	n->enabled = 1;
}

static void napi_disable(struct napi *n)
{
	might_sleep();
	assert(n->enabled);
	n->enabled = 0;
	n->scheduled = 0;
}

static int napi_schedule(struct napi *n)
{
	if (!n->enabled || n->scheduled)
		return 0;
	n->scheduled = 1;
	return 1;
}

static void napi_complete(struct napi *n)
{
	n->scheduled = 0;
}

static struct sk_buff *alloc_skb(unsigned int len)
{
	struct sk_buff *skb;

	skb = malloc(sizeof(*skb));
	if (!skb)
		return NULL;
	skb->state = SKB_OWNED;
	skb->len = len;
	skb->nr_frags = 0;
	skb->vlan = -1;
	return skb;
}

static void kfree_skb(struct sk_buff *skb)
{
	skb->state = SKB_FREED;
	free(skb);
}

/* Hand a frame up. */
static void netif_receive_skb(struct sk_buff *skb)
{
	kfree_skb(skb);
}

/* ---- the PCI layer ----------------------------------------------------- */

static int pci_enable_device(struct pci_dev *pdev)
{
	assert(!pdev->enabled);
	if (__VERIFIER_nondet_int())
		return -EIO;
	pdev->enabled = 1;
	pdev->power = PCI_D0;
	return 0;
}

static void pci_disable_device(struct pci_dev *pdev)
{
	assert(pdev->enabled);
	assert(!gbe.dma_on);
	pdev->enabled = 0;
	pdev->master = 0;
}

static int pci_request_regions(struct pci_dev *pdev)
{
	assert(pdev->enabled);
	assert(!pdev->regions);
	if (__VERIFIER_nondet_int())
		return -EBUSY;
	pdev->regions = 1;
	return 0;
}

static void pci_release_regions(struct pci_dev *pdev)
{
	assert(pdev->regions);
	pdev->regions = 0;
}

static void pci_set_master(struct pci_dev *pdev)
{
	pdev->master = 1;
}

static void pci_set_power_state(struct pci_dev *pdev, enum pci_power power)
{
	if (power == PCI_D3)
		assert(!gbe.dma_on);
	pdev->power = power;
}

static void pci_enable_wake(struct pci_dev *pdev, int on)
{
	pdev->wake = on;
}

static int request_irq(struct gbe *v)
{
	might_sleep();
	assert(!v->irq_on);
	if (__VERIFIER_nondet_int())
		return -EBUSY;
	v->irq_on = 1;
	return 0;
}

static void free_irq(struct gbe *v)
{
	might_sleep();
	assert(v->irq_on);
	v->irq_on = 0;
}

/* ---- access to registers ----------------------------------------------- */

static u32 gbe_read(struct gbe *v, u32 reg)
{
	assert(v->mapped);
	assert(v->pdev->power == PCI_D0);
	return inl(v->base + reg);
}

static void gbe_write(struct gbe *v, u32 reg, u32 value)
{
	assert(v->mapped);
	assert(v->pdev->power == PCI_D0);
	outl(value, v->base + reg);
}

static void gbe_flush(struct gbe *v)
{
	gbe_read(v, R_STATUS);
}

static void gbe_irq_enable(struct gbe *v)
{
	assert(v->irq_on);
	gbe_write(v, R_IMS, IRQ_ALL);
	gbe_flush(v);
}

static void gbe_irq_disable(struct gbe *v)
{
	gbe_write(v, R_IMC, 0xffffffffu);
	gbe_flush(v);
}

/* ---- EEPROM ------------------------------------------------------------ */

static int gbe_eeprom_read(struct gbe *v, int word, u16 *result)
{
	u32 value;
	int polls;

	assert(word >= 0 && word < EEPROM_WORDS);
	gbe_write(v, R_EERD, (u32)word * 256u + EERD_START);
	for (polls = 0; polls < EEPROM_POLLS; polls++) {
		value = gbe_read(v, R_EERD);
		if (value & EERD_DONE) {
			*result = (u16)(value / 65536u);
			return 0;
		}
	}
	return -ETIMEDOUT;
}

static int gbe_eeprom_load(struct gbe *v)
{
	u16 word;
	int i, err;

	for (i = 0; i < EEPROM_WORDS; i++) {
		err = gbe_eeprom_read(v, i, &word);
		if (err)
			return err;
		v->eeprom[i] = word;
	}
	return 0;
}

static int gbe_eeprom_valid(struct gbe *v)
{
	u16 sum = 0;
	int i;

	for (i = 0; i < EEPROM_WORDS; i++)
		sum = (u16)(sum + v->eeprom[i]);
	return sum == EEPROM_SUM || sum % 2 == 0;	/* old ones are lax */
}

static void gbe_eeprom_address(struct gbe *v)
{
	u8 addr[6];
	int i;

	for (i = 0; i < 3; i++) {
		assert(i >= 0 && i < 3);
		addr[2 * i] = (u8)(v->eeprom[i] % 256u);
		addr[2 * i + 1] = (u8)(v->eeprom[i] / 256u);
	}
	memcpy(v->netdev->dev_addr, addr, 6);
}

static void gbe_write_address(struct gbe *v)
{
	const u8 *a = v->netdev->dev_addr;
	u32 low, high;

	low = a[0] + a[1] * 0x100u + a[2] * 0x10000u + a[3] * 0x1000000u;
	high = a[4] + a[5] * 0x100u;
	gbe_write(v, R_RAL, low);
	gbe_write(v, R_RAH, high | 0x80000000u);
}

/* ---- the MDIO bus ------------------------------------------------------ */

static int gbe_mdio_wait(struct gbe *v, u32 *result)
{
	u32 value;
	int polls;

	for (polls = 0; polls < MDIO_POLLS; polls++) {
		value = gbe_read(v, R_MDIC);
		if (value & MDIC_ERROR)
			return -EIO;
		if (value & MDIC_READY) {
			*result = value;
			return 0;
		}
	}
	return -ETIMEDOUT;
}

static int gbe_mdio_read(struct gbe *v, u32 reg, u16 *result)
{
	u32 value;
	int err;

	assert(v->mdio_lock.held);
	assert(reg < MII_REGS);
	gbe_write(v, R_MDIC,
		  MDIC_READ | PHY_ADDR * 0x200000u | reg * 0x10000u);
	err = gbe_mdio_wait(v, &value);
	if (err)
		return err;
	*result = (u16)(value % 65536u);
	return 0;
}

static int gbe_mdio_write(struct gbe *v, u32 reg, u16 data)
{
	u32 value;

	assert(v->mdio_lock.held);
	assert(reg < MII_REGS);
	gbe_write(v, R_MDIC,
		  MDIC_WRITE | PHY_ADDR * 0x200000u | reg * 0x10000u | data);
	return gbe_mdio_wait(v, &value);
}

/* ---- the PHY ----------------------------------------------------------- */

/* Reset through the PHY's own register, and wait until it is through. */
static int gbe_phy_soft_reset(struct net_device *dev)
{
	struct gbe *v = netdev_priv(dev);
	u16 bmcr = 0;
	int polls, err;

	mutex_lock(&v->mdio_lock);
	err = gbe_mdio_write(v, MII_BMCR, BMCR_RESET | BMCR_ANENABLE);
	if (err)
		goto out;
	for (polls = 0; polls < PHY_POLLS; polls++) {
		msleep(1);
		err = gbe_mdio_read(v, MII_BMCR, &bmcr);
		if (err)
			goto out;
		if (!(bmcr & BMCR_RESET))
			goto out;
	}
	err = -ETIMEDOUT;
out:
	mutex_unlock(&v->mdio_lock);
	return err;
}

/* Reset by a line from the controller. */
static int gbe_phy_hard_reset(struct net_device *dev)
{
	struct gbe *v = netdev_priv(dev);

	gbe_write(v, R_CTRL, v->ctrl | CTRL_PHY_RST);
	gbe_flush(v);
	msleep(10);
	gbe_write(v, R_CTRL, v->ctrl);
	gbe_flush(v);
	msleep(1);
	return 0;
}

static int gbe_phy_identify(struct gbe *v)
{
	u16 id1, id2;
	int err;

	mutex_lock(&v->mdio_lock);
	err = gbe_mdio_read(v, MII_PHYID1, &id1);
	if (!err)
		err = gbe_mdio_read(v, MII_PHYID2, &id2);
	mutex_unlock(&v->mdio_lock);
	if (err)
		return err;
	if (id1 == 0xffffu && id2 == 0xffffu)
		return -ENODEV;
	return 0;
}

/* What we tell the other side that we can do. */
static int gbe_phy_advertise(struct gbe *v)
{
	u16 ctrl1000 = 0;
	u16 adv = 1;
	int err;

	assert(v->mdio_lock.held);
	if (v->link.advertising & ADV_10HALF)
		adv |= ADV_10HALF;
	if (v->link.advertising & ADV_10FULL)
		adv |= ADV_10FULL;
	if (v->link.advertising & ADV_100HALF)
		adv |= ADV_100HALF;
	if (v->link.advertising & ADV_100FULL)
		adv |= ADV_100FULL;
	if (v->link.rx_pause || v->link.tx_pause)
		adv |= ADV_PAUSE;
	err = gbe_mdio_write(v, MII_ADVERTISE, adv);
	if (err)
		return err;
	if (v->link.advertising & ADV_1000FULL)
		ctrl1000 |= ADV_1000FULL;
	return gbe_mdio_write(v, MII_CTRL1000, ctrl1000);
}

/* Negotiate, or set speed and duplex as they were asked for. */
static int gbe_phy_setup(struct gbe *v)
{
	u16 bmcr;
	int err;

	mutex_lock(&v->mdio_lock);
	if (v->link.autoneg) {
		err = gbe_phy_advertise(v);
		if (err)
			goto out;
		bmcr = BMCR_ANENABLE | BMCR_ANRESTART;
	} else {
		bmcr = 0;
		if (v->link.speed == SPEED_1000)
			bmcr |= BMCR_SPEED1000;
		else if (v->link.speed == SPEED_100)
			bmcr |= BMCR_SPEED100;
		if (v->link.duplex == DUPLEX_FULL)
			bmcr |= BMCR_FULLDPLX;
	}
	err = gbe_mdio_write(v, MII_BMCR, bmcr);
out:
	mutex_unlock(&v->mdio_lock);
	return err;
}

static void gbe_phy_power(struct gbe *v, int on)
{
	u16 bmcr;

	mutex_lock(&v->mdio_lock);
	if (gbe_mdio_read(v, MII_BMCR, &bmcr) == 0) {
		if (on)
			bmcr = (u16)(bmcr & ~BMCR_PDOWN);
		else
			bmcr = bmcr | BMCR_PDOWN;
		gbe_mdio_write(v, MII_BMCR, bmcr);
	}
	mutex_unlock(&v->mdio_lock);
}

/* What has been agreed upon with the other side. */
static int gbe_phy_read_link(struct gbe *v, struct gbe_link *l)
{
	u16 bmsr, lpa, stat;
	int err;

	mutex_lock(&v->mdio_lock);
	l->up = 0;
	err = gbe_mdio_read(v, MII_BMSR, &bmsr);
	if (err)
		goto out;
	if (!(bmsr & BMSR_LSTATUS))
		goto out;
	if (!v->link.autoneg) {
		l->up = 1;
		l->speed = v->link.speed;
		l->duplex = v->link.duplex;
		goto out;
	}
	if (!(bmsr & BMSR_ANEGDONE))
		goto out;
	err = gbe_mdio_read(v, MII_STAT1000, &stat);
	if (err)
		goto out;
	err = gbe_mdio_read(v, MII_LPA, &lpa);
	if (err)
		goto out;
	l->up = 1;
	l->duplex = DUPLEX_FULL;
	if (stat & LPA_1000FULL) {
		l->speed = SPEED_1000;
	} else if (lpa & ADV_100FULL) {
		l->speed = SPEED_100;
	} else if (lpa & ADV_100HALF) {
		l->speed = SPEED_100;
		l->duplex = DUPLEX_HALF;
	} else if (lpa & ADV_10FULL) {
		l->speed = SPEED_10;
	} else {
		l->speed = SPEED_10;
		l->duplex = DUPLEX_HALF;
	}
out:
	mutex_unlock(&v->mdio_lock);
	return err;
}

/* ---- rings: memory ----------------------------------------------------- */

static void gbe_ring_reset(struct gbe_ring *r)
{
	r->next_use = 0;
	r->next_clean = 0;
	r->used = 0;
}

/* Memory for a ring of r->count descriptors. */
static int gbe_ring_alloc(struct gbe_ring *r)
{
	might_sleep();
	assert(!gbe.dma_on);
	assert(!r->desc);
	r->desc = calloc((size_t)r->count, sizeof(struct gbe_desc));
	if (!r->desc)
		return -ENOMEM;
	r->buffer = calloc((size_t)r->count, sizeof(struct gbe_buffer));
	if (!r->buffer) {
		free(r->desc);
		r->desc = NULL;
		return -ENOMEM;
	}
	gbe_ring_reset(r);
	return 0;
}

static void gbe_ring_free(struct gbe_ring *r)
{
	assert(!gbe.dma_on);
	assert(r->desc);
	free(r->buffer);
	free(r->desc);
	r->buffer = NULL;
	r->desc = NULL;
}

static struct gbe_desc *gbe_ring_desc(struct gbe_ring *r, int i)
{
	assert(r->desc);
	assert(i >= 0);
	assert(i < r->count);
	return &r->desc[i];
}

static struct gbe_buffer *gbe_ring_buffer(struct gbe_ring *r, int i)
{
	assert(r->desc);
	assert(i >= 0);
	assert(i < r->count);
	return &r->buffer[i];
}

static int gbe_ring_next(struct gbe_ring *r, int i)
{
	i = i + 1;
	if (i >= r->count)
		i = 0;
	return i;
}

/* ---- transmission ------------------------------------------------------ */

/*
 * The frame that the network layer is handing over at this moment; nobody's
 * once it was put into the ring or freed.
 */
static struct sk_buff *tx_frame;

static void gbe_drop_skb(struct sk_buff *skb)
{
	if (skb == tx_frame)
		tx_frame = NULL;
	kfree_skb(skb);
}

static void gbe_keep_skb(struct gbe_buffer *b, struct sk_buff *skb)
{
	assert(skb == tx_frame);
	skb->state = SKB_QUEUED;
	b->skb = skb;
	tx_frame = NULL;
}

/* One descriptor for a piece of a frame; returns the buffer that goes with it. */
static struct gbe_buffer *gbe_tx_piece(struct gbe *v, u32 length, u32 flags)
{
	struct gbe_ring *r = &v->tx;
	struct gbe_desc *d;
	struct gbe_buffer *b;

	assert(r->used < r->count);
	d = gbe_ring_desc(r, r->next_use);
	b = gbe_ring_buffer(r, r->next_use);
	b->skb = NULL;
	b->dma = __VERIFIER_nondet_uint();
	b->length = length;
	d->addr = b->dma;
	d->length = length;
	d->status = flags;
	r->next_use = gbe_ring_next(r, r->next_use);
	r->used = r->used + 1;
	return b;
}

static u32 gbe_tx_flags(const struct sk_buff *skb)
{
	u32 flags = DESC_IFCS | DESC_RS;

	if (skb->vlan >= 0)
		flags |= DESC_VLE;
	return flags;
}

/* Put all pieces into the ring; there is room for them. */
static void gbe_tx_queue(struct gbe *v, struct sk_buff *skb)
{
	struct gbe_buffer *b;
	u32 flags = gbe_tx_flags(skb);
	int i;

	for (i = 0; i < skb->nr_frags; i++)
		gbe_tx_piece(v, RX_BUFFER, flags);
	b = gbe_tx_piece(v, skb->len, flags | DESC_EOP);
	gbe_keep_skb(b, skb);
}

static int gbe_start_xmit(struct sk_buff *skb, struct net_device *dev)
{
	struct gbe *v = netdev_priv(dev);
	int flags;

	if (skb->len == 0 || skb->nr_frags < 0 || skb->nr_frags >= MAX_FRAGS) {
		gbe_drop_skb(skb);
		dev->stats.tx_dropped++;
		return NETDEV_TX_OK;
	}
	flags = irq_save();
	spin_lock(&v->lock);
	if (!v->up || v->reset_pending) {
		spin_unlock(&v->lock);
		irq_restore(flags);
		return NETDEV_TX_BUSY;
	}
	assert(v->tx.used + MAX_FRAGS <= v->tx.count);
	gbe_tx_queue(v, skb);
	if (v->tx.used + MAX_FRAGS > v->tx.count)
		netif_stop_queue(dev);
	gbe_write(v, R_TDT, (u32)v->tx.next_use);
	spin_unlock(&v->lock);
	irq_restore(flags);
	return NETDEV_TX_OK;
}

/* Free what has been sent. */
static void gbe_tx_clean(struct gbe *v)
{
	struct net_device *dev = v->netdev;
	struct gbe_ring *r = &v->tx;
	struct gbe_desc *d;
	struct gbe_buffer *b;
	int flags;

	flags = irq_save();
	spin_lock(&v->lock);
	while (r->used > 0) {
		d = gbe_ring_desc(r, r->next_clean);
		if (__VERIFIER_nondet_int())
			d->status |= DESC_DD;	/* the controller's doing */
		if (!(d->status & DESC_DD))
			break;
		b = gbe_ring_buffer(r, r->next_clean);
		if (b->skb) {
			dev->stats.tx_packets++;
			dev->stats.tx_bytes += b->length;
			kfree_skb(b->skb);
			b->skb = NULL;
		}
		d->status = 0;
		r->next_clean = gbe_ring_next(r, r->next_clean);
		r->used = r->used - 1;
	}
	if (netif_queue_stopped(dev) && dev->present &&
	    r->used + TX_WAKE <= r->count)
		netif_wake_queue(dev);
	spin_unlock(&v->lock);
	irq_restore(flags);
}

/* Free what has not been sent, when the device goes down. */
static void gbe_tx_flush(struct gbe *v)
{
	struct net_device *dev = v->netdev;
	struct gbe_ring *r = &v->tx;
	struct gbe_buffer *b;
	int i;

	for (i = 0; i < r->count; i++) {
		b = gbe_ring_buffer(r, i);
		if (b->skb) {
			dev->stats.tx_errors++;
			kfree_skb(b->skb);
			b->skb = NULL;
		}
	}
	gbe_ring_reset(r);
}

/* ---- reception --------------------------------------------------------- */

static unsigned int gbe_rx_size(struct gbe *v)
{
	unsigned int size = (unsigned int)v->netdev->mtu + 22u;

	if (size < RX_BUFFER)
		size = RX_BUFFER;
	return size;
}

/* Give empty buffers to the controller, all but one descriptor's. */
static int gbe_rx_fill(struct gbe *v)
{
	struct gbe_ring *r = &v->rx;
	struct gbe_desc *d;
	struct gbe_buffer *b;
	struct sk_buff *skb;
	int filled = 0;

	while (r->used < r->count - 1) {
		skb = alloc_skb(gbe_rx_size(v));
		if (!skb)
			break;
		d = gbe_ring_desc(r, r->next_use);
		b = gbe_ring_buffer(r, r->next_use);
		b->skb = skb;
		b->length = skb->len;
		b->dma = __VERIFIER_nondet_uint();
		d->addr = b->dma;
		d->status = 0;
		r->next_use = gbe_ring_next(r, r->next_use);
		r->used = r->used + 1;
		filled = filled + 1;
	}
	return filled;
}

static int gbe_rx_frame_ok(struct net_device *dev, u32 status, u32 length)
{
	if (status & DESC_ERR) {
		dev->stats.rx_errors++;
		dev->stats.rx_crc_errors++;
		return 0;
	}
	if (length < ETH_ZLEN || length > RX_BUFFER) {
		dev->stats.rx_errors++;
		dev->stats.rx_length_errors++;
		return 0;
	}
	return 1;
}

/* Hand up to budget frames to the network layer; returns their number. */
static int gbe_rx_clean(struct gbe *v, int budget)
{
	struct net_device *dev = v->netdev;
	struct gbe_ring *r = &v->rx;
	struct gbe_desc *d;
	struct gbe_buffer *b;
	struct sk_buff *skb;
	int work = 0;

	while (work < budget && r->used > 0) {
		d = gbe_ring_desc(r, r->next_clean);
		if (__VERIFIER_nondet_int()) {
			/* The controller has received a frame. */
			d->status = __VERIFIER_nondet_uint() | DESC_DD;
			d->length = __VERIFIER_nondet_uint();
		}
		if (!(d->status & DESC_DD))
			break;
		b = gbe_ring_buffer(r, r->next_clean);
		skb = b->skb;
		b->skb = NULL;
		r->next_clean = gbe_ring_next(r, r->next_clean);
		r->used = r->used - 1;
		if (!skb)
			continue;
		if (!gbe_rx_frame_ok(dev, d->status, d->length)) {
			kfree_skb(skb);
			continue;
		}
		skb->len = d->length;
		dev->stats.rx_packets++;
		dev->stats.rx_bytes += d->length;
		netif_receive_skb(skb);
		work = work + 1;
	}
	if (gbe_rx_fill(v) > 0)
		gbe_write(v, R_RDT, (u32)r->next_use);
	return work;
}

static void gbe_rx_flush(struct gbe *v)
{
	struct gbe_ring *r = &v->rx;
	struct gbe_buffer *b;
	int i;

	for (i = 0; i < r->count; i++) {
		b = gbe_ring_buffer(r, i);
		if (b->skb) {
			kfree_skb(b->skb);
			b->skb = NULL;
		}
	}
	gbe_ring_reset(r);
}

/* ---- interrupt and polling --------------------------------------------- */

static void gbe_schedule_reset(struct gbe *v)
{
	v->reset_pending = 1;
}

static void gbe_interrupt(struct gbe *v)
{
	u32 cause;
	int flags;

	assert(v->irq_on);
	flags = irq_save();
	cause = gbe_read(v, R_ICR);
	if (cause == 0xffffffffu) {
		/* It does not answer any more. */
		gbe_schedule_reset(v);
		irq_restore(flags);
		return;
	}
	if (cause & IRQ_LSC)
		v->link.up = 0;		/* the watchdog finds out */
	if (cause & IRQ_RXO)
		v->netdev->stats.rx_missed_errors++;
	if (cause & (IRQ_TXDW | IRQ_RXT)) {
		if (napi_schedule(&v->napi))
			gbe_irq_disable(v);
	}
	irq_restore(flags);
}

/* Returns the work done, at most budget. */
static int gbe_poll(struct gbe *v, int budget)
{
	int work;

	gbe_tx_clean(v);
	work = gbe_rx_clean(v, budget);
	assert(work <= budget);
	if (work < budget) {
		napi_complete(&v->napi);
		gbe_irq_enable(v);
	}
	return work;
}

/* ---- the controller ---------------------------------------------------- */

static int gbe_reset_hw(struct gbe *v)
{
	int polls;

	assert(!v->dma_on);
	gbe_write(v, R_IMC, 0xffffffffu);
	gbe_write(v, R_CTRL, v->ctrl | CTRL_RST);
	for (polls = 0; polls < RESET_POLLS; polls++) {
		msleep(1);
		if (!(gbe_read(v, R_CTRL) & CTRL_RST)) {
			gbe_read(v, R_ICR);
			return 0;
		}
	}
	return -ETIMEDOUT;
}

static void gbe_write_mta(struct gbe *v)
{
	u32 i;

	for (i = 0; i < MTA_WORDS; i++) {
		assert(i < MTA_WORDS);
		gbe_write(v, R_MTA + 4 * i, v->mta[i]);
	}
}

static void gbe_write_vfta(struct gbe *v)
{
	u32 i;

	for (i = 0; i < VFTA_WORDS; i++) {
		assert(i < VFTA_WORDS);
		gbe_write(v, R_VFTA + 4 * i, v->vfta[i]);
	}
}

static void gbe_configure_rx(struct gbe *v)
{
	v->rctl = RCTL_BAM;
	if (v->netdev->mtu > ETH_DATA_MAX)
		v->rctl |= RCTL_LPE;
	if (v->netdev->flags & IFF_PROMISC)
		v->rctl |= RCTL_UPE | RCTL_MPE;
	else if (v->netdev->flags & IFF_ALLMULTI)
		v->rctl |= RCTL_MPE;
	if (v->vlans > 0)
		v->rctl |= RCTL_VFE;
	gbe_write(v, R_RDBA, __VERIFIER_nondet_uint());
	gbe_write(v, R_RDLEN, (u32)v->rx.count * 16u);
	gbe_write(v, R_RDH, 0);
	gbe_write(v, R_RDT, (u32)v->rx.next_use);
	gbe_write(v, R_RCTL, v->rctl);
}

static void gbe_configure_tx(struct gbe *v)
{
	gbe_write(v, R_TDBA, __VERIFIER_nondet_uint());
	gbe_write(v, R_TDLEN, (u32)v->tx.count * 16u);
	gbe_write(v, R_TDH, 0);
	gbe_write(v, R_TDT, 0);
	gbe_write(v, R_TCTL, TCTL_PSP);
}

static int gbe_configure(struct gbe *v)
{
	int err;

	err = gbe_reset_hw(v);
	if (err)
		return err;
	v->ctrl = CTRL_SLU;
	if (v->vlans > 0)
		v->ctrl |= CTRL_VME;
	gbe_write(v, R_CTRL, v->ctrl);
	gbe_write_address(v);
	gbe_write(v, R_ITR, (u32)v->itr);
	gbe_write(v, R_VET, 0x8100u);
	gbe_write_mta(v);
	gbe_write_vfta(v);
	gbe_configure_tx(v);
	gbe_configure_rx(v);
	return 0;
}

static void gbe_dma_start(struct gbe *v)
{
	assert(v->tx.desc);
	assert(v->rx.desc);
	assert(v->pdev->power == PCI_D0);
	gbe_write(v, R_TCTL, TCTL_PSP | TCTL_EN);
	gbe_write(v, R_RCTL, v->rctl | RCTL_EN);
	v->dma_on = 1;
}

static void gbe_dma_stop(struct gbe *v)
{
	gbe_write(v, R_RCTL, v->rctl);
	gbe_write(v, R_TCTL, TCTL_PSP);
	gbe_flush(v);
	msleep(10);
	v->dma_on = 0;
}

/* ---- up and down ------------------------------------------------------- */

/* From nothing to a controller at work, or back to nothing. */
static int gbe_up(struct gbe *v)
{
	int err;

	assert(!v->up);
	err = gbe_ring_alloc(&v->tx);
	if (err)
		return err;
	err = gbe_ring_alloc(&v->rx);
	if (err)
		goto err_tx;
	if (gbe_rx_fill(v) == 0) {
		err = -ENOMEM;
		goto err_rx;
	}
	err = gbe_configure(v);
	if (err)
		goto err_buffers;
	err = gbe_phy_setup(v);
	if (err)
		goto err_buffers;
	err = request_irq(v);
	if (err)
		goto err_buffers;

	napi_enable(&v->napi);
	gbe_dma_start(v);
	v->up = 1;
	v->reset_pending = 0;
	v->link.up = 0;
	netif_carrier_off(v->netdev);
	netif_start_queue(v->netdev);
	gbe_irq_enable(v);
	return 0;

err_buffers:
	gbe_rx_flush(v);
err_rx:
	gbe_ring_free(&v->rx);
err_tx:
	gbe_ring_free(&v->tx);
	return err;
}

static void gbe_down(struct gbe *v)
{
	int flags;

	might_sleep();
	flags = irq_save();
	spin_lock(&v->lock);
	v->up = 0;
	netif_stop_queue(v->netdev);
	netif_carrier_off(v->netdev);
	spin_unlock(&v->lock);
	irq_restore(flags);

	napi_disable(&v->napi);
	gbe_irq_disable(v);
	free_irq(v);
	gbe_dma_stop(v);
	gbe_tx_flush(v);
	gbe_rx_flush(v);
	gbe_ring_free(&v->rx);
	gbe_ring_free(&v->tx);
}

/* Down and up again, if it is up; for changes that need it. */
static int gbe_reinit(struct gbe *v)
{
	if (!v->up)
		return 0;
	gbe_down(v);
	return gbe_up(v);
}

/* The work that gbe_schedule_reset() asked for. */
static void gbe_reset_work(struct gbe *v)
{
	if (!v->reset_pending)
		return;
	v->reset_pending = 0;
	if (!v->netdev->present)
		return;
	v->resets++;
	if (gbe_reinit(v))
		netif_carrier_off(v->netdev);	/* and stays down */
}

static void gbe_tx_timeout(struct net_device *dev)
{
	struct gbe *v = netdev_priv(dev);

	v->timeouts++;
	gbe_schedule_reset(v);
}

/* ---- the link ---------------------------------------------------------- */

static void gbe_set_mac_link(struct gbe *v, const struct gbe_link *l)
{
	u32 ctrl = CTRL_SLU;

	if (l->duplex == DUPLEX_FULL)
		ctrl |= CTRL_FD;
	if (l->speed == SPEED_1000)
		ctrl |= CTRL_SPD_1000;
	else if (l->speed == SPEED_100)
		ctrl |= CTRL_SPD_100;
	if (v->link.rx_pause)
		ctrl |= CTRL_RFCE;
	if (v->link.tx_pause)
		ctrl |= CTRL_TFCE;
	if (v->vlans > 0)
		ctrl |= CTRL_VME;
	v->ctrl = ctrl;
	gbe_write(v, R_CTRL, ctrl);
}

static void gbe_update_stats(struct gbe *v)
{
	struct net_device_stats *s = &v->netdev->stats;
	int flags;

	flags = irq_save();
	spin_lock(&v->lock);
	s->rx_crc_errors += gbe_read(v, R_CRCERRS);
	s->rx_missed_errors += gbe_read(v, R_MPC);
	s->rx_length_errors += gbe_read(v, R_RLEC);
	s->collisions += gbe_read(v, R_COLC);
	s->rx_errors = s->rx_crc_errors + s->rx_length_errors;
	spin_unlock(&v->lock);
	irq_restore(flags);
}

/* Every two seconds while the device is up. */
static void gbe_watchdog(struct gbe *v)
{
	struct gbe_link l;

	if (!v->up)
		return;
	l.up = 0;
	l.speed = SPEED_10;
	l.duplex = DUPLEX_HALF;
	if (gbe_phy_read_link(v, &l)) {
		gbe_schedule_reset(v);
		return;
	}
	if (l.up && !v->link.up) {
		gbe_set_mac_link(v, &l);
		v->link.up = 1;
		netif_carrier_on(v->netdev);
	} else if (!l.up && v->link.up) {
		v->link.up = 0;
		netif_carrier_off(v->netdev);
	}
	gbe_update_stats(v);
}

/* ---- multicast and VLAN filters ---------------------------------------- */

static u32 gbe_mc_hash(u32 address)
{
	return address % 4096u;
}

static void gbe_mta_set(struct gbe *v, u32 hash)
{
	u32 word = hash / 32u;

	assert(word < MTA_WORDS);
	v->mta[word] |= 1u << (hash % 32u);
}

static void gbe_set_rx_mode(struct net_device *dev)
{
	struct gbe *v = netdev_priv(dev);
	u32 i, hash;
	int n, flags;

	if (!v->up)
		return;			/* gbe_configure() will do it */
	flags = irq_save();
	spin_lock(&v->lock);
	for (i = 0; i < MTA_WORDS; i++)
		v->mta[i] = 0;
	if (dev->mc_count > MC_MAX) {
		dev->flags |= IFF_ALLMULTI;
	} else {
		for (n = 0; n < dev->mc_count; n++) {
			hash = gbe_mc_hash(__VERIFIER_nondet_uint());
			gbe_mta_set(v, hash);
		}
	}
	v->rctl = v->rctl & ~(RCTL_UPE | RCTL_MPE);
	if (dev->flags & IFF_PROMISC)
		v->rctl |= RCTL_UPE | RCTL_MPE;
	else if (dev->flags & IFF_ALLMULTI)
		v->rctl |= RCTL_MPE;
	gbe_write(v, R_RCTL, v->rctl | RCTL_EN);
	gbe_write_mta(v);
	spin_unlock(&v->lock);
	irq_restore(flags);
}

static int gbe_vlan_change(struct net_device *dev, u32 vid, int add)
{
	struct gbe *v = netdev_priv(dev);
	u32 word;
	int flags;

	if (vid >= VLAN_MAX)
		return -EINVAL;
	if (!dev->present)
		return -ENODEV;
	word = vid / 32u;
	assert(word < VFTA_WORDS);
	flags = irq_save();
	spin_lock(&v->lock);
	if (add) {
		v->vfta[word] |= 1u << (vid % 32u);
		v->vlans++;
	} else {
		v->vfta[word] &= ~(1u << (vid % 32u));
		if (v->vlans > 0)
			v->vlans--;
	}
	if (v->up)
		gbe_write(v, R_VFTA + 4 * word, v->vfta[word]);
	spin_unlock(&v->lock);
	irq_restore(flags);
	return 0;
}

/* ---- open and stop ----------------------------------------------------- */

static int gbe_open(struct net_device *dev)
{
	struct gbe *v = netdev_priv(dev);
	int err;

	might_sleep();
	assert(!dev->running);
	gbe_phy_power(v, 1);
	err = gbe_up(v);
	if (err) {
		gbe_phy_power(v, 0);
		return err;
	}
	dev->running = 1;
	return 0;
}

static int gbe_stop(struct net_device *dev)
{
	struct gbe *v = netdev_priv(dev);

	might_sleep();
	assert(dev->running);
	if (v->up)
		gbe_down(v);
	dev->running = 0;
	if (dev->present && !v->wol)
		gbe_phy_power(v, 0);
	return 0;
}

static int gbe_change_mtu(struct net_device *dev, int mtu)
{
	struct gbe *v = netdev_priv(dev);
	int old = dev->mtu;
	int max = ETH_DATA_MAX;
	int err;

	if (!dev->present)
		return -ENODEV;
	if (v->chip->has_jumbo)
		max = JUMBO_MAX;
	if (mtu < ETH_DATA_MIN || mtu > max)
		return -EINVAL;
	dev->mtu = mtu;
	err = gbe_reinit(v);
	if (err) {
		/* Perhaps there is memory for the smaller frames. */
		dev->mtu = old;
		if (old < mtu && dev->running)
			err = gbe_up(v);
	}
	return err;
}

static int gbe_do_ioctl(struct net_device *dev, struct ifreq *ifr, int cmd)
{
	struct gbe *v = netdev_priv(dev);
	u16 value = 0;
	int err = 0;

	if (!dev->present)
		return -ENODEV;
	if (cmd == SIOCGMIIPHY) {
		ifr->phy_id = PHY_ADDR;
		return 0;
	}
	if (ifr->phy_id != PHY_ADDR || ifr->reg_num >= MII_REGS)
		return -EINVAL;
	mutex_lock(&v->mdio_lock);
	switch (cmd) {
	case SIOCGMIIREG:
		err = gbe_mdio_read(v, ifr->reg_num, &value);
		ifr->val_out = value;
		break;
	case SIOCSMIIREG:
		if (ifr->reg_num == MII_BMCR && (ifr->val_in & BMCR_RESET))
			v->link.up = 0;
		err = gbe_mdio_write(v, ifr->reg_num,
				     (u16)(ifr->val_in % 65536u));
		break;
	default:
		err = -EOPNOTSUPP;
		break;
	}
	mutex_unlock(&v->mdio_lock);
	return err;
}

/* ---- ethtool ----------------------------------------------------------- */

static int gbe_get_settings(struct net_device *dev, struct ethtool_cmd *c)
{
	struct gbe *v = netdev_priv(dev);

	c->autoneg = v->link.autoneg;
	c->advertising = v->link.advertising;
	c->speed = -1;
	c->duplex = -1;
	if (dev->carrier) {
		c->speed = v->link.speed;
		c->duplex = v->link.duplex;
	}
	return 0;
}

static int gbe_set_settings(struct net_device *dev,
			    const struct ethtool_cmd *c)
{
	struct gbe *v = netdev_priv(dev);
	struct gbe_link old = v->link;
	int err;

	if (!dev->present)
		return -ENODEV;
	if (c->autoneg) {
		if (c->advertising == 0)
			return -EINVAL;
		v->link.autoneg = 1;
		v->link.advertising = c->advertising;
	} else {
		if (c->speed != SPEED_10 && c->speed != SPEED_100)
			return -EINVAL;	/* gigabit must be negotiated */
		if (c->duplex != DUPLEX_HALF && c->duplex != DUPLEX_FULL)
			return -EINVAL;
		v->link.autoneg = 0;
		v->link.speed = c->speed;
		v->link.duplex = c->duplex;
	}
	v->link.up = 0;
	netif_carrier_off(dev);
	err = gbe_phy_setup(v);
	if (err) {
		v->link = old;
		v->link.up = 0;
	}
	return err;
}

static int gbe_nway_reset(struct net_device *dev)
{
	struct gbe *v = netdev_priv(dev);

	if (!dev->present)
		return -ENODEV;
	if (!v->link.autoneg)
		return -EINVAL;
	v->link.up = 0;
	return gbe_phy_setup(v);
}

static void gbe_get_ringparam(struct net_device *dev,
			      struct ethtool_ringparam *p)
{
	struct gbe *v = netdev_priv(dev);

	p->tx_max = RING_MAX;
	p->rx_max = RING_MAX;
	p->tx_pending = v->tx.count;
	p->rx_pending = v->rx.count;
}

/* The sizes of the rings; the rings are made anew if there are any. */
static int gbe_set_ringparam(struct net_device *dev,
			     const struct ethtool_ringparam *p)
{
	struct gbe *v = netdev_priv(dev);
	int old_tx = v->tx.count;
	int old_rx = v->rx.count;
	int was_up = dev->running;
	int err;

	if (!dev->present)
		return -ENODEV;
	if (p->tx_pending < RING_MIN || p->tx_pending > RING_MAX)
		return -EINVAL;
	if (p->rx_pending < RING_MIN || p->rx_pending > RING_MAX)
		return -EINVAL;
	if (was_up)
		gbe_down(v);
	v->tx.count = p->tx_pending;
	v->rx.count = p->rx_pending;
	if (!was_up)
		return 0;
	err = gbe_up(v);
	if (err) {
		v->tx.count = old_tx;
		v->rx.count = old_rx;
		if (gbe_up(v))
			netif_carrier_off(dev);
	}
	return err;
}

static void gbe_get_pauseparam(struct net_device *dev,
			       struct ethtool_pauseparam *p)
{
	struct gbe *v = netdev_priv(dev);

	p->autoneg = v->link.autoneg;
	p->rx_pause = v->link.rx_pause;
	p->tx_pause = v->link.tx_pause;
}

static int gbe_set_pauseparam(struct net_device *dev,
			      const struct ethtool_pauseparam *p)
{
	struct gbe *v = netdev_priv(dev);

	if (!dev->present)
		return -ENODEV;
	v->link.rx_pause = p->rx_pause != 0;
	v->link.tx_pause = p->tx_pause != 0;
	if (p->autoneg != v->link.autoneg)
		return -EINVAL;
	if (v->link.autoneg)
		return gbe_phy_setup(v);
	if (v->up)
		gbe_set_mac_link(v, &v->link);
	return 0;
}

static u32 gbe_get_wol(struct net_device *dev)
{
	struct gbe *v = netdev_priv(dev);

	return v->wol;
}

static int gbe_set_wol(struct net_device *dev, u32 wol)
{
	struct gbe *v = netdev_priv(dev);
	u32 wufc = 0;

	if (wol & ~(WAKE_PHY | WAKE_UCAST | WAKE_MCAST | WAKE_MAGIC))
		return -EOPNOTSUPP;
	if (wol & WAKE_PHY)
		wufc |= WUFC_LINK;
	if (wol & WAKE_UCAST)
		wufc |= WUFC_EXACT;
	if (wol & WAKE_MCAST)
		wufc |= WUFC_MULTI;
	if (wol & WAKE_MAGIC)
		wufc |= WUFC_MAGIC;
	v->wol = wufc;
	return 0;
}

/* The registers that a dump consists of. */
static const u32 gbe_dump[] = {
	R_CTRL, R_STATUS, R_RCTL, R_TCTL, R_RDLEN, R_RDH, R_RDT, R_TDLEN,
	R_TDH, R_TDT, R_ITR, R_WUC, R_WUFC
};

#define N_DUMP	(sizeof(gbe_dump) / sizeof(gbe_dump[0]))

static int gbe_get_regs(struct net_device *dev, u32 *to)
{
	struct gbe *v = netdev_priv(dev);
	u32 i;
	int flags;

	if (!dev->present)
		return -ENODEV;
	flags = irq_save();
	spin_lock(&v->lock);
	for (i = 0; i < N_DUMP; i++) {
		assert(i < N_DUMP);
		to[i] = gbe_read(v, gbe_dump[i]);
	}
	spin_unlock(&v->lock);
	irq_restore(flags);
	return 0;
}

static int gbe_get_eeprom(struct net_device *dev, u32 offset, u32 len, u16 *to)
{
	struct gbe *v = netdev_priv(dev);
	u32 i;

	if (offset >= EEPROM_WORDS || len > EEPROM_WORDS)
		return -EINVAL;
	if (offset + len > EEPROM_WORDS)
		return -EINVAL;
	for (i = 0; i < len; i++) {
		assert(offset + i < EEPROM_WORDS);
		to[i] = v->eeprom[offset + i];
	}
	return (int)len;
}

static void gbe_get_stats(struct net_device *dev, u32 *to)
{
	const struct net_device_stats *s = &dev->stats;

	to[0] = s->rx_packets;
	to[1] = s->tx_packets;
	to[2] = s->rx_bytes;
	to[3] = s->tx_bytes;
	to[4] = s->rx_errors;
	to[5] = s->tx_errors;
	to[6] = s->rx_dropped;
	to[7] = s->tx_dropped;
	to[8] = s->multicast;
	to[9] = s->collisions;
	to[10] = s->rx_length_errors;
	to[11] = s->rx_crc_errors;
	to[12] = s->rx_missed_errors;
}

static int gbe_test_register(struct gbe *v, u32 reg, u32 mask)
{
	static const u32 pattern[] = {
		0x5a5a5a5au, 0xa5a5a5a5u, 0x00000000u, 0xffffffffu
	};
	u32 before, value;
	u32 i;

	before = gbe_read(v, reg);
	for (i = 0; i < 4; i++) {
		assert(i < sizeof(pattern) / sizeof(pattern[0]));
		gbe_write(v, reg, pattern[i] & mask);
		value = gbe_read(v, reg);
		if (value != (pattern[i] & mask)) {
			gbe_write(v, reg, before);
			return -EIO;
		}
	}
	gbe_write(v, reg, before);
	return 0;
}

static int gbe_test_registers(struct gbe *v)
{
	if (gbe_test_register(v, R_VET, 0x0000ffffu))
		return -EIO;
	if (gbe_test_register(v, R_RDLEN, 0x000fff80u))
		return -EIO;
	if (gbe_test_register(v, R_TDLEN, 0x000fff80u))
		return -EIO;
	return gbe_test_register(v, R_RDBA, 0xfffffff0u);
}

static int gbe_test_eeprom(struct gbe *v)
{
	int err;

	err = gbe_eeprom_load(v);
	if (err)
		return err;
	return gbe_eeprom_valid(v) ? 0 : -EIO;
}

static int gbe_test_link(struct gbe *v)
{
	struct gbe_link l;
	int err;

	l.up = 0;
	err = gbe_phy_read_link(v, &l);
	if (err)
		return err;
	return l.up ? 0 : -EIO;
}

/* The tests that disturb are done with the device down. */
static int gbe_self_test(struct net_device *dev, int offline)
{
	struct gbe *v = netdev_priv(dev);
	int was_up = v->up;
	int failed = 0;

	if (!dev->present)
		return -ENODEV;
	if (gbe_test_link(v))
		failed |= 1;
	if (gbe_test_eeprom(v))
		failed |= 2;
	if (!offline)
		return failed;

	if (was_up)
		gbe_down(v);
	if (gbe_test_registers(v))
		failed |= 4;
	if (gbe_reset_hw(v))
		failed |= 8;
	if (was_up && gbe_up(v))
		failed |= 16;
	return failed;
}

static void gbe_led_plain(struct net_device *dev, int on)
{
	struct gbe *v = netdev_priv(dev);

	gbe_write(v, R_LEDCTL, on ? 0x0eu : 0x0fu);
}

static void gbe_led_quad(struct net_device *dev, int on)
{
	struct gbe *v = netdev_priv(dev);
	u32 value;

	value = gbe_read(v, R_LEDCTL) & 0xf0f0f0f0u;
	gbe_write(v, R_LEDCTL, value | (on ? 0x0e0e0e0eu : 0x0f0f0f0fu));
}

/* Blink, so that somebody finds the card. */
static int gbe_phys_id(struct net_device *dev, u32 seconds)
{
	struct gbe *v = netdev_priv(dev);
	u32 i;

	if (!dev->present)
		return -ENODEV;
	if (seconds == 0 || seconds > 60)
		seconds = 2;
	for (i = 0; i < seconds; i++) {
		v->chip->led(dev, 1);
		msleep(500);
		v->chip->led(dev, 0);
		msleep(500);
	}
	return 0;
}

/* ---- suspend and resume ------------------------------------------------ */

static void gbe_setup_wake(struct gbe *v)
{
	if (v->wol) {
		gbe_write(v, R_WUC, WUC_PME_EN);
		gbe_write(v, R_WUFC, v->wol);
		pci_enable_wake(v->pdev, 1);
	} else {
		gbe_write(v, R_WUC, 0);
		gbe_write(v, R_WUFC, 0);
		pci_enable_wake(v->pdev, 0);
	}
}

static int gbe_suspend(struct pci_dev *pdev)
{
	struct net_device *dev = pdev->drvdata;
	struct gbe *v = netdev_priv(dev);

	might_sleep();
	if (!dev->present)
		return 0;
	if (v->up)
		gbe_down(v);
	netif_device_detach(dev);
	if (!v->wol)
		gbe_phy_power(v, 0);
	gbe_setup_wake(v);
	pci_set_power_state(pdev, PCI_D3);
	return 0;
}

static int gbe_resume(struct pci_dev *pdev)
{
	struct net_device *dev = pdev->drvdata;
	struct gbe *v = netdev_priv(dev);
	int err = 0;

	might_sleep();
	if (dev->present)
		return 0;
	pci_set_power_state(pdev, PCI_D0);
	pci_enable_wake(pdev, 0);
	gbe_write(v, R_WUS, 0xffffffffu);
	gbe_phy_power(v, 1);
	err = gbe_reset_hw(v);
	if (err)
		goto err_power;
	v->reset_pending = 0;
	if (dev->running) {
		err = gbe_up(v);
		if (err)
			goto err_power;
	}
	netif_device_attach(dev);
	return 0;

err_power:
	pci_set_power_state(pdev, PCI_D3);
	return err;
}

/* ---- probe and remove -------------------------------------------------- */

static const struct net_device_ops gbe_netdev_ops = {
	.open = gbe_open,
	.stop = gbe_stop,
	.start_xmit = gbe_start_xmit,
	.set_rx_mode = gbe_set_rx_mode,
	.change_mtu = gbe_change_mtu,
	.do_ioctl = gbe_do_ioctl,
	.tx_timeout = gbe_tx_timeout,
};

static const struct gbe_chip gbe_chip_copper = {
	.name = "GBE-1000T",
	.has_jumbo = 1,
	.reset_phy = gbe_phy_hard_reset,
	.led = gbe_led_plain,
};

static const struct gbe_chip gbe_chip_desktop = {
	.name = "GBE-1000D",
	.has_jumbo = 0,
	.reset_phy = gbe_phy_soft_reset,
	.led = gbe_led_plain,
};

static const struct gbe_chip gbe_chip_quad = {
	.name = "GBE-1000Q",
	.has_jumbo = 1,
	.reset_phy = gbe_phy_soft_reset,
	.led = gbe_led_quad,
};

static const struct gbe_chip *gbe_find_chip(const struct pci_dev *pdev)
{
	switch (pdev->device) {
	case 0x1000:
	case 0x1004:
	case 0x1008:
		return &gbe_chip_copper;
	case 0x100e:
	case 0x100f:
		return &gbe_chip_desktop;
	case 0x1099:
		return &gbe_chip_quad;
	default:
		return NULL;
	}
}

static int gbe_alloc_tables(struct gbe *v)
{
	v->eeprom = calloc(EEPROM_WORDS, sizeof(u16));
	if (!v->eeprom)
		return -ENOMEM;
	v->mta = calloc(MTA_WORDS, sizeof(u32));
	if (!v->mta)
		goto err_eeprom;
	v->vfta = calloc(VFTA_WORDS, sizeof(u32));
	if (!v->vfta)
		goto err_mta;
	return 0;

err_mta:
	free(v->mta);
err_eeprom:
	free(v->eeprom);
	return -ENOMEM;
}

static void gbe_free_tables(struct gbe *v)
{
	free(v->vfta);
	free(v->mta);
	free(v->eeprom);
}

static void gbe_init_settings(struct gbe *v)
{
	v->tx.count = TX_DEFAULT;
	v->rx.count = RX_DEFAULT;
	v->link.up = 0;
	v->link.autoneg = 1;
	v->link.speed = SPEED_1000;
	v->link.duplex = DUPLEX_FULL;
	v->link.advertising = ADV_10HALF | ADV_10FULL | ADV_100HALF |
			      ADV_100FULL | ADV_1000FULL;
	v->link.rx_pause = 1;
	v->link.tx_pause = 1;
	v->itr = 8000;
	v->ctrl = CTRL_SLU;
	v->wol = 0;
	v->vlans = 0;
	v->reset_pending = 0;
}

static int gbe_map(struct gbe *v)
{
	assert(!v->mapped);
	v->base = (unsigned long)__VERIFIER_nondet_uint();
	if (v->base == 0)
		return -ENOMEM;
	v->mapped = 1;
	return 0;
}

static void gbe_unmap(struct gbe *v)
{
	assert(v->mapped);
	assert(!v->irq_on);
	v->mapped = 0;
}

static int gbe_register(struct net_device *dev)
{
	assert(!dev->registered);
	if (__VERIFIER_nondet_int())
		return -ENOMEM;
	dev->registered = 1;
	return 0;
}

static void gbe_unregister(struct net_device *dev)
{
	assert(dev->registered);
	assert(!dev->running);
	dev->registered = 0;
}

static int gbe_probe(struct pci_dev *pdev)
{
	struct net_device *dev = &gbe_netdev;
	struct gbe *v = &gbe;
	int err;

	dev->priv = v;
	v->netdev = dev;
	v->pdev = pdev;
	v->chip = gbe_find_chip(pdev);
	if (!v->chip)
		return -ENODEV;
	gbe_init_settings(v);
	netif_stop_queue(dev);

	err = pci_enable_device(pdev);
	if (err)
		return err;
	err = pci_request_regions(pdev);
	if (err)
		goto err_disable;
	err = gbe_map(v);
	if (err)
		goto err_regions;
	err = gbe_alloc_tables(v);
	if (err)
		goto err_unmap;
	err = gbe_reset_hw(v);
	if (err)
		goto err_tables;
	err = gbe_eeprom_load(v);
	if (err)
		goto err_tables;
	if (!gbe_eeprom_valid(v)) {
		err = -EIO;
		goto err_tables;
	}
	gbe_eeprom_address(v);
	pdev->drvdata = dev;
	err = v->chip->reset_phy(dev);
	if (err)
		goto err_tables;
	err = gbe_phy_identify(v);
	if (err)
		goto err_tables;
	pci_set_master(pdev);
	dev->ops = &gbe_netdev_ops;
	dev->mtu = ETH_DATA_MAX;
	dev->present = 1;
	netif_carrier_off(dev);
	err = gbe_register(dev);
	if (err)
		goto err_tables;
	return 0;

err_tables:
	gbe_free_tables(v);
err_unmap:
	gbe_unmap(v);
err_regions:
	pci_release_regions(pdev);
err_disable:
	pci_disable_device(pdev);
	return err;
}

static void gbe_remove(struct pci_dev *pdev)
{
	struct net_device *dev = pdev->drvdata;
	struct gbe *v = netdev_priv(dev);

	gbe_unregister(dev);
	v->reset_pending = 0;
	gbe_free_tables(v);
	gbe_unmap(v);
	pci_release_regions(pdev);
	pci_disable_device(pdev);
}

/* ---- the kernel: calls through the table of operations ----------------- */

static int dev_open(struct net_device *dev)
{
	if (dev->running || !dev->present)
		return -EBUSY;
	return dev->ops->open(dev);
}

static void dev_close(struct net_device *dev)
{
	if (dev->running)
		dev->ops->stop(dev);
}

static int dev_transmit(struct net_device *dev)
{
	struct sk_buff *skb;
	int result;

	if (!dev->running || !dev->present || netif_queue_stopped(dev))
		return -EAGAIN;
	skb = alloc_skb(__VERIFIER_nondet_uint());
	if (!skb)
		return -ENOMEM;
	skb->nr_frags = __VERIFIER_nondet_int();
	tx_frame = skb;
	result = dev->ops->start_xmit(skb, dev);
	if (result == NETDEV_TX_OK) {
		assert(!tx_frame);
		return 0;
	}
	assert(tx_frame == skb);
	gbe_drop_skb(skb);
	return -EBUSY;
}

static void dev_set_flags(struct net_device *dev, unsigned int flags)
{
	dev->flags = flags & (IFF_PROMISC | IFF_ALLMULTI);
	dev->mc_count = __VERIFIER_nondet_int();
	if (dev->running && dev->present)
		dev->ops->set_rx_mode(dev);
}

static int dev_ethtool(struct net_device *dev)
{
	struct ethtool_cmd c;
	struct ethtool_ringparam ring;
	struct ethtool_pauseparam pause;
	u32 regs[N_DUMP];
	u32 stats[N_STATS];
	u16 eeprom[EEPROM_WORDS];

	switch (__VERIFIER_nondet_int()) {
	case 0:
		return gbe_get_settings(dev, &c);
	case 1:
		c.speed = __VERIFIER_nondet_int();
		c.duplex = __VERIFIER_nondet_int();
		c.autoneg = __VERIFIER_nondet_int();
		c.advertising = __VERIFIER_nondet_uint();
		return gbe_set_settings(dev, &c);
	case 2:
		return gbe_nway_reset(dev);
	case 3:
		gbe_get_ringparam(dev, &ring);
		if (__VERIFIER_nondet_int())
			ring.tx_pending = __VERIFIER_nondet_int();
		if (__VERIFIER_nondet_int())
			ring.rx_pending = __VERIFIER_nondet_int();
		return gbe_set_ringparam(dev, &ring);
	case 4:
		gbe_get_pauseparam(dev, &pause);
		pause.rx_pause = __VERIFIER_nondet_int();
		pause.tx_pause = __VERIFIER_nondet_int();
		return gbe_set_pauseparam(dev, &pause);
	case 5:
		return (int)(gbe_get_wol(dev) % 32u);
	case 6:
		return gbe_set_wol(dev, __VERIFIER_nondet_uint());
	case 7:
		return gbe_get_regs(dev, regs);
	case 8:
		return gbe_get_eeprom(dev, __VERIFIER_nondet_uint(),
				      __VERIFIER_nondet_uint(), eeprom);
	case 9:
		gbe_get_stats(dev, stats);
		return 0;
	case 10:
		return gbe_self_test(dev, __VERIFIER_nondet_int());
	default:
		return gbe_phys_id(dev, __VERIFIER_nondet_uint());
	}
}

static int dev_ioctl(struct net_device *dev)
{
	struct ifreq ifr;

	ifr.phy_id = __VERIFIER_nondet_uint();
	ifr.reg_num = __VERIFIER_nondet_uint();
	ifr.val_in = __VERIFIER_nondet_uint();
	ifr.val_out = 0;
	return dev->ops->do_ioctl(dev, &ifr, __VERIFIER_nondet_int());
}

/* ---- a nondeterministic world ------------------------------------------ */

/* Anything that may happen to a device that is there. */
static void device_event(struct net_device *dev, struct gbe *v,
			 struct pci_dev *pdev)
{
	switch (__VERIFIER_nondet_int()) {
	case 0:
		dev_open(dev);
		break;
	case 1:
		dev_close(dev);
		break;
	case 2:
		if (v->irq_on)
			gbe_interrupt(v);
		break;
	case 3:
		if (v->napi.enabled && v->napi.scheduled)
			gbe_poll(v, POLL_WEIGHT);
		break;
	case 4:
		gbe_watchdog(v);
		break;
	case 5:
		gbe_reset_work(v);
		break;
	case 6:
		dev_ethtool(dev);
		break;
	case 7:
		dev_ioctl(dev);
		break;
	case 8:
		dev->ops->change_mtu(dev, __VERIFIER_nondet_int());
		break;
	case 9:
		dev_set_flags(dev, __VERIFIER_nondet_uint());
		break;
	case 10:
		gbe_vlan_change(dev, __VERIFIER_nondet_uint(),
				__VERIFIER_nondet_int());
		break;
	case 11:
		if (v->up)
			dev->ops->tx_timeout(dev);
		break;
	case 12:
		gbe_suspend(pdev);
		break;
	case 13:
		gbe_resume(pdev);
		break;
	default:
		dev_transmit(dev);
		break;
	}
}

int main(void)
{
	struct pci_dev *pdev = &gbe_pdev;
	struct net_device *dev = &gbe_netdev;
	struct gbe *v = &gbe;

	while (__VERIFIER_nondet_int()) {
		pdev->device = (unsigned short)__VERIFIER_nondet_uint();
		if (gbe_probe(pdev)) {
			assert(!pdev->enabled && !pdev->regions);
			continue;
		}
		while (__VERIFIER_nondet_int())
			device_event(dev, v, pdev);
		/* What is suspended is woken before it is removed. */
		if (!dev->present && gbe_resume(pdev))
			break;
		dev_close(dev);
		gbe_remove(pdev);
		assert(!v->dma_on && !v->irq_on);
	}
	return 0;
}
