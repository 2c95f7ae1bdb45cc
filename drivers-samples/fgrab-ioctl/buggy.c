/*
 * fgrab - open/ioctl/close state machine of a frame grabber.
 *
 *	CLOSED --open--> OPEN --S_FMT--> FORMAT --REQBUFS(n)--> BUFFERS
 *	BUFFERS --STREAMON--> STREAMING <--PAUSE/RESUME--> PAUSED
 *	STREAMING, PAUSED --STREAMOFF--> BUFFERS --REQBUFS(0)--> FORMAT
 *	any --close--> CLOSED
 *
 * While the capture engine is on it writes frames into the buffers by DMA, at
 * any time.  A paused grabber has its gate closed but its engine armed.
 *
 * Properties (label ERROR): the engine is never started without buffers or
 * twice; the buffers are never freed under a running engine; a frame never
 * arrives when there are no buffers.
 */
extern int __VERIFIER_nondet_int(void);
extern unsigned int inl(unsigned int port);
extern void outl(unsigned int value, unsigned int port);
extern void abort(void) __attribute__((noreturn));

#define BUG()		abort()

#define EBUSY		16
#define ENODEV		19
#define EINVAL		22
#define ENOTTY		25
#define ENOMEM		12

#define FG_CTRL		0x800u
#define FG_SIZE		0x804u
#define FG_IRQ		0x808u

#define CTRL_ENGINE	0x1u
#define CTRL_GATE	0x2u
#define IRQ_FRAME	0x1u

#define FG_MAX_BUFS	8
#define FG_MAX_WIDTH	768
#define FG_MAX_HEIGHT	576

enum fg_state {
	FG_CLOSED,
	FG_OPEN,
	FG_FORMAT,
	FG_BUFFERS,
	FG_STREAMING,
	FG_PAUSED
};

enum fg_cmd {
	FGIOC_S_FMT = 100,
	FGIOC_REQBUFS,
	FGIOC_STREAMON,
	FGIOC_PAUSE,
	FGIOC_RESUME,
	FGIOC_STREAMOFF
};

static enum fg_state state = FG_CLOSED;
static int engine_on;		/* the capture engine may write memory */
static int buffers;		/* number of DMA buffers */

static void fg_engine_start(void)
{
	if (engine_on || buffers == 0)
		goto ERROR;
	outl(CTRL_ENGINE | CTRL_GATE, FG_CTRL);
	engine_on = 1;
	return;
ERROR:
	BUG();
}

static void fg_engine_stop(void)
{
	outl(0, FG_CTRL);
	engine_on = 0;
}

static int fg_alloc_buffers(int count)
{
	if (__VERIFIER_nondet_int())
		return -ENOMEM;
	buffers = count;
	return 0;
}

static void fg_free_buffers(void)
{
	if (engine_on)
		goto ERROR;		/* DMA into freed memory */
	buffers = 0;
	return;
ERROR:
	BUG();
}

static int fg_open(void)
{
	if (state != FG_CLOSED)
		return -EBUSY;		/* one user at a time */
	if (inl(FG_CTRL) == ~0u)
		return -ENODEV;
	state = FG_OPEN;
	return 0;
}

static int fg_set_format(int width, int height)
{
	if (state != FG_OPEN && state != FG_FORMAT)
		return -EBUSY;
	if (width <= 0 || width > FG_MAX_WIDTH ||
	    height <= 0 || height > FG_MAX_HEIGHT)
		return -EINVAL;
	outl((unsigned int)(width * 1024 + height), FG_SIZE);
	state = FG_FORMAT;
	return 0;
}

static int fg_request_buffers(int count)
{
	int err;

	if (state == FG_CLOSED || state == FG_OPEN)
		return -EINVAL;		/* size not known yet */
	if (state == FG_STREAMING)
		return -EBUSY;		/* the engine owns them */
	if (count < 0 || count > FG_MAX_BUFS)
		return -EINVAL;

	if (buffers > 0) {
		fg_free_buffers();
		state = FG_FORMAT;
	}
	if (count == 0)
		return 0;

	err = fg_alloc_buffers(count);
	if (err)
		return err;
	state = FG_BUFFERS;
	return 0;
}

static int fg_stream_on(void)
{
	switch (state) {
	case FG_STREAMING:
		return 0;
	case FG_PAUSED:
		outl(CTRL_ENGINE | CTRL_GATE, FG_CTRL);
		state = FG_STREAMING;
		return 0;
	case FG_BUFFERS:
		fg_engine_start();
		state = FG_STREAMING;
		return 0;
	default:
		return -EINVAL;
	}
}

static int fg_pause(void)
{
	if (state != FG_STREAMING)
		return -EINVAL;
	outl(CTRL_ENGINE, FG_CTRL);	/* gate closed, engine still armed */
	state = FG_PAUSED;
	return 0;
}

static int fg_resume(void)
{
	if (state != FG_PAUSED)
		return -EINVAL;
	outl(CTRL_ENGINE | CTRL_GATE, FG_CTRL);
	state = FG_STREAMING;
	return 0;
}

static int fg_stream_off(void)
{
	if (state != FG_STREAMING && state != FG_PAUSED)
		return -EINVAL;
	fg_engine_stop();
	state = FG_BUFFERS;
	return 0;
}

static int fg_ioctl(int cmd, int arg)
{
	switch (cmd) {
	case FGIOC_S_FMT:
		return fg_set_format(arg, __VERIFIER_nondet_int());
	case FGIOC_REQBUFS:
		return fg_request_buffers(arg);
	case FGIOC_STREAMON:
		return fg_stream_on();
	case FGIOC_PAUSE:
		return fg_pause();
	case FGIOC_RESUME:
		return fg_resume();
	case FGIOC_STREAMOFF:
		return fg_stream_off();
	default:
		return -ENOTTY;
	}
}

static void fg_close(void)
{
	if (state == FG_STREAMING || state == FG_PAUSED)
		fg_stream_off();
	if (state == FG_BUFFERS)
		fg_free_buffers();
	state = FG_CLOSED;
}

/* Frame interrupt: comes whenever the engine is on. */
static void fg_interrupt(void)
{
	if (!engine_on)
		return;
	if (!(inl(FG_IRQ) & IRQ_FRAME))
		return;
	if (buffers == 0)
		goto ERROR;
	outl(IRQ_FRAME, FG_IRQ);
	return;
ERROR:
	BUG();
}

int main(void)
{
	while (__VERIFIER_nondet_int()) {
		switch (__VERIFIER_nondet_int()) {
		case 0:
			fg_open();
			break;
		case 1:
			fg_ioctl(__VERIFIER_nondet_int(),
				 __VERIFIER_nondet_int());
			break;
		case 2:
			fg_interrupt();
			break;
		case 3:
			if (state != FG_CLOSED)
				fg_close();
			break;
		default:
			break;
		}
	}
	return 0;
}
