/*
 * callback-context - timers with a callback and its context.
 *
 * A timer knows a function and a pointer to void for it.  The callbacks cast
 * it back to what it was: a device that has been too slow, or a lamp that
 * blinks.  Two devices have one callback, and a timer each.
 *
 * Properties: a timeout is told only to a device that is busy, and a tick only
 * to a lamp that blinks.
 *
 * The watch is one of the devices, either: main() chooses which.  watch_state
 * is its state, and is asserted where that of the watch is.  There is only one
 * lamp, so that it needs no watch: watch_blinking is its state.
 */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

enum state {
	DEV_IDLE,
	DEV_BUSY
};

struct timer {
	void (*fn)(void *data);
	void *data;
	int armed;
};

struct dev {
	struct timer *timer;
	enum state state;
};

struct lamp {
	struct timer *timer;
	int blinking;
};

static struct timer disk_timer, tape_timer, lamp_timer;
static struct dev disk, tape;
static struct lamp lamp;

static struct dev *watch;	/* one device, any */
static enum state watch_state;	/* its state */
static int watch_blinking;	/* whether the lamp blinks */

static void dev_set(struct dev *d, enum state state)
{
	d->state = state;
	if (d == watch)
		watch_state = state;
}

static void timer_setup(struct timer *t, void (*fn)(void *data), void *data)
{
	t->fn = fn;
	t->data = data;
	t->armed = 0;
}

static void timer_expire(struct timer *t)
{
	if (!t->armed)
		return;
	t->armed = 0;
	t->fn(t->data);
}

static void dev_timeout(void *data)
{
	struct dev *d = data;

	assert(d != watch || watch_state == DEV_BUSY);
	dev_set(d, DEV_IDLE);
}

static void lamp_tick(void *data)
{
	struct lamp *l = data;

	assert(l != &lamp || watch_blinking);
	l->timer->armed = 1;
}

static void dev_start(struct dev *d)
{
	if (d->state == DEV_BUSY)
		return;
	dev_set(d, DEV_BUSY);
	d->timer->armed = 1;
}

/* The device is ready in time. */
static void dev_ready(struct dev *d)
{
	d->timer->armed = 0;
	dev_set(d, DEV_IDLE);
}

static void lamp_set(struct lamp *l, int blink)
{
	l->blinking = blink;
	if (l == &lamp)
		watch_blinking = blink;
	l->timer->armed = blink;
}

int main(void)
{
	disk.timer = &disk_timer;
	tape.timer = &tape_timer;
	lamp.timer = &lamp_timer;
	timer_setup(&disk_timer, dev_timeout, &disk);
	timer_setup(&tape_timer, dev_timeout, &disk);
	timer_setup(&lamp_timer, lamp_tick, &lamp);
	watch = __VERIFIER_nondet_int() ? &disk : &tape;

	while (__VERIFIER_nondet_int()) {
		dev_start(__VERIFIER_nondet_int() ? &disk : &tape);
		if (__VERIFIER_nondet_int())
			dev_ready(__VERIFIER_nondet_int() ? &disk : &tape);
		if (__VERIFIER_nondet_int())
			lamp_set(&lamp, __VERIFIER_nondet_int() == 0);
		if (__VERIFIER_nondet_int())
			timer_expire(&disk_timer);
		if (__VERIFIER_nondet_int())
			timer_expire(&tape_timer);
		timer_expire(&lamp_timer);
	}
	return 0;
}
