/*
 * typestate - files are opened, read, and closed.
 *
 * Any number of files is opened, one after the other.  The driver keeps the
 * current one and the one before; it may go back by one.  Files are never
 * freed, so that a file that was closed can still be asked for its state.
 *
 * Property: no file is read that is closed.
 *
 * The watch is one of the files, any: which one is chosen where they are
 * opened.  watch_state is its state, and is asserted where that of the watch
 * is.
 */
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

enum state {
	FILE_CLOSED,
	FILE_OPEN
};

struct file {
	enum state state;
};

static struct file *watch;	/* one file, any */
static enum state watch_state;	/* its state */

static void file_set(struct file *f, enum state state)
{
	f->state = state;
	if (f == watch)
		watch_state = state;
}

static struct file *file_open(void)
{
	struct file *f = malloc(sizeof(*f));

	if (!f)
		return NULL;
	if (!watch && __VERIFIER_nondet_int())
		watch = f;
	file_set(f, FILE_OPEN);
	return f;
}

static void file_read(struct file *f)
{
	assert(f != watch || watch_state == FILE_OPEN);
}

static void file_close(struct file *f)
{
	file_set(f, FILE_CLOSED);
}

int main(void)
{
	struct file *current = NULL;
	struct file *previous = NULL;
	struct file *f;

	while (__VERIFIER_nondet_int()) {
		switch (__VERIFIER_nondet_int()) {
		case 0:		/* the next file */
			f = file_open();
			if (!f)
				break;
			if (previous)
				file_close(previous);
			previous = current;
			current = f;
			break;
		case 1:		/* back to the one before */
			if (!current)
				break;
			file_close(current);
			current = previous;
			previous = NULL;
			break;
		case 2:
			if (current)
				file_read(current);
			break;
		default:
			if (previous)
				file_read(previous);
			break;
		}
	}
	return 0;
}
