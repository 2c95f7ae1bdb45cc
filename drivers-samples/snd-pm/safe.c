/*
 * sndpm - interrupt masking and power management of a sound card.
 *
 * The card's codec is reached through a slow two-register window that the
 * interrupt handler uses, too; so every access masks the card's interrupts
 * and puts the former mask back afterwards.  Such sections nest: setting the
 * stereo volume is one section around two codec writes.
 *
 * In power state D3 the card forgets everything; suspend saves the mask and
 * resume restores it.
 *
 * Properties: the codec window is used only with interrupts masked; registers
 * are touched only when the card has power; and every operation, successful
 * or not, leaves the mask that the user has chosen.
 */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern unsigned int inl(unsigned int port);
extern void outl(unsigned int value, unsigned int port);

typedef unsigned int u32;

#define EIO		5
#define EBUSY		16
#define EINVAL		22
#define ETIMEDOUT	110

#define SND_IMR		0xd000u		/* interrupt mask */
#define SND_ISR		0xd004u		/* interrupt status */
#define SND_CODEC	0xd008u		/* codec command window */
#define SND_DATA	0xd00cu		/* codec data window */
#define SND_POWER	0xd010u

#define IRQ_NONE	0u		/* everything masked */
#define ISR_PERIOD	0x1u

#define CODEC_BUSY	0x80000000u
#define CODEC_POLLS	3		/* each waits for up to 1 ms */

#define CODEC_RESET	0x00u
#define CODEC_VOL_LEFT	0x02u
#define CODEC_VOL_RIGHT	0x04u
#define CODEC_MUTE	0x06u
#define VOL_MAX		31

enum pm_state {
	PM_D0,				/* working */
	PM_D3				/* off */
};

static enum pm_state pm_state = PM_D0;
static u32 irq_mask;			/* shadow of SND_IMR */
static u32 saved_mask;			/* across D3 */
static int stream_running;

static u32 reg_read(u32 reg)
{
	assert(pm_state == PM_D0);
	return inl(reg);
}

static void reg_write(u32 reg, u32 value)
{
	assert(pm_state == PM_D0);
	outl(value, reg);
}

/* ---- interrupt mask ---------------------------------------------------- */

static void irq_set_mask(u32 mask)
{
	reg_write(SND_IMR, mask);
	irq_mask = mask;
}

/* Mask everything; returns the former mask, for irq_restore(). */
static u32 irq_save(void)
{
	u32 flags = irq_mask;

	irq_set_mask(IRQ_NONE);
	return flags;
}

static void irq_restore(u32 flags)
{
	irq_set_mask(flags);
}

/* ---- codec ------------------------------------------------------------- */

static int codec_wait_ready(void)
{
	int polls;

	assert(irq_mask == IRQ_NONE);
	for (polls = 0; polls < CODEC_POLLS; polls++) {
		if (!(reg_read(SND_CODEC) & CODEC_BUSY))
			return 0;
	}
	return -ETIMEDOUT;
}

static int codec_write(u32 reg, u32 value)
{
	u32 flags;
	int err;

	flags = irq_save();

	err = codec_wait_ready();
	if (err) {
		irq_restore(flags);
		return err;
	}

	reg_write(SND_DATA, value);
	reg_write(SND_CODEC, reg);
	err = codec_wait_ready();
	irq_restore(flags);
	return err;
}

static int codec_read(u32 reg)
{
	u32 flags;
	int value;

	flags = irq_save();
	value = codec_wait_ready();
	if (value < 0)
		goto out;

	reg_write(SND_CODEC, reg);
	value = codec_wait_ready();
	if (value < 0)
		goto out;

	value = (int)(reg_read(SND_DATA) & 0xffffu);
out:
	irq_restore(flags);
	return value;
}

static int codec_reset(void)
{
	int err;

	err = codec_write(CODEC_RESET, 0);
	if (err)
		return err;
	return codec_write(CODEC_MUTE, 1);
}

/* ---- operations -------------------------------------------------------- */

/* Both channels change together: no interrupt in between. */
static int snd_set_volume(int left, int right)
{
	u32 flags;
	int err;

	if (left < 0 || left > VOL_MAX || right < 0 || right > VOL_MAX)
		return -EINVAL;
	if (pm_state != PM_D0)
		return -EIO;

	flags = irq_save();
	err = codec_write(CODEC_VOL_LEFT, (u32)left);
	if (err)
		goto out;
	assert(irq_mask == IRQ_NONE);	/* still in our own section */
	err = codec_write(CODEC_VOL_RIGHT, (u32)right);
out:
	irq_restore(flags);
	return err;
}

static int snd_get_volume(void)
{
	int left;

	if (pm_state != PM_D0)
		return -EIO;
	left = codec_read(CODEC_VOL_LEFT);
	if (left > VOL_MAX)
		left = VOL_MAX;
	return left;
}

static int snd_trigger(int start)
{
	int err;

	if (pm_state != PM_D0)
		return -EIO;
	err = codec_write(CODEC_MUTE, start ? 0u : 1u);
	if (err)
		return err;
	stream_running = start;
	return 0;
}

/* The user chooses which interrupts he wants. */
static int snd_set_irqs(u32 mask)
{
	if (pm_state != PM_D0)
		return -EBUSY;
	irq_set_mask(mask);
	return 0;
}

static int snd_interrupt(void)
{
	u32 status;

	if (pm_state != PM_D0 || irq_mask == IRQ_NONE)
		return 0;
	status = reg_read(SND_ISR);
	if (!(status & ISR_PERIOD))
		return 0;
	reg_write(SND_ISR, ISR_PERIOD);
	return 1;
}

/* ---- power management -------------------------------------------------- */

static int snd_suspend(void)
{
	int err;

	if (pm_state != PM_D0)
		return 0;

	if (stream_running) {
		err = codec_write(CODEC_MUTE, 1);
		if (err)
			return -EBUSY;	/* stay awake */
		stream_running = 0;
	}
	saved_mask = irq_save();
	reg_write(SND_POWER, 3);
	pm_state = PM_D3;
	return 0;
}

static int snd_resume(void)
{
	int err;

	if (pm_state == PM_D0)
		return 0;

	pm_state = PM_D0;
	reg_write(SND_POWER, 0);
	err = codec_reset();
	if (err) {
		reg_write(SND_POWER, 3);
		pm_state = PM_D3;
		return err;
	}
	irq_restore(saved_mask);
	return 0;
}

int main(void)
{
	u32 wanted = IRQ_NONE;		/* the mask the user asked for */
	u32 mask;

	while (__VERIFIER_nondet_int()) {
		switch (__VERIFIER_nondet_int()) {
		case 0:
			snd_set_volume(__VERIFIER_nondet_int(),
				       __VERIFIER_nondet_int());
			break;
		case 1:
			snd_get_volume();
			break;
		case 2:
			snd_trigger(__VERIFIER_nondet_int());
			break;
		case 3:
			mask = __VERIFIER_nondet_uint();
			if (snd_set_irqs(mask) == 0)
				wanted = mask;
			break;
		case 4:
			snd_suspend();
			break;
		case 5:
			snd_resume();
			break;
		default:
			snd_interrupt();
			break;
		}
		if (pm_state == PM_D0)
			assert(irq_mask == wanted);
		else
			assert(saved_mask == wanted);
	}
	return 0;
}
