/*
 * diskctl - driver of an ATA-style disk controller with two drives.
 *
 * The controller runs one request at a time.  Reads and writes go by DMA and
 * end with an interrupt; if DMA is not to be had, or keeps failing, they go
 * by programmed I/O and end before the strategy routine returns.  Everything
 * else (identify, flush, standby, ...) is polled.
 *
 * Every routine returns a status code, which its callers pass up:
 *
 *	DK_OK		done
 *	DK_PENDING	a DMA transfer is under way; the interrupt goes on
 *	negative	an error; nothing is under way
 *
 * A request is ended by whoever sees a status other than DK_PENDING at the
 * outermost level: the strategy routine, the interrupt handler, or the
 * time-out handler.
 *
 * Entry points:
 *
 *	dk_strategy	start a transfer
 *	dk_interrupt	the controller has finished something, or so it says
 *	dk_timeout	it has not, for too long
 *	dk_open, dk_release, dk_ioctl
 *	dk_suspend, dk_resume
 *	dk_attach, dk_detach
 *
 * Properties
 *	1. dk_lock is taken and released in turn, is held whenever the
 *	   hardware is touched, and is not held while sleeping.
 *	2. A request is ended exactly once, with a final status.
 *	3. No command is issued while another one is active, nor to a drive
 *	   that is not the selected one.
 *	4. The DMA engine runs only between mapping and unmapping of the
 *	   buffer, and has stopped when the request ends.
 *	5. The hardware is not touched without power.
 *	6. DK_PENDING is returned if and only if a transfer is under way.
 */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern unsigned char inb(unsigned short port);
extern unsigned short inw(unsigned short port);
extern void outb(unsigned char value, unsigned short port);
extern void outw(unsigned short value, unsigned short port);
extern void outl(unsigned int value, unsigned int port);

typedef int dk_status_t;
typedef unsigned int u32;
typedef unsigned char u8;

/* ---- status codes ------------------------------------------------------ */

#define DK_OK			0
#define DK_PENDING		1
#define DK_EIO			(-5)
#define DK_ENXIO		(-6)	/* no such drive */
#define DK_ENOMEM		(-12)
#define DK_EBUSY		(-16)
#define DK_ENODEV		(-19)	/* no power, or detached */
#define DK_EINVAL		(-22)
#define DK_EROFS		(-30)	/* write-protected */
#define DK_ETIMEDOUT		(-110)
#define DK_ENOMEDIUM		(-123)

/* ---- registers --------------------------------------------------------- */

#define ATA_BASE		0x1f0
#define ATA_DATA		(ATA_BASE + 0)
#define ATA_ERROR		(ATA_BASE + 1)
#define ATA_FEATURES		(ATA_BASE + 1)
#define ATA_COUNT		(ATA_BASE + 2)
#define ATA_LBA0		(ATA_BASE + 3)
#define ATA_LBA1		(ATA_BASE + 4)
#define ATA_LBA2		(ATA_BASE + 5)
#define ATA_DRIVE		(ATA_BASE + 6)
#define ATA_STATUS		(ATA_BASE + 7)
#define ATA_COMMAND		(ATA_BASE + 7)
#define ATA_CONTROL		0x3f6

#define BM_BASE			0xf000
#define BM_COMMAND		(BM_BASE + 0)
#define BM_STATUS		(BM_BASE + 2)
#define BM_PRD			(BM_BASE + 4)

/* ATA_STATUS */
#define ST_ERR			0x01
#define ST_DRQ			0x08
#define ST_DF			0x20	/* drive fault */
#define ST_RDY			0x40
#define ST_BSY			0x80
#define ST_FLOATING		0xff	/* nobody drives the bus */

/* ATA_ERROR */
#define ER_ABRT			0x04
#define ER_NM			0x02	/* no medium */
#define ER_UNC			0x40	/* uncorrectable */
#define ER_WP			0x40	/* the same bit, for writes */

/* ATA_CONTROL */
#define CT_SRST			0x04
#define CT_NIEN			0x02

/* ATA_DRIVE */
#define DR_LBA			0xe0
#define DR_SLAVE		0x10

/* BM_COMMAND, BM_STATUS */
#define BM_START		0x01
#define BM_TO_MEMORY		0x08
#define BM_ST_ACTIVE		0x01
#define BM_ST_ERROR		0x02
#define BM_ST_IRQ		0x04

/* Commands */
#define CMD_RECALIBRATE		0x10
#define CMD_READ_PIO		0x20
#define CMD_WRITE_PIO		0x30
#define CMD_READ_DMA		0xc8
#define CMD_WRITE_DMA		0xca
#define CMD_STANDBY		0xe0
#define CMD_IDLE		0xe1
#define CMD_FLUSH		0xe7
#define CMD_IDENTIFY		0xec
#define CMD_SET_FEATURES	0xef
#define CMD_DOOR_LOCK		0xde
#define CMD_DOOR_UNLOCK		0xdf
#define CMD_EJECT		0xed

#define FEAT_XFER_MODE		0x03
#define XFER_UDMA2		0x42

/* ---- limits ------------------------------------------------------------ */

#define SECTOR_WORDS		256
#define MAX_CHUNK		128	/* sectors in one command */
#define MAX_DRIVES		2

#define POLLS_BUSY		4	/* each is a delay of some 10 ms */
#define POLLS_DRQ		4
#define RESET_MS		5

#define MAX_TRIES		4	/* of a request */
#define DMA_TRIES		2	/* then it goes by PIO */

/* ---- ioctls ------------------------------------------------------------ */

enum dk_ioctl_cmd {
	DKIOC_IDENTIFY = 0x4401,
	DKIOC_FLUSH,
	DKIOC_STANDBY,
	DKIOC_SET_DMA,
	DKIOC_EJECT,
	DKIOC_RESET,
	DKIOC_GET_CAPACITY
};

/* ---- the controller ---------------------------------------------------- */

static int ctl_lock;			/* protects everything below */
static int attached;
static int powered;			/* the hardware may be touched */

static int current_drive;		/* as last written to ATA_DRIVE */
static int cmd_active;			/* a command has been issued */

static int dma_ok;			/* DMA may be tried */
static int dma_mapped;			/* the buffer belongs to the engine */
static int dma_armed;			/* the engine runs */
static int irq_expected;

/* The drives */
static int present0, present1;
static u32 capacity0, capacity1;	/* in sectors */
static int openers;
static int dirty;			/* something is in the write cache */

/* The request */
static int req_active;
static int req_drive;
static int req_write;
static u32 req_lba;			/* next sector to transfer */
static u32 req_left;			/* sectors still to transfer */
static u32 req_chunk;			/* sectors in the present command */
static int req_tries;

/* Statistics, for the curious */
static u32 stat_requests;
static u32 stat_errors;
static u32 stat_resets;
static u32 stat_spurious;

/* ---- locking ----------------------------------------------------------- */

static void dk_lock(void)
{
	assert(!ctl_lock);
	ctl_lock = 1;
}

static void dk_unlock(void)
{
	assert(ctl_lock);
	ctl_lock = 0;
}

static void dk_sleep(int ms)
{
	assert(!ctl_lock);
	while (ms > 0)
		ms--;
}

/* ---- register access --------------------------------------------------- */

static u8 dk_in(unsigned short reg)
{
	assert(ctl_lock);
	assert(powered);
	return inb(reg);
}

static void dk_out(unsigned short reg, u8 value)
{
	assert(ctl_lock);
	assert(powered);
	outb(value, reg);
}

/* ---- waiting ----------------------------------------------------------- */

static dk_status_t dk_wait_not_busy(void)
{
	dk_status_t status = DK_ETIMEDOUT;
	int polls;
	u8 st;

	for (polls = 0; polls < POLLS_BUSY; polls++) {
		st = dk_in(ATA_STATUS);
		if (st == ST_FLOATING) {
			status = DK_ENXIO;
			break;
		}
		if (!(st & ST_BSY)) {
			status = DK_OK;
			break;
		}
	}
	return status;
}

/* Wait until the drive wants data, or has some. */
static dk_status_t dk_wait_drq(void)
{
	dk_status_t status = DK_ETIMEDOUT;
	int polls;
	u8 st;

	for (polls = 0; polls < POLLS_DRQ; polls++) {
		st = dk_in(ATA_STATUS);
		if (st & ST_BSY)
			continue;
		if (st & (ST_ERR | ST_DF)) {
			status = DK_EIO;
			break;
		}
		if (st & ST_DRQ) {
			status = DK_OK;
			break;
		}
	}
	return status;
}

/* ---- commands ---------------------------------------------------------- */

static dk_status_t dk_select(int drive)
{
	dk_status_t status;

	if (current_drive == drive)
		return DK_OK;

	status = dk_wait_not_busy();
	if (status != DK_OK)
		return status;

	if (drive == 0)
		dk_out(ATA_DRIVE, DR_LBA);
	else
		dk_out(ATA_DRIVE, DR_LBA | DR_SLAVE);
	current_drive = drive;

	/* The other drive takes over the bus. */
	status = dk_wait_not_busy();
	return status;
}

static void dk_load_taskfile(u32 lba, u32 count)
{
	dk_out(ATA_COUNT, (u8)(count % 256u));
	dk_out(ATA_LBA0, (u8)(lba % 256u));
	dk_out(ATA_LBA1, (u8)(lba / 256u % 256u));
	dk_out(ATA_LBA2, (u8)(lba / 65536u % 256u));
}

/* Issue a command to the selected drive. */
static void dk_issue(int drive, u8 cmd)
{
	assert(!cmd_active);
	assert(current_drive == drive);
	dk_out(ATA_COMMAND, cmd);
	cmd_active = 1;
}

/* The drive is done with the command: what does it say? */
static dk_status_t dk_command_result(void)
{
	u8 st, err;

	assert(cmd_active);
	st = dk_in(ATA_STATUS);		/* acknowledges the interrupt, too */
	cmd_active = 0;

	if (st & ST_DF)
		return DK_EIO;
	if (!(st & ST_ERR))
		return DK_OK;

	err = dk_in(ATA_ERROR);
	if (err & ER_NM)
		return DK_ENOMEDIUM;
	if (req_write && (err & ER_WP))
		return DK_EROFS;
	if (err & ER_ABRT)
		return DK_EINVAL;
	return DK_EIO;
}

/* A command without data, polled to its end. */
static dk_status_t dk_simple_command(int drive, u8 cmd)
{
	dk_status_t status, result;

	status = dk_select(drive);
	if (status != DK_OK)
		return status;

	dk_issue(drive, cmd);
	status = dk_wait_not_busy();
	result = dk_command_result();
	if (status == DK_OK)
		status = result;
	return status;
}

/* ---- DMA --------------------------------------------------------------- */

static dk_status_t dk_dma_map(u32 sectors)
{
	assert(!dma_mapped);
	if (sectors == 0 || sectors > MAX_CHUNK)
		return DK_EINVAL;
	if (__VERIFIER_nondet_int())
		return DK_ENOMEM;	/* no entries left in the table */
	outl(__VERIFIER_nondet_uint(), BM_PRD);
	dma_mapped = 1;
	return DK_OK;
}

static void dk_dma_unmap(void)
{
	assert(dma_mapped);
	assert(!dma_armed);
	dma_mapped = 0;
}

static void dk_dma_arm(int write)
{
	assert(dma_mapped);
	assert(!dma_armed);
	if (write)
		dk_out(BM_COMMAND, BM_START);
	else
		dk_out(BM_COMMAND, BM_START | BM_TO_MEMORY);
	dma_armed = 1;
}

static dk_status_t dk_dma_stop(void)
{
	dk_status_t status = DK_OK;
	u8 st;

	assert(dma_armed);
	st = dk_in(BM_STATUS);
	dk_out(BM_COMMAND, 0);
	dk_out(BM_STATUS, BM_ST_ERROR | BM_ST_IRQ);
	dma_armed = 0;
	if (st & BM_ST_ERROR)
		status = DK_EIO;
	return status;
}

/* ---- programmed I/O ---------------------------------------------------- */

static dk_status_t dk_pio_sector(int write)
{
	dk_status_t status;
	int i;

	status = dk_wait_drq();
	if (status != DK_OK)
		return status;

	for (i = 0; i < SECTOR_WORDS; i++) {
		if (write)
			outw((unsigned short)__VERIFIER_nondet_uint(),
			     ATA_DATA);
		else
			inw(ATA_DATA);
	}
	return DK_OK;
}

static dk_status_t dk_pio_data(u32 sectors, int write)
{
	dk_status_t status = DK_OK;
	u32 n;

	for (n = 0; n < sectors; n++) {
		status = dk_pio_sector(write);
		if (status != DK_OK)
			break;
	}
	return status;
}

/* ---- reset and recovery ------------------------------------------------ */

/*
 * Reset the controller and both drives.  Called with the lock held; it is
 * released while the drives come back.  (Nobody else gets in meanwhile: the
 * request is still active, and ioctls look at that first.)
 */
static dk_status_t dk_reset(void)
{
	dk_status_t status;

	stat_resets++;
	dk_out(ATA_CONTROL, CT_SRST | CT_NIEN);
	cmd_active = 0;
	dk_unlock();
	dk_sleep(RESET_MS);
	dk_lock();
	dk_out(ATA_CONTROL, 0);

	current_drive = 0;		/* a reset selects the master */
	status = dk_wait_not_busy();
	return status;
}

static dk_status_t dk_recalibrate(int drive)
{
	dk_status_t status;

	status = dk_simple_command(drive, CMD_RECALIBRATE);
	if (status == DK_EINVAL)
		status = DK_OK;		/* modern drives do not know it */
	return status;
}

/* Is it worth another try? */
static int dk_retryable(dk_status_t status)
{
	switch (status) {
	case DK_EIO:
	case DK_ETIMEDOUT:
	case DK_ENOMEM:
		return 1;
	default:
		return 0;
	}
}

/* ---- transfers --------------------------------------------------------- */

static dk_status_t dk_start_pio(int drive)
{
	dk_status_t status, result;

	status = dk_select(drive);
	if (status != DK_OK)
		return status;

	dk_load_taskfile(req_lba, req_chunk);
	if (req_write)
		dk_issue(drive, CMD_WRITE_PIO);
	else
		dk_issue(drive, CMD_READ_PIO);

	status = dk_pio_data(req_chunk, req_write);
	if (status == DK_OK)
		status = dk_wait_not_busy();
	result = dk_command_result();
	if (status == DK_OK)
		status = result;
	return status;
}

/* On success the transfer is under way, and the status DK_PENDING. */
static dk_status_t dk_start_dma(int drive)
{
	dk_status_t status;

	status = dk_dma_map(req_chunk);
	if (status != DK_OK)
		return status;

	status = dk_select(drive);
	if (status != DK_OK)
		goto out_unmap;

	dk_load_taskfile(req_lba, req_chunk);
	if (req_write)
		dk_issue(drive, CMD_WRITE_DMA);
	else
		dk_issue(drive, CMD_READ_DMA);
	dk_dma_arm(req_write);
	irq_expected = 1;
	status = DK_PENDING;
	return status;

out_unmap:
	dk_dma_unmap();
	return status;
}

/* A chunk has been transferred. */
static void dk_advance(void)
{
	req_lba = req_lba + req_chunk;
	if (req_chunk < req_left)
		req_left = req_left - req_chunk;
	else
		req_left = 0;
}

/*
 * Transfer what is left of the request: by DMA, which leaves with DK_PENDING
 * after the first chunk has been started, or by PIO, chunk by chunk.
 */
static dk_status_t dk_start_transfer(void)
{
	dk_status_t status = DK_OK;

	while (req_left > 0) {
		req_chunk = req_left;
		if (req_chunk > MAX_CHUNK)
			req_chunk = MAX_CHUNK;

		if (dma_ok) {
			status = dk_start_dma(req_drive);
			if (status != DK_ENOMEM)
				return status;
			/* No room in the table: this one goes by PIO. */
		}

		status = dk_start_pio(req_drive);
		if (status != DK_OK)
			return status;
		dk_advance();
	}
	return status;
}

/*
 * The request failed with the error `why`: reset the controller and try again
 * unless there is no point.  Nothing is under way on entry.
 */
static dk_status_t dk_restart(dk_status_t why)
{
	dk_status_t status;

	stat_errors++;
	if (!dk_retryable(why))
		return why;

	req_tries++;
	if (req_tries >= MAX_TRIES)
		return why;
	if (req_tries >= DMA_TRIES)
		dma_ok = 0;

	status = dk_reset();
	if (status != DK_OK)
		return status;

	status = dk_recalibrate(req_drive);
	if (status != DK_OK)
		return status;

	status = dk_start_transfer();
	return status;
}

/* Start the request, again and again if need be. */
static dk_status_t dk_run_request(void)
{
	dk_status_t status;

	status = dk_start_transfer();
	while (status != DK_OK && status != DK_PENDING) {
		if (req_tries >= MAX_TRIES || !dk_retryable(status))
			break;
		status = dk_restart(status);
	}
	return status;
}

/* ---- requests ---------------------------------------------------------- */

static void dk_begin_request(int drive, u32 lba, u32 count, int write)
{
	assert(ctl_lock);
	assert(!req_active);
	req_active = 1;
	req_drive = drive;
	req_lba = lba;
	req_left = count;
	req_write = write;
	req_tries = 0;
	stat_requests++;
}

/* Hand the request back, with its final status. */
static void dk_end_request(dk_status_t status)
{
	assert(ctl_lock);
	assert(req_active);
	assert(!dma_armed && !dma_mapped);
	assert(!cmd_active);
	assert(status != DK_PENDING);

	if (status == DK_OK && req_write)
		dirty = 1;
	req_active = 0;
	irq_expected = 0;
}

static int dk_present(int drive)
{
	if (drive == 0)
		return present0;
	if (drive == 1)
		return present1;
	return 0;
}

static u32 dk_capacity(int drive)
{
	u32 capacity = 0;

	if (drive == 0)
		capacity = capacity0;
	else if (drive == 1)
		capacity = capacity1;
	return capacity;
}

/* Is the request one that can be tried at all? */
static dk_status_t dk_check_request(int drive, u32 lba, u32 count)
{
	dk_status_t status = DK_OK;
	u32 capacity;

	if (!dk_present(drive)) {
		status = DK_ENXIO;
	} else {
		capacity = dk_capacity(drive);
		if (count == 0 || count > capacity)
			status = DK_EINVAL;
		else if (lba > capacity - count)
			status = DK_EINVAL;
	}
	return status;
}

/* ---- entry points: transfers ------------------------------------------- */

static dk_status_t dk_strategy(int drive, u32 lba, u32 count, int write)
{
	dk_status_t status;

	dk_lock();
	if (!attached || !powered) {
		status = DK_ENODEV;
		goto out;
	}
	if (req_active) {
		status = DK_EBUSY;	/* the queue calls again */
		goto out;
	}
	status = dk_check_request(drive, lba, count);
	if (status != DK_OK)
		goto out;

	dk_begin_request(drive, lba, count, write);
	status = dk_run_request();
	if (status == DK_PENDING)
		goto out;
	dk_end_request(status);
out:
	dk_unlock();
	return status;
}

/* The engine has stopped or must stop: put everything away. */
static dk_status_t dk_finish_dma(void)
{
	dk_status_t status, result;

	status = dk_dma_stop();
	dk_dma_unmap();
	result = dk_command_result();
	if (status == DK_OK)
		status = result;
	return status;
}

static int dk_interrupt(void)
{
	dk_status_t status;
	int handled = 0;
	u8 st;

	dk_lock();
	if (!irq_expected) {
		stat_spurious++;
		goto out;		/* somebody else's, on a shared line */
	}
	st = dk_in(BM_STATUS);
	if (!(st & BM_ST_IRQ))
		goto out;

	handled = 1;
	irq_expected = 0;
	status = dk_finish_dma();
	if (status == DK_OK) {
		dk_advance();
		status = dk_start_transfer();	/* the next chunk, if any */
	}
	if (status != DK_OK && status != DK_PENDING)
		status = dk_restart(status);

	if (status == DK_PENDING)
		goto out;
	dk_end_request(status);
out:
	dk_unlock();
	return handled;
}

/* Called by the timer some seconds after a transfer has been started. */
static void dk_timeout(void)
{
	dk_status_t status;

	dk_lock();
	if (!irq_expected)
		goto out;		/* it has come just now */

	/* Whatever the drive says now, it says it too late. */
	irq_expected = 0;
	dk_finish_dma();
	status = dk_restart(DK_ETIMEDOUT);

	dk_end_request(status);
out:
	dk_unlock();
}

/* ---- entry points: control --------------------------------------------- */

static dk_status_t dk_identify(int drive)
{
	dk_status_t status, result;
	u32 sectors;
	int i;

	status = dk_select(drive);
	if (status != DK_OK)
		return status;

	dk_issue(drive, CMD_IDENTIFY);
	status = dk_wait_drq();
	if (status == DK_OK) {
		sectors = 0;
		for (i = 0; i < SECTOR_WORDS; i++) {
			unsigned short w = inw(ATA_DATA);

			if (i == 60)
				sectors = w;
			if (i == 61)
				sectors = sectors + 65536u * w;
		}
		if (drive == 0)
			capacity0 = sectors;
		else
			capacity1 = sectors;
	}
	result = dk_command_result();
	if (status == DK_OK)
		status = result;
	return status;
}

static dk_status_t dk_flush(int drive)
{
	dk_status_t status;

	if (!dirty)
		return DK_OK;
	status = dk_simple_command(drive, CMD_FLUSH);
	if (status == DK_OK)
		dirty = 0;
	return status;
}

static dk_status_t dk_set_dma(int drive, int on)
{
	dk_status_t status;

	if (!on) {
		dma_ok = 0;
		return DK_OK;
	}
	status = dk_select(drive);
	if (status != DK_OK)
		return status;
	dk_out(ATA_FEATURES, FEAT_XFER_MODE);
	dk_out(ATA_COUNT, XFER_UDMA2);
	status = dk_simple_command(drive, CMD_SET_FEATURES);
	if (status == DK_OK)
		dma_ok = 1;
	return status;
}

static dk_status_t dk_eject(int drive)
{
	dk_status_t status;

	if (openers > 1)
		return DK_EBUSY;

	status = dk_flush(drive);
	if (status != DK_OK)
		return status;
	status = dk_simple_command(drive, CMD_DOOR_UNLOCK);
	if (status != DK_OK)
		return status;
	status = dk_simple_command(drive, CMD_EJECT);
	if (status != DK_OK)
		return status;

	if (drive == 0)
		capacity0 = 0;
	else
		capacity1 = 0;
	return DK_OK;
}

static dk_status_t dk_ioctl(int drive, int cmd, int arg)
{
	dk_status_t status;

	dk_lock();
	if (!attached || !powered) {
		status = DK_ENODEV;
		goto out;
	}
	if (!dk_present(drive)) {
		status = DK_ENXIO;
		goto out;
	}
	if (cmd == DKIOC_GET_CAPACITY) {
		/* does not touch the drive */
		status = DK_OK;
		if (dk_capacity(drive) == 0)
			status = DK_ENOMEDIUM;
		goto out;
	}
	if (req_active) {
		status = DK_EBUSY;
		goto out;
	}

	switch (cmd) {
	case DKIOC_IDENTIFY:
		status = dk_identify(drive);
		break;
	case DKIOC_FLUSH:
		status = dk_flush(drive);
		break;
	case DKIOC_STANDBY:
		status = dk_flush(drive);
		if (status == DK_OK)
			status = dk_simple_command(drive, CMD_STANDBY);
		break;
	case DKIOC_SET_DMA:
		status = dk_set_dma(drive, arg);
		break;
	case DKIOC_EJECT:
		status = dk_eject(drive);
		break;
	case DKIOC_RESET:
		status = dk_reset();
		break;
	default:
		status = DK_EINVAL;
		break;
	}
out:
	dk_unlock();
	return status;
}

static dk_status_t dk_open(int drive)
{
	dk_status_t status;

	dk_lock();
	status = DK_ENODEV;
	if (!attached || !powered)
		goto out;
	status = DK_ENXIO;
	if (!dk_present(drive))
		goto out;
	status = DK_OK;
	if (openers == 0 && !req_active)
		status = dk_simple_command(drive, CMD_DOOR_LOCK);
	if (status == DK_EINVAL)
		status = DK_OK;		/* it has no door */
	if (status == DK_OK)
		openers++;
out:
	dk_unlock();
	return status;
}

static void dk_release(int drive)
{
	dk_lock();
	if (openers > 0)
		openers--;
	if (openers == 0 && powered && !req_active) {
		dk_flush(drive);
		dk_simple_command(drive, CMD_DOOR_UNLOCK);
	}
	dk_unlock();
}

/* ---- entry points: power ----------------------------------------------- */

static dk_status_t dk_suspend(void)
{
	dk_status_t status = DK_OK;

	dk_lock();
	if (!powered)
		goto out;
	if (req_active) {
		status = DK_EBUSY;
		goto out;
	}
	if (present0) {
		status = dk_flush(0);
		if (status != DK_OK)
			goto out;
		status = dk_simple_command(0, CMD_STANDBY);
	}
	if (present1 && status == DK_OK)
		status = dk_simple_command(1, CMD_STANDBY);
	if (status == DK_OK)
		powered = 0;
out:
	dk_unlock();
	return status;
}

static dk_status_t dk_resume(void)
{
	dk_status_t status = DK_OK;

	dk_lock();
	if (!attached) {
		status = DK_ENODEV;
		goto out;
	}
	if (powered)
		goto out;

	powered = 1;
	status = dk_reset();
	if (status != DK_OK) {
		powered = 0;
		goto out;
	}
	if (present0)
		status = dk_simple_command(0, CMD_IDLE);
	if (status != DK_OK)
		powered = 0;
out:
	dk_unlock();
	return status;
}

/* ---- attach and detach ------------------------------------------------- */

static dk_status_t dk_attach(void)
{
	dk_status_t status;

	dk_lock();
	if (attached) {
		status = DK_EBUSY;
		goto out;
	}
	powered = 1;
	current_drive = 0;
	cmd_active = 0;

	status = dk_reset();
	if (status != DK_OK)
		goto out_power;

	present0 = 0;
	present1 = 0;
	if (dk_identify(0) == DK_OK)
		present0 = 1;
	if (dk_identify(1) == DK_OK)
		present1 = 1;
	if (!present0 && !present1) {
		status = DK_ENXIO;
		goto out_power;
	}

	dma_ok = 0;
	if (present0)
		dk_set_dma(0, 1);
	attached = 1;
	status = DK_OK;
	goto out;

out_power:
	powered = 0;
out:
	dk_unlock();
	return status;
}

static dk_status_t dk_detach(void)
{
	dk_status_t status = DK_OK;

	dk_lock();
	if (!attached || openers > 0 || req_active) {
		status = DK_EBUSY;
		goto out;
	}
	if (powered && present0)
		dk_flush(0);		/* nothing to be done if it fails */
	if (powered && present1)
		dk_flush(1);
	attached = 0;
	powered = 0;
out:
	dk_unlock();
	return status;
}

/* ---- the kernel -------------------------------------------------------- */

static void check_idle_or_under_way(void)
{
	assert(!ctl_lock);
	if (req_active) {
		assert(powered);
		assert(irq_expected);
		assert(dma_armed && dma_mapped && cmd_active);
	} else {
		assert(!irq_expected);
		assert(!dma_armed && !dma_mapped && !cmd_active);
	}
}

int main(void)
{
	dk_status_t status;
	int drive;

	while (__VERIFIER_nondet_int()) {
		drive = __VERIFIER_nondet_int();

		switch (__VERIFIER_nondet_int()) {
		case 0:
			status = dk_strategy(drive, __VERIFIER_nondet_uint(),
					     __VERIFIER_nondet_uint(),
					     __VERIFIER_nondet_int());
			if (status == DK_PENDING)
				assert(req_active);
			break;
		case 1:
			dk_interrupt();
			break;
		case 2:
			dk_timeout();
			break;
		case 3:
			dk_open(drive);
			break;
		case 4:
			dk_release(drive);
			break;
		case 5:
			status = dk_ioctl(drive, __VERIFIER_nondet_int(),
					  __VERIFIER_nondet_int());
			assert(status != DK_PENDING);
			break;
		case 6:
			dk_suspend();
			break;
		case 7:
			dk_resume();
			break;
		case 8:
			dk_attach();
			break;
		case 9:
			dk_detach();
			break;
		default:
			break;
		}
		check_idle_or_under_way();
	}
	return 0;
}
