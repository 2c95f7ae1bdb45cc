/*
 * wdt_ctl - a single-open watchdog timer with "magic close".
 *
 * User space must write the character 'V' before closing the device;
 * otherwise the close is taken for a crash of the daemon and the timer keeps
 * running, so that the machine is reset soon after.
 *
 * Properties: the timer is stopped only if the last write of *this* session
 * contained the magic character, and only if it runs.
 */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);
extern void outb(unsigned char value, unsigned short port);

#define EBUSY		16

#define WDT_CTRL	0x2e
#define WDT_KICK	0x2f
#define WDT_ENABLE	0x5a
#define WDT_DISABLE	0xa5
#define WDT_MAGIC	42

static int wdt_in_use;		/* bit 0 of the status word in most drivers */
static int wdt_running;
static int expect_release;	/* WDT_MAGIC once 'V' has been seen */

static int magic_written;	/* property: 'V' seen in this session */

static void wdt_hw_start(void)
{
	outb(WDT_ENABLE, WDT_CTRL);
	wdt_running = 1;
}

static void wdt_hw_stop(void)
{
	assert(wdt_running);
	assert(magic_written);
	outb(WDT_DISABLE, WDT_CTRL);
	wdt_running = 0;
}

static void wdt_hw_ping(void)
{
	outb(0xff, WDT_KICK);
}

static int wdt_open(void)
{
	if (wdt_in_use)
		return -EBUSY;

	wdt_in_use = 1;
	magic_written = 0;
	if (!wdt_running)
		wdt_hw_start();
	wdt_hw_ping();
	return 0;
}

static int wdt_write(int len)
{
	int i;
	char c;

	if (len <= 0)
		return 0;

	/* A later write without the magic character cancels an earlier one. */
	expect_release = 0;
	magic_written = 0;
	for (i = 0; i < len; i++) {
		c = __VERIFIER_nondet_char();	/* get_user() */
		if (c == 'V') {
			expect_release = WDT_MAGIC;
			magic_written = 1;
		}
	}
	wdt_hw_ping();
	return len;
}

static void wdt_release(void)
{
	if (expect_release == WDT_MAGIC)
		wdt_hw_stop();
	else
		wdt_hw_ping();		/* unexpected close: keep counting */

	wdt_in_use = 0;
}

/* The file layer: writes and closes only what has been opened. */
int main(void)
{
	int file_open = 0;

	while (__VERIFIER_nondet_int()) {
		switch (__VERIFIER_nondet_int()) {
		case 0:
			if (wdt_open() == 0)
				file_open = 1;
			break;
		case 1:
			if (file_open)
				wdt_write(__VERIFIER_nondet_int());
			break;
		case 2:
			if (file_open) {
				wdt_release();
				file_open = 0;
			}
			break;
		default:
			break;
		}
	}
	return 0;
}
