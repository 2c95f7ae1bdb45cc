/*
 * pageflip - double buffering of a display, and the blitter that draws.
 *
 * A display has two frames.  The one in `front` is scanned out, the one in
 * `back` is drawn into; a flip exchanges them at the vertical blank.  The
 * blitter takes rectangles whose corners may be given in any order, and
 * works for portrait screens, where width and height change places.
 *
 * Three kinds of callers share a little library: swap_frames() and
 * swap_words() exchange what two pointers point to, order_words() puts two
 * words in order.
 *
 * Properties: the two frames of a display are never the same; nothing is
 * drawn into the frame that is being scanned out; the blitter gets only
 * rectangles in order and inside the screen; two flips change nothing.
 */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern short __VERIFIER_nondet_short(void);
extern unsigned int inl(unsigned long port);
extern void outl(unsigned int value, unsigned long port);

#define EINVAL		22
#define EBUSY		16

#define CRT_STATUS	0x3c00u
#define CRT_START	0x3c04u
#define BLT_X		0x3c10u
#define BLT_Y		0x3c14u
#define BLT_W		0x3c18u
#define BLT_H		0x3c1cu
#define BLT_GO		0x3c20u

#define CRT_VBLANK	0x1u
#define VBLANK_POLLS	4

#define SCREEN_W	1024
#define SCREEN_H	768

enum frame_owner {
	OWNER_NONE,
	OWNER_SCANOUT,
	OWNER_DRAW
};

struct frame {
	unsigned int addr;
	enum frame_owner owner;
	unsigned int generation;
};

struct rect {
	int x0, y0;
	int x1, y1;
};

struct display {
	struct frame *front;	/* shown */
	struct frame *back;	/* drawn into */
	int rotated;		/* 0 or 1 */
	unsigned int flips;
};

/* ---- the library ------------------------------------------------------- */

static void swap_frames(struct frame **p, struct frame **q)
{
	struct frame *t;

	t = *p;
	*p = *q;
	*q = t;
}

static void swap_words(int *p, int *q)
{
	int t;

	t = *p;
	*p = *q;
	*q = t;
}

/* Put the lesser of two words into *lo; returns how far *hi is from there. */
static int order_words(int *lo, int *hi)
{
	if (*lo > *hi)
		swap_words(lo, hi);
	return *hi - *lo;
}

/* ---- the display ------------------------------------------------------- */

static void crt_show(struct frame *f)
{
	assert(f->owner == OWNER_SCANOUT);
	outl(f->addr, CRT_START);
}

static int crt_wait_vblank(void)
{
	int polls;

	for (polls = 0; polls < VBLANK_POLLS; polls++) {
		if (inl(CRT_STATUS) & CRT_VBLANK)
			return 0;
	}
	return -EBUSY;
}

static void display_init(struct display *d, struct frame *a, struct frame *b)
{
	assert(a != b);
	d->front = a;
	d->back = b;
	d->front->owner = OWNER_SCANOUT;
	d->back->owner = OWNER_DRAW;
	d->rotated = 0;
	d->flips = 0;
	crt_show(d->front);
}

/* Show what has been drawn; draw into what was shown. */
static void display_flip(struct display *d)
{
	swap_frames(&d->front, &d->back);
	d->back->owner = OWNER_DRAW;
	d->front->owner = OWNER_SCANOUT;
	d->flips++;
	crt_show(d->front);
}

static int display_sync(struct display *d)
{
	int err;

	err = crt_wait_vblank();
	if (err)
		return err;		/* the old frame stays */
	display_flip(d);
	return 0;
}

/* ---- the blitter ------------------------------------------------------- */

static void blt_fill(int x, int y, int w, int h)
{
	assert(x >= 0 && y >= 0);
	assert(w >= 0 && h >= 0);
	assert(x + w <= SCREEN_W);
	assert(y + h <= SCREEN_H);
	outl((unsigned int)x, BLT_X);
	outl((unsigned int)y, BLT_Y);
	outl((unsigned int)w, BLT_W);
	outl((unsigned int)h, BLT_H);
	outl(1, BLT_GO);
}

static int draw_rect(struct display *d, struct rect *r)
{
	int x, y, w, h;

	if (d->rotated) {
		/* Portrait: the two axes change places. */
		swap_words(&r->x0, &r->y0);
		swap_words(&r->x1, &r->y1);
	}
	w = order_words(&r->x0, &r->x1);
	h = order_words(&r->y0, &r->y1);
	x = r->x0;
	y = r->y0;
	if (x < 0 || w > SCREEN_W - x)
		return -EINVAL;
	if (y < 0 || h > SCREEN_H - y)
		return -EINVAL;

	assert(d->back->owner == OWNER_DRAW);
	d->back->generation++;
	blt_fill(x, y, w, h);
	return 0;
}

/* The mode with width and height as the user sees them. */
static int display_rotate(struct display *d)
{
	int width = SCREEN_W;
	int height = SCREEN_H;

	if (d->rotated)
		swap_words(&width, &height);
	d->rotated = !d->rotated;
	swap_words(&width, &height);
	if (d->rotated)
		assert(width == SCREEN_H && height == SCREEN_W);
	else
		assert(width == SCREEN_W && height == SCREEN_H);
	return width;
}

/* ---- a client ---------------------------------------------------------- */

/*
 * Blink the screen: flip at the vertical blank and flip back, after which
 * everything must be as it was.  The way back does not wait: better a torn
 * picture than the wrong one.
 */
static int client_blink(struct display *d)
{
	struct frame *shown = d->front;
	struct frame *drawn = d->back;
	int err;

	err = display_sync(d);
	if (err)
		return err;
	display_sync(d);
	assert(d->front == shown);
	assert(d->back == drawn);
	return 0;
}

static struct frame frame_a = { 0x100000u, OWNER_NONE, 0 };
static struct frame frame_b = { 0x400000u, OWNER_NONE, 0 };

int main(void)
{
	struct display screen;
	struct rect r;

	display_init(&screen, &frame_a, &frame_b);
	while (__VERIFIER_nondet_int()) {
		switch (__VERIFIER_nondet_int()) {
		case 0:
			display_sync(&screen);
			break;
		case 1:
			client_blink(&screen);
			break;
		case 2:
			display_rotate(&screen);
			break;
		default:
			r.x0 = __VERIFIER_nondet_short();
			r.y0 = __VERIFIER_nondet_short();
			r.x1 = __VERIFIER_nondet_short();
			r.y1 = __VERIFIER_nondet_short();
			draw_rect(&screen, &r);
			break;
		}
		assert(screen.front != screen.back);
		assert(screen.front->owner == OWNER_SCANOUT);
	}
	return 0;
}
