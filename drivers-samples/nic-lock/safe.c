/*
 * en100 - transmit path of a fast Ethernet card.
 *
 * Two spin locks protect the card:
 *
 *	tx_lock		the transmit queue; the outer lock
 *	phy_lock	the MII management interface; the inner lock
 *
 * Properties: a lock is never taken twice and never released when free;
 * tx_lock is not taken inside phy_lock; nobody sleeps with a lock held; and
 * no entry point returns with a lock held.
 */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned int inl(unsigned int port);
extern void outl(unsigned int value, unsigned int port);

typedef int spinlock_t;
typedef int netdev_tx_t;

#define EIO		5
#define EBUSY		16
#define EINVAL		22
#define ETIMEDOUT	110

#define NETDEV_TX_OK	0
#define NETDEV_TX_BUSY	1

#define EN_CMD		0xe000u
#define EN_STATUS	0xe004u
#define EN_MII		0xe008u
#define EN_TXDATA	0xe010u

#define CMD_RESET	0x01u
#define CMD_TX_ON	0x02u

#define STATUS_TX_DONE	0x01u
#define STATUS_TX_ERR	0x02u
#define STATUS_LINK	0x04u

#define MII_BUSY	0x80000000u
#define MII_TRIES	100
#define MII_BMSR	1

#define TX_SLOTS	8
#define MIN_MTU		68
#define MAX_MTU		1536

static spinlock_t tx_lock;
static spinlock_t phy_lock;

static int queue_stopped;
static int slots_used;
static int cur_mtu = 1500;

#define spin_lock(l)	do { assert((l) == 0); (l) = 1; } while (0)
#define spin_unlock(l)	do { assert((l) != 0); (l) = 0; } while (0)
#define might_sleep()	assert(tx_lock == 0 && phy_lock == 0)

static void msleep(int ms)
{
	might_sleep();
	while (ms > 0)
		ms--;
}

static void tx_lock_outer(void)
{
	assert(phy_lock == 0);		/* lock order */
	spin_lock(tx_lock);
}

/* Read one PHY register; may be called with tx_lock held. */
static int en_phy_read(unsigned int reg)
{
	int tries;
	unsigned int val;

	spin_lock(phy_lock);
	outl(reg << 16, EN_MII);
	for (tries = 0; tries < MII_TRIES; tries++) {
		val = inl(EN_MII);
		if (!(val & MII_BUSY)) {
			spin_unlock(phy_lock);
			return (int)(val & 0xffffu);
		}
	}
	spin_unlock(phy_lock);
	return -ETIMEDOUT;
}

/* Called with tx_lock held: take back the slots the card is done with. */
static int en_tx_reclaim(void)
{
	int freed = 0;

	assert(tx_lock != 0);
	while (slots_used > 0) {
		if (!(inl(EN_STATUS) & STATUS_TX_DONE))
			break;
		slots_used--;
		freed++;
	}
	if (freed > 0 && queue_stopped)
		queue_stopped = 0;
	return freed;
}

/*
 * Called with tx_lock held.  The reset takes a while, so the lock is dropped
 * while the card settles, and taken again.
 */
static void en_reset_locked(void)
{
	assert(tx_lock != 0);
	queue_stopped = 1;
	outl(CMD_RESET, EN_CMD);
	spin_unlock(tx_lock);

	msleep(10);

	tx_lock_outer();
	slots_used = 0;
	queue_stopped = 0;
	outl(CMD_TX_ON, EN_CMD);
}

/*
 * Reserve a transmit slot.  Returns 0 with tx_lock held, or -EBUSY with the
 * lock released.
 */
static int en_tx_begin(void)
{
	tx_lock_outer();
	if (slots_used >= TX_SLOTS)
		en_tx_reclaim();
	if (slots_used >= TX_SLOTS) {
		queue_stopped = 1;
		spin_unlock(tx_lock);
		return -EBUSY;
	}
	slots_used++;
	return 0;
}

static int en_dma_map(unsigned int len)
{
	if (len == 0 || __VERIFIER_nondet_int())
		return -EIO;
	return 0;
}

static netdev_tx_t en_start_xmit(unsigned int len)
{
	int err;

	if (queue_stopped)
		return NETDEV_TX_BUSY;

	err = en_tx_begin();
	if (err)
		return NETDEV_TX_BUSY;

	err = en_dma_map(len);
	if (err) {
		/* Drop the packet; the queue may go on. */
		slots_used--;
		spin_unlock(tx_lock);
		return NETDEV_TX_OK;
	}

	if (!(inl(EN_STATUS) & STATUS_LINK)) {
		slots_used--;
		spin_unlock(tx_lock);
		return NETDEV_TX_BUSY;
	}

	outl(len, EN_TXDATA);
	outl(CMD_TX_ON, EN_CMD);
	spin_unlock(tx_lock);
	return NETDEV_TX_OK;
}

static int en_interrupt(void)
{
	unsigned int status = inl(EN_STATUS);

	if (status == 0 || status == ~0u)
		return 0;		/* not ours, or card pulled */

	tx_lock_outer();
	if (status & STATUS_TX_ERR) {
		queue_stopped = 1;
		spin_unlock(tx_lock);
		return 1;		/* the watchdog resets the card */
	}
	en_tx_reclaim();
	spin_unlock(tx_lock);
	return 1;
}

static void en_tx_timeout(void)
{
	tx_lock_outer();
	if (en_tx_reclaim() == 0)
		en_reset_locked();
	spin_unlock(tx_lock);
}

static int en_change_mtu(int mtu)
{
	int stop_queue = 0;
	int bmsr;

	if (mtu < MIN_MTU || mtu > MAX_MTU)
		return -EINVAL;

	if (mtu > cur_mtu)
		stop_queue = 1;		/* larger buffers: no packet under way */

	if (stop_queue)
		tx_lock_outer();

	bmsr = en_phy_read(MII_BMSR);
	if (bmsr < 0) {
		if (stop_queue)
			spin_unlock(tx_lock);
		return bmsr;
	}

	cur_mtu = mtu;
	if (stop_queue) {
		en_reset_locked();
		spin_unlock(tx_lock);
	}
	return 0;
}

int main(void)
{
	while (__VERIFIER_nondet_int()) {
		switch (__VERIFIER_nondet_int()) {
		case 0:
			en_start_xmit(inl(EN_TXDATA));
			break;
		case 1:
			en_interrupt();
			break;
		case 2:
			en_tx_timeout();
			break;
		case 3:
			en_change_mtu(__VERIFIER_nondet_int());
			break;
		case 4:
			en_phy_read(MII_BMSR);
			break;
		default:
			msleep(1);
			break;
		}
		/* Back in the kernel: every lock is free. */
		assert(tx_lock == 0 && phy_lock == 0);
	}
	return 0;
}
